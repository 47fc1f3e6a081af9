//! What the tools answer.

use serde::{Deserialize, Serialize};

use super::Signals;
use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// What `pilot_query` answers, its `structured` document (`query.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QueryResult {
    /// The same for the same question and the same answer.
    #[serde(rename = "resultId")]
    pub result_id: String,
    /// What was asked.
    pub query: String,
    /// How many matches follow.
    #[serde(deserialize_with = "whole")]
    pub count: u64,
    /// Whether the index was complete when it answered.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
    /// The matches, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub symbols: Vec<Match>,
}

/// A definition that matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Match {
    /// Its name, with what it belongs to in front.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Its file, below the project's root.
    pub file: String,
    /// The line that it begins in, counted from 1.
    #[serde(deserialize_with = "whole")]
    pub line: u64,
    /// The line that it ends in, inclusive.
    #[serde(rename = "endLine", deserialize_with = "whole")]
    pub end_line: u64,
    /// What the file is written in.
    #[serde(default)]
    pub language: Option<String>,
    /// The sum of its signals.
    pub score: f64,
    /// What the score is made of.
    #[serde(default, deserialize_with = "null_as_default")]
    pub signals: Signals,
    /// How well its words fit.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lexical: f64,
    /// Why it is here.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
    /// Its signature and the lines that match.
    #[serde(default, deserialize_with = "null_as_default")]
    pub preview: String,
}

/// What `pilot_symbol` answers, its `structured` document (`symbol.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SymbolResult {
    /// What was asked for.
    pub name: String,
    /// Whether the index was complete when it answered.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
    /// Where it is defined.
    #[serde(default, deserialize_with = "null_as_default")]
    pub definitions: Vec<Definition>,
    /// How many more definitions there are.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub more_definitions: u64,
    /// Where it is used.
    #[serde(default, deserialize_with = "null_as_default")]
    pub references: Vec<Reference>,
    /// How many more places in these files use it.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub more_places: u64,
    /// How many more files use it.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub more_references: u64,
}

/// A place where a name is defined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name, with what it belongs to in front.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Its file.
    pub file: String,
    /// The line that it begins in.
    #[serde(deserialize_with = "whole")]
    pub line: u64,
    /// The line that it ends in, inclusive.
    #[serde(rename = "endLine", deserialize_with = "whole")]
    pub end_line: u64,
    /// What the file is written in.
    #[serde(default)]
    pub language: Option<String>,
    /// Who may use it.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// Its signature.
    #[serde(default, deserialize_with = "null_as_default")]
    pub signature: String,
    /// Its doc comment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub doc: String,
}

/// Who may use a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Its own file or type.
    Private,
    /// A part of the code base.
    Restricted,
    /// Everybody.
    Public,
}

/// A place that uses a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The file.
    pub file: String,
    /// The definition that it is used in.
    #[serde(default)]
    pub symbol: Option<String>,
    /// The lines, as far as they were looked at.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub lines: Vec<u64>,
    /// How often.
    #[serde(deserialize_with = "whole")]
    pub count: u64,
    /// Whether an owner was asked for that the file does not name, so that another one's may be meant.
    #[serde(default, deserialize_with = "null_as_default")]
    pub by_name_only: bool,
}
