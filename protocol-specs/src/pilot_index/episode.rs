//! An episode: what an edit was about.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::envelope::null_as_default;

/// One line of [`MEMORY_FILE`](super::MEMORY_FILE) (`episode.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// Its id; a line with the same id takes the place of an earlier one.
    pub id: String,
    /// When it was first written, in milliseconds since 1970.
    #[serde(rename = "createdAt")]
    pub created_at: f64,
    /// When it was last written, in milliseconds since 1970.
    #[serde(rename = "updatedAt", default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<f64>,
    /// The first line of the prompt.
    pub title: String,
    /// The prompts that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What the model said at the end of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Why it was necessary, where known.
    #[serde(rename = "rootCause", default, skip_serializing_if = "Option::is_none")]
    pub root_cause: Option<String>,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solution: Option<String>,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Words it is found by.
    #[serde(default, deserialize_with = "null_as_default")]
    pub tags: Vec<String>,
    /// The files that were touched, below the project's root.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: Vec<String>,
    /// The names of the definitions that were touched.
    #[serde(default, deserialize_with = "null_as_default")]
    pub symbols: Vec<String>,
    /// How much it counts, from 0 to 1.
    pub confidence: f64,
    /// What another writer says of it, kept as it is.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Episode {
    /// When it was last written, in milliseconds since 1970.
    pub fn touched_at(&self) -> f64 {
        self.updated_at.unwrap_or(self.created_at)
    }
}
