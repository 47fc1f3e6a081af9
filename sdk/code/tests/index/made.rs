//! Documents for the tests.

use ctxhost_code::{
    index::{Document, Reader, count, export},
    language::Language,
    symbols::{Extracted, Import, Kind, Method, Partial, Reference, Span, Symbol, Visibility},
};
use proptest::prelude::*;

/// How words and symbols are made in these tests.
pub(crate) const VERSION: u64 = 7;

pub(crate) fn symbol(name: &str, owner: &str, kind: Kind) -> Symbol {
    Symbol {
        name: name.to_owned(),
        owner: owner.to_owned(),
        kind,
        visibility: Visibility::Public,
        span: Span { bytes: 0..4, first_line: 1, last_line: 1 },
        signature_end: 2,
        doc: None,
    }
}

pub(crate) fn reference(name: &str, symbol: Option<u32>, count: u32) -> Reference {
    Reference { name: name.to_owned(), symbol, count }
}

/// A Rust file of this text with these symbols and references.
pub(crate) fn document(path: &str, text: &str, symbols: &[Symbol], references: &[Reference]) -> Document {
    let extracted = Extracted {
        symbols: symbols.to_vec(),
        references: references.to_vec(),
        imports: vec![Import { from: "std::fs".to_owned(), line: 1 }],
        method: Method::Grammar,
        partial: None,
    };
    let hash = [text.len() as u8; 32];
    count(path, text.as_bytes(), Language::of_id("rust"), path.contains("test"), false, hash, extracted)
}

pub(crate) fn exported(reader: &Reader) -> String {
    let mut text = Vec::new();
    export(reader, &mut text).expect("a sound index");
    String::from_utf8(text).expect("text")
}

prop_compose! {
    fn any_symbol()(
        name in "[a-zA-Zé_]{1,8}|\\PC{0,12}",
        owner in "([A-C]{1,2}(\\.[a-c]){0,2})?",
        kind in prop::sample::select(vec![Kind::Function, Kind::Class, Kind::Other]),
        visibility in prop::sample::select(vec![Visibility::Private, Visibility::Restricted, Visibility::Public]),
        numbers: [u32; 5],
        doc: Option<(u32, u32)>,
    ) -> Symbol {
        let [start, end, first_line, last_line, signature_end] = numbers;
        let span = Span { bytes: start..end, first_line, last_line };
        Symbol { name, owner, kind, visibility, span, signature_end, doc: doc.map(|(start, end)| start..end) }
    }
}

prop_compose! {
    fn any_reference()(name in "[a-zA-Z_]{1,4}|\\PC{0,12}", symbol in prop::option::of(0..9u32), count: u32) -> Reference {
        Reference { name, symbol, count }
    }
}

prop_compose! {
    /// Any document at one of a few paths, with whatever numbers.
    pub(crate) fn any_document()(
        path in "[a-d]{1,2}/[a-c]\\.rs",
        text in "([a-z]{1,3}[ _A-Z.]){0,30}\\PC{0,20}",
        symbols in prop::collection::vec(any_symbol(), 0..6),
        references in prop::collection::vec(any_reference(), 0..8),
        imports in prop::collection::vec(("\\PC{0,8}", any::<u32>()), 0..3),
        partial in prop::sample::select(vec![None, Some(Partial::TooLarge), Some(Partial::Grammar)]),
        language in prop::sample::select(vec![None, Some("rust"), Some("python")]),
        flags: [bool; 2],
        hash: [u8; 32],
    ) -> Document {
        let imports = imports.into_iter().map(|(from, line)| Import { from, line }).collect();
        let extracted = Extracted { symbols, references, imports, method: Method::Family, partial };
        count(&path, text.as_bytes(), language.and_then(Language::of_id), flags[0], flags[1], hash, extracted)
    }
}
