//! What happened in an agent: the `data` of each event, as `request.schema.json` defines it under the event's name.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::null_as_default;
use crate::number::whole;

/// The `data` of a `session.start` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionStartData {
    /// Why, in the agent's word: `startup`, `resume`, `fork`, `new`, `compact` and so on.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// The `data` of a `prompt` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromptData {
    /// What the user wrote.
    #[serde(default, deserialize_with = "null_as_default")]
    pub text: String,
    /// Who wrote it: `user` or an extension's name.
    #[serde(default, deserialize_with = "null_as_default")]
    pub source: String,
    /// Whether it is the first of its conversation.
    #[serde(default, deserialize_with = "null_as_default")]
    pub first: bool,
}

/// The `data` of a `model_call` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelCallData {
    /// The conversation as it would be sent, each message in the agent's own shape.
    #[serde(default, deserialize_with = "null_as_default")]
    pub messages: Vec<Map<String, Value>>,
    /// Which call of this turn it is, counted from 1.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub request_no: Option<u64>,
}

/// What a tool does, the same words for every agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolKind {
    /// Reads a file.
    Read,
    /// Looks for text, names or symbols.
    Search,
    /// Lists folders.
    List,
    /// Runs a command.
    Run,
    /// Changes a file.
    Edit,
    /// Writes a file.
    Write,
    /// Anything else.
    #[default]
    Other,
}

/// A provider's tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Own {
    /// The provider's id.
    pub provider: String,
    /// The tool's own name.
    pub tool: String,
}

/// The `data` of a `tool.before` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolBeforeData {
    /// The agent's name for this call.
    pub id: String,
    /// The tool's name in the agent.
    pub name: String,
    /// What the tool does.
    #[serde(default, deserialize_with = "null_as_default")]
    pub kind: ToolKind,
    /// The files and folders that the call names.
    #[serde(default, deserialize_with = "null_as_default")]
    pub paths: Vec<String>,
    /// The call's input, in the agent's own shape.
    #[serde(default)]
    pub input: Value,
    /// Whose tool it is, when it is a provider's.
    #[serde(default)]
    pub own: Option<Own>,
    /// The call that made this one, as a script that calls tools does.
    #[serde(default)]
    pub parent_id: Option<String>,
    /// What the model wrote before the call.
    #[serde(default)]
    pub assistant_text: Option<String>,
}

/// The `data` of a `tool.after` event; it repeats what `tool.before` said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolAfterData {
    /// The call.
    #[serde(flatten)]
    pub call: ToolBeforeData,
    /// The tool's result, in the agent's own shape.
    #[serde(default, deserialize_with = "null_as_default")]
    pub content: Vec<Map<String, Value>>,
    /// What the agent keeps of an edit for its own display, such as a diff, in the agent's own shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Map<String, Value>>,
    /// Whether the call failed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub is_error: bool,
}

/// Whether something is about to happen or has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It is about to happen.
    Before,
    /// It has happened.
    #[default]
    After,
}

/// The `data` of a `compact` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompactData {
    /// Before or after.
    pub phase: Phase,
    /// Why, in the agent's word, such as `manual` or `threshold`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// The `data` of a `turn.end` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnEndData {
    /// What the model wrote last.
    #[serde(default)]
    pub assistant_text: Option<String>,
    /// The tokens of the turn, in the agent's own shape.
    #[serde(default)]
    pub usage: Option<Map<String, Value>>,
}

/// The `data` of an `mcp.result` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct McpResultData {
    /// The server's name.
    pub name: String,
    /// Whether the agent runs it.
    pub ok: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The `data` of a `session.end` event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionEndData {
    /// Why, in the agent's word, such as `quit` or `new`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// Something that happened in an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A conversation begins, or is taken up again.
    SessionStart(SessionStartData),
    /// Somebody wrote to the agent.
    Prompt(PromptData),
    /// The agent is about to call the model.
    ModelCall(ModelCallData),
    /// The agent is about to run a tool.
    ToolBefore(ToolBeforeData),
    /// The agent has run a tool.
    ToolAfter(ToolAfterData),
    /// The conversation is replaced by a summary of itself.
    Compact(CompactData),
    /// The agent uses another model from here on.
    ModelChange,
    /// The agent has answered.
    TurnEnd(TurnEndData),
    /// What became of an MCP server that a provider asked for.
    McpResult(McpResultData),
    /// A conversation ends.
    SessionEnd(SessionEndData),
}

