//! The settings table.

use serde::{Deserialize, Serialize};

use super::Mode;
use crate::number::whole;

/// The settings table as written; every key may be absent (`settings.schema.json`).
///
/// The document's names are kept; their lower-case forms, which an environment variable's name gives, are read too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How code reaches the model.
    pub mode: Option<Mode>,
    /// How many recent turns stay when the conversation is rewritten.
    #[serde(rename = "conversationalWindow", alias = "conversationalwindow", deserialize_with = "whole")]
    pub conversational_window: Option<u64>,
    /// The most tokens of retrieved code when the conversation is rewritten.
    #[serde(rename = "maxRetrievedTokens", alias = "maxretrievedtokens", deserialize_with = "whole")]
    pub max_retrieved_tokens: Option<u64>,
    /// The most tokens of a rewritten conversation, as far as messages that must stay allow.
    #[serde(rename = "maxTotalTokens", alias = "maxtotaltokens", deserialize_with = "whole")]
    pub max_total_tokens: Option<u64>,
    /// Whether episodes are stored and retrieved.
    #[serde(rename = "memoryEnabled", alias = "memoryenabled")]
    pub memory_enabled: Option<bool>,
    /// How many steps references are followed from what was found.
    #[serde(rename = "expandReferences", alias = "expandreferences", deserialize_with = "whole")]
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
