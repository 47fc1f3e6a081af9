//! A directory's two artifacts before they are text.

use serde::{Deserialize, Serialize};

use super::inventory::{Hash, Named};

/// What a directory says of itself, twice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pair {
    /// The directory below the root, with `/` and none at its end; empty for the root.
    pub(crate) dir: String,
    /// How many files it covers: its own, and those of directories that are folded into it.
    pub(crate) files: u32,
    /// The hash over paths and contents of these files.
    pub(crate) inputs: Hash,
    /// Whether definitions were found by patterns, because grammars lack.
    pub(crate) patterns: bool,
    /// `.pi-map.index.md`
    pub(crate) index: Page,
    /// `.pi-map.md`
    pub(crate) map: Page,
}

/// Which of the two artifacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `.pi-map.index.md`: what to open next.
    #[default]
    Index,
    /// `.pi-map.md`: what is here.
    Map,
}

impl Kind {
    pub(crate) const BOTH: [Self; 2] = [Self::Index, Self::Map];

    /// The name of the file.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Index => ".pi-map.index.md",
            Self::Map => ".pi-map.md",
        }
    }
}

/// An artifact without its header and the notes in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Page {
    /// What it is about: the project's name, or the directory.
    pub(crate) title: String,
    /// One sentence; empty when nothing says it.
    pub(crate) purpose: String,
    /// In the order of their headings; none is empty.
    pub(crate) parts: Vec<Part>,
}

/// What stands below one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) heading: Heading,
    pub(crate) items: Vec<Item>,
    /// How many items more there are than are listed.
    pub(crate) left_out: u32,
}

/// The headings, in the order in which they stand. Tags to Workflows are an index's, the others a map's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Heading {
    #[default]
    Tags,
    Routes,
    Files,
    Workflows,
    Overview,
    EntryPoints,
    KeyFiles,
    PublicSurface,
    DependsOn,
    UsedBy,
    Tests,
    Configuration,
    Conventions,
    Folded,
}

impl Heading {
    pub(crate) const ALL: [Self; 14] = [
        Self::Tags,
        Self::Routes,
        Self::Files,
        Self::Workflows,
        Self::Overview,
        Self::EntryPoints,
        Self::KeyFiles,
        Self::PublicSurface,
        Self::DependsOn,
        Self::UsedBy,
        Self::Tests,
        Self::Configuration,
        Self::Conventions,
        Self::Folded,
    ];

    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Tags => "Tags",
            Self::Routes => "Routes",
            Self::Files => "Files",
            Self::Workflows => "Workflows",
            Self::Overview => "Overview",
            Self::EntryPoints => "Entry points",
            Self::KeyFiles => "Key files",
            Self::PublicSurface => "Public surface",
            Self::DependsOn => "Depends on",
            Self::UsedBy => "Used by",
            Self::Tests => "Tests",
            Self::Configuration => "Configuration",
            Self::Conventions => "Conventions",
            Self::Folded => "Folded directories",
        }
    }
}

/// One line of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Item {
    /// The file or directory that it is about, from the root of the project; a directory ends with `/`. Empty for a line of
    /// text alone, such as a convention, and for tags.
    pub(crate) path: String,
    /// What the file is to the project.
    pub(crate) role: Option<Role>,
    /// How many files it stands for, when it stands for several: a directory, or a family of like files.
    pub(crate) count: u32,
    /// One line of plain text; no backticks, no line break.
    pub(crate) text: String,
    pub(crate) tags: Vec<String>,
    pub(crate) symbols: Vec<Named>,
}

/// What a file is to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Role {
    Entry,
    Source,
    Test,
    Config,
    Doc,
    Data,
    Generated,
}

impl Role {
    pub(crate) const ALL: [Self; 7] =
        [Self::Entry, Self::Source, Self::Test, Self::Config, Self::Doc, Self::Data, Self::Generated];

    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Source => "source",
            Self::Test => "test",
            Self::Config => "config",
            Self::Doc => "doc",
            Self::Data => "data",
            Self::Generated => "generated",
        }
    }
}
