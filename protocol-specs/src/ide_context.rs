//! Typed mirrors of `ide-context/v0.2`: the state file that an editor writes, and the provider's own document.

use serde::{Deserialize, Serialize};

use crate::envelope::null_as_default;
use crate::number::{whole, whole_or_default};

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "ide-context/v0.2";

/// Seconds that a selection counts as meant for the prompt, inclusive; the document's `SELECTION_FRESH_SECONDS`.
pub const SELECTION_FRESH_SECONDS: f64 = 60.0;

/// The built-in secret rules, in gitignore syntax: the rules that come before the user's and the project's.
///
/// A rule's line in this text is the `line` of a [`Rule`] whose `file` is `built-in`.
pub const SECRET_RULES: &str = include_str!("../ide-context/v0.2/secrets.ignore");

/// What an editor writes (`state.schema.json`).
///
/// Numbers may arrive as floats; unknown fields are allowed at every level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The editor's process id.
    pub pid: f64,
    /// The editor's working directory.
    pub cwd: String,
    /// Unix seconds of the last write.
    pub timestamp: f64,
    /// The kind of editor, such as `nvim` or `jetbrains`.
    pub app: String,
    /// The product behind `app`, such as `WebStorm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub product: Option<String>,
    /// Launch arguments without the program.
    #[serde(default, deserialize_with = "null_as_default")]
    pub argv: Vec<String>,
    /// What the user looks at.
    pub active_buffer: Buffer,
    /// The table view the user looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<Database>,
}

/// What the user looks at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Buffer {
    /// The file, absolute, or relative to `cwd` where the editor has no absolute path.
    #[serde(default)]
    pub file: Option<String>,
    /// The name that the editor shows.
    pub name: String,
    /// The editor's id of the language.
    #[serde(default)]
    pub language: Option<String>,
    /// Where the cursor is.
    #[serde(default)]
    pub cursor: Option<Position>,
    /// What is selected.
    #[serde(default)]
    pub selection: Option<Selection>,
    /// Whether there are changes that are not saved.
    #[serde(default, deserialize_with = "null_as_default")]
    pub modified: bool,
    /// How many lines there are.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lines_total: f64,
}

/// A place in a buffer, counted from 1; `null` where the editor has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Position {
    /// The line.
    #[serde(default)]
    pub line: Option<f64>,
    /// The column, in bytes by the document, in the editor's own units in practice.
    #[serde(default)]
    pub column: Option<f64>,
}

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// Its first place.
    pub start: Position,
    /// Its last place, inclusive.
    pub end: Position,
    /// The selected lines, joined with `\n`.
    pub text: String,
    /// Unix seconds when the user made it; `null` when unknown, which counts as stale.
    #[serde(default)]
    pub selected_at: Option<f64>,
}

/// A table view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Database {
    /// The table's name.
    pub table: String,
    /// The data source's name.
    #[serde(default)]
    pub data_source: Option<String>,
    /// The schema's name.
    #[serde(default)]
    pub schema: Option<String>,
    /// The columns of the primary key.
    #[serde(default, deserialize_with = "null_as_default")]
    pub primary_key: Vec<String>,
    /// The first columns.
    #[serde(default, deserialize_with = "null_as_default")]
    pub columns: Vec<Column>,
    /// How many columns there are in all.
    #[serde(default)]
    pub columns_total: Option<f64>,
    /// The first foreign keys.
    #[serde(default, deserialize_with = "null_as_default")]
    pub foreign_keys: Vec<ForeignKey>,
    /// The filter that is applied.
    #[serde(default)]
    pub filter: Option<String>,
    /// How many rows there are.
    #[serde(default)]
    pub row_count: Option<f64>,
    /// The selected cell.
    #[serde(default)]
    pub cell: Option<Cell>,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
}

/// A foreign key of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ForeignKey {
    /// The columns here.
    #[serde(default, deserialize_with = "null_as_default")]
    pub columns: Vec<String>,
    /// The table there.
    pub ref_table: String,
    /// The columns there.
    #[serde(default, deserialize_with = "null_as_default")]
    pub ref_columns: Vec<String>,
    /// What happens on delete.
    #[serde(default)]
    pub on_delete: Option<String>,
}

/// The selected cell of a table view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Its row, counted from 1.
    #[serde(default)]
    pub row: Option<f64>,
    /// Its column's name.
    #[serde(default)]
    pub column: Option<String>,
    /// Its type.
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    /// Its value as text; `null` is SQL's NULL.
    #[serde(default)]
    pub value: Option<String>,
}

/// The provider's own document, the `data` of its reply (`contribution.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    /// How things stand.
    pub connection: Connection,
    /// The editor it is connected to.
    #[serde(default)]
    pub editor: Option<Editor>,
    /// The snapshot that was accepted for this prompt; `null` when nothing is injected.
    #[serde(default)]
    pub snapshot: Option<State>,
    /// What became of the selection.
    #[serde(default, deserialize_with = "null_as_default")]
    pub selection: SelectionState,
    /// The rule that keeps the file out.
    #[serde(default)]
    pub excluded: Option<Rule>,
    /// How many live editors are in the best tier.
    #[serde(default, deserialize_with = "whole_or_default")]
    pub candidates: u64,
}

/// How things stand between a session and the editors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Connection {
    /// No live editor belongs to this project.
    #[default]
    None,
    /// Several do, and the user has not chosen.
    Several,
    /// The user does not want one.
    Disconnected,
    /// There is one.
    Connected,
}

/// The editor that a session is connected to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Editor {
    /// Its process id, from its file's name.
    #[serde(deserialize_with = "whole")]
    pub pid: u64,
    /// The kind of editor.
    pub app: String,
    /// The product behind it.
    #[serde(default)]
    pub product: Option<String>,
    /// The tier it is in; `null` for one the user chose from outside the tiers.
    #[serde(default, deserialize_with = "whole")]
    pub tier: Option<u8>,
    /// Why it belongs to this project.
    #[serde(default)]
    pub evidence: Option<String>,
    /// Whether the user chose it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub chosen: bool,
}

/// What became of the selection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelectionState {
    /// There is none.
    #[default]
    None,
    /// It was made too long ago, or nobody knows when.
    Stale,
    /// It was meant for this prompt.
    Fresh,
}

/// An ignore rule that keeps a file out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// The pattern as written.
    pub pattern: String,
    /// The file it stands in, or `built-in`.
    pub file: String,
    /// Its line, counted from 1.
    #[serde(deserialize_with = "whole")]
    pub line: u64,
}
