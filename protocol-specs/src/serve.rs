//! Typed mirrors of `serve/v1`: what an agent's face and the host tell each other over the pipes of `ctxhost serve`.
//!
//! The frame around every message is JSON-RPC 2.0, a [`Message`]; what stands in its `params` and `result` has a type of
//! its own here, and what the envelope defines already is the envelope's type.
//! Requests are lenient as the envelope is: absent and `null` mean the same.
//! Results always carry their lists and maps, so that a client has nothing to fill in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::envelope::{Agent, Finding, Level, Session, Status, Visible, null_as_default};
use crate::number::whole;

pub use frame::{ErrorObject, Id, InvalidParams, JSONRPC, Message, code};
pub use outcome::{
    CallDocument, DecisionDocument, DroppedDocument, InjectionDocument, InsertDocument, McpServerDocument,
    MessagesDocument, OutcomeDocument, SectionDocument,
};

mod frame;
mod outcome;

/// The name of this spec.
pub const SPEC: &str = "serve/v1";

/// The version that `hello`, its result and every outcome carry in `v`.
pub const VERSION: u32 = 1;

/// The longest line in bytes, without its end; `hello` tells it to the client.
pub const MAX_FRAME_BYTES: u64 = 16 * 1024 * 1024;

/// How many requests may be in flight together; `hello` tells it to the client.
pub const MAX_IN_FLIGHT: u64 = 64;

/// The methods a client can call.
pub const METHODS: [&str; 6] = ["hello", "event", "tool", "command", "tools", "cancel"];

/// The methods of the notifications that the host sends.
pub const NOTIFICATIONS: [&str; 5] = ["tools_changed", "status", "notify", "invalidate", "progress"];

fn version() -> u32 {
    VERSION
}

/// The parameters of `hello` (`hello.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// The agent that the client speaks for.
    pub agent: Agent,
}

impl Default for Hello {
    fn default() -> Self {
        Self { v: VERSION, agent: Agent::default() }
    }
}

/// What `hello` answers (`hello-result.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HelloResult {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// The program that answers.
    pub host: HostInfo,
    /// What it understands, and its limits.
    pub capabilities: Capabilities,
    /// The providers it found; none of their code has run.
    pub providers: Vec<FoundProvider>,
    /// What went wrong so far.
    pub findings: Vec<Finding>,
}

impl Default for HelloResult {
    fn default() -> Self {
        Self {
            v: VERSION,
            host: HostInfo::default(),
            capabilities: Capabilities::default(),
            providers: Vec::new(),
            findings: Vec::new(),
        }
    }
}

/// The program that answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostInfo {
    /// Its name, `ctxhost`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a host understands, and its limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capabilities {
    /// The methods a client can call.
    pub methods: Vec<String>,
    /// The events it knows.
    pub events: Vec<String>,
    /// The methods of the notifications it sends.
    pub notifications: Vec<String>,
    /// The longest line it reads, in bytes.
    #[serde(deserialize_with = "whole")]
    pub max_frame_bytes: u64,
    /// How many requests may be in flight together.
    #[serde(deserialize_with = "whole")]
    pub max_in_flight: u64,
}

/// A provider as its note tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundProvider {
    /// Its id.
    pub id: String,
    /// Its own version.
    pub version: String,
    /// A few words for a person.
    pub title: String,
    /// The spec its replies satisfy.
    pub spec: String,
}

/// The parameters of `event` (`event.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventParams {
    /// The event's name, such as `prompt`.
    pub event: String,
    /// The conversation it happened in; its `life` is not looked at.
    pub session: Session,
    /// The agent as it is from here on in this session; absent when it is as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The sections that the conversation shows; absent for what the host itself remembers, empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visible: Option<Vec<Visible>>,
    /// What belongs to this event, as the envelope's request has it.
    #[serde(default)]
    pub data: Value,
    /// The longest text that the agent takes, in UTF-16 code units.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub max_characters: Option<u64>,
    /// The longest text that the agent takes, in UTF-8 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub max_bytes: Option<u64>,
    /// Of a `model_call`: the indices of messages that must stay.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub pinned: Option<Vec<u64>>,
    /// Of a `model_call`: groups of messages that stay or go together.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
    pub together: Option<Vec<Vec<u64>>>,
}

