//! Typed mirrors of `envelope/v1`: what every provider is told, asked and answers, whatever its own spec is.
//!
//! Readers ignore fields they do not know, so a field can be added without a new version.
//! Every optional field may be absent or `null`; the two mean the same.

mod event;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub use event::{
    CompactData, Event, EventError, McpResultData, ModelCallData, Own, Phase, PromptData, SessionEndData,
    SessionStartData, ToolAfterData, ToolBeforeData, ToolKind, TurnEndData,
};

use crate::number::{whole, whole_or_default};

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "envelope/v1";

/// The version that every message of this spec carries in `v`.
pub const VERSION: u32 = 1;

/// Reads `null` as the default, because an absent field and `null` mean the same.
pub fn null_as_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    reader: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(reader)?.unwrap_or_default())
}

fn version() -> u32 {
    VERSION
}

/// What a library says of itself before any of its code runs (`note.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The provider's id: lower-case words joined by `-`, unique among the loaded providers.
    pub id: String,
    /// The provider's own version.
    pub version: String,
    /// A few words for a person.
    pub title: String,
    /// The boundary it was built for, `major.minor`.
    pub abi: String,
    /// The spec its replies satisfy, `<name>/<version>`.
    pub spec: String,
    /// The events it wants to be asked about.
    #[serde(default, deserialize_with = "null_as_default")]
    pub events: Vec<String>,
    /// What a panic does in it: `unwind` or `abort`; absent for languages without panics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panic: Option<String>,
    /// The target triple it was built for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The compiler that built it, for diagnosis only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rustc: Option<String>,
    /// The SDK it was built with, for diagnosis only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sdk: Option<String>,
}

/// What a provider is, can do and wants (`manifest.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The provider's id; the same as in its [`Note`].
    pub id: String,
    /// The provider's own version.
    pub version: String,
    /// A few words for a person.
    pub title: String,
    /// One sentence for a person: what an agent learns from it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub summary: String,
    /// The spec its replies satisfy, `<name>/<version>`.
    pub spec: String,
    /// The boundary it was built for, `major.minor`.
    pub abi: String,
    /// The events it wants to be asked about.
    #[serde(default, deserialize_with = "null_as_default")]
    pub events: Vec<String>,
    /// Events that it wants only with certain settings: by event and setting, the values with which it does.
    ///
    /// An event is sent when every setting named has one of its values; where nobody has set one, the default of
    /// [`settings_schema`](Self::settings_schema) counts.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub events_when: BTreeMap<String, BTreeMap<String, Vec<Value>>>,
    /// Milliseconds it asks for, by event or op name; the user's caps bound them.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub deadlines: BTreeMap<String, u64>,
    /// What it reaches outside its own memory.
    #[serde(default, deserialize_with = "null_as_default")]
    pub needs: Needs,
    /// What it may do beyond offering text, once the user grants it: `block`, `rewrite`, `patch`, `mcp_server`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub powers: Vec<String>,
    /// The prefix of its tools' names where an agent has taken the plain name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Its tools.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tools: Vec<Tool>,
    /// Its commands, for people.
    #[serde(default, deserialize_with = "null_as_default")]
    pub commands: Vec<Command>,
    /// JSON Schema of its settings table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings_schema: Option<Value>,
    /// Names of environment variables it wants in `create`; a final `*` stands for the rest of a name.
    #[serde(default, deserialize_with = "null_as_default")]
    pub environment: Vec<String>,
}

/// What a provider reaches outside its own memory; shown to the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Needs {
    /// It reads or writes files beside the paths handed to it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: bool,
    /// It talks to the network.
    #[serde(default, deserialize_with = "null_as_default")]
    pub network: bool,
    /// It starts processes.
    #[serde(default, deserialize_with = "null_as_default")]
    pub process: bool,
}

/// A tool that the model can call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Its own name; the host renames it only where an agent has taken it.
    pub name: String,
    /// What the model reads about it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub description: String,
    /// JSON Schema of its arguments.
    #[serde(default)]
    pub schema: Value,
    /// Fixed instructions for the model.
    #[serde(default, deserialize_with = "null_as_default")]
    pub guidelines: Vec<String>,
    /// Whether it is offered now; absent means yes.
    #[serde(default = "yes", deserialize_with = "null_as_yes")]
    pub active: bool,
}

impl Default for Tool {
    fn default() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            schema: Value::Null,
            guidelines: Vec::new(),
            active: yes(),
        }
    }
}

fn yes() -> bool {
    true
}

