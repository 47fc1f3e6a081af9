//! An index that does not have everything yet, with the rest looked through for the words of one question.
//!
//! Files that are not indexed are scanned, not parsed; the few that rank best are parsed when ranking asks for their
//! symbols. To ranking both are one corpus: a scanned file has a number behind those of the index.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

use ctxhost_code::{
    bm25f::{FIELDS, Lengths},
    index::{Case, File, IndexError, Posting},
    project::{Hit, Scanned, View},
    symbols::{Extracted, Extractor},
};

use super::code::Code;
use crate::select::corpus::{Corpus, FileFacts, Place};

/// The index as it is and what was found beside it.
pub(crate) struct Cold<'a> {
    code: &'a Code,
    view: &'a View,
    /// Where each word stands in the scanned counts.
    words: HashMap<String, usize>,
    scanned: Scanned,
    /// The number of the first scanned file.
    base: u32,
    parsed: RefCell<Parsed>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

struct Parsed {
    extractor: Extractor,
    files: HashMap<u32, Extracted>,
}

impl<'a> Cold<'a> {
    /// Looks through what the index does not have; `stop` ends the look, and later what is parsed.
    pub(crate) fn new(
        code: &'a Code,
        view: &'a View,
        words: Vec<String>,
        scan_until: &(dyn Fn() -> bool + Sync),
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let words: Vec<String> = words.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let scanned = code.project.scan(view, &words, scan_until);
        let base = view.reader.files().map(|file| file.doc + 1).max().unwrap_or(0);
        Self {
            code,
            view,
            words: words.into_iter().zip(0..).collect(),
            scanned,
            base,
            parsed: RefCell::new(Parsed { extractor: Extractor::new(&code.grammars), files: HashMap::new() }),
            stop,
        }
    }

    fn hit(&self, doc: u32) -> Option<&Hit> {
        self.scanned.hits.get(doc.checked_sub(self.base)? as usize)
    }

    fn hits(&self) -> impl Iterator<Item = (u32, &Hit)> {
        (self.base..).zip(&self.scanned.hits)
    }

    /// The bytes of a scanned file, as long as they are those that were scanned.
    fn read(&self, hit: &Hit) -> Option<Vec<u8>> {
        self.code.bytes(&hit.path).filter(|bytes| bytes.len() as u64 == hit.bytes)
    }
}

fn indexed(file: File<'_>) -> FileFacts<'_> {
    FileFacts {
        doc: file.doc,
        path: file.path(),
        language: file.language(),
        test: file.is_test(),
        generated: file.is_generated(),
        lengths: file.lengths(),
    }
}

fn facts(doc: u32, hit: &Hit) -> FileFacts<'_> {
    FileFacts {
        doc,
        path: &hit.path,
        language: hit.language,
        test: hit.test,
        generated: hit.generated,
        lengths: hit.lengths,
    }
}

impl Corpus for Cold<'_> {
    fn lengths(&self) -> Lengths {
        let (indexed, averages) = (self.view.reader.totals().files, self.view.reader.average_lengths());
        let documents = indexed + self.scanned.files;
        let average = std::array::from_fn::<f64, FIELDS, _>(|field| {
            let all = averages[field] * f64::from(indexed) + self.scanned.lengths[field] as f64;
            all / f64::from(documents.max(1))
        });
        Lengths { documents, average }
    }

    fn files(&self) -> impl Iterator<Item = FileFacts<'_>> {
        let current = self.view.reader.files().filter(|file| self.view.is_current(file.doc));
        current.map(indexed).chain(self.hits().map(|(doc, hit)| facts(doc, hit)))
    }

    fn file(&self, doc: u32) -> Option<FileFacts<'_>> {
        match self.hit(doc) {
            Some(hit) => Some(facts(doc, hit)),
            None => self.view.reader.file(doc).map(indexed),
        }
    }

    fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError> {
        let mut postings = self.view.reader.postings(word)?;
        postings.retain(|posting| self.view.is_current(posting.doc));
        if let Some(at) = self.words.get(word) {
            let held = self.hits().filter(|(_, hit)| hit.counts[*at] != [0; FIELDS]);
            postings.extend(held.map(|(doc, hit)| Posting { doc, counts: hit.counts[*at] }));
        }
        Ok(postings)
    }

    fn extracted(&self, doc: u32) -> Result<Extracted, IndexError> {
        let Some(hit) = self.hit(doc) else {
            return Ok(self.view.reader.extracted(doc)?.unwrap_or_default());
        };
        let mut parsed = self.parsed.borrow_mut();
        if let Some(known) = parsed.files.get(&doc) {
            return Ok(known.clone());
        }
        if (self.stop)() {
            return Ok(Extracted::default());
        }
        let extracted =
            self.read(hit).map(|bytes| parsed.extractor.extract(hit.language, &bytes)).unwrap_or_default();
        parsed.files.insert(doc, extracted.clone());
        Ok(extracted)
    }

    fn definitions(&self, name: &str) -> Result<Vec<Place>, IndexError> {
        let found = self.view.reader.definitions(name, Case::Exact)?;
        let indexed = found.iter().filter(|found| self.view.is_current(found.doc));
        let mut places: Vec<Place> =
            indexed.map(|found| Place { doc: found.doc, symbol: found.symbol }).collect();
        let parsed = self.parsed.borrow();
        let mut docs: Vec<&u32> = parsed.files.keys().collect();
        docs.sort();
        for doc in docs {
            let named = (0..).zip(&parsed.files[doc].symbols).filter(|(_, symbol)| symbol.name == name);
            places.extend(named.map(|(symbol, _)| Place { doc: *doc, symbol }));
        }
        Ok(places)
    }

    fn frequency(&self, name: &str) -> Result<u32, IndexError> {
        let uses = |extracted: &&Extracted| extracted.references.iter().any(|used| used.name == name);
        let parsed = self.parsed.borrow().files.values().filter(uses).count() as u32;
        Ok(self.view.reader.name_frequency(name, Case::Exact)? + parsed)
    }

    fn text(&self, doc: u32) -> Option<Vec<u8>> {
        match self.hit(doc) {
            Some(hit) => self.read(hit),
            None => {
                let file = self.view.reader.file(doc)?;
                self.code.bytes(file.path()).filter(|bytes| bytes.len() as u64 == file.bytes())
            }
        }
    }
}
