//! Asking the index.

use super::{
    Hash, IndexError,
    bytes::Broken,
    files::Row,
    postings::{self, Posting},
    record,
    segment::{RECORD, Segment},
    view::{self, Part},
};
use crate::{
    bm25f::FIELDS,
    language::Language,
    symbols::{Extracted, Import, Method, Partial, Reference, Symbol},
};
use std::{path::Path, sync::Arc};

mod listing;
mod lookup;
mod totals;

pub use lookup::Case;
pub use totals::{LanguageTotals, PartialTotals, Totals};

/// What the index holds at one moment; cheap to clone, and never changing under whoever reads it.
///
/// Documents have numbers, which mean something for this reader only: another one may number them anew. A tie in
/// a ranking is therefore settled by path.
#[derive(Clone)]
pub struct Reader {
    view: Arc<View>,
}

struct View {
    parts: Vec<Part>,
    /// The number of each part's first document.
    bases: Vec<u32>,
    generation: u64,
    version: u64,
    totals: Totals,
}

/// A file of the index.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its document's number in this reader.
    pub doc: u32,
    row: &'a Row,
}

impl<'a> File<'a> {
    /// The path below the project's root, with `/`.
    pub fn path(&self) -> &'a str {
        &self.row.path
    }

    /// The hash of the bytes that were indexed.
    pub fn hash(&self) -> &'a Hash {
        &self.row.hash
    }

    /// What it is written in.
    pub fn language(&self) -> Option<Language> {
        self.row.language
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> u64 {
        self.row.bytes
    }

    /// How many lines it has.
    pub fn lines(&self) -> u32 {
        self.row.lines
    }

    /// Whether it is a test.
    pub fn is_test(&self) -> bool {
        self.row.test
    }

    /// Whether it was generated, minified or vendored.
    pub fn is_generated(&self) -> bool {
        self.row.generated
    }

    /// How its symbols were found.
    pub fn method(&self) -> Method {
        self.row.method
    }

    /// Why something of it may be missing.
    pub fn partial(&self) -> Option<Partial> {
        self.row.partial
    }

    /// How many words each field has.
    pub fn lengths(&self) -> [u32; FIELDS] {
        self.row.lengths
    }

    /// How many symbols it defines.
    pub fn symbols(&self) -> u32 {
        self.row.symbols()
    }
}

impl Reader {
    /// Opens the index in a folder; an empty one when there is none yet. Needs no lock.
    ///
    /// # Errors
    /// When it is broken, of another version, or cannot be read.
    pub fn open(folder: &Path, version: u64) -> Result<Self, IndexError> {
        Self::empty(version).refreshed(folder)
    }

    /// Begins with nothing.
    pub fn empty(version: u64) -> Self {
        Self::new(Vec::new(), 0, version)
    }

    /// Gives what the folder holds now; segments that this one has are not opened again.
    ///
    /// # Errors
    /// As for [`Reader::open`].
    pub fn refreshed(&self, folder: &Path) -> Result<Self, IndexError> {
        let View { version, parts, generation, .. } = &*self.view;
        match view::open(folder, *version, parts)? {
            Some((manifest, found)) if manifest.generation == *generation && same(&found, parts) => {
                Ok(self.clone())
            }
            Some((manifest, found)) => Ok(Self::new(found, manifest.generation, *version)),
            None => Ok(Self::empty(*version)),
        }
    }

    pub(super) fn new(mut parts: Vec<Part>, generation: u64, version: u64) -> Self {
        let mut next = 0u32;
        let mut bases = Vec::with_capacity(parts.len());
        // Four billion documents are more than any disk has files; what is beyond is not shown.
        parts.retain(|part| {
            let end = next.checked_add(part.segment.documents());
            bases.extend(end.map(|_| next));
            next = end.unwrap_or(next);
            end.is_some()
        });
        let totals = Totals::of(&parts);
        Self { view: Arc::new(View { parts, bases, generation, version, totals }) }
    }

    #[cfg(test)]
    pub(super) fn parts(&self) -> &[Part] {
        &self.view.parts
    }

    #[cfg(test)]
    pub(super) fn of_segment(segment: Segment) -> Self {
        let part = Part { segment: Arc::new(segment), dead: Arc::default(), number: None };
        Self::new(vec![part], 0, 1)
    }

    /// Counts the commits; an index with the same number in the same folder is the same.
    pub fn generation(&self) -> u64 {
        self.view.generation
    }