fn null_as_yes<'de, D: Deserializer<'de>>(reader: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(reader)?.unwrap_or_else(yes))
}

/// A command that a person can run: `ctxhost run PROVIDER NAME`, or a slash command in an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Command {
    /// Its name.
    pub name: String,
    /// Its name as a slash command, where it is offered as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slash: Option<String>,
    /// One line for a person.
    #[serde(default, deserialize_with = "null_as_default")]
    pub summary: String,
}

/// What a provider is made from (`create.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Create {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// The provider's resolved settings table, checked by nobody but the provider.
    #[serde(default)]
    pub settings: Value,
    /// The places it may use.
    #[serde(default, deserialize_with = "null_as_default")]
    pub paths: Paths,
    /// The environment variables its manifest asked for, as far as they are set.
    #[serde(default, deserialize_with = "null_as_default")]
    pub environment: BTreeMap<String, String>,
}

impl Default for Create {
    fn default() -> Self {
        Self { v: VERSION, settings: Value::Null, paths: Paths::default(), environment: BTreeMap::new() }
    }
}

/// The places a provider may use; absolute, none of them is made in advance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Paths {
    /// Where its library was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub install: Option<String>,
    /// Its own folder for what can be made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<String>,
    /// Its own folder for what must be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The folder of the code cache that all providers share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_cache: Option<String>,
    /// The user's home folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Where grammars for reading code lie, the first place first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub grammars: Vec<String>,
}

/// Something that happened in the agent, and the question what the provider has to say about it (`request.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// The event's name, such as `prompt`.
    pub event: String,
    /// The conversation it happened in.
    pub session: Session,
    /// The agent it happened in.
    #[serde(default, deserialize_with = "null_as_default")]
    pub agent: Agent,
    /// Unix seconds, with a fraction.
    pub now: f64,
    /// How much the provider may say.
    #[serde(default, deserialize_with = "null_as_default")]
    pub budget: Budget,
    /// The sections that the conversation shows at this moment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub visible: Vec<Visible>,
    /// Whether a person wants to see why: the reply's `explanation` is shown.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "std::ops::Not::not")]
    pub explain: bool,
    /// What belongs to this event, such as [`PromptData`].
    #[serde(default)]
    pub data: Value,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            v: VERSION,
            event: String::new(),
            session: Session::default(),
            agent: Agent::default(),
            now: 0.0,
            budget: Budget::default(),
            visible: Vec::new(),
            explain: false,
            data: Value::Null,
        }
    }
}

/// One conversation of an agent, in one working directory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The agent's name for it; `null` for a single question that belongs to no conversation.
    #[serde(default)]
    pub id: Option<String>,
    /// The agent's working directory, absolute.
    pub cwd: String,
    /// Whether the user trusts this folder; without it, project files only narrow.
    #[serde(default, deserialize_with = "null_as_default")]
    pub trusted: bool,
    /// How long the process that asks will live.
    #[serde(default, deserialize_with = "null_as_default")]
    pub life: Life,
}

/// How long the process that asks will live.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Life {
    /// As long as the conversation.
    Long,
    /// For this event only: start no background work and no child.
    #[default]
    Once,
}

/// The agent that receives the injection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// Its name, such as `pi`, `claude-code`, `codex` or `cli`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub name: String,
    /// Its version, where it says one.
    #[serde(default)]
    pub version: Option<String>,
    /// Its own configuration folder, absolute.
    #[serde(default)]
    pub config_dir: Option<String>,
    /// The model in use, where known.
    #[serde(default)]
    pub model: Option<Model>,
    /// Tokens that the conversation takes up at this moment, where known.
    #[serde(default, deserialize_with = "whole")]
    pub usage_tokens: Option<u64>,
    /// What this face can deliver: `inject.prompt`, `block`, `tools` and so on.
    #[serde(default, deserialize_with = "null_as_default")]
    pub can: Vec<String>,
    /// The tool names that are not free.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tools: AgentTools,
}

/// The model in use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Its id.
    #[serde(default, deserialize_with = "null_as_default")]
    pub id: String,
    /// The size of its context window in tokens, where known.
    #[serde(default, deserialize_with = "whole")]
    pub context_window: Option<u64>,
}

/// Tool names in an agent that a provider's tool cannot have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AgentTools {
    /// Names of the agent's own vocabulary.
    #[serde(default, deserialize_with = "null_as_default")]
    pub guarded: Vec<String>,
    /// Names somebody else has registered.
    #[serde(default, deserialize_with = "null_as_default")]
    pub taken: Vec<String>,
}