/// An event that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// There is none of that name.
    #[error("there is no event `{0}`; there are {known}", known = Event::NAMES.join(", "))]
    Unknown(String),
    /// Its `data` does not satisfy the event's definition.
    #[error("the data of `{event}` cannot be read: {why}")]
    Data {
        /// The event's name.
        event: &'static str,
        /// What is wrong.
        why: String,
    },
}

impl Event {
    /// The names of all events, in the order of a conversation.
    pub const NAMES: [&'static str; 10] = [
        "session.start",
        "prompt",
        "model_call",
        "tool.before",
        "tool.after",
        "compact",
        "model.change",
        "turn.end",
        "mcp.result",
        "session.end",
    ];

    /// A prompt of the user's.
    pub fn prompt(text: impl Into<String>) -> Self {
        Self::Prompt(PromptData { text: text.into(), source: "user".to_owned(), first: false })
    }

    /// Its name on the wire.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionStart(_) => "session.start",
            Self::Prompt(_) => "prompt",
            Self::ModelCall(_) => "model_call",
            Self::ToolBefore(_) => "tool.before",
            Self::ToolAfter(_) => "tool.after",
            Self::Compact(_) => "compact",
            Self::ModelChange => "model.change",
            Self::TurnEnd(_) => "turn.end",
            Self::McpResult(_) => "mcp.result",
            Self::SessionEnd(_) => "session.end",
        }
    }

    /// Its `data` on the wire.
    pub fn data(&self) -> Value {
        let data = match self {
            Self::SessionStart(data) => serde_json::to_value(data),
            Self::Prompt(data) => serde_json::to_value(data),
            Self::ModelCall(data) => serde_json::to_value(data),
            Self::ToolBefore(data) => serde_json::to_value(data),
            Self::ToolAfter(data) => serde_json::to_value(data),
            Self::Compact(data) => serde_json::to_value(data),
            Self::ModelChange => Ok(Value::Object(Map::new())),
            Self::TurnEnd(data) => serde_json::to_value(data),
            Self::McpResult(data) => serde_json::to_value(data),
            Self::SessionEnd(data) => serde_json::to_value(data),
        };
        // Every key of these types is a text, so writing them cannot fail.
        data.unwrap_or_default()
    }

    /// Reads an event from its name and its `data`; absent data is an empty object.
    ///
    /// # Errors
    /// There is no event of that name, or the data is not what it holds.
    pub fn read(name: &str, data: Value) -> Result<Self, EventError> {
        fn of<T: serde::de::DeserializeOwned>(event: &'static str, data: Value) -> Result<T, EventError> {
            serde_json::from_value(data).map_err(|error| EventError::Data { event, why: error.to_string() })
        }
        let data = if data.is_null() { Value::Object(Map::new()) } else { data };
        match name {
            "session.start" => of("session.start", data).map(Self::SessionStart),
            "prompt" => of("prompt", data).map(Self::Prompt),
            "model_call" => of("model_call", data).map(Self::ModelCall),
            "tool.before" => of("tool.before", data).map(Self::ToolBefore),
            "tool.after" => of("tool.after", data).map(Self::ToolAfter),
            "compact" => of("compact", data).map(Self::Compact),
            "model.change" => Ok(Self::ModelChange),
            "turn.end" => of("turn.end", data).map(Self::TurnEnd),
            "mcp.result" => of("mcp.result", data).map(Self::McpResult),
            "session.end" => of("session.end", data).map(Self::SessionEnd),
            unknown => Err(EventError::Unknown(unknown.chars().take(80).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_name_is_read_and_written_as_itself() {
        let data = json!({"text": "t", "phase": "before", "id": "1", "name": "n", "kind": "edit", "ok": true,
            "messages": [{"role": "user"}], "content": [{"type": "text"}]});
        for name in Event::NAMES {
            let event = Event::read(name, data.clone()).unwrap();
            assert_eq!(event.name(), name);
            assert_eq!(Event::read(name, event.data()).unwrap(), event);
        }
        assert!(matches!(Event::read("tool.around", Value::Null), Err(EventError::Unknown(_))));
        let error = Event::read("compact", json!({"phase": "now"})).unwrap_err().to_string();
        assert!(error.contains("compact") && error.contains("now"), "{error}");
    }
}
