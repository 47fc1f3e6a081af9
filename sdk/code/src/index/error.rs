//! What can go wrong with an index.

use std::io;

/// Why an index could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// A file of the index could not be read.
    #[error("cannot read {file} of the index")]
    Read {
        /// The file's name, without its folder.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the index could not be written; what was found is kept in memory instead.
    #[error("cannot write {file} of the index")]
    Write {
        /// The file's name, without its folder.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file of the index is cut off, or its bytes are not those that were written.
    #[error("{part} of the index is broken")]
    Broken {
        /// Which part it was.
        part: &'static str,
    },
    /// The index was written by a program that splits, extracts or stores differently.
    #[error("the index was made by another version")]
    Version,
    /// Its files were replaced again and again while they were opened.
    #[error("the index was replaced while it was opened")]
    Unsettled,
}

impl IndexError {
    /// Tells whether another look or a free disk will not help: the index has to be made again.
    pub fn needs_a_new_index(&self) -> bool {
        matches!(self, Self::Broken { .. } | Self::Version)
    }
}
