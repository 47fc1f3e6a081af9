//! A project's index as ranking asks it.

use ctxhost_code::{
    bm25f::Lengths,
    index::{Case, File, IndexError, Posting},
    project::View,
    symbols::Extracted,
};

use crate::select::corpus::{Corpus, FileFacts, Place};

/// What of an index is current, and the project's files.
pub struct Indexed<'a, R> {
    view: &'a View,
    read: R,
}

impl<'a, R: Fn(&File<'_>) -> Option<Vec<u8>>> Indexed<'a, R> {
    /// `read` gives a file's bytes, as many as were indexed, when they are still the same.
    pub fn new(view: &'a View, read: R) -> Self {
        Self { view, read }
    }
}

fn facts(file: File<'_>) -> FileFacts<'_> {
    FileFacts {
        doc: file.doc,
        path: file.path(),
        language: file.language(),
        test: file.is_test(),
        generated: file.is_generated(),
        lengths: file.lengths(),
    }
}

impl<R: Fn(&File<'_>) -> Option<Vec<u8>>> Corpus for Indexed<'_, R> {
    fn lengths(&self) -> Lengths {
        Lengths { documents: self.view.reader.totals().files, average: self.view.reader.average_lengths() }
    }

    fn files(&self) -> impl Iterator<Item = FileFacts<'_>> {
        self.view.reader.files().filter(|file| self.view.is_current(file.doc)).map(facts)
    }

    fn file(&self, doc: u32) -> Option<FileFacts<'_>> {
        self.view.reader.file(doc).filter(|file| self.view.is_current(file.doc)).map(facts)
    }

    fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError> {
        let mut found = self.view.reader.postings(word)?;
        found.retain(|posting| self.view.is_current(posting.doc));
        Ok(found)
    }

    fn extracted(&self, doc: u32) -> Result<Extracted, IndexError> {
        Ok(self.view.reader.extracted(doc)?.unwrap_or_default())
    }

    fn definitions(&self, name: &str, case: Case) -> Result<Vec<Place>, IndexError> {
        let found = self.view.reader.definitions(name, case)?;
        let current = found.iter().filter(|found| self.view.is_current(found.doc));
        Ok(current.map(|found| Place { doc: found.doc, symbol: found.symbol }).collect())
    }

    fn frequency(&self, name: &str) -> Result<u32, IndexError> {
        self.view.reader.name_frequency(name, Case::Exact)
    }

    fn text(&self, doc: u32) -> Option<Vec<u8>> {
        let file = self.view.reader.file(doc)?;
        (self.read)(&file).filter(|bytes| self.view.has_text(file.path(), bytes))
    }
}
