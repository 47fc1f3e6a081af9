//! How code is shown.

use ctxhost_code::symbols::{Kind, Visibility};
use ctxhost_sdk::protocol::pilot_index::Signals;

use super::*;

const TEXT: &str = "use std::io;\n\n/// Adds a name.\n///\n/// Twice is once.\npub fn add(\n    name: &str,\n) {\n    let x = 1;\n    insert(name);\n}\n\nstruct Empty;\n";

/// A symbol whose doc, signature and body are found in the text.
fn symbol(text: &str, name: &str, doc: &str, signature: &str, whole: &str) -> PickedSymbol {
    let start = text.find(whole).expect("it is there");
    let line = |byte: usize| text[..byte].matches('\n').count() as u32 + 1;
    let end = start + whole.len();
    let doc = (!doc.is_empty()).then(|| {
        let at = text.find(doc).expect("it is there") as u32;
        at..at + doc.len() as u32
    });
    PickedSymbol {
        name: name.to_owned(),
        kind: Kind::Function,
        visibility: Visibility::Public,
        lines: (line(start), line(end - 1)),
        bytes: start as u32..end as u32,
        signature_end: (start + signature.len()) as u32,
        doc,
        score: 1.0,
        signals: Signals::default(),
        lexical: 0.0,
        reason: String::new(),
    }
}

fn file(symbols: Vec<PickedSymbol>) -> PickedFile {
    PickedFile { path: "src/a.rs".to_owned(), fence: "rust".to_owned(), symbols, ..PickedFile::default() }
}

fn add() -> PickedSymbol {
    let whole =
        &TEXT[TEXT.find("pub fn").expect("it is there")..TEXT.find("\n\nstruct").expect("it is there")];
    symbol(TEXT, "add", "/// Adds a name.\n///\n/// Twice is once.", "pub fn add(\n    name: &str,\n)", whole)
}

#[test]
fn the_sizes_run_from_the_whole_to_a_line() {
    let snippet = snippet(&file(vec![add()]), TEXT, &|_| false);
    assert_eq!(
        snippet.full,
        "### add (function) - src/a.rs:6\n```rust\n/// Adds a name.\n///\n/// Twice is once.\npub fn add(\n    name: &str,\n) {\n    let x = 1;\n    insert(name);\n}\n```\n"
    );
    assert_eq!(
        snippet.signatures,
        "### add (function) - src/a.rs:6\n```rust\n/// Adds a name.\npub fn add(\n    name: &str,\n) {\n```\n"
    );
    assert_eq!(snippet.names, "- add (function) - src/a.rs:6\n");
    assert_eq!(snippet.shown, [(3, 11)]);
}

#[test]
fn of_a_long_body_the_matching_part_is_shown() {
    let body: String = (0..200).map(|n| format!("    step_{n}();\n")).collect();
    let text = format!("fn long() {{\n{body}}}\n");
    let long = symbol(&text, "long", "", "fn long()", text.trim_end());
    let shown = |matches: &dyn Fn(&str) -> bool| snippet(&file(vec![long.clone()]), &text, matches);
    let one = shown(&|line| line.contains("step_100("));
    assert!(
        one.full.contains("fn long() {\n…\n    step_97();\n") && one.full.contains("step_103();\n…\n}\n")
    );
    assert_eq!(one.shown, [(1, 1), (99, 105), (202, 202)]);
    let none = shown(&|_| false);
    assert!(none.full.contains("step_19();\n```") && !none.full.contains("step_20"));
    let all = shown(&|_| true);
    assert!(all.full.lines().count() <= 48, "{}", all.full.lines().count());
}

#[test]
fn what_holds_a_chosen_definition_is_said_by_its_signature() {
    let text = "class A:\n    x = 1\n\n    def one(self):\n        return 1\n";
    let outer = symbol(text, "A", "", "class A:", text.trim_end());
    let inner = symbol(text, "A.one", "", "def one(self):", "def one(self):\n        return 1");
    let both = snippet(&file(vec![inner, outer.clone()]), text, &|_| false);
    assert_eq!(
        both.full,
        "### A (function) - src/a.rs:1\n```rust\nclass A:\n```\n### A.one (function) - src/a.rs:4\n```rust\n    def one(self):\n        return 1\n```\n"
    );
    assert_eq!(both.names, "- A (function) - src/a.rs:1\n- A.one (function) - src/a.rs:4\n");
    assert!(snippet(&file(vec![outer]), text, &|_| false).full.contains("x = 1"));
}

#[test]
fn a_fence_is_longer_than_any_inside() {
    let text = "# Title\n````md\nx\n````\n";
    let snippet =
        snippet(&file(vec![symbol(text, "Title", "", "# Title", text.trim_end())]), text, &|_| false);
    assert!(snippet.full.contains("\n`````rust\n") && snippet.full.ends_with("\n`````\n"));
}

#[test]
fn the_same_choice_gives_the_same_bytes_whatever_it_scored() {
    let mut other = add();
    (other.score, other.lexical, other.reason) = (9.0, 3.0, "another reason".to_owned());
    let write = |symbol| snippet(&file(vec![symbol]), TEXT, &|_| false);
    assert_eq!(write(add()), write(other));
}

#[test]
fn places_that_are_no_longer_there_do_no_harm() {
    for text in ["", "x", "ü\r\nß", &"y".repeat(2_000)] {
        let snippet = snippet(&file(vec![add()]), text, &|_| true);
        assert!(snippet.names.contains("add") && snippet.full.len() < 2_000, "{text}");
        assert!(snippet.shown.iter().all(|(start, end)| start <= end && *end <= 2));
    }
}

#[test]
fn a_file_that_defines_nothing_is_shown_by_its_matching_lines() {
    let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
    let config = PickedFile { path: "a.toml".to_owned(), fence: "toml".to_owned(), ..PickedFile::default() };
    let hit = snippet(&config, &text, &|line| line.ends_with(" 50"));
    assert_eq!(hit.full.lines().count(), 10);
    assert!(hit.full.starts_with("### a.toml\n```toml\nline 47\n"), "{}", hit.full);
    assert_eq!((hit.shown, hit.names.as_str()), (vec![(47, 53)], "- a.toml\n"));
    assert_eq!(snippet(&config, &text, &|_| false).full, "");
}
