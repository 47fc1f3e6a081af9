//! What can go wrong in a store, by who can act on it.

use std::path::PathBuf;

/// Why a store did not do what it was asked. Nothing that was stored before is lost by any of these.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The request is wrong: the client can act.
    #[error("{message}")]
    Invalid {
        /// The status of HTTP that says so: 400, 413 or 422.
        status: u16,
        /// The word for programs, as in the table of `SPEC.md`.
        code: &'static str,
        /// What is wrong and where, and what to send instead.
        message: String,
    },
    /// Another process kept the file for too long: the same call may succeed later.
    #[error("the index is busy with another process; try again in a moment")]
    Busy,
    /// There is no room for more.
    #[error("no room left to write the index ({0}); free some space and send the request again")]
    Full(String),
    /// What is stored cannot be read.
    #[error("the index is damaged ({0}); stop the backend, move the file away and sync again")]
    Damaged(String),
    /// The file is not ours, or that of a newer version.
    #[error("{0}")]
    Foreign(String),
    /// A vector of another length than its generation's.
    #[error(
        "a vector has {got} numbers where its model has {expected}; the embedder must answer with one model"
    )]
    Dimension {
        /// How many the generation's vectors have.
        expected: u32,
        /// How many came.
        got: usize,
    },
    /// Nobody began this generation, or it was dropped since.
    #[error("there is no generation {0} of vectors; begin it anew")]
    Generation(i64),
    /// The file or its folder cannot be made or opened.
    #[error("cannot open the index {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Any other failure of the engine.
    #[error("the index failed: {0}")]
    Engine(String),
}

impl StoreError {
    /// A request that is wrong, with the word that its status has as a rule.
    pub(crate) fn invalid(status: u16, message: impl Into<String>) -> Self {
        let code = match status {
            400 => "duplicate",
            413 => "too-large",
            _ => "over-limit",
        };
        Self::Invalid { status, code, message: message.into() }
    }

    /// A request that is not of its schema.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::Invalid { status: 400, code: "bad-request", message: message.into() }
    }

    /// A request that cannot be understood without another: 422, with a word of its own.
    pub(crate) fn lacking(code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid { status: 422, code, message: message.into() }
    }
}
