use std::fs;

use ctxhost_sdk::prelude::Level;
use tempfile::TempDir;

use super::*;

fn project(files: &[(&str, &str)]) -> (TempDir, Code) {
    let folder = TempDir::new().expect("a folder");
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).expect("a file"));
    let code = Code::open(folder.path(), &Places { max_files: 100, ..Places::default() }).expect("a project");
    (folder, code)
}

fn update(code: &Code) {
    assert_eq!(code.update(Pace::Now, &|| false, &mut |_, _| ()), Outcome::Complete);
}

#[test]
fn a_look_that_was_not_finished_is_said_and_calls_nothing_complete() {
    let (folder, code) = project(&[("a.py", "def one(): pass\n")]);
    code.look(&|_| false);
    update(&code);
    assert!(code.index(&code.view()).complete && code.problems(&code.view()).is_empty());
    fs::write(folder.path().join("b.py"), "def two(): pass\n").expect("a file");
    code.look(&|_| true);
    let (index, problems) = (code.index(&code.view()), code.problems(&code.view()));
    assert!(!index.complete && index.files == 1, "{index:?}");
    assert_eq!((problems.len(), problems[0].code), (1, "look-unfinished"));
    // However often it happens, and however much is left, it is the same thing to say.
    let said = "the look at the files was not finished in time; what is shown may be older";
    assert_eq!(problems[0].message, said);
    fs::write(folder.path().join("c.py"), "def three(): pass\n").expect("a file");
    code.look(&|part| part >= 1.0);
    assert_eq!(code.problems(&code.view()), problems);
    code.look(&|_| false);
    update(&code);
    assert!(code.index(&code.view()).complete && code.problems(&code.view()).is_empty());
}

#[test]
fn text_that_changed_since_the_look_is_not_read_by_old_places() {
    let (folder, code) = project(&[("a.py", "def one(): pass\n")]);
    code.look(&|_| false);
    let view = code.view();
    assert_eq!(code.text_as_known(&view, "a.py").as_deref(), Some("def one(): pass\n"));
    // As long as before, so that its length says nothing.
    fs::write(folder.path().join("a.py"), "def two(): pass\n").expect("a file");
    assert_eq!(code.text_as_known(&view, "a.py"), None);
}

#[test]
fn files_known_in_part_are_told_by_reason() {
    let (_folder, code) = project(&[("a.txt", &"word ".repeat(60_000)), ("b.txt", &"text ".repeat(60_000))]);
    code.look(&|_| false);
    update(&code);
    let message = "2 files are found by a part only (a.txt): too large to be read whole".to_owned();
    let expected = Trouble { level: Level::Info, code: "partial-too-large", message };
    assert_eq!(code.problems(&code.view()), [expected]);
}

#[test]
fn nothing_that_a_file_of_secrets_holds_is_indexed() {
    let (_folder, code) = project(&[(".env", "TOKEN=swordfish\n"), ("a.py", "swordfish = 1\n")]);
    code.look(&|_| false);
    update(&code);
    let view = code.view();
    let found = view.reader.postings("swordfish").expect("it is read");
    let paths: Vec<_> = found.iter().filter_map(|found| Some(view.reader.file(found.doc)?.path())).collect();
    assert_eq!(paths, ["a.py"]);
    assert!(view.reader.find(".env").is_some());
}
