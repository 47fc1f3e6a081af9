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
    /// The system says no.
    #[error("cannot be used: {0}")]
    System(#[from] io::Error),
}

impl From<rustix::io::Errno> for DiskProblem {
    fn from(errno: rustix::io::Errno) -> Self {
        Self::System(errno.into())
    }
}
