//! Exit codes, and the one sentence that goes with a failure.

/// How a command ended; the numbers are documented and stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// It did what it should.
    Ok = 0,
    /// It found what it looks for: `check`, `doctor` and `specs validate` report problems so.
    Findings = 1,
    /// It was called wrongly.
    Usage = 2,
    /// What it was asked for does not exist.
    NotFound = 3,
    /// A provider failed and `--strict` was given, or the one provider that was asked failed.
    ProviderFailed = 4,
    /// Our own fault.
    Internal = 70,
}

/// Why a command did not do what it should.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: Code,
    /// One sentence: what, where, what to do next.
    pub message: String,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A wrong call.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Code::Usage, message)
    }

    /// Something that does not exist.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NotFound, message)
    }
}

impl From<ctxhost::flow::RunError> for Failure {
    fn from(error: ctxhost::flow::RunError) -> Self {
        use ctxhost::flow::RunError;
        let code = match &error {
            RunError::NotFound(_) => Code::NotFound,
            RunError::Several { .. } => Code::Usage,
            _ => Code::ProviderFailed,
        };
        Self::new(code, error.to_string())
    }
}
