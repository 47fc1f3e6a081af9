//! What came of an event.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{VERSION, version};
use crate::envelope::{Finding, McpServer, Person, Placement, ResultPatch, Status, Trust, Visible};
use crate::number::whole;

/// What `event` answers (`outcome.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeDocument {
    /// [`VERSION`].
    #[serde(default = "version", deserialize_with = "whole")]
    pub v: u32,
    /// What goes into the conversation to stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub injection: Option<InjectionDocument>,
    /// What goes along with the next model call only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallDocument>,
    /// What is decided about the tool call, of `tool.before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionDocument>,
    /// Which messages stay, of `model_call`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<MessagesDocument>,
    /// What changes in the tool's result, of `tool.after`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_patch: Option<ResultPatch>,
    /// The MCP servers for the agent to run, and withdrawals.
    pub mcp_servers: Vec<McpServerDocument>,
    /// What people see of the providers, by id; a provider that is not in it is as before.
    pub status: BTreeMap<String, Status>,
    /// What to show to a person now.
    pub findings: Vec<Finding>,
}

impl Default for OutcomeDocument {
    fn default() -> Self {
        Self {
            v: VERSION,
            injection: None,
            call: None,
            decision: None,
            messages: None,
            result_patch: None,
            mcp_servers: Vec::new(),
            status: BTreeMap::new(),
            findings: Vec::new(),
        }
    }
}

/// What goes into the conversation to stay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InjectionDocument {
    /// The text, ready for the model.
    pub text: String,
    /// Its estimated tokens.
    #[serde(deserialize_with = "whole")]
    pub tokens: u64,
    /// The sections in it, in order.
    pub sections: Vec<SectionDocument>,
    /// The sections that are not in it.
    pub dropped: Vec<DroppedDocument>,
}

/// A section of an injection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SectionDocument {
    /// Who offered it.
    pub provider: String,
    /// Its key.
    pub key: String,
    /// A few words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it belongs.
    pub placement: Placement,
    /// Where its text comes from.
    pub trust: Trust,
    /// The estimated tokens of its element.
    #[serde(deserialize_with = "whole")]
    pub tokens: u64,
    /// The text that was chosen.
    pub body: String,
    /// The id of its content, by which [`Visible`] names it.
    pub id: String,
    /// The id of the visible section that it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<String>,
    /// What people see of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
}

/// A section that is not in an injection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedDocument {
    /// Who offered it.
    pub provider: String,
    /// Its key.
    pub key: String,
    /// Why, for a person.
    pub reason: String,
}

/// What goes along with one model call and is gone afterwards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallDocument {
    /// The text, ready for the model.
    pub text: String,
    /// Its estimated tokens.
    #[serde(deserialize_with = "whole")]
    pub tokens: u64,
    /// The sections in it, in order.
    pub sections: Vec<SectionDocument>,
}

/// What the providers together decide about a tool call: a block with its reason, or guidance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionDocument {
    /// Whether the call must not happen.
    pub block: bool,
    /// Why not, for the model; of a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who blocks; of a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// A hint for the model; of a call that happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
}

impl DecisionDocument {
    /// Builds the decision that the call must not happen.
    pub fn block(provider: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { block: true, reason: Some(reason.into()), provider: Some(provider.into()), guidance: None }
    }

    /// Builds the decision that the call happens, with a hint.
    pub fn guidance(guidance: impl Into<String>) -> Self {
        Self { block: false, reason: None, provider: None, guidance: Some(guidance.into()) }
    }
}

/// Which messages of the conversation stay, and what goes between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagesDocument {
    /// Indices of the messages that stay, ascending.
    #[serde(deserialize_with = "whole")]
    pub keep: Vec<u64>,
    /// What goes between them, ascending.
    pub insert: Vec<InsertDocument>,
}

/// A text that goes before a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsertDocument {
    /// The index of the message that follows; the number of messages for the end.
    #[serde(deserialize_with = "whole")]
    pub before: u64,
    /// The text, ready for the model.
    pub text: String,
    /// The sections in it.
    pub sections: Vec<Visible>,
}

/// An MCP server for the agent to run, or its withdrawal, and who asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct McpServerDocument {
    /// Who asks.
    pub provider: String,
    /// The server.
    #[serde(flatten)]
    pub server: McpServer,
}
