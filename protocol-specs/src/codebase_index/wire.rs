//! The bodies of the HTTP contract.
//!
//! Fields that the protocol document does not know are extensions: optional, ignored by who does not know them, and
//! described in `SPEC.md`.
//! An optional field that is `null` is read as absent, and never written so.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// What the client holds, for `POST /sync`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncRequest {
    /// The repositories; a name (with its `ref`) at most once.
    pub repos: Vec<RepoState>,
}

/// One repository, as the client has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoState {
    /// Its stable name.
    pub name: String,
    /// The digest over the paths and hashes of exactly the files listed; opaque to the backend.
    pub root_hash: String,
    /// All its files; absent when only the root is asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileHash>>,
    /// Extension: which checkout of it this is, so that branches and worktrees do not overwrite each other.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A file and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileHash {
    /// Its path below the repository's root, with `/`.
    pub path: String,
    /// SHA-256 of its bytes, lower-case hex.
    pub hash: String,
}

/// A file of a repository.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileRef {
    /// The repository's name.
    pub repo: String,
    /// The path below its root.
    pub path: String,
    /// Extension: the checkout, as in [`RepoState::reference`].
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What is to be indexed, and what was dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncReply {
    /// The files to send.
    pub changed: Vec<FileRef>,
    /// The files that are gone already, for transparency.
    #[serde(default, deserialize_with = "null_as_default")]
    pub removed: Vec<FileRef>,
}

/// Chunks to embed and store, and files to drop, for `POST /index`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IndexRequest {
    /// The chunks.
    pub chunks: Vec<Chunk>,
    /// Files without chunks: those that are gone, and those that have nothing to index.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<FileRef>,
}

/// A piece of code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chunk {
    /// The repository's name.
    pub repo: String,
    /// The file's path below its root.
    pub path: String,
    /// What it is, once in its file: `SubscriptionService.renew`.
    pub symbol: String,
    /// The language's id, such as `typescript`.
    pub lang: String,
    /// The commit, or the hash of the file's bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub git_sha: Option<String>,
    /// Extension: the hash of the file's bytes, as `/sync` names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hash: Option<String>,
    /// Extension: how many chunks the file has in all; it counts as indexed once that many of this hash have come.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub file_chunks: Option<u32>,
    /// Extension: the checkout, as in [`RepoState::reference`].
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The first line, counted from 1.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The last line.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// The code.
    pub content: String,
}

/// How many chunks were stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexReply {
    /// The number.
    #[serde(deserialize_with = "whole")]
    pub indexed: u64,
}

/// A question, for `POST /search`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The question.
    pub query: String,
    /// Only this repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<String>,
    /// Only this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// How many results at most; 10 when absent.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Extension: the checkouts that the person has; of any other repository its latest one is searched.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<View>,
}

/// A checkout of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The repository's name.
    pub repo: String,
    /// The checkout, as in [`RepoState::reference`].
    #[serde(rename = "ref")]
    pub reference: String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchReply {
    /// The hits, the best first.
    pub results: Vec<SearchHit>,
    /// Extension: by what was searched: `lexical`, or `hybrid` when vectors took part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Extension: what the person should know, such as that vectors are still being made.
    #[serde(default, deserialize_with = "null_as_default", skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A chunk that was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    /// The repository's name.
    pub repo: String,
    /// The file's path.
    pub path: String,
    /// The symbol.
    pub symbol: String,
    /// The language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// About 15 lines: those that match best.
    pub snippet: String,
    /// Only its order within one reply means something; from 0 to 1.
    pub score: f64,
    /// The chunk's first line.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// The chunk's last line.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// Extension: the snippet's first line.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub snippet_start: Option<u32>,
    /// Extension: the snippet's last line.
    #[serde(default, deserialize_with = "line", skip_serializing_if = "Option::is_none")]
    pub snippet_end: Option<u32>,
    /// Extension: the hash of the file that was indexed, so that a client sees whether its own is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_hash: Option<String>,
    /// Extension: the checkout.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What every answer that is no success carries; a plain text is allowed too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// What is wrong, and what to do.
    pub message: String,
    /// Extension: a word for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// Asks for a new access token.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshRequest {
    /// The token of the login or of the last refresh.
    pub refresh_token: String,
}

/// A new pair of tokens.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshReply {
    /// For data requests.
    pub access_token: String,
    /// For the next refresh; it may be the old one.
    pub refresh_token: String,
    /// How many seconds the access token holds.
    #[serde(deserialize_with = "whole")]
    pub expires_in: u64,
}

/// What the client reads of an access token; all else in it is the backend's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPayload {
    /// Who it is.
    pub username: String,
    /// When it ends, in seconds since 1970.
    #[serde(deserialize_with = "whole")]
    pub exp: i64,
    /// When it was made.
    #[serde(deserialize_with = "whole")]
    pub iat: i64,
}

/// Extension: what a backend says of itself, at `GET /health` below the base path, with a token like all else.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// `ok`.
    pub status: String,
    /// The model's fingerprint, or `none`.
    pub embedder: String,
    /// The vectors' dimension, with a model.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u32>,
    /// How many chunks of the caller's organisation wait for their vectors.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub waiting: u64,
    /// The most bytes of a body.
    #[serde(deserialize_with = "whole")]
    pub max_body_bytes: u64,
    /// The most chunks of one call.
    #[serde(deserialize_with = "whole")]
    pub max_chunks: u32,
    /// The most bytes of a chunk's content.
    #[serde(deserialize_with = "whole")]
    pub max_content_bytes: u32,
    /// The most results of a search.
    #[serde(deserialize_with = "whole")]
    pub max_limit: u32,
}

impl fmt::Debug for RefreshRequest {
    /// Leaves the token out, so that no log has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RefreshRequest").finish_non_exhaustive()
    }
}

impl fmt::Debug for RefreshReply {
    /// Leaves the tokens out, so that no log has them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RefreshReply").field("expires_in", &self.expires_in).finish_non_exhaustive()
    }
}

/// Reads a line, of which the document says neither that it is there nor that it counts from 1: 0 says nothing.
fn line<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<u32>, D::Error> {
    Ok(whole::<D, Option<u32>>(reader)?.filter(|line| *line > 0))
}
