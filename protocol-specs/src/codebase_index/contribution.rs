//! The provider's own document.

use serde::{Deserialize, Serialize};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// The provider's own document, the `data` of its reply (`contribution.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// How things stand.
    pub state: State,
    /// Why it is so and what to do, in one sentence for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// By what was searched: `lexical`, `hybrid`, or a backend's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// The workspace's repositories.
    #[serde(default, deserialize_with = "null_as_default")]
    pub repos: Vec<RepoStanding>,
    /// What the backend was asked; `None` where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// What was found, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub hits: Vec<RankedHit>,
    /// How many chunks the last sync sent.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub sent: u64,
    /// How many files the backend has not, or has older.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub waiting: u64,
    /// When the last sync ended, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synced_at: Option<f64>,
    /// What the person should know: of the backend, and of the provider.
    #[serde(default, deserialize_with = "null_as_default")]
    pub notes: Vec<String>,
}

/// How things stand with the backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// No backend is set.
    #[default]
    Off,
    /// There is no token that the backend accepts.
    SignedOut,
    /// The backend does not answer.
    Offline,
    /// Files are being sent.
    Syncing,
    /// The backend has everything as it is on disk.
    Ready,
    /// The backend has older files, and nothing is being sent.
    Stale,
}

/// A repository of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepoStanding {
    /// Its name on the wire.
    pub name: String,
    /// The checkout.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How many of its files are to be indexed.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub files: u64,
    /// How many of them the backend has not, or has older.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub waiting: u64,
    /// How many tracked files are never sent.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub left_out: u64,
    /// Whether this backend has acknowledged the repository's present root.
    #[serde(default, deserialize_with = "null_as_default")]
    pub acknowledged: bool,
}

/// A chunk that was found for the prompt; its text is in the section of its file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RankedHit {
    /// The repository.
    pub repo: String,
    /// The file, below the repository's root.
    pub path: String,
    /// The symbol.
    pub symbol: String,
    /// The language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Only its order within one reply means something.
    pub score: f64,
    /// The chunk's first line, counted from 1.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The chunk's last line, inclusive.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// Whether the file on disk is another than the one that was found.
    #[serde(default, deserialize_with = "null_as_default")]
    pub stale: bool,
}

/// A chunk that `codebase_search` found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// The repository.
    pub repo: String,
    /// The file, below the repository's root.
    pub path: String,
    /// The symbol.
    pub symbol: String,
    /// The language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// About 15 lines of the chunk: those that match best.
    pub snippet: String,
    /// Only its order within one reply means something.
    pub score: f64,
    /// The chunk's first line, counted from 1.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The chunk's last line, inclusive.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// The snippet's first line.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub snippet_start: Option<u32>,
    /// The snippet's last line, inclusive.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub snippet_end: Option<u32>,
    /// Whether the file on disk is another than the one that was found.
    #[serde(default, deserialize_with = "null_as_default")]
    pub stale: bool,
}
