//! A project's index as ranking asks it.

use ctxhost_code::{
    bm25f::Lengths,
    index::{Case, File, IndexError, Posting, Reader},
    symbols::Extracted,
};

use crate::select::corpus::{Corpus, FileFacts, Place};

/// An index and the project's files.
pub struct Indexed<'a, R> {
    reader: &'a Reader,
    read: R,
}

impl<'a, R: Fn(&File<'_>) -> Option<Vec<u8>>> Indexed<'a, R> {
    /// `read` gives a file's bytes when they are still those that were indexed.
    pub fn new(reader: &'a Reader, read: R) -> Self {
        Self { reader, read }
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
        Lengths { documents: self.reader.totals().files(), average: self.reader.average_lengths() }
    }

    fn files(&self) -> impl Iterator<Item = FileFacts<'_>> {
        self.reader.files().map(facts)
    }

    fn file(&self, doc: u32) -> Option<FileFacts<'_>> {
        self.reader.file(doc).map(facts)
    }

    fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError> {
        self.reader.postings(word)
    }

    fn extracted(&self, doc: u32) -> Result<Extracted, IndexError> {
        Ok(self.reader.extracted(doc)?.unwrap_or_default())
    }

    fn definitions(&self, name: &str) -> Result<Vec<Place>, IndexError> {
        let found = self.reader.definitions(name, Case::Exact)?;
        Ok(found.iter().map(|found| Place { doc: found.doc, symbol: found.symbol }).collect())
    }

    fn frequency(&self, name: &str) -> Result<u32, IndexError> {
        self.reader.name_frequency(name, Case::Exact)
    }

    fn text(&self, doc: u32) -> Option<Vec<u8>> {
        let file = self.reader.file(doc)?;
        (self.read)(&file).filter(|bytes| bytes.len() as u64 == file.bytes())
    }
}
