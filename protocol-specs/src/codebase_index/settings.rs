//! The settings table.

use serde::{Deserialize, Serialize};

use crate::number::whole;

/// The settings table as written; every key may be absent (`settings.schema.json`).
///
/// All of it is the user's alone; a project's own file says [`Settings::narrow`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Where the backend is, without the base path.
    pub url: Option<String>,
    /// Below which path the data endpoints are.
    pub base_path: Option<String>,
    /// By whom the backend has people log in.
    pub auth_provider: Option<String>,
    /// A file of certificates that are trusted besides the system's.
    pub ca_file: Option<String>,
    /// Whether files are sent that git neither tracks nor ignores.
    pub untracked: Option<bool>,
    /// Whether prompts are searched for and hits offered.
    pub prompt: Option<bool>,
    /// The most tokens of what is offered for a prompt.
    #[serde(deserialize_with = "whole")]
    pub prompt_tokens: Option<u64>,
    /// The most hits that are offered for a prompt.
    #[serde(deserialize_with = "whole")]
    pub prompt_results: Option<u32>,
    /// Only files that one of these patterns names are sent; empty for all.
    pub include: Option<Vec<String>>,
    /// Files that one of these patterns names are not sent.
    pub exclude: Option<Vec<String>>,
    /// How many requests are on their way at once.
    #[serde(deserialize_with = "whole")]
    pub concurrency: Option<u32>,
    /// After how many bytes of chunks a request is sent.
    #[serde(deserialize_with = "whole")]
    pub batch_bytes: Option<u64>,
    /// What a project's own file may set.
    pub narrow: Option<Narrow>,
}

/// Limits that a project's own file may set: each only narrows what the user has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Narrow {
    /// `false` takes untracked files back.
    pub untracked: Option<bool>,
    /// `false` switches the search for prompts off.
    pub prompt: Option<bool>,
    /// Lowers the setting of that name.
    #[serde(deserialize_with = "whole")]
    pub prompt_tokens: Option<u64>,
    /// Lowers the setting of that name.
    #[serde(deserialize_with = "whole")]
    pub prompt_results: Option<u32>,
    /// A file must be named by one of these as well; empty for all.
    pub include: Option<Vec<String>>,
    /// Files that are not sent either.
    pub exclude: Option<Vec<String>>,
}