    /// Gives what was counted over all living documents.
    pub fn totals(&self) -> &Totals {
        &self.view.totals
    }

    /// Gives how many words each field has on average.
    pub fn average_lengths(&self) -> [f64; FIELDS] {
        self.view.totals.average_lengths()
    }

    /// Gives a number that every document's is below, such as to keep a score for each in a vector.
    pub fn bound(&self) -> u32 {
        let last = self.view.parts.last().zip(self.view.bases.last());
        last.map_or(0, |(part, base)| base + part.segment.documents())
    }

    /// Gives every file, in the order of document numbers.
    pub fn files(&self) -> impl Iterator<Item = File<'_>> {
        let parts = self.view.parts.iter().zip(&self.view.bases);
        parts.flat_map(|(part, base)| part.living().map(move |(doc, row)| File { doc: base + doc, row }))
    }

    /// Gives the file of a document; `None` when there is no such document any more.
    pub fn file(&self, doc: u32) -> Option<File<'_>> {
        let (part, local) = self.part(doc)?;
        Some(File { doc, row: &part.segment.rows[local as usize] })
    }

    /// Gives the file at a path below the project's root.
    pub fn find(&self, path: &str) -> Option<File<'_>> {
        let mut parts = self.view.parts.iter().zip(&self.view.bases);
        parts.find_map(|(part, base)| self.file(base + part.find(path)?))
    }

    /// Gives everything that was found in a file.
    ///
    /// # Errors
    /// When the index is broken or cannot be read; `None` when there is no such document.
    pub fn extracted(&self, doc: u32) -> Result<Option<Extracted>, IndexError> {
        self.record(doc, record::decode)
    }

    /// Gives what a file defines.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn symbols(&self, doc: u32) -> Result<Vec<Symbol>, IndexError> {
        Ok(self.record(doc, record::decode_symbols)?.unwrap_or_default())
    }

    /// Gives one definition, by its place in its file.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn symbol(&self, doc: u32, symbol: u32) -> Result<Option<Symbol>, IndexError> {
        let mut symbols = self.symbols(doc)?;
        Ok(((symbol as usize) < symbols.len()).then(|| symbols.swap_remove(symbol as usize)))
    }

    /// Gives the names that a definition uses, or with `None` those that the file uses outside of all definitions.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn references_of(&self, doc: u32, symbol: Option<u32>) -> Result<Vec<Reference>, IndexError> {
        let mut references = self.extracted(doc)?.unwrap_or_default().references;
        references.retain(|reference| reference.symbol == symbol);
        Ok(references)
    }

    /// Gives what a file wants from elsewhere.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn imports(&self, doc: u32) -> Result<Vec<Import>, IndexError> {
        Ok(self.extracted(doc)?.unwrap_or_default().imports)
    }

    /// Gives the documents that hold a word as `words` gives it; as many as there are is its document frequency.
    ///
    /// # Errors
    /// When the index is broken or cannot be read.
    pub fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError> {
        let mut all = Vec::new();
        for (part, base) in self.view.parts.iter().zip(&self.view.bases) {
            let Segment { terms, source, rows, .. } = &*part.segment;
            terms.find(source, word, |bytes| {
                postings::read(bytes, rows.len() as u32, |doc, counts| {
                    if !part.dead.contains(doc) {
                        all.push(Posting { doc: base + doc, counts });
                    }
                })
            })?;
        }
        Ok(all)
    }

    fn record<T>(
        &self,
        doc: u32,
        decode: impl FnOnce(&[u8]) -> Result<T, Broken>,
    ) -> Result<Option<T>, IndexError> {
        let Some((part, local)) = self.part(doc) else { return Ok(None) };
        decode(&part.segment.record(local)?).map(Some).map_err(Broken::of(RECORD))
    }

    /// The part that a living document is in, and its number there.
    fn part(&self, doc: u32) -> Option<(&Part, u32)> {
        let at = self.view.bases.partition_point(|&base| base <= doc).checked_sub(1)?;
        let (part, local) = (&self.view.parts[at], doc - self.view.bases[at]);
        (local < part.segment.documents() && !part.dead.contains(local)).then_some((part, local))
    }
}

/// Whether these are the very same segments; the count of commits then says the rest.
fn same(a: &[Part], b: &[Part]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(&a.segment, &b.segment))
}
