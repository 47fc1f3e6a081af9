//! What a parse holds, by its own count, and what is left after one that was given up.

use std::thread;

use super::{Bounded, Exceeded, Limits, Parsed, limits};
use crate::{
    grammar::{Grammar, Grammars},
    language::Language,
};

/// The library is built beside the test, since `ctxhost-grammars` is a dev-dependency.
fn grammar(id: &str) -> &'static Grammar {
    let beside = std::env::current_exe().expect("a path").parent().expect("in a folder").to_owned();
    let language = Language::of_id(id).expect("a language");
    Grammars::new(vec![beside]).get(language).expect("it opens").expect("it is in the library")
}

fn parse(id: &str, source: &str, bytes: usize) -> Result<Parsed, Exceeded> {
    grammar(id).bounded.parse(source.as_bytes(), &Limits { bytes, ..limits(source.len()) })
}

const MIB: usize = 1024 * 1024;
const GOOD: &str = "int add(int a) { return a; }\n";

fn check_good(id: &str, source: &str) {
    let parsed = parse(id, source, MIB).expect("it is small");
    assert!(!parsed.root().has_error(), "{}", parsed.root());
}

#[test]
fn a_parse_that_exceeds_its_bytes_is_left_and_the_next_is_whole() {
    for round in 0..20 {
        let bomb = "/**/a => ".repeat(1_000 + round);
        assert_eq!(parse("c", &bomb, 4 * MIB).err(), Some(Exceeded::Bytes));
        check_good("c", GOOD);
    }
}

#[test]
fn a_parse_can_be_left_at_each_of_its_blocks() {
    // Python's scanner has memory of its own, which must be freed as well.
    for (id, source) in [("c", GOOD), ("python", "def add(a):\n    if a:\n        return f'{a}'\n")] {
        let most = parse(id, source, MIB).expect("it is small").most();
        let mut left = 0;
        for bytes in (0..most).step_by(16) {
            left += usize::from(parse(id, source, bytes).err() == Some(Exceeded::Bytes));
        }
        assert_eq!(left, most.div_ceil(16), "less than the most is never enough");
        let parsed = parse(id, source, most).expect("the most is enough");
        assert_eq!(parsed.most(), most);
    }
}

#[test]
fn what_a_parse_holds_grows_with_its_text() {
    let source = GOOD.repeat(10_000);
    let most = parse("c", &source, 100 * MIB).expect("it is small").most();
    assert!((5 * source.len()..100 * source.len()).contains(&most), "{most} for {}", source.len());
}

#[test]
fn a_parse_that_takes_too_long_is_left() {
    let source = "/**/a => ".repeat(20_000);
    let limits = Limits { millis: 100, ..limits(source.len()) };
    let parsed = grammar("solidity").bounded.parse(source.as_bytes(), &limits);
    assert_eq!(parsed.err(), Some(Exceeded::Steps));
}

#[test]
fn trees_live_beside_each_other_and_end_in_any_order() {
    let mut trees: Vec<Parsed> =
        (1..8).map(|many| parse("c", &GOOD.repeat(many), MIB).expect("it is small")).collect();
    assert!(parse("c", &"a => ".repeat(2_000), 2 * MIB).is_err());
    drop(trees.remove(3));
    drop(trees.remove(0));
    check_good("c", GOOD);
    let children: Vec<usize> = trees.iter().map(|tree| tree.root().named_child_count()).collect();
    assert_eq!(children, [2, 3, 5, 6, 7]);
}

#[test]
fn a_parser_of_its_own_works_beside_a_bounded_parse() {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&grammar("c").language).expect("it fits");
    let tree = parser.parse(GOOD, None).expect("a tree");
    assert!(parse("c", &"a => ".repeat(2_000), 2 * MIB).is_err());
    let again = parser.parse(GOOD.repeat(3), None).expect("a tree");
    // Blocks that belong to no parse may be freed by another thread.
    thread::spawn(move || drop((parser, tree))).join().expect("no panic");
    assert_eq!(again.root_node().named_child_count(), 3);
}

#[test]
fn many_threads_parse_at_once() {
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for round in 1..30 {
                    assert_eq!(parse("c", &"a => ".repeat(2_000), 2 * MIB).err(), Some(Exceeded::Bytes));
                    check_good("c", &GOOD.repeat(round));
                    check_good("python", "def add(a):\n    return a\n");
                }
            });
        }
    });
}

#[test]
fn a_grammar_can_be_used_by_all_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Bounded>();
}
