//! The words of a file, by field.

use crate::made::symbol;
use ctxhost_code::{
    bm25f::FIELDS,
    index::{Document, count},
    symbols::{Extracted, Kind, Symbol},
};

fn counted(path: &str, source: &[u8], symbols: &[Symbol]) -> Document {
    let extracted = Extracted { symbols: symbols.to_vec(), ..Extracted::default() };
    count(path, source, None, false, false, [0; 32], extracted)
}

fn counts(document: &Document, word: &str) -> [u16; FIELDS] {
    let found = document.terms.iter().find(|term| &*term.text == word);
    found.map_or([0; FIELDS], |term| term.counts)
}

#[test]
fn words_are_counted_by_path_names_docs_and_body() {
    let mut method = symbol("open", "Cart", Kind::Method);
    method.doc = Some(0..9);
    let mut outside = symbol("shut", "Cart", Kind::Method);
    outside.doc = Some(20..9999);
    let document = counted("cart/open.rs", b"// Opens.\nopen cart open", &[method, outside]);
    let check = |word: &str, expected: [u16; FIELDS]| assert_eq!(counts(&document, word), expected, "{word}");
    check("open", [1, 1, 1, 3]);
    // The owner of both is counted once.
    check("cart", [1, 1, 0, 1]);
    check("shut", [0, 1, 0, 0]);
    check("absent", [0; FIELDS]);
    assert_eq!(document.lengths, [3, 3, 1, 4]);
    assert!(document.terms.is_sorted_by(|a, b| a.text < b.text));
}

#[test]
fn what_is_no_text_parts_words() {
    let document = counted("a", b"alpha\xffbeta \xf0\x9f gamma", &[]);
    let words: Vec<&str> = document.terms.iter().map(|term| &*term.text).collect();
    assert_eq!(words, ["alpha", "beta", "gamma"]);
}

#[test]
fn a_count_ends_at_the_most_that_is_kept() {
    let document = counted("a", "alpha ".repeat(70_000).as_bytes(), &[]);
    assert_eq!(counts(&document, "alpha")[3], u16::MAX);
    assert_eq!(document.lengths[3], 70_000);
}

#[test]
fn a_file_of_made_up_words_is_cut_and_still_counted() {
    let made_up = (0..60_000).map(|at: u32| {
        let letter = |by: u32| char::from(b'b' + (at / by % 10) as u8);
        [10_000, 1000, 100, 10, 1].map(letter).iter().collect::<String>() + "x "
    });
    let text: String =
        std::iter::once("alpha ".to_owned()).chain(made_up).chain(["alpha".to_owned()]).collect();
    let document = counted("q", text.as_bytes(), &[]);
    assert_eq!(document.terms.len(), 50_000);
    assert_eq!(counts(&document, "alpha")[3], 2);
    assert_eq!(document.lengths[3], 60_002);
}

#[test]
fn lines_are_counted_with_and_without_a_last_line_feed() {
    for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
        assert_eq!(counted("a", text.as_bytes(), &[]).lines, lines, "{text:?}");
    }
}
