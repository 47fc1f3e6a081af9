//! What a query finds.

use serde::{Deserialize, Serialize};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// What `context` and `project_map_context` answer, for a program (`bundle.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// What was asked.
    pub query: String,
    /// Whether anything matches; when nothing does, `routes` says where to begin.
    pub found: bool,
    /// Whether every file of the project was looked at.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
    /// The words that were looked for.
    #[serde(default, deserialize_with = "null_as_default")]
    pub words: Vec<String>,
    /// The indexes to read first, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub indexes: Vec<FoundPage>,
    /// The maps to read next, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub maps: Vec<FoundPage>,
    /// The files that the query is likely about, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub files: Vec<FoundFile>,
    /// The definitions in these files that match, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub symbols: Vec<FoundSymbol>,
    /// The routes of the root's index, when nothing matches.
    #[serde(default, deserialize_with = "null_as_default")]
    pub routes: Vec<Route>,
    /// The estimated tokens of the bundle as text.
    #[serde(deserialize_with = "whole")]
    pub tokens: u64,
    /// The most that it may take.
    #[serde(deserialize_with = "whole")]
    pub limit: u64,
}

/// An artifact that a query finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundPage {
    /// Its directory below the root, `.` for the root itself.
    pub dir: String,
    /// Its own path below the root, whether or not it is written.
    pub path: String,
    /// The sum of what matched.
    pub score: f64,
    /// What matched.
    #[serde(default, deserialize_with = "null_as_default")]
    pub matched: Vec<Matched>,
    /// What it says of itself in one sentence.
    #[serde(default, deserialize_with = "null_as_default")]
    pub purpose: String,
    /// The headings that are shown of it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub headings: Vec<String>,
}

/// A file that a query finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundFile {
    /// Its path below the root, with `/`.
    pub path: String,
    /// The directory of the pair that covers it, `.` for the root.
    pub dir: String,
    /// What it is to the project.
    #[serde(default)]
    pub role: Option<Role>,
    /// The sum of what matched, with penalties.
    pub score: f64,
    /// What matched.
    #[serde(default, deserialize_with = "null_as_default")]
    pub matched: Vec<Matched>,
    /// What it says of itself in one sentence.
    #[serde(default, deserialize_with = "null_as_default")]
    pub purpose: String,
}

/// A definition that a query finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundSymbol {
    /// Its name, with what it belongs to in front.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Its file, below the root.
    pub file: String,
    /// The line that it begins in, counted from 1.
    #[serde(deserialize_with = "whole")]
    pub line: u64,
    /// The sum of what matched.
    pub score: f64,
    /// What matched.
    #[serde(default, deserialize_with = "null_as_default")]
    pub matched: Vec<Matched>,
}

/// One word of a query in one field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Matched {
    /// The field.
    pub field: Field,
    /// The word, or the whole name, as it was looked for.
    pub word: String,
    /// What it gives to the score.
    pub score: f64,
}

/// A field of a pair that is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// A whole path, or a whole file name.
    #[default]
    Path,
    /// A whole name of a definition.
    Symbol,
    /// The name of a directory.
    Dir,
    /// A word of a definition's name.
    SymbolWord,
    /// A tag.
    Tag,
    /// A word of a file's name.
    FileWord,
    /// The sentence of purpose.
    Purpose,
    /// A workflow hint.
    Workflow,
    /// Any other text of a map.
    Body,
}

/// What a file is to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A program or library begins here.
    Entry,
    /// Other code.
    Source,
    /// It tests.
    Test,
    /// It configures.
    Config,
    /// It is written for people.
    Doc,
    /// Data.
    Data,
    /// A program wrote it, or it comes from elsewhere.
    Generated,
}

/// A way on from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The directory.
    pub dir: String,
    /// What it is about.
    #[serde(default, deserialize_with = "null_as_default")]
    pub purpose: String,
    /// How many files it covers.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub files: u64,
}
