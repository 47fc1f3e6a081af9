//! What is known of sessions: the turn they are in, and the files that were edited lately.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use ctxhost_sdk::protocol::envelope::{Life, Section, Session};
use serde::{Deserialize, Serialize};

use crate::{
    select::{memory::record::Turn, picked::Picked},
    source::{code::lock, turns::Turns},
};

/// How many files count as edited lately: the document's figure.
const RECENT: usize = 20;

/// How many sessions are kept; of more, those whose end nobody told.
const MOST: usize = 256;

/// How long a process waits for another one of the same turn: an agent's calls side by side each take some
/// milliseconds, and an event has a second.
const PATIENCE: Duration = Duration::from_millis(600);

/// All sessions.
pub(super) struct Sessions {
    turns: Turns,
    known: Mutex<HashMap<String, Kept>>,
}

/// When a session was used last, and what is known of it.
type Kept = (u64, Arc<Mutex<Known>>);

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

impl Sessions {
    pub(super) fn new(turns: Turns) -> Self {
        Self { turns, known: Mutex::default() }
    }

    /// Uses what is known of a session, and keeps what becomes of it. A single question that belongs to no conversation
    /// leaves nothing behind.
    pub(super) fn with<T>(&self, session: &Session, act: impl FnOnce(&mut Known) -> T) -> T {
        let Some(id) = &session.id else { return act(&mut Known::default()) };
        // One id may be an agent's name for conversations in several folders.
        let key = format!("{id}\n{}", session.cwd);
        if session.life == Life::Once {
            let held = self.turns.lock(&key, PATIENCE);
            let mut known: Known = self.turns.read(&key).unwrap_or_default();
            let result = act(&mut known);
            // Without the lock another process is at it; its turn counts, and the episode unites both.
            if held.is_some() {
                self.turns.keep(&key, &known);
            }
            return result;
        }
        let known = self.in_memory(key);
        act(&mut lock(&known))
    }

    /// Forgets a session.
    pub(super) fn end(&self, session: &Session) {
        let Some(id) = &session.id else { return };
        let key = format!("{id}\n{}", session.cwd);
        lock(&self.known).remove(&key);
        let _held = (session.life == Life::Once).then(|| self.turns.lock(&key, PATIENCE));
        self.turns.forget(&key);
    }

    fn in_memory(&self, key: String) -> Arc<Mutex<Known>> {
        let mut all = lock(&self.known);
        let turn = all.values().map(|(used, _)| used + 1).max().unwrap_or(0);
        if all.len() >= MOST
            && !all.contains_key(&key)
            && let Some(oldest) = all.iter().min_by_key(|(_, (used, _))| *used).map(|(key, _)| key.clone())
        {
            all.remove(&oldest);
        }
        let (used, known) = all.entry(key).or_default();
        *used = turn;
        Arc::clone(known)
    }
}

#[cfg(test)]
mod tests {
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
    fn sessions_are_apart_and_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let sessions = Sessions::new(Turns::below(Some(folder.path())));
        for life in [Life::Long, Life::Once] {
            let session = |id: &str| Session { id: Some(id.to_owned()), life, ..Session::default() };
            sessions.with(&session("a"), |known| known.edits("x"));
            assert_eq!(sessions.with(&session("a"), |known| known.recent.clone()), ["x"], "{life:?}");
            assert_eq!(sessions.with(&session("b"), |known| known.recent.len()), 0);
            sessions.end(&session("a"));
            assert_eq!(sessions.with(&session("a"), |known| known.recent.len()), 0);
        }
        let nobody = Session::default();
        sessions.with(&nobody, |known| known.edits("x"));
        assert_eq!(sessions.with(&nobody, |known| known.recent.len()), 0);
        (0..MOST + 10).for_each(|n| {
            sessions
                .with(&Session { id: Some(n.to_string()), life: Life::Long, ..Session::default() }, |_| ());
        });
        assert!(lock(&sessions.known).len() <= MOST);
    }
}
