//! The settings table.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Mode;
use crate::document_names::in_document_case;
use crate::number::whole;

/// The settings table as written; every key may be absent (`settings.schema.json`).
///
/// The document's names are kept; their lower-case forms, which an environment variable's name gives, are read too and go
/// before the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, remote = "Self")]
pub struct Settings {
    /// How code reaches the model.
    pub mode: Option<Mode>,
    /// How many recent turns stay when the conversation is rewritten.
    #[serde(rename = "conversationalWindow", deserialize_with = "whole")]
    pub conversational_window: Option<u64>,
    /// The most tokens of retrieved code when the conversation is rewritten.
    #[serde(rename = "maxRetrievedTokens", deserialize_with = "whole")]
    pub max_retrieved_tokens: Option<u64>,
    /// The most tokens of a rewritten conversation, as far as messages that must stay allow.
    #[serde(rename = "maxTotalTokens", deserialize_with = "whole")]
    pub max_total_tokens: Option<u64>,
    /// Whether episodes are stored and retrieved.
    #[serde(rename = "memoryEnabled")]
    pub memory_enabled: Option<bool>,
    /// How many steps references are followed from what was found.
    #[serde(rename = "expandReferences", deserialize_with = "whole")]
    pub expand_references: Option<u64>,
    /// The most tokens of code that is appended after a prompt.
    #[serde(deserialize_with = "whole")]
    pub append_tokens: Option<u64>,
    /// How many files of a project are indexed.
    #[serde(deserialize_with = "whole")]
    pub max_files: Option<u64>,
    /// Whether a long-lived host has the system tell it of changed files, so that they are indexed before the next question.
    pub watch: Option<bool>,
    /// How many episodes are kept.
    #[serde(deserialize_with = "whole")]
    pub memory_max_episodes: Option<u64>,
    /// After how many days without an update an episode is forgotten.
    #[serde(deserialize_with = "whole")]
    pub memory_expiry_days: Option<u64>,
    /// Whether episodes are also kept in folders that the user has not called trusted.
    pub memory_untrusted: Option<bool>,
    /// What a project's own file may lower.
    pub narrow: Option<Narrow>,
}

impl Settings {
    /// The document's names that have capital letters.
    const NAMES: [&'static str; 5] =
        ["conversationalWindow", "maxRetrievedTokens", "maxTotalTokens", "memoryEnabled", "expandReferences"];
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        Self::deserialize(in_document_case(reader, &Self::NAMES)?).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, writer)
    }
}

/// Limits that a project's own file may set: each can only lower what the user has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Narrow {
    /// `append` takes a rewriting of the conversation back.
    pub mode: Option<Mode>,
    /// Lowers the setting of that name.
    #[serde(rename = "maxRetrievedTokens", deserialize_with = "whole")]
    pub max_retrieved_tokens: Option<u64>,
    /// Lowers the setting of that name.
    #[serde(rename = "maxTotalTokens", deserialize_with = "whole")]
    pub max_total_tokens: Option<u64>,
    /// `false` switches the memory off.
    #[serde(rename = "memoryEnabled")]
    pub memory_enabled: Option<bool>,
    /// Lowers the setting of that name.
    #[serde(rename = "expandReferences", deserialize_with = "whole")]
    pub expand_references: Option<u64>,
    /// Lowers the setting of that name.
    #[serde(deserialize_with = "whole")]
    pub append_tokens: Option<u64>,
    /// Lowers the setting of that name.
    #[serde(deserialize_with = "whole")]
    pub max_files: Option<u64>,
}
