//! Builders over the envelope's types, so that a provider writes what it means and nothing else.

use std::path::Path;

use ctxhost_protocol::{
    envelope::{
        Command, CommandReply, Content, Finding, Level, Placement, Reply, Request, Section, Session, Source,
        Status, Tool, ToolReply, Trust, Variant,
    },
    tokens,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    exit,
};

/// Reading what belongs to an event.
pub trait RequestExt {
    /// Reads `data` as the type that belongs to this event.
    ///
    /// # Errors
    /// `data` is not of that type; the message names the field.
    fn data_as<T: DeserializeOwned>(&self) -> Result<T>;
}

impl RequestExt for Request {
    fn data_as<T: DeserializeOwned>(&self) -> Result<T> {
        serde_path_to_error::deserialize(&self.data).map_err(|error| {
            Error::bad_input(format!("the data of `{}` at {}: {}", self.event, error.path(), error.inner()))
        })
    }
}

/// Reading what a session says.
pub trait SessionExt {
    /// The folder that the agent works in.
    ///
    /// # Errors
    /// It is not an absolute path, so that nobody knows which folder is meant.
    fn folder(&self) -> Result<&Path>;
}

impl SessionExt for Session {
    fn folder(&self) -> Result<&Path> {
        let folder = Path::new(&self.cwd);
        if folder.has_root() {
            return Ok(folder);
        }
        Err(Error::bad_input(format!("session.cwd: `{}` is not an absolute path", self.cwd)))
    }
}

/// Building a reply.
pub trait ReplyExt {
    /// An empty reply; the export shim fills in the spec that the provider names.
    fn new() -> Self;
    /// Sets the provider's own document.
    fn data(self, data: impl Serialize) -> Result<Self>
    where
        Self: Sized;
    /// Offers a section.
    #[must_use]
    fn section(self, section: Section) -> Self;
    /// Sets what people see of the provider all the time.
    #[must_use]
    fn status(self, text: impl Into<String>, detail: Option<String>) -> Self;
    /// Tells the person about something that went wrong; `code` names the kind of problem.
    #[must_use]
    fn finding(self, level: Level, code: &str, message: impl Into<String>) -> Self;
}

impl ReplyExt for Reply {
    fn new() -> Self {
        Self { v: ctxhost_protocol::envelope::VERSION, ..Self::default() }
    }

    fn data(mut self, data: impl Serialize) -> Result<Self> {
        self.data = serde_json::to_value(data)?;
        Ok(self)
    }

    fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    fn status(mut self, text: impl Into<String>, detail: Option<String>) -> Self {
        self.status = Some(Status { text: text.into(), detail });
        self
    }

    fn finding(mut self, level: Level, code: &str, message: impl Into<String>) -> Self {
        self.findings.push(Finding {
            level,
            code: code.to_owned(),
            message: message.into(),
            ..Finding::default()
        });
        self
    }
}

/// Building a section.
pub trait SectionExt: Sized {
    /// A section that stands with a prompt; its key is stable over prompts.
    fn prompt(key: impl Into<String>, trust: Trust) -> Self;
    /// A section that stands once, at the start of a conversation.
    fn session(key: impl Into<String>, trust: Trust) -> Self;
    /// A few words for a person.
    #[must_use]
    fn title(self, title: impl Into<String>) -> Self;
    /// 0 to 100; the highest is served first when the budget is short. 50 where nothing is said.
    #[must_use]
    fn priority(self, priority: u8) -> Self;
    /// Adds the next smaller size of the text; the first call gives the fullest. An empty text is left out.
    #[must_use]
    fn body(self, body: impl Into<String>) -> Self;
    /// Names a place in a file that the fullest size shows whole.
    #[must_use]
    fn source(self, path: impl Into<String>, lines: Option<(u64, u64)>) -> Self;
}

impl SectionExt for Section {
    fn prompt(key: impl Into<String>, trust: Trust) -> Self {
        Self { key: key.into(), placement: Placement::Prompt, trust, priority: 50, ..Self::default() }
    }

    fn session(key: impl Into<String>, trust: Trust) -> Self {
        Self { placement: Placement::Session, ..Self::prompt(key, trust) }
    }

    fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    fn priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    fn body(mut self, body: impl Into<String>) -> Self {
        let mut body = body.into();
        if !body.is_empty() {
            if !body.ends_with('\n') {
                body.push('\n');
            }
            self.variants.push(Variant { tokens: tokens::estimate(&body), body });
        }
        self
    }

    fn source(mut self, path: impl Into<String>, lines: Option<(u64, u64)>) -> Self {
        self.sources.push(Source {
            path: path.into(),
            start: lines.map(|(start, _)| start),
            end: lines.map(|(_, end)| end),
        });
        self
    }
}

/// Building what a tool answers.
pub trait ToolReplyExt {
    /// An answer of text.
    fn text(text: impl Into<String>) -> Self;
    /// A failure that the model should read.
    fn error(text: impl Into<String>) -> Self;
    /// Adds the same as a document, for programs.
    #[must_use]
    fn structured(self, document: Value) -> Self;
}

impl ToolReplyExt for ToolReply {
    fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text { text: text.into() }], ..Self::default() }
    }

    fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    fn structured(mut self, document: Value) -> Self {
        self.structured = Some(document);
        self
    }
}

/// Building what a command answers.
///
/// ```
/// use ctxhost_sdk::prelude::*;
///
/// fn command(request: &CommandRequest) -> Result<CommandReply> {
///     let args: Vec<&str> = request.args.iter().map(String::as_str).collect();
///     match (request.name.as_str(), &args[..]) {
///         ("count", []) => Ok(CommandReply::said(exit::NOTHING, "nothing was counted yet")),
///         ("count", ["--all"]) => Ok(CommandReply::said(exit::OK, "7 files").structured(json!({"files": 7}))),
///         ("count", _) => Ok(CommandReply::usage("count [--all]")),
///         (name, _) => Err(Error::unknown("command", name)),
///     }
/// }
///
/// let request = |args: &[&str]| CommandRequest {
///     name: "count".to_owned(),
///     args: args.iter().map(|arg| (*arg).to_owned()).collect(),
///     ..CommandRequest::default()
/// };
/// assert_eq!(command(&request(&["--all"]))?.text, "7 files\n");
/// let wrong = command(&request(&["all"]))?;
/// assert_eq!((wrong.exit, wrong.text.as_str()), (2, "usage: count [--all]\n"));
/// # Ok::<(), Error>(())
/// ```
pub trait CommandReplyExt: Sized {
    /// A text for a person, ended by a line break, and one of [`exit`](crate::exit).
    fn said(exit: u8, text: impl Into<String>) -> Self;
    /// What a person is told who called it wrongly: how it is called.
    fn usage(form: &str) -> Self;
    /// Adds the same as a document, for programs.
    #[must_use]
    fn structured(self, document: Value) -> Self;
}

impl CommandReplyExt for CommandReply {
    fn said(exit: u8, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Self { text, exit, ..Self::default() }
    }

    fn usage(form: &str) -> Self {
        Self::said(exit::USAGE, format!("usage: {form}"))
    }

    fn structured(mut self, document: Value) -> Self {
        self.data = Some(document);
        self
    }
}

/// A tool for a manifest: its name, what the model reads about it, and the JSON Schema of its arguments.
pub fn tool(name: &str, description: &str, schema: Value) -> Tool {
    Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        schema,
        active: true,
        ..Tool::default()
    }
}

/// A command for a manifest: its name and one line for a person.
pub fn command(name: &str, summary: &str) -> Command {
    Command { name: name.to_owned(), slash: None, summary: summary.to_owned() }
}
