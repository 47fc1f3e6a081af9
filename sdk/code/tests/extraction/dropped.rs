//! Single grammars that somebody dropped into a folder, built here from C.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use ctxhost_code::{
    grammar::{GrammarError, Grammars},
    language::Language,
    symbols::{Extracted, Extractor, Method, Partial},
};
use serde_json::Value;

use crate::names;

const QUERY: &str = "(pair key: (string (string_content) @name)) @definition.field";

fn compile(sources: &[PathBuf], include: &Path, library: &Path) {
    let output = Command::new("cc")
        .args(["-shared", "-fPIC", "-O0", "-o"])
        .arg(library)
        .arg("-I")
        .arg(include)
        .args(sources)
        .output()
        .expect("a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The folder of a crate's source, as Cargo knows it.
fn source_of(name: &str) -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let said = Command::new(&cargo).arg("-vV").output().expect("cargo").stdout;
    let said = String::from_utf8(said).expect("a text");
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).expect("a platform");
    // What other platforms need was never downloaded where nobody builds for them.
    let output = Command::new(cargo)
        .args([
            "metadata",
            "--offline",
            "--format-version",
            "1",
            "--filter-platform",
            host,
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = all["packages"].as_array().expect("a list");
    let package = packages.iter().find(|package| package["name"] == name).expect(name);
    let manifest = package["manifest_path"].as_str().expect("a path");
    Path::new(manifest).parent().expect("in a folder").join("src")
}

/// A folder with a grammar whose C function gives a struct that begins with some version.
fn with_version(version: u32) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("grammar.c");
    let text = format!(
        "static const unsigned grammar[128] = {{ {version} }};\nconst void *tree_sitter_json(void) {{ return grammar; }}\n"
    );
    fs::write(&source, text).expect("writable");
    compile(&[source], folder.path(), &folder.path().join("json.so"));
    fs::write(folder.path().join("json.scm"), QUERY).expect("writable");
    folder
}

/// A folder with the JSON grammar and a query.
fn json(query: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = source_of("tree-sitter-json");
    compile(&[source.join("parser.c")], &source, &folder.path().join("json.so"));
    fs::write(folder.path().join("json.scm"), query).expect("writable");
    folder
}

/// Reads a text by what lies in a folder.
fn read(folder: &Path) -> (Extracted, Vec<GrammarError>) {
    let grammars = Grammars::new(vec![folder.to_owned()]);
    let text = br#"{ "one": 1, "two": { "three": 3 } }"#;
    let found = Extractor::new(&grammars).extract(Language::of_id("json"), text);
    (found, grammars.problems())
}

#[test]
fn a_dropped_in_grammar_finds_what_its_query_says() {
    let folder = json(QUERY);
    let (found, problems) = read(folder.path());
    assert_eq!((found.method, found.partial), (Method::Grammar, None));
    assert_eq!(names(&found), ["one", "two", "two.three"]);
    assert!(problems.is_empty(), "{problems:?}");
}

#[test]
fn a_dropped_in_grammar_wins_over_the_librarys() {
    let folder = json("(pair key: (string (string_content) @name)) @definition.macro");
    let beside = std::env::current_exe().expect("a path").parent().expect("in a folder").to_owned();
    let grammars = Grammars::new(vec![folder.path().to_owned(), beside]);
    let found = Extractor::new(&grammars).extract(Language::of_id("json"), b"{ \"one\": 1 }");
    assert_eq!(found.symbols[0].kind, ctxhost_code::symbols::Kind::Macro);
}

#[test]
fn a_grammar_of_another_version_is_a_problem_and_no_crash() {
    for version in [0, 1, 12, 16, 99, u32::MAX] {
        let folder = with_version(version);
        let (found, problems) = read(folder.path());
        assert_eq!((found.symbols.len(), found.partial), (0, Some(Partial::Grammar)), "{version}");
        assert!(
            matches!(problems.as_slice(), [GrammarError::Abi { found, id, .. }] if *found == version as usize && id == "json"),
            "{version}: {problems:?}"
        );
    }
}

#[test]
fn a_query_that_does_not_fit_is_a_problem_that_says_where() {
    for (query, expected) in [
        ("(pair) @definition.field\n(no_such_node) @reference", "line 2"),
        ("(pair", "line 1"),
        ("(pair) @no.such.capture", "unknown capture `@no.such.capture`"),
        ("(pair no_such_field: (string)) @reference", "line 1"),
    ] {
        let folder = json(query);
        let (found, problems) = read(folder.path());
        assert_eq!((found.symbols.len(), found.partial), (0, Some(Partial::Grammar)), "{query}");
        match problems.as_slice() {
            [GrammarError::Query { reason, .. }] => assert!(reason.contains(expected), "{query}: {reason}"),
            other => panic!("{query}: {other:?}"),
        }
    }
}
