//! Counting the words of a file.

use super::{Document, Hash, Term, dictionary::KEY_LIMIT};
use crate::{
    bm25f::{FIELDS, Field},
    language::Language,
    symbols::{Extracted, Symbol},
    words,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A file has at most this many different words; a source file of a megabyte has about 10,000, so only made-up text is
/// cut.
const TERM_LIMIT: usize = 50_000;

/// Counts the words of a file and takes its symbols along.
///
/// `source` are its bytes; what is no UTF-8 in them is skipped. `hash` is what they hash to. A word that stands more than
/// 65,535 times in a field counts as that many.
pub fn count(
    path: &str,
    source: &[u8],
    language: Option<Language>,
    test: bool,
    generated: bool,
    hash: Hash,
    extracted: Extracted,
) -> Document {
    let mut counts = Counts::default();
    counts.add(Field::Path, path);
    let owners: FxHashSet<&str> = extracted.symbols.iter().map(|symbol| symbol.owner.as_str()).collect();
    let mut names: Vec<&str> =
        extracted.symbols.iter().map(|symbol| symbol.name.as_str()).chain(owners).collect();
    names.sort_unstable();
    names.iter().for_each(|name| counts.add(Field::Names, name));
    for doc in extracted.symbols.iter().filter_map(|symbol| doc(symbol, source)) {
        counts.add_bytes(Field::Docs, doc);
    }
    counts.add_bytes(Field::Body, source);
    let (terms, lengths) = counts.finish();
    let (path, bytes, lines) = (path.to_owned(), source.len() as u64, lines(source));
    Document { path, hash, language, bytes, lines, test, generated, lengths, terms, extracted }
}

fn doc<'a>(symbol: &Symbol, source: &'a [u8]) -> Option<&'a [u8]> {
    let range = symbol.doc.as_ref()?;
    source.get(range.start as usize..range.end as usize)
}

fn lines(source: &[u8]) -> u32 {
    let feeds = source.iter().filter(|&&byte| byte == b'\n').count();
    let open = source.last().is_some_and(|&byte| byte != b'\n');
    u32::try_from(feeds + usize::from(open)).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Counts {
    terms: FxHashMap<Box<str>, [u16; FIELDS]>,
    lengths: [u32; FIELDS],
}

impl Counts {
    fn add(&mut self, field: Field, text: &str) {
        let Self { terms, lengths } = self;
        let (field, mut words) = (field as usize, 0u32);
        words::split(text, &mut |word: &str| {
            words = words.saturating_add(1);
            if let Some(counts) = terms.get_mut(word) {
                counts[field] = counts[field].saturating_add(1);
            } else if word.len() <= KEY_LIMIT && terms.len() < TERM_LIMIT {
                let mut counts = [0; FIELDS];
                counts[field] = 1;
                terms.insert(word.into(), counts);
            }
        });
        lengths[field] = lengths[field].saturating_add(words);
    }

    fn add_bytes(&mut self, field: Field, bytes: &[u8]) {
        bytes.utf8_chunks().for_each(|chunk| self.add(field, chunk.valid()));
    }

    fn finish(self) -> (Vec<Term>, [u32; FIELDS]) {
        let mut terms: Vec<Term> =
            self.terms.into_iter().map(|(text, counts)| Term { text, counts }).collect();
        terms.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        (terms, self.lengths)
    }
}
