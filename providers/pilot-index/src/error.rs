//! What can be wrong with the project's own files that this provider reads and writes.

use std::io;

/// Why the memory's file is not read or written; a fragment that completes "it …".
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemoryProblem {
    /// `.pilot` or a file in it is a link, which could lead out of the project.
    #[error("is a symbolic link, which could lead out of the project")]
    Link,
    /// Something that is no file, or no folder, stands there.
    #[error("is {0}")]
    WrongKind(&'static str),
    /// It is larger than what is read.
    #[error("is larger than {0} MiB")]
    TooLarge(u64),
    /// Another process holds the lock for longer than a call may take.
    #[error("is being written by another process")]
    Busy,
    /// The system says no.
    #[error("cannot be used: {0}")]
    System(#[from] io::Error),
}
