//! What the tools answer.

use serde::{Deserialize, Serialize};

use super::{Found, RepoStanding, State};
use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// What `codebase_search` answers, its `structured` document (`search-result.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// How things stand.
    pub state: State,
    /// By what was searched: `lexical`, `hybrid`, or a backend's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// What was found, the best first.
    pub results: Vec<Found>,
    /// What the person should know: of the backend, and of the provider.
    #[serde(default, deserialize_with = "null_as_default")]
    pub notes: Vec<String>,
}

/// What `codebase_status` answers, its `structured` document (`status-result.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatusResult {
    /// How things stand.
    pub state: State,
    /// Why it is so and what to do, in one sentence for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The backend, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<BackendFacts>,
    /// Whose token it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The workspace's repositories.
    #[serde(default, deserialize_with = "null_as_default")]
    pub repos: Vec<RepoStanding>,
    /// How many chunks the last sync sent.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub sent: u64,
    /// How many files the backend has not, or has older.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub waiting: u64,
    /// When the last sync ended, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synced_at: Option<f64>,
    /// The files, where they are asked for, by repository and path.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: Vec<ListedFile>,
    /// How many more files there are.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub more_files: u64,
    /// What the person should know: of the backend, and of the provider.
    #[serde(default, deserialize_with = "null_as_default")]
    pub notes: Vec<String>,
}

/// What is known of the backend.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendFacts {
    /// Where it is, without user and password.
    pub url: String,
    /// Whether it is the development backend of this user, found by its file.
    #[serde(default, deserialize_with = "null_as_default")]
    pub development: bool,
    /// The fingerprint of its model, or `none`; `None` where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedder: Option<String>,
    /// The vectors' dimension.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u32>,
    /// How many chunks wait there for their vectors.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub waiting: u64,
}

/// A file of the workspace, and what becomes of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    /// The repository.
    pub repo: String,
    /// The file, below the repository's root.
    pub path: String,
    /// What becomes of it.
    pub fate: Fate,
    /// Why it is never sent, as a word such as `secret`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What becomes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// The backend has it as it is.
    Indexed,
    /// It is to be sent.
    #[default]
    Waiting,
    /// It is never sent.
    LeftOut,
}
