//! The words of files, from the code index.

use std::cell::RefCell;

use ctxhost_code::{
    bm25f::{Bm25f, Field, saturate},
    index::{Case, Reader},
    symbols::Visibility,
};

use crate::select::{
    inventory::{FileFacts, Named},
    score::Texts,
};

/// So many definitions of one name are taken.
const MOST: usize = 40;

/// A word in a doc comment says more of a file than one in its code.
const DOCS: f64 = 0.4;

/// The index, held against the files that are known.
pub(crate) struct Indexed<'a> {
    reader: &'a Reader,
    /// Sorted by path.
    files: &'a [FileFacts],
    average: [f64; 4],
    /// Where each document's file is, as far as it was asked for: common words ask for the same ones again and again.
    places: RefCell<Vec<Option<Option<usize>>>>,
}

impl<'a> Indexed<'a> {
    pub(crate) fn new(reader: &'a Reader, files: &'a [FileFacts]) -> Self {
        let places = RefCell::new(vec![None; reader.bound() as usize]);
        Self { reader, files, average: reader.average_lengths(), places }
    }

    /// The place of a document's file, while both are about the same bytes.
    fn place(&self, doc: u32) -> Option<usize> {
        let known = self.places.borrow().get(doc as usize).copied().flatten();
        known.unwrap_or_else(|| {
            let place = self.looked_up(doc);
            if let Some(known) = self.places.borrow_mut().get_mut(doc as usize) {
                *known = Some(place);
            }
            place
        })
    }

    fn looked_up(&self, doc: u32) -> Option<usize> {
        let file = self.reader.file(doc)?;
        let at = self.files.binary_search_by(|known| known.path.as_str().cmp(file.path())).ok()?;
        (self.files[at].hash == *file.hash() && !self.files[at].secret).then_some(at)
    }
}

impl Texts for Indexed<'_> {
    fn holding(&self, word: &str) -> Vec<(usize, f64)> {
        let formula = Bm25f::default();
        let postings = self.reader.postings(word).unwrap_or_default();
        let strength = |doc: u32, counts: [u16; 4]| {
            let lengths = self.reader.file(doc)?.lengths();
            let in_field = |field: Field| {
                let at = field as usize;
                let length = f64::from(lengths[at]);
                saturate(f64::from(counts[at]), length, self.average[at], &formula)
                    / (1.0 + formula.saturation)
            };
            Some((1.0 - DOCS) * in_field(Field::Body) + DOCS * in_field(Field::Docs))
        };
        let each = postings.iter().filter_map(|posting| {
            let strength = strength(posting.doc, posting.counts).filter(|strength| *strength > 0.0)?;
            Some((self.place(posting.doc)?, strength))
        });
        each.collect()
    }

    fn defining(&self, name: &str) -> Vec<(usize, Named)> {
        let found = self.reader.definitions(name, Case::Any).unwrap_or_default();
        let mut places: Vec<_> = found
            .iter()
            .filter_map(|found| Some((self.place(found.doc)?, found.symbol, found.doc)))
            .collect();
        // Before the list is cut: documents are numbered as they were indexed, which differs between machines.
        places.sort_unstable();
        let named = |(at, symbol, doc): (usize, u32, u32)| {
            let symbol = self.reader.symbol(doc, symbol).ok()??;
            let named = Named {
                name: symbol.qualified(),
                kind: symbol.kind.word().to_owned(),
                public: symbol.visibility == Visibility::Public,
                line: symbol.span.first_line,
            };
            Some((at, named))
        };
        places.into_iter().take(MOST).filter_map(named).collect()
    }
}
