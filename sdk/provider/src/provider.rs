//! The trait that a provider implements, and what the export macro adds to it.

use ctxhost_protocol::envelope::{
    CommandReply, CommandRequest, Manifest, Reply, Request, Tool, ToolReply, ToolRequest,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    cx::{Cx, Setup},
    error::{Error, Result},
};

/// A context provider.
///
/// One instance lives for as long as the host; its methods may be called from several threads at once.
pub trait Provider: Sized + Send + Sync + 'static {
    /// The provider's settings table, `[providers.<id>]` in the user's files; [`NoSettings`] for none.
    ///
    /// Give it `#[serde(default)]`: an empty table is what most users have.
    type Settings: DeserializeOwned;

    /// Makes the instance; quick, because a prompt waits for it.
    ///
    /// # Errors
    /// Settings that make no sense, or whatever keeps the provider from working at all; it then costs its section.
    fn new(setup: Setup, settings: Self::Settings) -> Result<Self>;

    /// Completes the manifest: `head` already carries what [`export_provider!`](crate::export_provider) states.
    fn manifest(head: Manifest) -> Manifest {
        head
    }

    /// Answers an event that the manifest names.
    ///
    /// # Errors
    /// Whatever keeps it from answering; the host shows the sentence once a session and goes on without this provider.
    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply>;

    /// Runs one of its tools.
    ///
    /// # Errors
    /// As [`event`](Self::event); a failure that the model should read is a reply with `is_error`.
    fn tool(&self, _cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        Err(Error::unknown("tool", &request.name))
    }

    /// Runs one of its commands, for a person.
    ///
    /// # Errors
    /// As [`event`](Self::event); what the person did wrong is a reply with its own exit code.
    fn command(&self, _cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        Err(Error::unknown("command", &request.name))
    }

    /// Lists its tools as they are now; the default is the manifest's list.
    ///
    /// # Errors
    /// As [`event`](Self::event); the host then keeps the list it had.
    fn tools(&self, _cx: &Cx<'_>) -> Result<Vec<Tool>> {
        Ok(Self::manifest(Manifest::default()).tools)
    }
}

/// Settings of a provider that has none; whatever stands in the table is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoSettings {}

/// What a library says of itself in its note and at the head of its manifest; written by
/// [`export_provider!`](crate::export_provider).
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The provider's id.
    pub id: &'static str,
    /// The version of the crate that exports it.
    pub version: &'static str,
    /// A few words for a person.
    pub title: &'static str,
    /// The spec its replies satisfy.
    pub spec: &'static str,
    /// The events it wants to be asked about.
    pub events: &'static [&'static str],
}

/// A provider that [`export_provider!`](crate::export_provider) was called for.
pub trait Exported: Provider {
    /// What the library says of itself.
    const HEAD: Head;

    /// The whole manifest, with the head in it.
    fn full_manifest() -> Manifest {
        let head = Self::HEAD;
        let events: Vec<String> = head.events.iter().map(|event| (*event).to_owned()).collect();
        let head = Manifest {
            id: head.id.to_owned(),
            version: head.version.to_owned(),
            title: head.title.to_owned(),
            spec: head.spec.to_owned(),
            abi: crate::export::ABI.to_owned(),
            events,
            ..Manifest::default()
        };
        let whole = Self::manifest(head.clone());
        // The note is what the host chose by, so the head cannot differ from it.
        Manifest {
            id: head.id,
            version: head.version,
            title: head.title,
            spec: head.spec,
            abi: head.abi,
            events: head.events,
            ..whole
        }
    }
}
