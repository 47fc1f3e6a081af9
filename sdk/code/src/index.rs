//! What was found in the files of a project, kept so that a question reads only what it asks for.

use crate::{bm25f::FIELDS, language::Language, symbols::Extracted};

/// SHA-256 of a file's bytes.
pub type Hash = [u8; 32];

/// A word of a file, and how often it stands in each field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The word, as `words` gives it.
    pub text: Box<str>,
    /// How often, by field.
    pub counts: [u16; FIELDS],
}

/// Everything the index keeps of a file; the text itself is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The path below the project's root, with `/`.
    pub path: String,
    /// The hash of the bytes that this was made from.
    pub hash: Hash,
    /// What it is written in.
    pub language: Option<Language>,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many lines it has.
    pub lines: u32,
    /// Whether it is a test, by its path.
    pub test: bool,
    /// Whether it was generated, minified or vendored, by its path or its text.
    pub generated: bool,
    /// How many words each field has.
    pub lengths: [u32; FIELDS],
    /// The words, sorted by text.
    pub terms: Vec<Term>,
    /// The definitions, references and imports.
    pub extracted: Extracted,
}
