//! An index that does not have everything yet, with the rest looked through for the words of one question.
//!
//! Files that are not indexed are scanned, not parsed; the few that rank best are parsed when ranking asks for their
//! symbols, or for a name that the question spells. To ranking both are one corpus: a scanned file has a number behind
//! those of the index.

mod defines;

use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BTreeSet, HashMap, HashSet},
};

use ctxhost_code::{
    bm25f::{FIELDS, Lengths},
    index::{Case, File, IndexError, Posting},
    project::{Hit, Scanned, View},
    symbols::{Extracted, Extractor, Symbol},
    words,
};

use super::code::Code;
use crate::select::corpus::{Corpus, FileFacts, Place};

/// So many files are parsed in all because they may define a name that is asked for.
const FOR_NAMES: usize = 32;

/// So many files at most are read to tell which of them are parsed first.
const LOOKED_AT: usize = 1_000;

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
    /// The names whose files were parsed, without case.
    names: HashSet<String>,
    /// How many files may still be parsed for names.
    room: usize,
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
            parsed: RefCell::new(Parsed {
                extractor: Extractor::new(&code.grammars),
                files: HashMap::new(),
                names: HashSet::new(),
                room: FOR_NAMES,
            }),
            stop,
        }
    }

    fn hit(&self, doc: u32) -> Option<&Hit> {
        self.scanned.hits.get(doc.checked_sub(self.base)? as usize)
    }

    fn hits(&self) -> impl Iterator<Item = (u32, &Hit)> {
        (self.base..).zip(&self.scanned.hits)
    }

    /// The scanned files that hold every word of a name, each with how often it holds the rarest of them in it; none when
    /// the name was not asked for.
    fn holding(&self, name: &str) -> Vec<(u32, u32)> {
        let mut places = Some(Vec::new());
        words::split(name, &mut |word| match (self.words.get(word), &mut places) {
            (Some(place), Some(places)) => places.push(*place),
            _ => places = None,
        });
        let Some(places) = places.filter(|places| !places.is_empty()) else { return Vec::new() };
        let times = |hit: &Hit| {
            let of = |place: &usize| hit.counts[*place].iter().map(|count| u32::from(*count)).sum::<u32>();
            places.iter().map(of).min().unwrap_or(0)
        };
        self.hits().map(|(doc, hit)| (doc, times(hit))).filter(|(_, times)| *times > 0).collect()
    }

    /// Parses the files that most likely define a name of the question, once.
    fn parse_for(&self, name: &str) -> Result<(), IndexError> {
        if self.parsed.borrow().room == 0 || !self.parsed.borrow_mut().names.insert(name.to_lowercase()) {
            return Ok(());
        }
        let mut holding = self.holding(name);
        holding
            .sort_by_key(|(doc, times)| (self.hit(*doc).is_some_and(|hit| hit.test), Reverse(*times), *doc));
        holding.truncate(LOOKED_AT);
        let seems = |doc: u32| {
            let text = self.hit(doc).filter(|_| !(self.stop)()).and_then(|hit| self.read(hit));
            text.is_some_and(|text| defines::seems(&text, name))
        };
        let (likely, others): (Vec<u32>, Vec<u32>) =
            holding.into_iter().map(|(doc, _)| doc).partition(|doc| seems(*doc));
        for doc in likely.into_iter().chain(others) {
            if self.parsed.borrow().files.contains_key(&doc) {
                continue;
            }
            let room = self.parsed.borrow().room;
            if room == 0 {
                break;
            }
            self.parsed.borrow_mut().room = room - 1;
            self.extracted(doc)?;
        }
        Ok(())
    }

    /// The bytes of a scanned file, as long as they are those that were scanned.
    fn read(&self, hit: &Hit) -> Option<Vec<u8>> {
        self.code.bytes(&hit.path).filter(|bytes| self.view.has_text(&hit.path, bytes))
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

    fn definitions(&self, name: &str, case: Case) -> Result<Vec<Place>, IndexError> {
        let found = self.view.reader.definitions(name, case)?;
        let indexed = found.iter().filter(|found| self.view.is_current(found.doc));
        let mut places: Vec<Place> =
            indexed.map(|found| Place { doc: found.doc, symbol: found.symbol }).collect();
        let name = name.replace("::", ".").replace('#', ".");
        self.parse_for(name.rsplit('.').next().unwrap_or_default())?;
        let parsed = self.parsed.borrow();
        let mut docs: Vec<&u32> = parsed.files.keys().collect();
        docs.sort();
        for doc in docs {
            let named =
                (0..).zip(&parsed.files[doc].symbols).filter(|(_, symbol)| goes_by(symbol, &name, case));
            places.extend(named.map(|(symbol, _)| Place { doc: *doc, symbol }));
        }
        Ok(places)
    }

    fn frequency(&self, name: &str) -> Result<u32, IndexError> {
        let uses = |extracted: &&Extracted| extracted.references.iter().any(|used| used.name == name);
        let parsed = self.parsed.borrow().files.values().filter(uses).count();
        // Of a name that was asked for, the words were looked for in every file.
        let scanned = parsed.max(self.holding(name).len()) as u32;
        Ok(self.view.reader.name_frequency(name, Case::Exact)? + scanned)
    }

    fn text(&self, doc: u32) -> Option<Vec<u8>> {
        match self.hit(doc) {
            Some(hit) => self.read(hit),
            None => {
                let file = self.view.reader.file(doc)?;
                self.code.bytes(file.path()).filter(|bytes| self.view.has_text(file.path(), bytes))
            }
        }
    }
}

/// Whether a symbol has this name, which may begin with the last parts of its owner.
fn goes_by(symbol: &Symbol, name: &str, case: Case) -> bool {
    let (mut own, mut name) = (symbol.qualified(), name.to_owned());
    if case == Case::Any {
        (own, name) = (own.to_lowercase(), name.to_lowercase());
    }
    own.strip_suffix(&name).is_some_and(|front| front.is_empty() || front.ends_with('.'))
}
