//! What we tell the person about something that went wrong.

pub use ctxhost_protocol::envelope::{Finding, Level};

/// What to do about a provider that breaks the rules of the boundary or its spec.
pub(crate) const REPORT: &str = "`ctxhost check` tests the provider; report it to whoever makes it";

/// The step of the flow that a finding comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reading the settings' files.
    Settings,
    /// Finding library files.
    Discover,
    /// Opening a library and making its instance.
    Load,
    /// Waiting for its answer.
    Ask,
    /// Holding the answer against its spec.
    Validate,
    /// Making the injection.
    Compose,
    /// Remembering what a conversation shows.
    Session,
}

impl Step {
    /// The step's name in a finding.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Discover => "discover",
            Self::Load => "load",
            Self::Ask => "ask",
            Self::Validate => "validate",
            Self::Compose => "compose",
            Self::Session => "session",
        }
    }

    /// An error of this step: something was left out.
    pub fn error(self, code: &str, message: impl Into<String>) -> Finding {
        self.finding(Level::Error, code, message)
    }

    /// A warning of this step: the rest went on.
    pub fn warning(self, code: &str, message: impl Into<String>) -> Finding {
        self.finding(Level::Warning, code, message)
    }

    /// Something a person may want to know.
    pub fn info(self, code: &str, message: impl Into<String>) -> Finding {
        self.finding(Level::Info, code, message)
    }

    fn finding(self, level: Level, code: &str, message: impl Into<String>) -> Finding {
        Finding {
            level,
            step: Some(self.name().to_owned()),
            code: code.to_owned(),
            message: message.into(),
            ..Finding::default()
        }
    }
}

/// Completing a finding.
pub trait FindingExt {
    /// Names the provider it is about.
    #[must_use]
    fn about(self, provider: &str) -> Self;
    /// Names the place, as a JSON pointer or a path.
    #[must_use]
    fn at(self, pointer: impl Into<String>) -> Self;
    /// Says what to do next.
    #[must_use]
    fn hint(self, hint: impl Into<String>) -> Self;
    /// One line for a terminal: what, where, what to do next.
    fn line(&self) -> String;
}

impl FindingExt for Finding {
    fn about(mut self, provider: &str) -> Self {
        self.provider = Some(provider.to_owned());
        self
    }

    fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn line(&self) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Info => "note",
        };
        let mut line = format!("{level}: ");
        if let Some(provider) = &self.provider {
            line.push_str(&format!("{provider}: "));
        }
        line.push_str(&self.message);
        if let Some(pointer) =
            self.pointer.as_ref().filter(|pointer| !self.message.contains(pointer.as_str()))
        {
            line.push_str(&format!(" (at {pointer})"));
        }
        if let Some(hint) = &self.hint {
            line.push_str(&format!("; {hint}"));
        }
        crate::compose::neutralize::plain(&line).replace('\n', " ")
    }
}