/// How much a provider may say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Estimated tokens that all providers share in this injection.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub tokens: u64,
}

/// A section that the conversation shows at this moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Visible {
    /// Who offered it.
    pub provider: String,
    /// Its key.
    pub key: String,
    /// The id the host gave its content.
    pub id: String,
}

/// What a provider answers to a [`Request`] (`reply.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// The spec this reply satisfies; the one the manifest names.
    pub spec: String,
    /// The provider's own document.
    #[serde(default)]
    pub data: Value,
    /// The text it offers.
    #[serde(default, deserialize_with = "null_as_default")]
    pub sections: Vec<Section>,
    /// What it decides about a tool call; needs the power `block` to block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    /// Which messages stay; needs the power `rewrite`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Messages>,
    /// What changes in a tool's result; needs the power `patch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_patch: Option<ResultPatch>,
    /// An MCP server for the agent to run, or its withdrawal; needs the power `mcp_server`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_server: Option<McpServer>,
    /// What people see of this provider all the time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Why it says what it says, a line each, where the request wants to know; people see it, agents do not.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
    /// What went wrong, in the provider's own words.
    #[serde(default, deserialize_with = "null_as_default")]
    pub findings: Vec<Finding>,
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            v: VERSION,
            spec: String::new(),
            data: Value::Null,
            sections: Vec::new(),
            decision: None,
            messages: None,
            result_patch: None,
            mcp_server: None,
            status: None,
            explanation: Vec::new(),
            findings: Vec::new(),
        }
    }
}

/// One piece of text that a provider offers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Its name, stable over prompts, unique in the reply.
    pub key: String,
    /// A few words for a person.
    #[serde(default, deserialize_with = "null_as_default")]
    pub title: String,
    /// Where it belongs.
    pub placement: Placement,
    /// 0 to 100; the highest is served first when the budget is short.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub priority: u8,
    /// Where its text comes from.
    pub trust: Trust,
    /// The same in several sizes, from fullest to smallest; each ends at a line.
    pub variants: Vec<Variant>,
    /// The places in files that the fullest variant shows whole.
    #[serde(default, deserialize_with = "null_as_default")]
    pub sources: Vec<Source>,
    /// What people see of it, applied only when the section was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
}

/// Where a section belongs in a conversation, from the most stable to the least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// Once, at its start.
    Session,
    /// With a prompt.
    #[default]
    Prompt,
    /// With one call of the model; gone afterwards.
    Call,
}

/// Where a section's text comes from, which decides how much of it is neutralized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// The user's editor.
    Editor,
    /// Files of the workspace.
    Workspace,
    /// Another machine.
    #[default]
    Remote,
    /// A tool's output.
    Tool,
}

/// One size of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The provider's own estimate; the host counts again.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub tokens: u64,
    /// The text.
    pub body: String,
}

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The file, absolute or relative to the session's directory, with `/`.
    pub path: String,
    /// Its first line, counted from 1; `null` for the file's first.
    #[serde(default, deserialize_with = "whole")]
    pub start: Option<u64>,
    /// Its last line; `null` for the file's last.
    #[serde(default, deserialize_with = "whole")]
    pub end: Option<u64>,
}

/// What people see of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// Whether the section itself is shown to people.
    #[serde(default, deserialize_with = "null_as_default")]
    pub show: bool,
    /// A line under the user's message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What the agent stores beside the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Entry>,
}

/// What an agent stores beside a message, never sent to the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The kind of entry.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its content.
    #[serde(default)]
    pub data: Value,
}

/// What a provider decides about a tool call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Whether the call must not happen.
    #[serde(default, deserialize_with = "null_as_default")]
    pub block: bool,
    /// Why, for the model; present when `block` is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A hint for the model; the call happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
}

/// Which messages of the conversation stay, and which sections go between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Messages {
    /// Indices of messages that stay, ascending.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub keep: Vec<u64>,
    /// Where the provider's sections go.
    #[serde(default, deserialize_with = "null_as_default")]
    pub insert: Vec<Insert>,
}

/// Puts a section before a message.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Insert {
    /// The index of the message that follows.
    #[serde(deserialize_with = "whole")]
    pub before: u64,
    /// The section's key.
    pub key: String,
}

/// What changes in a tool's result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultPatch {
    /// New content for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Vec<Value>>,
    /// Details for the agent's UI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the result is an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
}

