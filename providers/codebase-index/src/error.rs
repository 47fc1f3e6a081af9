//! What can go wrong, each as one sentence with its place and the next step.

use std::{path::PathBuf, time::Duration};

/// Why the files of a repository could not be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SourceError {
    /// It is gone, or was never one.
    #[error("{} is no git work tree any more", .0.display())]
    NoWorkTree(PathBuf),
    /// The folder cannot be read.
    #[error("{} cannot be read: {why}; check its permissions", .root.display())]
    Unreadable {
        /// The repository.
        root: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Somebody asked to stop.
    #[error("stopped before all files were read")]
    Stopped,
}

/// Why there is no token to send.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    /// Only a person can help.
    #[error("not logged in: {0}; run `ctxhost run codebase-index login`")]
    LoginNeeded(String),
    /// The backend could not be asked for a new token.
    #[error("the login could not be renewed: {0}; it is tried again with the next request")]
    Unreachable(String),
    /// A development backend needs no login; only starting it again can help.
    #[error("{0}; start `ctxhost-index serve` again")]
    Development(String),
    /// What was kept cannot be used.
    #[error("the login cannot be read: {0}")]
    Kept(String),
}

/// Why the backend did not answer a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BackendError {
    /// The settings name no backend that could be asked.
    #[error("{0}")]
    Setting(String),
    /// There is no token.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The token is refused, and a new one too.
    #[error("the backend refuses the login (401): {0}; run `ctxhost run codebase-index login`")]
    Unauthorized(String),
    /// The person may not use it.
    #[error("the backend does not let this user in (403): {0}; ask whoever runs it which organisation may")]
    Forbidden(String),
    /// The body is larger than what the backend takes.
    #[error("the request is larger than the backend takes (413): {0}; lower `batch_bytes`")]
    TooLarge(String),
    /// The backend finds the request wrong.
    #[error("the backend refuses {endpoint} ({status}): {message}")]
    Rejected {
        /// Which request.
        endpoint: &'static str,
        /// With which status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// It asks to be left alone, however often it is asked.
    #[error("the backend is busy ({status}): {message}; try again later")]
    Busy {
        /// 429 or 503.
        status: u16,
        /// What it says.
        message: String,
    },
    /// Something is wrong there.
    #[error("the backend failed at {endpoint} ({status}): {message}; its log says more")]
    Failed {
        /// Which request.
        endpoint: &'static str,
        /// With which status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// No connection, or one that broke.
    #[error("the backend at {url} cannot be reached: {why}; is it running, and is `url` right?")]
    Unreachable {
        /// Where it should be.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// It took longer than a request may.
    #[error("the backend did not answer {endpoint} within {} s", .within.as_secs_f32())]
    TimedOut {
        /// Which request.
        endpoint: &'static str,
        /// How long it had.
        within: Duration,
    },
    /// Code is sent where the settings say, and nowhere else.
    #[error(
        "the backend redirects {endpoint} ({status}), which is not followed; set `url` to where it leads"
    )]
    Redirected {
        /// Which request.
        endpoint: &'static str,
        /// With which status.
        status: u16,
    },
    /// What came is no answer.
    #[error(
        "the backend's answer to {endpoint} cannot be read: {why}; is `url` that of a codebase-index backend?"
    )]
    Garbage {
        /// Which request.
        endpoint: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// More came than an answer may have.
    #[error("the backend's answer to {endpoint} is larger than {most} bytes")]
    Oversize {
        /// Which request.
        endpoint: &'static str,
        /// How many are read.
        most: usize,
    },
}

impl BackendError {
    /// Whether the next request would fail alike, so that a sync ends here.
    pub(crate) fn is_lasting(&self) -> bool {
        !matches!(self, Self::Rejected { .. } | Self::TooLarge(_) | Self::Failed { .. })
    }
}

/// Why a repository was not synced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SyncError {
    /// Its files could not be listed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The backend did not take it.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Somebody asked to stop; the next sync goes on from here.
    #[error("stopped; the next sync goes on from here")]
    Stopped,
    /// Files were written all the time.
    #[error("{0} files kept changing while they were sent; the next sync sends them")]
    Changing(usize),
    /// A part of this program ended without a result.
    #[error("reading the files ended unexpectedly: {0}")]
    Broken(String),
}
