//! What was found in the files of a project, kept so that a question reads only what it asks for.
//!
//! A writer turns documents into segments: files that never change, each with its words, names and symbols. A list says
//! which segments and which of their documents are alive; it is replaced as a whole. A reader opens the list and the
//! segments' small tables, and reads the rest when asked.
//!
//! ```
//! use ctxhost_code::index::{Case, Reader, Writer, count};
//! use ctxhost_code::symbols::{Extracted, Kind, Span, Symbol, Visibility};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let add = Symbol {
//!     name: "add".into(),
//!     owner: "Registry".into(),
//!     kind: Kind::Method,
//!     visibility: Visibility::Public,
//!     span: Span { bytes: 0..20, first_line: 1, last_line: 1 },
//!     signature_end: 18,
//!     doc: None,
//! };
//! let extracted = Extracted { symbols: vec![add], ..Extracted::default() };
//! let document = count("src/registry.rs", b"fn add(&mut self) {}", None, false, false, [0; 32], extracted);
//!
//! // The second number says how words and symbols are made: another one makes the index again.
//! let (mut writer, _) = Writer::open(folder, 1);
//! writer.add([document])?;
//! writer.commit()?;
//!
//! let reader = Reader::open(folder, 1)?;
//! let found = reader.definitions("registry.ADD", Case::Any)?;
//! assert_eq!(reader.file(found[0].doc).map(|file| file.path()), Some("src/registry.rs"));
//! assert_eq!(reader.postings("registri")?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod buffer;
mod bytes;
mod count;
mod dead;
mod dictionary;
mod disk;
mod error;
mod export;
mod files;
#[cfg(test)]
mod hostile;
mod manifest;
mod merge;
mod names;
mod output;
mod postings;
mod reader;
mod record;
mod segment;
mod source;
mod view;
mod writer;

pub use count::count;
pub use disk::{Disk, FileSystem};
pub use error::IndexError;
pub use export::export;
pub use names::{Definition, Use};
pub use postings::Posting;
pub use reader::{Case, File, LanguageTotals, PartialTotals, Reader, Totals};
pub use writer::Writer;

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
