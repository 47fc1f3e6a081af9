//! Typed mirrors of `pilot-index/v1`: the provider's own document, what its tools answer, an episode, and the settings.

mod answer;
mod episode;
mod settings;

use serde::{Deserialize, Serialize};

pub use answer::{Definition, Match, QueryResult, Reference, SymbolResult, Visibility};
pub use episode::Episode;
pub use settings::{Narrow, Settings};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "pilot-index/v1";

/// Where the episodes are kept, below the session's directory.
pub const MEMORY_FILE: &str = ".pilot/memories.jsonl";

/// The provider's own document, the `data` of its reply (`contribution.schema.json`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// How code reaches the model.
    pub mode: Mode,
    /// Whether retrieval is switched on; absent means yes.
    #[serde(default = "yes", deserialize_with = "null_as_yes")]
    pub enabled: bool,
    /// How things stand with the index.
    pub index: Index,
    /// What the prompt was understood as; `None` where nothing was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Query>,
    /// The files that were chosen, in the order they are offered.
    #[serde(default, deserialize_with = "null_as_default")]
    pub selection: Vec<ChosenFile>,
    /// Files that go with them.
    #[serde(default, deserialize_with = "null_as_default")]
    pub companions: Vec<Companion>,
    /// Episodes that have to do with the prompt, the best first.
    #[serde(default, deserialize_with = "null_as_default")]
    pub memory: Vec<Recalled>,
    /// What there was to spend and what was spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

impl Default for Contribution {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            enabled: true,
            index: Index::default(),
            query: None,
            selection: Vec::new(),
            companions: Vec::new(),
            memory: Vec::new(),
            budget: None,
        }
    }
}

fn yes() -> bool {
    true
}

fn null_as_yes<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(reader)?.unwrap_or(true))
}

/// How code reaches the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// After the prompt, so that what a model's provider has cached of the conversation stays true.
    #[default]
    Append,
    /// In front of the last turns, in place of the older ones.
    Reconstruct,
}

/// How things stand with the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// How many files are in it.
    #[serde(deserialize_with = "whole")]
    pub files: u64,
    /// How many definitions are in it.
    #[serde(deserialize_with = "whole")]
    pub symbols: u64,
    /// How many of the files that are to be indexed are.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub indexed: u64,
    /// How many files there are to index.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub total: u64,
    /// The root of the Merkle snapshot, SHA-256 in hexadecimal.
    #[serde(default)]
    pub root_hash: Option<String>,
    /// Whether everything is indexed as it is on disk.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
    /// The languages, by id.
    #[serde(default, deserialize_with = "null_as_default")]
    pub languages: Vec<LanguageState>,
}

/// A language of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageState {
    /// Its id.
    pub id: String,
    /// How many indexed files are written in it.
    #[serde(deserialize_with = "whole")]
    pub files: u64,
    /// How many definitions were found in them.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub symbols: u64,
    /// How definitions are found.
    pub method: Method,
}

/// How the definitions of a language are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Not at all.
    #[default]
    None,
    /// By the regular expressions of a family of languages.
    Family,
    /// By a grammar.
    Grammar,
}

/// What a prompt was understood as.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The words that are looked for.
    #[serde(default, deserialize_with = "null_as_default")]
    pub words: Vec<String>,
    /// The whole names in it, and what stood in quotes.
    #[serde(default, deserialize_with = "null_as_default")]
    pub names: Vec<String>,
    /// The files it mentions.
    #[serde(default, deserialize_with = "null_as_default")]
    pub mentions: Vec<Mention>,
    /// What it wants done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
}

/// A file that a prompt mentions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// As it was written.
    pub file: String,
    /// The line, where one was named.
    #[serde(default, deserialize_with = "whole")]
    pub line: Option<u64>,
}

/// What a prompt wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Intent {
    /// Something is to be changed.
    Action,
    /// Something is to be made.
    Create,
    /// Something is to be understood.
    Read,
    /// Something is wrong.
    Debug,
}

