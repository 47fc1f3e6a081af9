//! What was picked for a prompt: files, the definitions in them, and why.

use std::ops::Range;

use ctxhost_code::symbols::{Kind, Visibility};
use ctxhost_sdk::protocol::pilot_index::{ChosenFile, ChosenSymbol, Companion, Lines, Query, Signals};

/// What was picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picked {
    /// What the prompt was understood as.
    pub(crate) query: Query,
    /// The files, the best first.
    pub(crate) files: Vec<PickedFile>,
    /// Files that go with them.
    pub(crate) companions: Vec<Companion>,
}

/// A file that was picked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PickedFile {
    pub(crate) path: String,
    /// The id of its language.
    pub(crate) language: Option<String>,
    /// What a code fence says of it.
    pub(crate) fence: String,
    pub(crate) lexical: f64,
    /// The definitions, the best first.
    pub(crate) symbols: Vec<PickedSymbol>,
}

/// A definition that was picked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PickedSymbol {
    /// With its owner in front.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) visibility: Visibility,
    /// Lines counted from 1, the last included.
    pub(crate) lines: (u32, u32),
    pub(crate) bytes: Range<u32>,
    pub(crate) signature_end: u32,
    pub(crate) doc: Option<Range<u32>>,
    pub(crate) score: f64,
    pub(crate) signals: Signals,
    pub(crate) lexical: f64,
    pub(crate) reason: String,
}

impl PickedFile {
    /// The file as the spec writes it; its definitions by line.
    pub(crate) fn chosen(&self) -> ChosenFile {
        let mut symbols: Vec<ChosenSymbol> = self.symbols.iter().map(PickedSymbol::chosen).collect();
        symbols.sort_by(|a, b| {
            (a.lines.start, a.lines.end, &a.name).cmp(&(b.lines.start, b.lines.end, &b.name))
        });
        symbols.truncate(256);
        ChosenFile {
            file: self.path.clone(),
            language: self.language.clone(),
            lexical: self.lexical,
            symbols,
        }
    }
}

impl PickedSymbol {
    fn chosen(&self) -> ChosenSymbol {
        ChosenSymbol {
            name: self.name.clone(),
            kind: self.kind.word().to_owned(),
            lines: Lines { start: u64::from(self.lines.0.max(1)), end: u64::from(self.lines.1.max(1)) },
            score: self.score,
            signals: self.signals,
            lexical: self.lexical,
            reason: self.reason.clone(),
        }
    }
}
