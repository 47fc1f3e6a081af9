//! Bytes with the right sums that still say nothing sensible: what is behind the sums must hold by itself.

use super::{
    bytes::{Broken, sum},
    dead::Dead,
    dictionary::{Entries, Table},
    files,
    manifest::{Listed, Manifest},
    merge, names, postings, record,
    segment::Segment,
    source::Source,
};
use crate::{
    index::{Reader, Writer, count, export},
    language::Language,
    symbols::{Extracted, Import, Kind, Method, Partial, Reference, Span, Symbol, Visibility},
};
use proptest::prelude::*;
use std::sync::LazyLock;

fn extracted() -> Extracted {
    let symbol = |name: &str, owner: &str| Symbol {
        name: name.to_owned(),
        owner: owner.to_owned(),
        kind: Kind::Method,
        visibility: Visibility::Restricted,
        span: Span { bytes: 10..500, first_line: 2, last_line: 30 },
        signature_end: 20,
        doc: Some(0..9),
    };
    let reference = |name: &str, symbol| Reference { name: name.to_owned(), symbol, count: 300 };
    Extracted {
        symbols: vec![symbol("alpha", ""), symbol("alphabet", "alpha"), symbol("über", "alpha.beta")],
        references: vec![reference("read", None), reference("reader", Some(0)), reference("write", Some(2))],
        imports: vec![Import { from: "std::fs".to_owned(), line: 1 }],
        method: Method::Grammar,
        partial: Some(Partial::TooDeep),
    }
}

fn reader() -> Reader {
    let mut writer = Writer::in_memory(1);
    let text = "alpha beta gamma alphabet read_all";
    let rust = Language::of_id("rust");
    let document =
        |at| count(&format!("src/f{at}.rs"), text.as_bytes(), rust, true, false, [at; 32], extracted());
    writer.add((0..60).map(document)).expect("memory");
    writer.commit().expect("memory");
    writer.reader()
}

static SEGMENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let reader = reader();
    let part = merge::Part { segment: &reader.parts()[0].segment, dead: &Dead::default() };
    let mut bytes = Vec::new();
    assert!(merge::merge(&[part], &mut bytes).is_ok());
    bytes
});

/// The list of segments without its sum.
fn list() -> Vec<u8> {
    let segment = Listed { number: 3, sum: 12, documents: 60, dead: vec![1, 5, 59] };
    let mut bytes = Manifest { version: 1, generation: 9, next: 4, segments: vec![segment] }.encode();
    bytes.truncate(bytes.len() - 8);
    bytes
}

/// Changes bytes here and there, and may cut the end off.
fn spoilt(sound: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (changes, any::<prop::sample::Index>(), any::<bool>()).prop_map(move |(changes, end, cut)| {
        let mut bytes = sound.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        bytes
    })
}

/// Decodes bytes as everything that there is; what comes out does not matter, only that it ends, and how much it is.
fn decode_all(bytes: &[u8]) {
    if let Ok(found) = record::decode(bytes) {
        assert!(found.symbols.len() + found.references.len() + found.imports.len() <= bytes.len());
    }
    let _: Result<Vec<Symbol>, Broken> = record::decode_symbols(bytes);
    if let Ok(rows) = files::decode(bytes) {
        assert!(rows.iter().map(|row| row.path.len()).sum::<usize>() <= bytes.len());
    }
    let _ = postings::read(bytes, 50, |doc, _| assert!(doc < 50));
    let _ = names::read_definitions(bytes, 50, |found| assert!(found.doc < 50));
    let _ = names::read_uses(bytes, 50, |found| assert!(found.doc < 50));
    let _ = names::split(bytes);
    let _ = Table::decode(bytes, "a table");
    let _ = Manifest::decode(bytes);
    let (mut entries, mut count) = (Entries::default(), 0);
    while let Ok(Some(_)) = entries.next(bytes) {
        count += 1;
    }
    assert!(count <= bytes.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_decoded_without_a_panic(bytes: Vec<u8>) {
        decode_all(&bytes);
    }

    #[test]
    fn a_spoilt_record_is_decoded_without_a_panic(bytes in spoilt(record::encode(&extracted()))) {
        decode_all(&bytes);
    }

    #[test]
    fn a_record_comes_back(names in prop::collection::vec("\\PC{0,80}", 0..20)) {
        let mut extracted = extracted();
        let reference = |name| Reference { name, symbol: Some(1), count: 1 };
        extracted.references = names.into_iter().map(reference).collect();
        prop_assert_eq!(record::decode(&record::encode(&extracted)), Ok(extracted));
    }

    #[test]
    fn a_spoilt_list_with_the_right_sum_is_read_without_a_panic(mut bytes in spoilt(list())) {
        let whole = sum(&bytes);
        bytes.extend_from_slice(&whole.to_le_bytes());
        if let Ok(found) = Manifest::decode(&bytes) {
            let dead: usize = found.segments.iter().map(|segment| segment.dead.len()).sum();
            prop_assert!(dead <= bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Tables and trailer are summed anew; blocks and records keep their sums and are caught by them.
    #[test]
    fn a_spoilt_segment_with_the_right_sums_is_read_and_merged_without_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = SEGMENT.clone();
        let trailer = bytes.len() - 120;
        let tables = number(&bytes, trailer) as usize;
        for (at, byte) in changes {
            bytes[tables + at.index(trailer + 96 - tables)] = byte;
        }
        put_sums(&mut bytes, trailer);
        use_up(bytes);
    }
}

fn use_up(bytes: Vec<u8>) {
    let Ok(segment) = Segment::open(Source::Memory(bytes.into())) else { return };
    let reader = Reader::of_segment(segment);
    let _ = export(&reader, &mut Vec::new());
    let _ = reader.names_containing("a", 5);
    let _ = reader.names_with_prefix("alp", 5);
    let part = &reader.parts()[0];
    let input = merge::Part { segment: &part.segment, dead: &part.dead };
    let _ = merge::merge(&[input, input], &mut Vec::new());
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn put_sums(bytes: &mut [u8], trailer: usize) {
    for at in (0..4).map(|section| trailer + section * 24) {
        let (offset, length) = (number(bytes, at) as usize, number(bytes, at + 8) as usize);
        if let Some(found) = offset.checked_add(length).and_then(|end| bytes.get(offset..end)) {
            let found = sum(found);
            bytes[at + 16..at + 24].copy_from_slice(&found.to_le_bytes());
        }
    }
    let end = bytes.len() - 8;
    let whole = sum(&bytes[trailer..end]);
    bytes[end..].copy_from_slice(&whole.to_le_bytes());
}

#[test]
fn sums_put_right_are_believed() {
    let mut bytes = SEGMENT.clone();
    let (sound, trailer) = (bytes.clone(), bytes.len() - 120);
    bytes[trailer + 20] ^= 1;
    assert!(Segment::open(Source::Memory(bytes.clone().into())).is_err());
    put_sums(&mut bytes, trailer);
    assert_eq!(bytes, sound);
}
