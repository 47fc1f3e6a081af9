//! How things stand: from what is known already, or by a look at every file and at the backend.

use std::{sync::Arc, time::Duration};

use ctxhost_sdk::{
    Cx, Result,
    protocol::codebase_index::{BackendFacts, Fate, Health, ListedFile, RepoStanding, State, StatusResult},
};

use super::{
    CodebaseIndex,
    connection::Connection,
    syncing::behind,
    trouble,
    workspaces::{Repos, Workspace},
};
use crate::{
    error::{BackendError, SourceError},
    shape::{
        listing::{reason, with_files},
        standing::{Standing, sentence},
    },
    source::{
        acknowledged::Place,
        files::{self, Listing},
        limits::Limits as Reading,
        stop::Stop,
        workspace::Repo,
    },
};

/// A backend that takes longer to say how it is does not answer.
const HEALTH: Duration = Duration::from_secs(5);

/// A document carries so many notes.
const MOST_NOTES: usize = 64;

/// A repository as it is now, held against what the backend has taken.
struct Looked {
    standing: RepoStanding,
    files: Vec<ListedFile>,
}

impl CodebaseIndex {
    /// How things stand as far as it is known without asking anybody.
    pub(super) fn known(&self, workspace: &Workspace, connection: &Connection) -> Standing {
        let now = self.shared.calendar.now();
        let last = workspace.last(connection.backend.base());
        let running = workspace.turns.running();
        if let Some((done, total)) = running {
            let standing = last.unwrap_or_default().but(State::Syncing, None);
            return Standing { progress: Some((done, total)), ..standing };
        }
        // A login that came since then, or ended.
        if let Some(why) = connection.credentials.as_ref().and_then(signed_out) {
            return last.unwrap_or_default().but(State::SignedOut, Some(why));
        }
        if let Some(why) = connection.failed_lately(now) {
            return last.unwrap_or_default().but(State::Offline, Some(why));
        }
        match last {
            None => Standing::default().but(
                State::Stale,
                Some("nothing was sent yet; run `ctxhost run codebase-index sync`".to_owned()),
            ),
            Some(last) if !last.answers() => {
                let why = behind(last.waiting);
                last.but(State::Stale, Some(why))
            }
            Some(last) if workspace.is_dirty() && last.state == State::Ready => {
                let why = behind(last.waiting);
                last.but(State::Stale, Some(why))
            }
            Some(last) => last,
        }
    }

    /// Looks at every file, and asks the backend how it is.
    pub(super) fn status(
        &self,
        cx: &Cx<'_>,
        workspace: &Arc<Workspace>,
        connection: &Connection,
        with_all: bool,
    ) -> Result<StatusResult> {
        let asked = {
            let backend = connection.quick.clone();
            let work = async move { tokio::time::timeout(HEALTH, backend.health()).await };
            self.net.run(cx, work, &mut || ())?
        };
        let late = BackendError::TimedOut { endpoint: "/health", within: HEALTH };
        let health = asked.unwrap_or(Err(late));
        let found = workspace.look(&self.shared.limits.reading, self.shared.calendar.now());
        let looked = self.look_at(cx, &found, connection.backend.base())?;
        Ok(self.told(workspace, connection, &health, &found, looked, with_all))
    }

    /// Adds what would be sent, where there is no backend to hold it against.
    pub(super) fn with_files(
        &self,
        cx: &Cx<'_>,
        workspace: &Arc<Workspace>,
        status: StatusResult,
    ) -> Result<StatusResult> {
        let found = workspace.look(&self.shared.limits.reading, self.shared.calendar.now());
        let looked = self.look_at(cx, &found, "")?;
        let (repos, files): (Vec<_>, Vec<_>) =
            looked.into_iter().map(|(looked, _)| (looked.standing, looked.files)).unzip();
        let waiting = repos.iter().map(|repo| repo.waiting).sum();
        Ok(with_files(StatusResult { repos, waiting, ..status }, files.concat()))
    }

    fn told(
        &self,
        workspace: &Workspace,
        connection: &Connection,
        health: &Result<Health, BackendError>,
        found: &Repos,
        looked: Vec<(Looked, Vec<String>)>,
        with_all: bool,
    ) -> StatusResult {
        let last = workspace.last(connection.backend.base()).unwrap_or_default();
        let waiting: u64 = looked.iter().map(|(looked, _)| looked.standing.waiting).sum();
        let acknowledged = looked.iter().all(|(looked, _)| looked.standing.acknowledged);
        let trouble = match health {
            // One that knows only the document has no such endpoint, and has looked at the token all the same.
            Ok(_) | Err(BackendError::Rejected { .. }) => None,
            Err(error) => Some(trouble::standing(error)),
        };
        let (state, reason) = match trouble {
            Some(trouble) => (trouble.state, trouble.reason),
            None if workspace.turns.running().is_some() => (State::Syncing, None),
            None if acknowledged => (State::Ready, None),
            None => (State::Stale, Some(behind(waiting))),
        };
        let mut notes: Vec<String> =
            found.findings.iter().map(|finding| sentence(&finding.message)).collect();
        notes.extend(unencrypted(&connection.url));
        let (mut repos, mut files) = (Vec::new(), Vec::new());
        for (looked, said) in looked {
            notes.extend(said.iter().map(|note| sentence(note)));
            repos.push(looked.standing);
            files.extend(looked.files);
        }
        notes.truncate(MOST_NOTES);
        let status = StatusResult {
            state,
            reason,
            backend: Some(facts(connection, health.as_ref().ok())),
            username: connection.username(),
            repos,
            sent: last.sent,
            waiting,
            synced_at: last.synced_at,
            notes,
            ..StatusResult::default()
        };
        if with_all { with_files(status, files) } else { status }
    }

