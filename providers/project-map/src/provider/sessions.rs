//! What is known of sessions: what of the root's pair they show, and the turn they are in.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ctxhost_sdk::protocol::envelope::{Life, Session, Visible};
use serde::{Deserialize, Serialize};

use crate::{
    select::{pair::Kind, policy::Seen, shown::Shown},
    source::turns::Turns,
};

/// How many files count as edited lately.
const RECENT: usize = 20;

/// How many sessions are kept; of more, those whose end nobody told.
const MOST: usize = 256;

/// How long a process waits for another one of the same session: an event takes some ten milliseconds.
const PATIENCE: Duration = Duration::from_millis(150);

/// All sessions.
pub(super) struct Sessions {
    turns: Turns,
    known: Mutex<HashMap<String, Kept>>,
}

/// When a session was used last, and what is known of it.
type Kept = (u64, Arc<Mutex<Known>>);

/// What is known of one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    index: Shown,
    map: Shown,
    /// Whether the root's pair was offered.
    pub(super) offered: bool,
    /// Whether the hint was given.
    pub(super) hinted: bool,
    /// Whether a summary has taken the conversation's place since the last prompt.
    pub(super) compacted: bool,
    /// Whether this turn was told to look at the maps first.
    pub(super) guided: bool,
    /// Whether it was told why nothing is blocked here.
    pub(super) lack_told: bool,
    /// Whether the root's pair found no room when it was last wanted, and whether that was told.
    pub(super) no_room: bool,
    pub(super) no_room_told: bool,
    /// Whether it was told that maps stay as they are for lack of grammars.
    pub(super) spared_told: bool,
    /// The assistant's justification in this turn.
    pub(super) bypass: Option<String>,
    /// The files that were edited lately, the last one first.
    pub(super) recent: Vec<String>,
}

impl Known {
    /// A prompt begins a turn.
    pub(super) fn turn_begins(&mut self) {
        self.guided = false;
        self.bypass = None;
    }

    /// A file is about to be edited.
    pub(super) fn edits(&mut self, path: &str) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
    }

    /// What the conversation shows of a half, by the host's word.
    pub(super) fn see(&mut self, kind: Kind, visible: &[Visible], pair: &str) -> Seen {
        // Of several under one key the latest is what the conversation says.
        let shown = visible.iter().rev().find(|shown| shown.provider == crate::ID && shown.key == key(kind));
        self.half(kind).see(shown.map(|shown| shown.id.as_str()), pair)
    }

    /// A half is offered as part of this pair.
    pub(super) fn offers(&mut self, kind: Kind, pair: &str) {
        self.offered = true;
        self.half(kind).offer(pair);
    }

    fn half(&mut self, kind: Kind) -> &mut Shown {
        match kind {
            Kind::Index => &mut self.index,
            Kind::Map => &mut self.map,
        }
    }
}

/// The key of a half's section.
pub(super) fn key(kind: Kind) -> &'static str {
    match kind {
        Kind::Index => "index",
        Kind::Map => "map",
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
            let _held = self.turns.lock(&key, PATIENCE);
            let mut known: Known = self.turns.read(&key).unwrap_or_default();
            let result = act(&mut known);
            self.turns.keep(&key, &known);
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

/// A lock of ours is held for moments, and what it guards stays usable after a panic.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn only_our_own_sections_count() {
        let shown = |provider: &str, key: &str, id: &str| Visible {
            provider: provider.to_owned(),
            key: key.to_owned(),
            id: id.to_owned(),
        };
        let mut known = Known::default();
        known.offers(Kind::Index, "r");
        let foreign = [shown("other", "index", "1"), shown(crate::ID, "pair/index", "2")];
        assert_eq!(known.see(Kind::Index, &foreign, "r"), Seen::None);
        let own =
            [shown(crate::ID, "index", "0"), shown(crate::ID, "index", "1"), shown("other", "index", "2")];
        assert_eq!(known.see(Kind::Index, &own, "r"), Seen::Same);
        assert_eq!(known.see(Kind::Map, &own, "r"), Seen::None);
    }
}
