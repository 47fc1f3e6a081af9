//! The one state that is accepted for a prompt, and what of it may be said.

use ctxhost_sdk::protocol::ide_context::{Database, Selection};

use crate::{
    select::{exclude::Verdict, freshness::Freshness},
    source::{
        Editor,
        paths::{Directory, File, Subject},
    },
};

/// What the user looks at, as far as an agent can be told.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shows<'a> {
    /// A file.
    File(&'a File),
    /// A table; whatever else the state says belongs to no buffer.
    Table(&'a Database),
    /// Nothing that an agent could open, and why; a fragment that completes "its buffer …".
    Nothing(&'static str),
}

impl<'a> Shows<'a> {
    /// What an editor shows.
    pub(crate) fn of(editor: &'a Editor, project: &Directory) -> Self {
        if let Some(database) = &editor.state.database {
            return Self::Table(database);
        }
        match editor.paths.subject(&editor.state, project) {
            Subject::File(file) => Self::File(file),
            Subject::Folder => Self::Nothing("shows a folder"),
            Subject::PseudoFile => Self::Nothing("is no file but a terminal, a listing or the like"),
            Subject::Impossible => Self::Nothing("has a path that is too long or cannot lead to a file"),
            Subject::Unnamed => Self::Nothing("has no name"),
        }
    }
}

/// A connected editor's state, judged: section, quote, entry and status all follow from it and from nothing later.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<'a> {
    pub(crate) editor: &'a Editor,
    pub(crate) shows: Shows<'a>,
    /// What the ignore rules say of its file.
    pub(crate) verdict: Verdict,
    /// Whether the rules can be known at all.
    pub(crate) rules_known: bool,
    /// What became of its selection.
    pub(crate) freshness: Freshness,
}

impl<'a> Snapshot<'a> {
    /// Whether anything of it reaches the agent.
    pub(crate) fn is_injected(&self) -> bool {
        self.rules_known && self.verdict.excluded.is_none() && !matches!(self.shows, Shows::Nothing(_))
    }

    /// The selection that was meant for this prompt.
    pub(crate) fn fresh_selection(&self) -> Option<&'a Selection> {
        let fresh = self.is_injected() && matches!(self.freshness, Freshness::Fresh { .. });
        fresh.then_some(self.editor.state.active_buffer.selection.as_ref()).flatten()
    }
}
