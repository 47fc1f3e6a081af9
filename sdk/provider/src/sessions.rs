//! What a provider knows of conversations.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ctxhost_protocol::envelope::{Life, Session};
use serde::{Serialize, de::DeserializeOwned};

use crate::{recent::Recent, state::StateFolder};

/// How many sessions are kept in memory; of more, those whose end nobody told go.
const IN_MEMORY: usize = 256;

/// How many are kept on disk.
const ON_DISK: usize = 200;

/// How long a process waits for another one of the same session: an event takes some ten milliseconds.
const PATIENCE: Duration = Duration::from_millis(150);

/// What a provider knows of each conversation, wherever the next event of it is answered.
///
/// In a process that lives as long as the conversation ([`Life::Long`]) it is in memory; in one that lives for an event
/// ([`Life::Once`]) it is read from the provider's own folder and kept there, under a lock. It is bounded in both. One id
/// in two folders is two conversations. `T` is what is known, with `#[serde(default)]` so that another version of the
/// provider can read it; fields with `#[serde(skip)]` live in memory alone.
///
/// ```
/// use ctxhost_sdk::{Sessions, prelude::*, protocol::envelope::{Life, Session}};
///
/// #[derive(Default, Serialize, Deserialize)]
/// #[serde(default)]
/// struct Known {
///     prompts: u32,
/// }
///
/// # let state: Option<std::path::PathBuf> = None; // `setup.state_dir()` in a provider
/// let sessions: Sessions<Known> = Sessions::below(state.as_deref(), "sessions");
/// // In a provider, `&request.session`.
/// let session = Session {
///     id: Some("chat-1".to_owned()),
///     cwd: "/work".to_owned(),
///     life: Life::Long,
///     ..Session::default()
/// };
/// sessions.with(&session, |known| known.prompts += 1);
/// assert_eq!(sessions.with(&session, |known| known.prompts), 1);
/// sessions.end(&session); // at `session.end`
/// assert_eq!(sessions.with(&session, |known| known.prompts), 0);
/// ```
#[derive(Debug)]
pub struct Sessions<T> {
    kept: StateFolder,
    patience: Duration,
    without_lock: bool,
    known: Recent<String, Arc<Mutex<T>>>,
}

impl<T: Default + Serialize + DeserializeOwned> Sessions<T> {
    /// Sessions of which files are kept in a folder of this name in the provider's own, which is
    /// [`Setup::state_dir`](crate::Setup::state_dir); without one, processes that live for an event know nothing of each
    /// other.
    pub fn below(state: Option<&Path>, name: &str) -> Self {
        Self {
            kept: StateFolder::below(state, name).at_most(ON_DISK),
            patience: PATIENCE,
            without_lock: false,
            known: Recent::new(IN_MEMORY),
        }
    }

    /// Waits so long for another process that is at the same session, instead of 150 ms: more than an event takes, less
    /// than it may.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Keeps what becomes of a session also where another process did not let go of it in time.
    ///
    /// By default what that one keeps counts, and this event is forgotten. With this, whoever writes last counts: right
    /// for marks that may be set twice and must not be lost while another process hangs.
    #[must_use]
    pub fn kept_without_lock(mut self) -> Self {
        self.without_lock = true;
        self
    }

    /// Uses what is known of a session, and keeps what becomes of it; at first that is the default.
    ///
    /// A question that belongs to no conversation (`id` is null) leaves nothing behind. Two events of one session wait for
    /// each other, so `act` should be short and must not ask for the same session again. What cannot be kept costs the
    /// next process its knowledge, and nothing else.
    pub fn with<R>(&self, session: &Session, act: impl FnOnce(&mut T) -> R) -> R {
        let Some(key) = key(session) else { return act(&mut T::default()) };
        if session.life == Life::Once {
            let held = self.kept.lock(&key, self.patience);
            let mut known: T = self.kept.read(&key).unwrap_or_default();
            let result = act(&mut known);
            if held.is_some() || self.without_lock {
                let _ = self.kept.keep(&key, &known);
            }
            return result;
        }
        let known = self.known.get_or_make(key.as_str(), Arc::default);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut known)
    }

    /// Forgets a session; for `session.end`.
    pub fn end(&self, session: &Session) {
        let Some(key) = key(session) else { return };
        self.known.forget(key.as_str());
        let _held = (session.life == Life::Once).then(|| self.kept.lock(&key, self.patience));
        let _ = self.kept.forget(&key);
    }
}

/// One id may be an agent's name for conversations in several folders.
fn key(session: &Session) -> Option<String> {
    session.id.as_ref().map(|id| format!("{id}\n{}", session.cwd))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str, life: Life) -> Session {
        Session { id: Some(id.to_owned()), life, ..Session::default() }
    }

    #[test]
    fn sessions_are_apart_and_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let sessions: Sessions<Vec<String>> = Sessions::below(Some(folder.path()), "sessions");
        for life in [Life::Long, Life::Once] {
            let elsewhere = Session { cwd: "/elsewhere".to_owned(), ..session("a", life) };
            sessions.with(&session("a", life), |known| known.push("x".to_owned()));
            assert_eq!(sessions.with(&session("a", life), |known| known.clone()), ["x"], "{life:?}");
            for other in [session("b", life), elsewhere] {
                assert_eq!(sessions.with(&other, |known| known.len()), 0);
            }
            sessions.end(&session("a", life));
            assert_eq!(sessions.with(&session("a", life), |known| known.len()), 0);
        }
        let nobody = Session::default();
        sessions.with(&nobody, |known| known.push("x".to_owned()));
        assert_eq!(sessions.with(&nobody, |known| known.len()), 0);
    }

    #[test]
    fn what_is_known_outlives_its_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let process = || Sessions::<u32>::below(Some(folder.path()), "sessions");
        (0..3).for_each(|_| process().with(&session("a", Life::Once), |known| *known += 1));
        assert_eq!(process().with(&session("a", Life::Once), |known| *known), 3);
        let without: Sessions<u32> = Sessions::below(None, "sessions");
        without.with(&session("a", Life::Once), |known| *known += 1);
        assert_eq!(without.with(&session("a", Life::Once), |known| *known), 0);
    }

    #[test]
    fn the_session_that_was_asked_about_longest_ago_goes() {
        let sessions: Sessions<u32> = Sessions::below(None, "sessions");
        let count = |n: usize| {
            sessions.with(&session(&n.to_string(), Life::Long), |known| {
                *known += 1;
                *known
            })
        };
        (0..IN_MEMORY).for_each(|n| assert_eq!(count(n), 1));
        assert_eq!((count(0), count(IN_MEMORY)), (2, 1));
        assert_eq!((count(0), count(1)), (3, 1));
    }

    #[test]
    fn who_does_not_get_the_lock_is_kept_only_when_that_is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let sessions = || Sessions::<u32>::below(Some(folder.path()), "sessions").patience(Duration::ZERO);
        let (strict, loose) = (sessions(), sessions().kept_without_lock());
        let session = session("a", Life::Once);
        let count = |sessions: &Sessions<u32>| sessions.with(&session, |known| *known += 1);
        let held = strict.kept.lock(key(&session).expect("a key"), Duration::ZERO);
        assert!(held.is_some());
        count(&strict);
        assert_eq!(strict.with(&session, |known| *known), 0);
        count(&loose);
        assert_eq!(strict.with(&session, |known| *known), 1);
    }
}
