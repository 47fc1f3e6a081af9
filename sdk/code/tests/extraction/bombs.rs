//! Texts that make a parser take memory without bound, or its scanners write where they must not. All of it runs in a
//! process of its own with little address space, so that a bomb fails the test and not the machine.

use std::{
    env,
    fmt::Write,
    process::{Command, Stdio},
};

use ctxhost_code::{
    language::Language,
    symbols::{Extracted, Extractor, Method, Partial},
};

use crate::{extract, grammars, names};

/// Names the part that the child runs.
const PART: &str = "CTXHOST_TEST_BOMBS";

/// What the child may take, in KiB: 600 MB, most of it for libraries and compiled queries; 5,000 times `a => ` as C would
/// take some 9 GB.
const ADDRESS_SPACE: &str = "600000";

/// Runs a test of this file again in a process with little address space; the child runs the part itself.
fn alone(test: &str, part: impl FnOnce()) {
    if env::var(PART).is_ok_and(|name| name == test) {
        return part();
    }
    let program = env::current_exe().expect("a test has a path");
    let output = Command::new("sh")
        .args(["-c", "ulimit -v $0; exec \"$@\"", ADDRESS_SPACE])
        .arg(program)
        .args(["--exact", &format!("bombs::{test}"), "--nocapture"])
        .env(PART, test)
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && out.contains("1 passed"), "{:?}\n{out}\n{said}", output.status);
}

/// How much memory the process holds, in bytes.
fn held() -> usize {
    let state = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages = state.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number");
    pages * 4096
}

fn is_given_up(found: &Extracted) -> bool {
    matches!(found.partial, Some(Partial::TooSlow | Partial::TooMuchMemory))
}

/// The same behind comments, which take neither steps nor depth: only counting the bytes themselves bounds this.
#[test]
fn readings_behind_comments_take_little_memory() {
    alone("readings_behind_comments_take_little_memory", || {
        let grammars = grammars();
        let mut extractor = Extractor::new(&grammars);
        let mut too_much = 0;
        for id in
            ["c", "cpp", "java", "javascript", "typescript", "tsx", "rust", "go", "swift", "scala", "dart"]
        {
            for comment in ["/**/", "/* some words */", &format!("/*{}*/", "a".repeat(100)), "//\n"] {
                eprintln!("{id} {comment}");
                let source = format!("{comment}a => ").repeat(8_000);
                let found = extractor.extract(Language::of_id(id), source.as_bytes());
                too_much += usize::from(found.partial == Some(Partial::TooMuchMemory));
                assert!(held() < 350_000_000, "{} bytes after {id} {comment}", held());
            }
        }
        assert!(too_much >= 4, "these texts take memory: {too_much}");
        let found = extractor.extract(Language::of_id("c"), b"int add(int a) { return a; }");
        assert_eq!((found.method, found.partial, names(&found)), (Method::Grammar, None, vec!["add".into()]));
    });
}

#[test]
fn readings_that_multiply_take_little_memory_in_every_language() {
    alone("readings_that_multiply_take_little_memory_in_every_language", || {
        let grammars = grammars();
        let mut extractor = Extractor::new(&grammars);
        let pieces = [
            "if a then ",
            "not ",
            "a ? ",
            "<a>",
            "a => ",
            "a b\n",
            "a =>     ",
            "a_name_that_is_long_by_itself => ",
        ];
        let mut given_up = 0;
        for known in grammars.languages() {
            for piece in pieces {
                eprintln!("{} {piece:?}", known.id);
                let found = extractor.extract(Language::of_id(&known.id), piece.repeat(5_000).as_bytes());
                given_up += usize::from(is_given_up(&found));
            }
        }
        assert!(given_up > 20, "these texts are hard: {given_up}");
    });
}

/// A text that ends in a bomb, after code that is whole.
#[test]
fn what_a_grammar_gives_up_is_read_by_the_family() {
    alone("what_a_grammar_gives_up_is_read_by_the_family", || {
        let bomb = "a => ".repeat(5_000);
        let found = extract("c", format!("int add(int a) {{\n  return a;\n}}\n{bomb}"));
        assert!(found.method == Method::Family && is_given_up(&found), "{:?}", found.partial);
        assert_eq!(names(&found), ["add"]);
    });
}

#[test]
fn blocks_deeper_than_a_scanner_keeps_are_survived() {
    alone("blocks_deeper_than_a_scanner_keeps_are_survived", || {
        for depth in 490..530 {
            let mut source = String::new();
            for level in 0..depth {
                writeln!(source, "{}if a:", " ".repeat(level)).expect("a string takes everything");
            }
            let blanks = " ".repeat(depth);
            writeln!(source, "{blanks}f'{{a}} {{f\"{{b}}\"}}'\ndef add(): pass").expect("a string");
            let found: Extracted = extract("python", source);
            assert_eq!(names(&found).last().map(String::as_str), Some("add"), "{depth}");
        }
    });
}

#[test]
fn names_of_heredocs_that_a_scanner_cannot_keep_are_survived() {
    alone("names_of_heredocs_that_a_scanner_cannot_keep_are_survived", || {
        for length in
            [1, 250, 255, 256, 257, 300, 511, 512, 1000, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 5000]
        {
            let name = "A".repeat(length);
            let found = extract("ruby", format!("a = <<{name}\n text #{{1}}\n{name}\ndef add; end\n"));
            assert_eq!(found.method, Method::Grammar, "{length}");
        }
        for many in 1..300 {
            let open: Vec<String> = (0..many).map(|index| format!("<<A{index}")).collect();
            let found = extract("ruby", format!("a = {}\n", open.join(", ")));
            assert!(found.symbols.len() <= 1, "{many}");
        }
    });
}

#[test]
fn names_of_dollar_texts_are_not_kept_for_each_statement() {
    alone("names_of_dollar_texts_are_not_kept_for_each_statement", || {
        let name = "a".repeat(1_000);
        let words = "SELECT name FROM place;\n".repeat(10_000);
        let source = format!(
            "CREATE FUNCTION f() RETURNS int AS ${name}$ BEGIN {words} END ${name}$ LANGUAGE plpgsql;"
        );
        extract("sql", &source);
        let before = held();
        let found = extract("sql", &source);
        let grown = held().saturating_sub(before);
        assert_eq!(found.method, Method::Grammar);
        assert!(grown < 4_000_000, "{grown} bytes for a text of {}", source.len());
    });
}
