//! What lies where grammars are looked for: none, good ones, garbage.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use ctxhost_code::{
    grammar::{GrammarError, Grammars, Rejected},
    language::Language,
    symbols::{Extractor, Method, Partial},
};

const LIBRARY: &str = "libctxhost_grammars.so";

fn library() -> PathBuf {
    std::env::current_exe().expect("a test has a path").with_file_name(LIBRARY)
}

/// A folder with a file in it.
fn folder(name: &str, bytes: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), bytes).expect("writable");
    folder
}

fn problems(place: &Path) -> Vec<GrammarError> {
    let grammars = Grammars::new(vec![place.to_owned()]);
    let rust = Language::of_id("rust").expect("a language");
    assert!(!matches!(grammars.get(rust), Ok(Some(_))), "nothing can be used");
    let found = Extractor::new(&grammars).extract(Some(rust), b"fn add() {}");
    assert_ne!(found.method, Method::Grammar);
    grammars.problems()
}

fn check(bytes: &[u8], expected: impl Fn(&Rejected) -> bool) {
    let folder = folder(LIBRARY, bytes);
    match problems(folder.path()).as_slice() {
        [GrammarError::Rejected { reason, .. }] => assert!(expected(reason), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn garbage_is_a_problem_and_no_crash() {
    let damaged = |reason: &Rejected| matches!(reason, Rejected::Damaged(_));
    check(b"", damaged);
    check(b"not a library", damaged);
    check(&[0x7f; 100_000], damaged);
}

#[test]
fn a_library_that_is_cut_off_anywhere_is_a_problem_and_no_crash() {
    let whole = fs::read(library()).expect("the library is built beside the test");
    for part in 1..20 {
        check(&whole[..whole.len() / 20 * part], |reason| matches!(reason, Rejected::Damaged(_)));
    }
    check(&whole[..whole.len() - 1], |reason| matches!(reason, Rejected::Damaged(_)));
}

#[test]
fn a_library_for_another_machine_is_a_problem() {
    let mut whole = fs::read(library()).expect("the library is built beside the test");
    whole[18] = 0x28;
    check(&whole, |reason| *reason == Rejected::Machine);
}

#[test]
fn a_library_that_anybody_may_write_is_refused() {
    let folder = folder(LIBRARY, &fs::read(library()).expect("built"));
    let file = folder.path().join(LIBRARY);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).expect("ours");
    assert!(matches!(
        problems(folder.path()).as_slice(),
        [GrammarError::Rejected { reason: Rejected::Writable, .. }]
    ));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("ours");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("ours");
    assert!(matches!(
        problems(folder.path()).as_slice(),
        [GrammarError::Rejected { reason: Rejected::Writable, .. }]
    ));
}

#[test]
fn a_library_without_the_table_is_a_problem() {
    // Another whole library that every machine with Rust's tests has: the grammar library under a single grammar's name.
    let folder = folder("rust.so", &fs::read(library()).expect("built"));
    fs::write(folder.path().join("rust.scm"), "(identifier) @reference").expect("writable");
    assert!(matches!(
        problems(folder.path()).as_slice(),
        [GrammarError::NoSymbol { symbol, .. }] if symbol == "tree_sitter_rust"
    ));
}

#[test]
fn a_grammar_without_a_query_is_not_one() {
    let folder = folder("rust.so", b"garbage");
    assert!(problems(folder.path()).is_empty());
    assert!(Grammars::new(vec![folder.path().to_owned()]).languages().is_empty());
}

#[test]
fn a_single_grammar_that_is_garbage_is_a_problem_of_its_language_only() {
    let folder = folder("rust.so", b"garbage");
    fs::write(folder.path().join("rust.scm"), "").expect("writable");
    let beside = library().parent().expect("in a folder").to_owned();
    let grammars = Grammars::new(vec![folder.path().to_owned(), beside]);
    let mut extractor = Extractor::new(&grammars);
    let rust = extractor.extract(Language::of_id("rust"), b"fn add() {}");
    assert_eq!(rust.partial, Some(Partial::Grammar));
    let python = extractor.extract(Language::of_id("python"), b"def add(): pass");
    assert_eq!((python.method, python.symbols.len()), (Method::Grammar, 1));
    assert_eq!(grammars.problems().len(), 1, "said once");
}

#[test]
fn a_pipe_in_place_of_a_library_does_not_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink("/dev/zero", folder.path().join(LIBRARY)).expect("writable");
    assert!(matches!(
        problems(folder.path()).as_slice(),
        [GrammarError::Rejected { reason: Rejected::NotAFile, .. }]
    ));
}
