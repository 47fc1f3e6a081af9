//! What a provider returns when it cannot answer.

use ctxhost_abi::Status;

/// A result whose error crosses the boundary as a status and one sentence.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a provider cannot answer.
///
/// `?` turns any standard error into one of kind [`Status::Failed`], which is why this type itself is not a standard
/// error.
#[derive(Debug)]
pub struct Error {
    status: Status,
    message: String,
}

impl Error {
    /// The input was not what this operation takes; the message says which part and what it should be.
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self { status: Status::BadInput, message: message.into() }
    }

    /// The provider could not do it; the message is a lower-case fragment that says why.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { status: Status::Failed, message: message.into() }
    }

    /// The provider has no such tool, command or operation.
    pub fn unknown(what: &str, name: &str) -> Self {
        Self { status: Status::UnknownOp, message: format!("no {what} is called `{name}`") }
    }

    pub(crate) fn of(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// What this error crosses the boundary as.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The sentence that crosses the boundary.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says what was being done when it happened.
    #[must_use]
    pub fn context(mut self, doing: impl std::fmt::Display) -> Self {
        self.message = format!("{doing}: {}", self.message);
        self
    }
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            message = format!("{message}: {inner}");
            source = inner.source();
        }
        Self::failed(message)
    }
}
