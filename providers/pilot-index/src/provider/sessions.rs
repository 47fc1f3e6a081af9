//! What is known of sessions: the turn they are in, and the files that were edited lately.

use std::{path::Path, time::Duration};

use ctxhost_sdk::protocol::envelope::Section;
use serde::{Deserialize, Serialize};

use crate::select::{memory::record::Turn, picked::Picked};

/// How many files count as edited lately: the document's figure.
const RECENT: usize = 20;

/// How long a process waits for another one of the same turn: an agent's calls side by side each take some
/// milliseconds, and an event has a second.
const PATIENCE: Duration = Duration::from_millis(600);

/// All sessions.
pub(super) type Sessions = ctxhost_sdk::Sessions<Known>;

/// Sessions of which files are kept below the provider's own folder. Without the lock another process is at it; its turn
/// counts, and the episode unites both.
pub(super) fn below(state: Option<&Path>) -> Sessions {
    Sessions::below(state, "turns").patience(PATIENCE)
}

/// What is known of one.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    pub(super) turn: Turn,
    /// The files that were edited lately, the last one first.
    pub(super) recent: Vec<String>,
    /// What the conversation was rewritten with, for as long as question and files stay the same.
    #[serde(skip)]
    pub(super) rewritten: Option<Rewritten>,
}

/// What was retrieved for a question.
#[derive(Clone, Debug)]
pub(super) struct Rewritten {
    pub(super) question: Vec<String>,
    pub(super) root: [u8; 32],
    pub(super) picked: Picked,
    pub(super) sections: Vec<Section>,
    pub(super) retrieved: u64,
}

impl Known {
    /// A file is about to be edited.
    pub(super) fn edits(&mut self, path: &str) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
    }
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::envelope::{Life, Session};

    use super::*;

    #[test]
    fn the_last_twenty_edited_files_are_known_the_last_one_first() {
        let mut known = Known::default();
        (0..30).for_each(|n| known.edits(&n.to_string()));
        known.edits("15");
        assert_eq!(
            (known.recent.len(), known.recent[0].as_str(), known.recent[1].as_str()),
            (20, "15", "29")
        );
    }

    #[test]
    fn a_turn_outlives_its_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Session { id: Some("s".to_owned()), life: Life::Once, ..Session::default() };
        let process = || below(Some(folder.path()));
        let turn = process().with(&session, |known| {
            known.turn.prompt("Fix it");
            known.turn.clone()
        });
        assert_eq!(process().with(&session, |known| known.turn.clone()), turn);
        assert_ne!(turn, Turn::default());
    }
}
