//! Typed mirrors of `project-map/v1`: the provider's own document, the project's file, the context bundle, the report of
//! `validate`, and the settings.

mod bundle;
mod report;
mod settings;

use serde::{Deserialize, Serialize};

pub use bundle::{Bundle, Field, FoundFile, FoundPage, FoundSymbol, Matched, Role, Route};
pub use report::{Code, Covered, Report, ReportFinding};
pub use settings::{ProjectFile, Settings};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "project-map/v1";

/// The project's own file of settings, in its root.
pub const PROJECT_FILE: &str = ".pi-project-map.json";

/// How the root's directory is called, which has no name below itself.
pub const ROOT_DIR: &str = ".";

/// How much the provider does by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing.
    Off,
    /// A hint before there are maps, the root's pair where it is small, light reminders.
    Advisory,
    /// The root's pair always, others within the budget, reminders before edits.
    #[default]
    Strong,
    /// As `strong`, and edits are blocked that nothing of the maps precedes.
    Strict,
}

/// The provider's own document, the `data` of its reply (`contribution.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contribution {
    /// How much the provider does by itself.
    pub mode: Mode,
    /// Which artifacts there are.
    pub artifacts: Artifacts,
    /// How things stand with the root's pair; `None` where there is nothing of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Root>,
    /// How many there are of what.
    #[serde(default, deserialize_with = "null_as_default")]
    pub counts: Counts,
    /// Whether every file of the project was looked at.
    #[serde(default, deserialize_with = "null_as_default")]
    pub complete: bool,
    /// The directories whose artifacts say something that is no longer so.
    #[serde(default, deserialize_with = "null_as_default")]
    pub stale: Vec<String>,
    /// The directories whose artifacts were changed by hand.
    #[serde(default, deserialize_with = "null_as_default")]
    pub edited: Vec<String>,
    /// What of the root's pair the conversation shows already.
    #[serde(default, deserialize_with = "null_as_default")]
    pub visible: Visible,
    /// What this reply offers, in its order.
    #[serde(default, deserialize_with = "null_as_default")]
    pub injected: Vec<Injected>,
    /// How many pairs found no room.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub left_out: u64,
    /// What there was to spend and what was spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
    /// What the model is told before there are artifacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the model is reminded of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminder: Option<String>,
    /// Why a tool call must not happen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// The assistant's own justification for going past a block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bypass: Option<String>,
}

/// Which artifacts there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Artifacts {
    /// None.
    #[default]
    None,
    /// Some, and the root's pair is not whole.
    Partial,
    /// The root's pair, whatever else.
    Ready,
}

/// How things stand with the root's pair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// The pair's hash, SHA-256 in hexadecimal: that of its index's body followed by its map's.
    pub hash: String,
    /// How its index stands.
    pub index: Standing,
    /// How its map stands.
    pub map: Standing,
}

/// How an artifact stands to the files that it speaks of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It says what would be written now.
    #[default]
    Fresh,
    /// Something that it says is no longer so.
    Stale,
    /// Its directory ought to have it and has not.
    Missing,
    /// Somebody changed it by hand outside of the notes.
    Edited,
    /// Its directory is gone, or is folded into another by now.
    Orphaned,
}

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Pairs that the project ought to have.
    #[serde(deserialize_with = "whole_or_default")]
    pub pairs: u64,
    /// Files that they cover.
    #[serde(deserialize_with = "whole_or_default")]
    pub files: u64,
    /// Artifacts that say what would be written now.
    #[serde(deserialize_with = "whole_or_default")]
    pub fresh: u64,
    /// Artifacts that say something that is no longer so.
    #[serde(deserialize_with = "whole_or_default")]
    pub stale: u64,
    /// Artifacts that ought to be there and are not.
    #[serde(deserialize_with = "whole_or_default")]
    pub missing: u64,
    /// Artifacts that were changed by hand.
    #[serde(deserialize_with = "whole_or_default")]
    pub edited: u64,
    /// Artifacts that nothing belongs to; absent where nobody looked for them, as with events.
    #[serde(deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub orphaned: Option<u64>,
}

/// What of the root's pair a conversation shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visible {
    /// Nothing.
    #[default]
    None,
    /// The index alone.
    Index,
    /// The map alone.
    Map,
    /// Both.
    Pair,
}

/// An artifact that a reply offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Injected {
    /// Its directory below the root, `.` for the root itself.
    pub dir: String,
    /// Which of the two it is.
    pub kind: Kind,
    /// How much of it is offered at the fullest.
    pub level: Level,
    /// The estimated tokens of that.
    #[serde(deserialize_with = "whole")]
    pub tokens: u64,
    /// How the artifact on disk stands; what is offered of a stale one is made anew or says that it is stale.
    #[serde(default, deserialize_with = "null_as_default")]
    pub standing: Standing,
}

/// Which of the two artifacts of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `.pi-map.index.md`: what to open next.
    #[default]
    Index,
    /// `.pi-map.md`: what is here.
    Map,
}

/// How much of an artifact is shown, from the fullest to the smallest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Everything.
    #[default]
    Full,
    /// Everything but symbols.
    NoSymbols,
    /// Names alone.
    Names,
    /// How many there are of what.
    Counts,
}

/// Estimated tokens: what there was and what went where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// The most that this reply may take.
    #[serde(deserialize_with = "whole")]
    pub limit: u64,
    /// The model's window; `None` where it is unknown and the cap alone holds.
    #[serde(default, deserialize_with = "whole")]
    pub window: Option<u64>,
    /// What the root's pair takes at its fullest.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub root: u64,
    /// What further pairs take at their fullest.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub expansion: u64,
}
