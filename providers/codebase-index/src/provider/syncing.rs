//! Syncs of a working directory: one at a time, here and among processes, in the background or with somebody waiting.

use std::{
    fs::File,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ctxhost_sdk::{
    Cx, Error, Result, fnv1a,
    protocol::{
        codebase_index::{RepoStanding, State},
        envelope::{Notify, Status},
    },
};

use super::{
    CodebaseIndex, Shared,
    connection::Connection,
    trouble,
    workspaces::{Repos, Workspace},
};
use crate::{
    shape::standing::{Standing, count},
    source::{
        engine::{self, Outcome, RepoOutcome},
        hold,
    },
};

/// How often a waiting call looks around.
const LOOK: Duration = Duration::from_millis(20);

/// How often people are told how far it has come.
const TELL: Duration = Duration::from_millis(250);

/// After the last of several edits so much time goes by before they are sent.
pub(super) const AFTER_EDITS: Duration = Duration::from_millis(1_500);

/// Another process's first sync of a large workspace takes minutes.
const PATIENCE: Duration = Duration::from_secs(600);

/// So many files are locks; workspaces share them.
const LOCKS: u64 = 64;

/// Whose turn it is.
#[derive(Default)]
pub(super) struct Turns {
    turn: Mutex<Turn>,
    told: Condvar,
}

#[derive(Default)]
struct Turn {
    /// How many syncs were asked for, begun and ended: an edit that comes while one goes on needs another.
    asked: u64,
    ended: u64,
    running: bool,
    /// How many files of how many of the repository that is being sent.
    progress: (u64, u64, String),
    last: Option<Arc<Synced>>,
    /// The newest edit's number.
    edits: u64,
}

/// What came of a sync.
#[derive(Clone, Debug, Default)]
pub(super) struct Synced {
    pub(super) standing: Standing,
    pub(super) outcome: Outcome,
    /// How many bytes of bodies came from the backend.
    pub(super) bytes_down: u64,
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the sync is that goes on; `None` when none does.
    pub(super) fn running(&self) -> Option<(u64, u64)> {
        let turn = self.lock();
        turn.running.then(|| (turn.progress.0, turn.progress.1))
    }
}

impl CodebaseIndex {
    /// Has a sync begin that sees everything written until now; gives its number.
    pub(super) fn sync(&self, workspace: &Arc<Workspace>, connection: &Arc<Connection>) -> Result<u64> {
        let number = {
            let mut turn = workspace.turns.lock();
            turn.asked += 1;
            if std::mem::replace(&mut turn.running, true) {
                return Ok(turn.asked);
            }
            turn.asked
        };
        let work = run(Arc::clone(&self.shared), Arc::clone(workspace), Arc::clone(connection));
        if let Err(error) = self.net.begin(work) {
            workspace.turns.lock().running = false;
            return Err(error.into());
        }
        Ok(number)
    }

    /// Has one begin when no edit has come for a while.
    pub(super) fn sync_later(&self, workspace: &Arc<Workspace>, connection: &Arc<Connection>) -> Result<()> {
        let edit = {
            let mut turn = workspace.turns.lock();
            turn.edits += 1;
            turn.edits
        };
        let (shared, workspace, connection) =
            (Arc::clone(&self.shared), Arc::clone(workspace), Arc::clone(connection));
        self.net.begin(async move {
            tokio::time::sleep(AFTER_EDITS).await;
            let is_begun = {
                let mut turn = workspace.turns.lock();
                if turn.edits != edit || shared.stop.is_stopped() {
                    return;
                }
                turn.asked += 1;
                std::mem::replace(&mut turn.running, true)
            };
            if !is_begun {
                run(shared, workspace, connection).await;
            }
        })?;
        Ok(())
    }

    /// Waits for a sync as long as `patient` says, and tells the person how far it has come; `None` when it goes on.
    pub(super) fn wait(
        cx: &Cx<'_>,
        workspace: &Workspace,
        number: u64,
        patient: &dyn Fn() -> bool,
    ) -> Result<Option<Arc<Synced>>> {
        let mut shown = (u64::MAX, 0, String::new());
        let mut turn = workspace.turns.lock();
        loop {
            if turn.ended >= number {
                let (_, total, repo) = turn.progress.clone();
                let last = turn.last.clone();
                drop(turn);
                if total > 0 {
                    cx.progress(total, Some(total), repo);
                }
                return Ok(last);
            }
            if !turn.running {
                return Err(Error::failed("the sync ended unexpectedly"));
            }
            let now = turn.progress.clone();
            drop(turn);
            cx.check()?;
            if !patient() {
                return Ok(None);
            }
            if now != shown {
                cx.progress(now.0, Some(now.1).filter(|total| *total > 0), now.2.clone());
                shown = now;
            }
            turn = workspace.turns.lock();
            let waited = workspace.turns.told.wait_timeout(turn, LOOK);
            turn = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Says that no sync goes on when one ends without saying so.
struct Ends<'a>(&'a Turns);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.lock().running = false;
        self.0.told.notify_all();
    }
}

/// Syncs until nobody asks for more.
async fn run(shared: Arc<Shared>, workspace: Arc<Workspace>, connection: Arc<Connection>) {
    let ends = Ends(&workspace.turns);
    loop {
        let number = {
            let mut turn = workspace.turns.lock();
            turn.progress = Default::default();
            turn.asked
        };
        let synced = once(&shared, &workspace, &connection).await;
        let mut turn = workspace.turns.lock();
        turn.last = Some(Arc::new(synced));
        turn.ended = number;
        // In one step, so that whoever asks from here on begins anew, and nobody sees it running who has its result.
        turn.running = turn.asked > number && !shared.stop.is_stopped();
        workspace.turns.told.notify_all();
        if !turn.running {
            break;
        }
    }
    // The turn is given back already, and may be another's.
    std::mem::forget(ends);
}

async fn once(shared: &Arc<Shared>, workspace: &Arc<Workspace>, connection: &Arc<Connection>) -> Synced {
    let found = {
        let (shared, workspace) = (Arc::clone(shared), Arc::clone(workspace));
        let look = move || workspace.look(&shared.limits.reading, shared.calendar.now());
        tokio::task::spawn_blocking(look).await.unwrap_or_default()
    };
    let _alone = alone(shared, workspace, &found).await;
    // What is written from here on is for the next one.
    workspace.clean();
    let told = Mutex::new(Instant::now());
    let progress = |done: u64, total: u64, repo: &str| {
        workspace.turns.lock().progress = (done, total, repo.to_owned());
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= TELL {
            *told = Instant::now();
            tell(
                shared,
                &Standing { state: State::Syncing, progress: Some((done, total)), ..Standing::default() },
            );
        }
    };
    let down = connection.backend.bytes_down();
    let outcome = engine::sync_all(
        &connection.backend,
        &found.repos,
        &shared.reading(),
        &shared.places,
        &progress,
        &shared.stop,
    )
    .await;
    let before = workspace.last(connection.backend.base()).unwrap_or_default();
    let progress = workspace.turns.lock().progress.clone();
    let standing = standing(&outcome, &found, &progress, &before, shared.calendar.now());
    let lasting = outcome.repos.iter().filter_map(|repo| repo.error.as_ref()).find_map(trouble::of_sync);
    let is_offline = lasting.as_ref().is_some_and(|standing| standing.state == State::Offline);
    if !shared.stop.is_stopped() {
        connection
            .note(shared.calendar.now(), lasting.filter(|_| is_offline).and_then(|standing| standing.reason));
        workspace.keep(connection.backend.base(), &standing);
        tell(shared, &standing);
    }
    let bytes_down = connection.backend.bytes_down() - down;
    Synced { standing, outcome, bytes_down }
}

/// Keeps other processes from doing the same work; one that cannot lock goes on alone, since doing it twice does no harm.
async fn alone(shared: &Shared, workspace: &Workspace, found: &Repos) -> Option<File> {
    let first = found.repos.first()?;
    let number = fnv1a(first.root.as_os_str().as_encoded_bytes()) % LOCKS;
    let path =
        workspace.state.as_deref().map(|state: &Path| state.join("locks").join(format!("sync-{number}")))?;
    if let Ok(Some(held)) = hold::try_hold(&path) {
        return Some(held);
    }
    workspace.turns.lock().progress.2 = "another process is syncing".to_owned();
    hold::hold(&path, PATIENCE, &shared.stop).await.ok().flatten()
}

/// How things stand after a sync.
fn standing(
    outcome: &Outcome,
    found: &Repos,
    progress: &(u64, u64, String),
    before: &Standing,
    now: f64,
) -> Standing {
    let reference =
        |name: &str| found.repos.iter().find(|repo| repo.name == name).map(|repo| repo.reference.clone());
    let repo = |repo: &RepoOutcome| RepoStanding {
        name: repo.name.clone(),
        reference: reference(&repo.name),
        files: repo.files as u64,
        waiting: waiting(repo, progress, before),
        left_out: repo.left_out as u64,
        acknowledged: repo.error.is_none() && repo.failed.is_empty(),
    };
    let repos: Vec<RepoStanding> = outcome.repos.iter().map(repo).collect();
    let whole = Standing {
        state: State::Ready,
        sent: outcome.repos.iter().map(|repo| repo.chunks as u64).sum(),
        waiting: repos.iter().map(|repo| repo.waiting).sum(),
        synced_at: Some(now),
        repos,
        ..Standing::default()
    };
    let errors = || outcome.repos.iter().filter_map(|repo| repo.error.as_ref());
    if let Some(trouble) = errors().find_map(trouble::of_sync) {
        // What was sent last, and when, is as it was.
        let whole = Standing { sent: before.sent, synced_at: before.synced_at, ..whole };
        return whole.but(trouble.state, trouble.reason);
    }
    if outcome.repos.is_empty() {
        return whole
            .but(State::Ready, Some("there is no git repository here; others are searched".to_owned()));
    }
    if outcome.is_complete() {
        return whole;
    }
    let failed = || outcome.repos.iter().flat_map(|repo| &repo.failed).map(ToString::to_string);
    let why = errors().map(ToString::to_string).chain(failed()).next();
    whole.but(State::Stale, why)
}

/// How many files of a repository are not taken. Of one that ended early, the gauge knows how far it came; of one that did
/// not begin, the sync before.
fn waiting(repo: &RepoOutcome, (done, total, name): &(u64, u64, String), before: &Standing) -> u64 {
    if repo.error.is_none() && repo.failed.is_empty() {
        return 0;
    }
    let files = repo.files as u64;
    if *name == repo.name && *total > 0 {
        return total.saturating_sub(*done).min(files);
    }
    let before = before.repos.iter().find(|known| known.name == repo.name);
    before.map_or(files.saturating_sub(repo.sent_files as u64), |known| known.waiting.min(files))
}

fn tell(shared: &Shared, standing: &Standing) {
    let status = Status { text: standing.pill(), detail: standing.detail() };
    shared.host.notify(&Notify::Status { status });
}

/// Why a workspace is behind, for people.
pub(super) fn behind(waiting: u64) -> String {
    if waiting == 0 {
        return "files changed since the last sync; run `ctxhost run codebase-index sync`".to_owned();
    }
    format!("{} not sent yet; run `ctxhost run codebase-index sync`", is_or_are(waiting))
}

fn is_or_are(files: u64) -> String {
    format!("{} {}", count(files, "file"), if files == 1 { "is" } else { "are" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{BackendError, SyncError};

    fn check(error: Option<BackendError>, progress: (u64, u64), before: Option<u64>, expected: u64) {
        let repo = RepoOutcome {
            name: "a/b".to_owned(),
            files: 10,
            error: error.map(SyncError::Backend),
            ..RepoOutcome::default()
        };
        let known = |waiting| RepoStanding { name: "a/b".to_owned(), waiting, ..RepoStanding::default() };
        let before = Standing {
            repos: before.map(known).into_iter().collect(),
            sent: 7,
            synced_at: Some(1.0),
            ..Standing::default()
        };
        let outcome = Outcome { repos: vec![repo], ..Outcome::default() };
        let failed = outcome.repos[0].error.is_some();
        let progress = (progress.0, progress.1, "a/b".to_owned());
        let after = standing(&outcome, &Repos::default(), &progress, &before, 9.0);
        assert_eq!((after.waiting, after.repos[0].acknowledged), (expected, !failed));
        let kept = if failed { (7, Some(1.0)) } else { (0, Some(9.0)) };
        assert_eq!((after.sent, after.synced_at), kept, "a sync that failed is none");
    }

    #[test]
    fn what_waits_is_what_was_not_taken() {
        let gone = || Some(BackendError::Unreachable { url: "u".to_owned(), why: "w".to_owned() });
        check(None, (10, 10), None, 0);
        check(gone(), (4, 10), Some(0), 6);
        check(gone(), (0, 0), Some(0), 0);
        check(gone(), (0, 0), Some(3), 3);
        check(gone(), (0, 0), None, 10);
    }
}
