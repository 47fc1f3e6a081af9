//! What can be wrong with what an editor or a person left in the file system.

use std::io;

/// Why a file or a folder is not read; a fragment that completes "it …".
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadProblem {
    /// Something that is no file, or no folder, stands there.
    #[error("is {0}")]
    WrongKind(&'static str),
    /// Another user could have written it.
    #[error("belongs to another user")]
    ForeignOwner,
    /// Others may look into it or write to it.
    #[error("has the mode {mode:o}, which lets other users {may}")]
    OpenToOthers {
        /// Its permission bits.
        mode: u32,
        /// What they let others do.
        may: &'static str,
    },
    /// It is larger than anybody needs.
    #[error("is larger than {0} KiB")]
    TooLarge(u64),
    /// It is not text.
    #[error("is not valid UTF-8")]
    NotText,
    /// It is a link to something that is not there.
    #[error("is a symbolic link that leads nowhere")]
    Dangling,
    /// The system says no.
    #[error("cannot be read: {0}")]
    System(#[from] io::Error),
}

/// Why a state file is off its spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct OffSpec {
    /// The JSON pointer of the failure; empty for the whole document.
    pub(crate) pointer: String,
    /// What is wrong there.
    pub(crate) reason: String,
}
