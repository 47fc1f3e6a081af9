//! Paths, and the families in them.

use super::*;
use crate::select::{inventory::FileFacts, roles};

fn check(paths: &[String], expected: &[&str]) {
    let file = |path: &String| {
        let language = ctxhost_code::language::detect(path, b"");
        crate::select::facts::bare(path, [0; 32], 1, language, ctxhost_code::walk::is_test(path))
    };
    let files: Vec<FileFacts> = paths.iter().map(file).collect();
    let tree = Tree::new(&files);
    let roles: Vec<Role> = tree.files.iter().map(|file| roles::role(file, false)).collect();
    let families = Families::find(&tree, &roles);
    let mut shown: Vec<String> = families
        .list
        .iter()
        .map(|family| {
            format!("{} {} {} {}", family.pattern, family.count, family.role.text(), family.text)
                .trim()
                .to_owned()
        })
        .collect();
    shown.sort();
    assert_eq!(shown, expected);
}

fn many(count: usize, path: impl Fn(usize) -> String) -> Vec<String> {
    (0..count).map(path).collect()
}

fn letter(at: usize) -> String {
    format!(
        "{}{}",
        ["red", "blue", "green", "dark", "light", "pale"][at % 6],
        ["fox", "owl", "cat", "elk"][at / 6 % 4]
    )
}

#[test]
fn samples_tests_and_numbered_files_are_families() {
    check(
        &many(8, |at| format!("tests/fixtures/{}.svelte", letter(at))),
        &["tests/fixtures/*.svelte 8 test"],
    );
    check(&many(7, |at| format!("tests/fixtures/{}.svelte", letter(at))), &[]);
    check(&many(12, |at| format!("tests/test_{}.py", letter(at))), &["tests/test_*.py 12 test"]);
    check(&many(9, |at| format!("docs_src/tutorial{at:03}_py310.py")), &["docs_src/*_py310.py 9 source"]);
    check(&many(24, |at| format!("src/{}.rs", letter(at))), &[]);
    check(
        &many(20, |at| format!("db/migrations/{at:04}_{}.sql", letter(at))),
        &["db/migrations/*.sql 20 source"],
    );
}

#[test]
fn directories_of_one_shape_are_a_family() {
    let samples: Vec<String> = ["main.svelte", "_config.js"]
        .iter()
        .flat_map(|name| many(10, move |at| format!("tests/runtime/samples/{}/{name}", letter(at))))
        .collect();
    check(
        &samples,
        &["tests/runtime/samples/*/ 20 test samples for tests, in 10 directories (_config.js, main.svelte)"],
    );
    // Packages are not, though each has the same files.
    check(&many(24, |at| format!("crates/{}/src/lib.rs", letter(at))), &[]);
    check(&many(12, |at| format!("src/{}/view.py", letter(at))), &[]);
    check(
        &many(24, |at| format!("docs_src/{}/tutorial{at:03}.py", letter(at))),
        &["docs_src/*/ 24 source 24 directories alike (tutorial*.py)"],
    );
}

#[test]
fn translations_are_a_family_but_for_the_original() {
    let docs: Vec<String> =
        ["en", "de", "fr", "zh-hant", "ja"].iter().map(|of| format!("docs/{of}/index.md")).collect();
    check(&docs, &["docs/*/ 4 doc translations: de, fr, ja, zh-hant"]);
    check(&["a/go/x.md".to_owned(), "a/rs/x.md".to_owned()], &[]);
}

#[test]
fn what_matters_among_many_stands_alone() {
    let file = |path: String, definitions: u32| {
        let language = ctxhost_code::language::detect(&path, b"");
        let bare =
            crate::select::facts::bare(&path, [0; 32], 1, language, ctxhost_code::walk::is_test(&path));
        FileFacts { definitions, ..bare }
    };
    let mut files: Vec<FileFacts> =
        (0..14).map(|at| file(format!("tests/test_{}.py", letter(at)), 3)).collect();
    files.push(file("tests/test_everything.py".to_owned(), 80));
    files.push(file("tests/utils.py".to_owned(), 2));
    let tree = Tree::new(&files);
    let roles: Vec<Role> = tree.files.iter().map(|file| roles::role(file, false)).collect();
    let families = Families::find(&tree, &roles);
    let alone: Vec<&str> = tree
        .files
        .iter()
        .zip(&families.has)
        .filter(|(_, has)| !**has)
        .map(|(file, _)| file.path.as_str())
        .collect();
    assert_eq!(alone, ["tests/test_everything.py", "tests/utils.py"]);
    assert_eq!(families.list[0].count, 14);
}
