//! What ranking asks of an index, so that it can be shown on a made-up one.

use ctxhost_code::{
    bm25f::{FIELDS, Lengths},
    index::{Case, IndexError, Posting},
    language::Language,
    symbols::Extracted,
};

/// What is known of a file.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts<'a> {
    /// The number that postings and definitions call it by.
    pub doc: u32,
    /// The path below the project's root, with `/`.
    pub path: &'a str,
    /// What it is written in.
    pub language: Option<Language>,
    /// Whether it is a test.
    pub test: bool,
    /// Whether it was generated, minified or vendored.
    pub generated: bool,
    /// How many words each field has.
    pub lengths: [u32; FIELDS],
}

/// A definition: a file and the symbol's place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file's number.
    pub doc: u32,
    /// The symbol's place in what was found in the file.
    pub symbol: u32,
}

/// The files of a project, their words and their symbols.
pub trait Corpus {
    /// How many files there are, and how long they are on average.
    fn lengths(&self) -> Lengths;

    /// Every file, each with a number of its own.
    fn files(&self) -> impl Iterator<Item = FileFacts<'_>>;

    /// One file.
    fn file(&self, doc: u32) -> Option<FileFacts<'_>>;

    /// The files that hold a word, as `words::split` gives it.
    fn postings(&self, word: &str) -> Result<Vec<Posting>, IndexError>;

    /// What a file defines and uses.
    fn extracted(&self, doc: u32) -> Result<Extracted, IndexError>;

    /// Where a name is defined. One with an owner in front, as `Registry.add`, is only found in such an owner. A corpus
    /// that has not parsed everything knows what it has parsed.
    fn definitions(&self, name: &str, case: Case) -> Result<Vec<Place>, IndexError>;

    /// How many files use a name as it is spelled, as far as that is known.
    fn frequency(&self, name: &str) -> Result<u32, IndexError>;

    /// The bytes that were indexed, read now; `None` when the file is gone or is another one by now.
    fn text(&self, doc: u32) -> Option<Vec<u8>>;
}

#[cfg(test)]
pub(crate) mod fake;
