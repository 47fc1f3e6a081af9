//! BM25F: how well a document of several fields fits some words.

/// A part of a file that words are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(usize)]
pub enum Field {
    /// The file's path.
    Path = 0,
    /// The names that it defines.
    Names = 1,
    /// The doc comments of what it defines.
    Docs = 2,
    /// The whole text.
    Body = 3,
}

/// How many fields there are.
pub const FIELDS: usize = 4;
