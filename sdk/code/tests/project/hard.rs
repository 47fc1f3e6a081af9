//! Files that are hard to read, in a whole project: the others are found as ever, and each matter is said once.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use ctxhost_code::{
    finding::Problem,
    index::Case,
    symbols::{Method, Partial},
};

use super::*;

/// Which files are known in part, by reason: how many, and the first.
fn partial(reader: &Reader) -> Vec<(Partial, u32, String)> {
    reader.totals().partial.iter().map(|of| (of.reason, of.files, of.first.clone())).collect()
}

#[test]
fn nesting_ten_thousand_deep_is_said_once_and_hides_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    // On many lines: calls on one line count as packed for machines and are not parsed at all.
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(10_000), close.repeat(10_000));
    write(&root.join("calls.py"), &nested("f(\n", ")\n"));
    write(&root.join("data.json"), &nested("[\n", "]\n"));
    write(&root.join("functions.js"), &nested("function f() {\n", "}\n"));
    write(&root.join("packed.js"), &nested("function f() {", "}"));
    write(&root.join("fine.py"), "def fine(): pass\n");
    let project = project(root, None);
    assert_eq!(bring_up(&project), []);
    let reader = &project.view().reader;
    assert_eq!(partial(reader), [(Partial::TooDeep, 4, "calls.py".to_owned())]);
    let found = reader.definitions("fine", Case::Exact).unwrap();
    assert_eq!(found.len(), 1);
    let deep = reader.find("functions.js").unwrap();
    assert_eq!(reader.extracted(deep.doc).unwrap().unwrap().method, Method::Family, "what patterns find");
}

#[test]
fn a_grammar_that_is_garbage_costs_its_language_and_one_problem() {
    let folder = tempfile::tempdir().unwrap();
    let (root, dropped) = (folder.path().join("project"), folder.path().join("dropped"));
    for n in 0..20 {
        write(&root.join(format!("f{n:02}.py")), &format!("def name{n}(): pass\n"));
    }
    write(&root.join("fine.rs"), "fn fine() {}\n");
    write(&dropped.join("python.so"), "\x7fELF and then nothing");
    write(&dropped.join("python.scm"), "(function_definition name: (identifier) @name) @definition.function");
    let beside = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let grammars = Grammars::new(vec![dropped, beside]);
    let settings = ProjectSettings { threads: 2, ..ProjectSettings::new(grammars.clone()) };
    let project = Project::open(&root, settings).unwrap();
    assert_eq!(bring_up(&project), []);
    assert_eq!(grammars.problems().len(), 1, "{:?}", grammars.problems());
    let reader = &project.view().reader;
    assert_eq!(partial(reader), [(Partial::Grammar, 20, "f00.py".to_owned())]);
    // The patterns of a family find them all the same.
    for name in ["name0", "name19", "fine"] {
        assert_eq!(reader.definitions(name, Case::Exact).unwrap().len(), 1, "{name}");
    }
}

/// Writes a file, another text each turn.
type Write = fn(&Path, usize);

/// Four writers that never rest: one appends, one writes anew, one writes as many bytes each time, one replaces the file.
fn writers(root: &Path) -> [(PathBuf, Write); 4] {
    [
        (root.join("appended.log"), |path, _| {
            let mut file = fs::File::options().append(true).create(true).open(path).unwrap();
            std::io::Write::write_all(&mut file, b"def appended(): pass\n").unwrap();
        }),
        (root.join("written.py"), |path, turn| {
            fs::write(path, format!("def written(): pass\n{}", "# more\n".repeat(turn % 900))).unwrap();
        }),
        (root.join("same.py"), |path, turn| {
            fs::write(path, format!("def same{}(): pass\n", turn % 10)).unwrap();
        }),
        (root.join("replaced.py"), |path, turn| {
            let beside = path.with_extension("new");
            fs::write(&beside, format!("def replaced{}(): pass\n", turn % 10)).unwrap();
            fs::rename(beside, path).unwrap();
        }),
    ]
}

#[test]
fn files_that_change_while_they_are_read_hide_nothing_and_come_to_rest() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("project");
    write(&root.join(".gitignore"), "*.new\n");
    write(&root.join("fine.py"), "def fine(): pass\n");
    let project = project(&root, Some(folder.path().join("cache")));
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for (path, act) in writers(&root) {
            let over = &over;
            scope.spawn(move || {
                for turn in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    act(&path, turn);
                }
            });
        }
        let begin = Instant::now();
        let mut looks = 0;
        while begin.elapsed() < Duration::from_secs(2) || looks < 20 {
            let findings = project.sync(SystemTime::now()).changes.findings;
            assert!(findings.iter().all(|finding| finding.problem == Problem::Changing), "{findings:?}");
            let updated = project.update(Pace::Now, &|| false, &mut |_, _| {});
            assert!(updated.findings.is_empty(), "{:?}", updated.findings);
            let view = project.view();
            let found = view.reader.definitions("fine", Case::Exact).unwrap();
            assert!(found.len() == 1 && view.is_current(found[0].doc));
            looks += 1;
        }
        over.store(true, Ordering::Relaxed);
    });
    assert_eq!(bring_up(&project), []);
    assert_eq!(text(&project.view().reader), fresh(&root));
}