/// The parameters of `tool` (`tool.schema.json`); its result is the envelope's [`ToolReply`](crate::envelope::ToolReply).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolParams {
    /// The tool's name in the agent, an [`OfferedTool`]'s `name`.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Value,
    /// The agent's name for this call.
    #[serde(default, deserialize_with = "null_as_default")]
    pub call_id: String,
    /// The conversation it happens in.
    pub session: Session,
    /// The agent as it is from here on in this session; absent when it is as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
}

/// The parameters of `command` (`command.schema.json`); its result is the envelope's
/// [`CommandReply`](crate::envelope::CommandReply).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommandParams {
    /// Whose command it is.
    pub provider: String,
    /// The command's name, not its slash name.
    pub name: String,
    /// What follows it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub args: Vec<String>,
    /// The conversation it happens in.
    pub session: Session,
    /// The agent as it is from here on in this session; absent when it is as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
}

/// The parameters of `tools` (`tools.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsParams {
    /// The conversation they are for.
    pub session: Session,
    /// The agent as it is from here on in this session; absent when it is as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
}

/// What `tools` answers (`tools-result.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsResult {
    /// Another number means another list.
    #[serde(deserialize_with = "whole")]
    pub revision: u64,
    /// The tools of all providers.
    pub tools: Vec<OfferedTool>,
    /// The commands of all providers.
    pub commands: Vec<OfferedCommand>,
    /// The longest the host itself takes for an event, in milliseconds; no provider asks for one that is missing.
    #[serde(deserialize_with = "whole")]
    pub deadlines_ms: BTreeMap<String, u64>,
    /// What to show to a person now.
    pub findings: Vec<Finding>,
}

/// A tool as it is offered to the agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Its name in the agent.
    pub name: String,
    /// Whose tool it is.
    pub provider: String,
    /// Its own name.
    pub tool: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON Schema of its arguments; `null` when it takes none.
    #[serde(default)]
    pub schema: Value,
    /// Fixed instructions for the model.
    pub guidelines: Vec<String>,
    /// Whether it is offered now; a tool that is withdrawn stays in the list.
    pub active: bool,
}

/// A command as it is offered to people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedCommand {
    /// Whose command it is.
    pub provider: String,
    /// Its name.
    pub name: String,
    /// Its name as a slash command, where it is offered as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slash: Option<String>,
    /// One line for a person.
    pub summary: String,
}

/// The parameters of `cancel` (`cancel.schema.json`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelParams {
    /// The id of the request that is not wanted any more.
    #[serde(deserialize_with = "whole")]
    pub id: Id,
}

/// What `cancel` answers (`cancel-result.schema.json`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelResult {
    /// Whether the request was in flight.
    pub cancelled: bool,
}

/// What the host tells the client unasked; the `params` of each have a schema under the method's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "params", rename_all = "snake_case")]
pub enum Notification {
    /// A provider's list of tools is another one now; ask `tools` again (`tools-changed.schema.json`).
    ToolsChanged {
        /// Whose list it is.
        provider: String,
    },
    /// What people see of a provider is another thing now (`status.schema.json`).
    Status {
        /// Whose status it is.
        provider: String,
        /// The new status.
        status: Status,
    },
    /// Something for a person, once (`notify.schema.json`).
    Notify {
        /// Who says it.
        provider: String,
        /// How bad it is.
        level: Level,
        /// The sentence.
        text: String,
    },
    /// A section is no longer true; the next prompt offers it anew (`invalidate.schema.json`).
    Invalidate {
        /// Who offered it.
        provider: String,
        /// Its key.
        key: String,
    },
    /// How far a provider's work has come (`progress.schema.json`).
    Progress {
        /// Whose work it is.
        provider: String,
        /// How much is done.
        #[serde(deserialize_with = "whole")]
        done: u64,
        /// How much there is, where known.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "whole")]
        total: Option<u64>,
        /// What is being done.
        #[serde(default, deserialize_with = "null_as_default")]
        text: String,
    },
}

impl Notification {
    /// Gives the method that carries it.
    pub const fn method(&self) -> &'static str {
        match self {
            Self::ToolsChanged { .. } => "tools_changed",
            Self::Status { .. } => "status",
            Self::Notify { .. } => "notify",
            Self::Invalidate { .. } => "invalidate",
            Self::Progress { .. } => "progress",
        }
    }
}
