//! What is known of each working directory.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ctxhost_sdk::{Recent, StateFolder, prelude::*};

use super::syncing::Turns;
use crate::{
    shape::standing::Standing,
    source::{
        limits::Limits as Reading,
        workspace::{self, Repo},
    },
};

/// So many working directories are known at once.
const MOST: usize = 32;

/// So many are remembered between processes.
const MOST_KEPT: usize = 128;

/// For how many seconds a list of repositories is believed.
const BELIEVED: f64 = 30.0;

/// The working directories.
pub(super) struct Workspaces {
    state: Option<PathBuf>,
    kept: StateFolder,
    open: Recent<PathBuf, Arc<Workspace>>,
}

impl Workspaces {
    /// Those that a provider with this state folder knows.
    pub(super) fn below(state: Option<PathBuf>) -> Self {
        let kept = StateFolder::below(state.as_deref(), "standing").at_most(MOST_KEPT);
        Self { state, kept, open: Recent::new(MOST) }
    }

    /// The one at a folder.
    pub(super) fn at(&self, cwd: &Path) -> Arc<Workspace> {
        self.open.get_or_make(cwd, || {
            Arc::new(Workspace {
                cwd: cwd.to_owned(),
                state: self.state.clone(),
                kept: self.kept.clone(),
                found: Mutex::default(),
                standing: Mutex::default(),
                dirty: AtomicBool::new(false),
                turns: Turns::default(),
            })
        })
    }
}

/// The repositories of a working directory.
#[derive(Clone, Debug, Default)]
pub(super) struct Repos {
    pub(super) repos: Vec<Repo>,
    pub(super) findings: Vec<Finding>,
}

/// A working directory.
pub(super) struct Workspace {
    pub(super) cwd: PathBuf,
    pub(super) state: Option<PathBuf>,
    kept: StateFolder,
    found: Mutex<Option<(f64, Arc<Repos>)>>,
    /// As the last sync left it, with the backend that it went to.
    standing: Mutex<Option<(String, Standing)>>,
    /// Whether files may have changed since the last sync began.
    dirty: AtomicBool,
    pub(super) turns: Turns,
}

impl Workspace {
    /// Its repositories, looked for anew every now and then.
    pub(super) fn repos(&self, reading: &Reading, now: f64) -> Arc<Repos> {
        let known = lock(&self.found).clone();
        if let Some((at, repos)) = known
            && (0.0..BELIEVED).contains(&(now - at))
        {
            return repos;
        }
        self.look(reading, now)
    }

    /// Looks for its repositories.
    pub(super) fn look(&self, reading: &Reading, now: f64) -> Arc<Repos> {
        let (repos, findings) = workspace::repos(&self.cwd, reading, self.state.as_deref());
        let repos = Arc::new(Repos { repos, findings });
        *lock(&self.found) = Some((now, Arc::clone(&repos)));
        repos
    }

    /// As the last sync with this backend left it, in this process or in another.
    pub(super) fn last(&self, backend: &str) -> Option<Standing> {
        let mut standing = lock(&self.standing);
        if standing.as_ref().is_none_or(|(known, _)| known != backend) {
            *standing = self.kept.read(self.name(backend)).map(|kept| (backend.to_owned(), kept));
        }
        standing.as_ref().map(|(_, standing)| standing.clone())
    }

    /// Keeps how a sync left it.
    pub(super) fn keep(&self, backend: &str, standing: &Standing) {
        *lock(&self.standing) = Some((backend.to_owned(), standing.clone()));
        // Without it the next process says that nothing was synced, and syncs.
        let _ = self.kept.keep(self.name(backend), standing);
    }

    fn name(&self, backend: &str) -> Vec<u8> {
        [self.cwd.as_os_str().as_encoded_bytes(), b"\n", backend.as_bytes()].concat()
    }

    /// Notes that files may have changed.
    pub(super) fn changed(&self) {
        self.dirty.store(true, Ordering::Relaxed);
    }

    /// Whether they may have.
    pub(super) fn is_dirty(&self) -> bool {
        self.dirty.load(Ordering::Relaxed)
    }

    /// Forgets that they may have, since they are about to be looked at.
    pub(super) fn clean(&self) {
        self.dirty.store(false, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
