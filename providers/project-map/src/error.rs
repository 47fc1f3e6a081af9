//! What can be wrong with a command or with the files that it reads and writes.

use std::io;

/// Why a file or folder of the project is not read or written; a fragment that completes "it …".
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskProblem {
    /// It is a link, which could lead out of the project.
    #[error("is a symbolic link, which could lead out of the project")]
    Link,
    /// Something else stands where a file or a folder should.
    #[error("is {0}")]
    WrongKind(&'static str),
    /// It is larger than what is read.
    #[error("is larger than {0} KiB")]
    TooLarge(u64),
    /// Its bytes are no text, so that rewriting it would change what they say.
    #[error("is not UTF-8 text and stays as it is")]
    NotText,
    /// It has no header, so that nothing says that it was ever ours.
    #[error("has no header of ours, so that it may be anybody's, and stays as it is")]
    NotOurs,
    /// A hand changed more of it than the notes.
    #[error("was changed by hand outside of its notes and stays as it is")]
    ByHand,
    /// It has notes that would go with it.
    #[error("has notes in it and stays for them")]
    HasNotes,
    /// The system says no.
    #[error("cannot be used: {0}")]
    System(#[from] io::Error),
}

impl From<rustix::io::Errno> for DiskProblem {
    fn from(errno: rustix::io::Errno) -> Self {
        Self::System(errno.into())
    }
}