/// An MCP server for the agent to run, or its withdrawal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct McpServer {
    /// Its name in the agent.
    pub name: String,
    /// Whether an earlier registration is taken back; the other fields are then absent.
    #[serde(default, deserialize_with = "null_as_default")]
    pub withdraw: bool,
    /// The program, an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default, deserialize_with = "null_as_default")]
    pub args: Vec<String>,
    /// How its tools are shown to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exposure: Option<String>,
    /// Seconds a call may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<f64>,
    /// How the agent knows that it is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<Ready>,
}

/// How an agent knows that an MCP server is ready.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ready {
    /// A tool whose name begins so has appeared.
    pub tool_prefix: String,
    /// Milliseconds a first turn waits for it.
    #[serde(deserialize_with = "whole")]
    pub wait_ms: u64,
}

/// What people see of a provider all the time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// A few characters, always visible.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
    /// More, on demand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was left out because it could not be had.
    Error,
    /// Something is not as it should be, and the rest went on.
    #[default]
    Warning,
    /// Something a person may want to know.
    Info,
}

/// What a person is told about something that went wrong (`finding.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How bad it is.
    #[serde(default, deserialize_with = "null_as_default")]
    pub level: Level,
    /// The provider it is about; the host fills it in for what a provider reports itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// The step it happened in: `discover`, `load`, `ask`, `validate`, `compose`, `emit` or `settings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// A short name for the kind of problem; one provider and code is shown once a session.
    pub code: String,
    /// The place inside a message or settings file, as a JSON pointer or a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// What happened, one sentence.
    pub message: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A call of a tool (`tool-request.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolRequest {
    /// The tool's own name.
    pub name: String,
    /// Its arguments.
    #[serde(default)]
    pub args: Value,
    /// The agent's name for this call.
    #[serde(default, deserialize_with = "null_as_default")]
    pub call_id: String,
    /// The conversation it happens in.
    pub session: Session,
    /// The agent it happens in.
    #[serde(default, deserialize_with = "null_as_default")]
    pub agent: Agent,
    /// Unix seconds, with a fraction.
    #[serde(default, deserialize_with = "null_as_default")]
    pub now: f64,
}

/// What a tool answers (`tool-reply.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolReply {
    /// What the model reads.
    pub content: Vec<Content>,
    /// The same as a document, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Value>,
    /// For the agent's UI, never for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the call failed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_error: bool,
}

/// One piece of what a tool answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A picture.
    Image {
        /// Its bytes in base64.
        data: String,
        /// Its media type.
        #[serde(rename = "mimeType")]
        mime_type: String,
    },
}

/// A command from a person (`command-request.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommandRequest {
    /// The command's name.
    pub name: String,
    /// What follows it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub args: Vec<String>,
    /// The conversation it happens in.
    pub session: Session,
    /// The agent it happens in.
    #[serde(default, deserialize_with = "null_as_default")]
    pub agent: Agent,
    /// Unix seconds, with a fraction.
    #[serde(default, deserialize_with = "null_as_default")]
    pub now: f64,
}

/// What a command answers (`command-reply.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommandReply {
    /// What the person reads.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
    /// The same as a document, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// The exit code: 0 ok, 1 findings, 2 usage, 3 nothing found.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub exit: u8,
    /// What the person may choose from; each choice runs this command with its `args`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub choices: Vec<Choice>,
}

/// One row of a picker.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What the row says.
    pub label: String,
    /// More about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The command's arguments when it is chosen.
    #[serde(default, deserialize_with = "null_as_default")]
    pub args: Vec<String>,
}

/// The tools a provider has now (`tools-reply.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolsReply {
    /// The tools.
    pub tools: Vec<Tool>,
}

/// What a provider tells the host unasked (`notify.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Notify {
    /// Its list of tools is another one now.
    ToolsChanged,
    /// Its status is another one now.
    Status {
        /// The new status.
        status: Status,
    },
    /// A section it offered is no longer true.
    Invalidate {
        /// The section's key.
        key: String,
    },
    /// How far a call has come.
    Progress {
        /// The number of the call.
        #[serde(deserialize_with = "whole")]
        call: u64,
        /// How much is done.
        #[serde(deserialize_with = "whole")]
        done: u64,
        /// How much there is, where known.
        #[serde(default, deserialize_with = "whole")]
        total: Option<u64>,
        /// What is being done.
        #[serde(default, deserialize_with = "null_as_default")]
        text: String,
    },
    /// Something for a person.
    Message {
        /// How bad it is.
        level: Level,
        /// The sentence.
        text: String,
    },
    /// A line for the log.
    Log {
        /// How bad it is.
        level: Level,
        /// The line.
        text: String,
    },
}