    fn look_at(&self, cx: &Cx<'_>, found: &Arc<Repos>, base: &str) -> Result<Vec<(Looked, Vec<String>)>> {
        let (found, base) = (Arc::clone(found), base.to_owned());
        let shared = Arc::clone(&self.shared);
        let work = async move {
            let (stop, _guard) = shared.stop.until_dropped();
            let look = move || {
                let cache = shared.places.cache.as_deref();
                let reading = shared.reading();
                let one = |repo: &Repo| look_at(repo, &reading, cache, &base, &stop);
                found.repos.iter().map(one).collect::<Vec<_>>()
            };
            tokio::task::spawn_blocking(look).await
        };
        Ok(self.net.run(cx, work, &mut || ())??)
    }
}

/// Why nobody is logged in, as far as it is kept.
fn signed_out(credentials: &crate::source::credentials::Credentials) -> Option<String> {
    let why = match credentials.login() {
        Err(error) => return Some(error.to_string()),
        Ok(Some(login)) => login.refused?,
        Ok(None) => format!("nobody has logged in to {}", credentials.account().name()),
    };
    Some(format!("not logged in: {why}; run `ctxhost run codebase-index login`"))
}

fn facts(connection: &Connection, health: Option<&Health>) -> BackendFacts {
    let word = |text: &str| {
        let plain: String = text.chars().filter(|letter| !letter.is_control()).take(512).collect();
        Some(plain).filter(|text| !text.is_empty())
    };
    BackendFacts {
        url: connection.url.clone(),
        development: connection.development,
        embedder: health.and_then(|health| word(&health.embedder)),
        dimension: health.and_then(|health| health.dimension).filter(|dimension| *dimension > 0),
        waiting: health.map_or(0, |health| health.waiting.min(1 << 53)),
    }
}

/// Code and tokens go over the network for all to read.
pub(super) fn unencrypted(url: &str) -> Option<String> {
    let parsed = url::Url::parse(url).ok()?;
    let open = parsed.scheme() == "http" && !crate::source::backend::is_loopback(&parsed);
    open.then(|| format!("{url} is not encrypted, so code and tokens can be read on the way; use https"))
}

fn look_at(
    repo: &Repo,
    reading: &Reading,
    cache: Option<&std::path::Path>,
    base: &str,
    stop: &Stop,
) -> (Looked, Vec<String>) {
    let (listing, mut notes) = match files::list(repo, reading, cache, stop) {
        Ok(listing) => (listing, Vec::new()),
        Err(error @ (SourceError::NoWorkTree(_) | SourceError::Unreadable { .. } | SourceError::Stopped)) => {
            (Listing::default(), vec![error.to_string()])
        }
    };
    notes.extend(listing.findings.iter().map(|finding| finding.message.clone()));
    let held = Place::new(cache, base, &repo.name, &repo.reference).read().unwrap_or_default();
    let acknowledged = !listing.root_hash.is_empty() && held.root == listing.root_hash;
    let fate = |file| {
        if acknowledged || held.files.binary_search(file).is_ok() { Fate::Indexed } else { Fate::Waiting }
    };
    let listed = |path: &str, fate, reason: Option<&str>| ListedFile {
        repo: repo.name.clone(),
        path: path.to_owned(),
        fate,
        reason: reason.map(str::to_owned),
    };
    let mut all: Vec<ListedFile> =
        listing.files.iter().map(|file| listed(&file.path, fate(file), None)).collect();
    let waiting = all.iter().filter(|file| file.fate == Fate::Waiting).count();
    all.extend(listing.left_out.iter().map(|(path, why)| listed(path, Fate::LeftOut, Some(reason(*why)))));
    let standing = RepoStanding {
        name: repo.name.clone(),
        reference: Some(repo.reference.clone()),
        files: listing.files.len() as u64,
        waiting: waiting as u64,
        left_out: listing.left_out.len() as u64,
        acknowledged,
    };
    (Looked { standing, files: all }, notes)
}