/// A file that was chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChosenFile {
    /// Its path below the project's root, with `/`.
    pub file: String,
    /// What it is written in, by the id of its language.
    #[serde(default)]
    pub language: Option<String>,
    /// How well the file's words fit.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lexical: f64,
    /// The definitions in it that are shown, by line.
    #[serde(default, deserialize_with = "null_as_default")]
    pub symbols: Vec<ChosenSymbol>,
}

/// A definition that was chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChosenSymbol {
    /// Its name, with what it belongs to in front.
    pub name: String,
    /// What it is.
    pub kind: String,
    /// Where it stands.
    pub lines: Lines,
    /// The sum of its signals.
    pub score: f64,
    /// What the score is made of.
    #[serde(default, deserialize_with = "null_as_default")]
    pub signals: Signals,
    /// How well its words fit.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lexical: f64,
    /// Why it was chosen, for a person.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// Lines of a file, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// The first.
    #[serde(deserialize_with = "whole")]
    pub start: u64,
    /// The last, inclusive.
    #[serde(deserialize_with = "whole")]
    pub end: u64,
}

/// How much each of the document's seven signals gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Signals {
    /// A word of the prompt is the name.
    #[serde(deserialize_with = "null_as_default")]
    pub exact: f64,
    /// A word is a part of the name, or overlaps with it.
    #[serde(deserialize_with = "null_as_default")]
    pub fuzzy: f64,
    /// The kind suits what the prompt wants.
    #[serde(deserialize_with = "null_as_default")]
    pub kind: f64,
    /// Everybody may use it.
    #[serde(deserialize_with = "null_as_default")]
    pub exported: f64,
    /// Its file is mentioned, was edited just now, or lies beside such a file.
    #[serde(deserialize_with = "null_as_default")]
    pub proximity: f64,
    /// Its doc comment has words of the prompt.
    #[serde(deserialize_with = "null_as_default")]
    pub doc: f64,
    /// What ranks high uses it.
    #[serde(deserialize_with = "null_as_default")]
    pub reference: f64,
}

/// A file that goes with a chosen one; it is named and not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Companion {
    /// Its path.
    pub file: String,
    /// The chosen file that it goes with.
    #[serde(default)]
    pub of: Option<String>,
    /// Why, for a person.
    #[serde(default, deserialize_with = "null_as_default")]
    pub reason: String,
}

/// An episode that has to do with the prompt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recalled {
    /// The episode's id.
    pub id: String,
    /// Its title.
    #[serde(default, deserialize_with = "null_as_default")]
    pub title: String,
    /// The sum of its signals.
    pub score: f64,
    /// What the score is made of.
    #[serde(default, deserialize_with = "null_as_default")]
    pub signals: MemorySignals,
}

/// How much each signal of an episode gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MemorySignals {
    /// Words of the prompt in any field.
    #[serde(deserialize_with = "null_as_default")]
    pub keywords: f64,
    /// Words of the prompt among the tags.
    #[serde(deserialize_with = "null_as_default")]
    pub tags: f64,
    /// Words of the prompt in the names of its files.
    #[serde(deserialize_with = "null_as_default")]
    pub files: f64,
    /// Words of the prompt in the names of its symbols.
    #[serde(deserialize_with = "null_as_default")]
    pub symbols: f64,
    /// Its files that were edited just now.
    #[serde(deserialize_with = "null_as_default")]
    pub edited: f64,
    /// How sure the episode is of itself.
    #[serde(deserialize_with = "null_as_default")]
    pub confidence: f64,
    /// How recent it is.
    #[serde(deserialize_with = "null_as_default")]
    pub recency: f64,
}

/// Estimated tokens: what there was and what went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The most that this answer may take.
    #[serde(deserialize_with = "whole")]
    pub limit: u64,
    /// What the offered code takes at its fullest.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub retrieved: u64,
    /// What the episodes take.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub memory: u64,
    /// What the messages that stay take.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub window: u64,
    /// How many messages stay.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub kept: u64,
    /// How many messages go.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub dropped: u64,
}
