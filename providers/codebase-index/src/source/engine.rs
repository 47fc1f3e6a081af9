//! Bringing a backend to what the client has: what is wanted is cut and sent, what is gone is taken back, and what was taken
//! is not sent again, wherever an earlier run ended.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use ctxhost_code::grammar::Grammars;
use ctxhost_sdk::{
    prelude::Finding,
    protocol::codebase_index::{FileHash, FileRef, RepoState, SyncReply, SyncRequest},
};

use super::{
    acknowledged::{Held, Place},
    backend::Backend,
    files::{self, Listing},
    limits::Limits,
    stop::Stop,
    workspace::Repo,
};
use crate::{
    error::{BackendError, SourceError, SyncError},
    select::batch::Ready,
};

mod cut;
mod send;

/// So often a repository is listed again when its files changed while they were sent.
const PASSES: usize = 3;

/// Where things are that a sync needs.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The provider's cache folder; without it every file is read each time.
    pub(crate) cache: Option<PathBuf>,
    /// What code is cut by.
    pub(crate) grammars: Grammars,
}

/// What came of a sync.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// Each repository, in the order given.
    pub(crate) repos: Vec<RepoOutcome>,
    /// What a person should know of the files.
    pub(crate) findings: Vec<Finding>,
}

/// What came of a repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepoOutcome {
    /// Its name.
    pub(crate) name: String,
    /// How many files are indexed.
    pub(crate) files: usize,
    /// How many are left out.
    pub(crate) left_out: usize,
    /// How many files were sent, or said to be empty.
    pub(crate) sent_files: usize,
    /// How many chunks were sent.
    pub(crate) chunks: usize,
    /// How many files were taken back.
    pub(crate) removed: usize,
    /// How many bytes of bodies went to the backend.
    pub(crate) bytes_up: u64,
    /// Whether the root alone was enough.
    pub(crate) root_only: bool,
    /// What the backend did not take, at most a few; the next sync sends it again.
    pub(crate) failed: Vec<BackendError>,
    /// Why it is not synced.
    pub(crate) error: Option<SyncError>,
}

impl Outcome {
    /// Whether the backend has everything.
    pub(crate) fn is_complete(&self) -> bool {
        self.repos.iter().all(|repo| repo.error.is_none() && repo.failed.is_empty())
    }
}

/// Syncs repositories, one after the other. `progress` hears how many files of how many are done, and of which repository;
/// of none while it is still being read.
pub(crate) async fn sync_all(
    backend: &Backend,
    repos: &[Repo],
    limits: &Limits,
    places: &Places,
    progress: &(dyn Fn(u64, u64, &str) + Sync),
    stop: &Stop,
) -> Outcome {
    let run = Run { backend, limits, places, progress, stop };
    let mut outcome = Outcome::default();
    let mut lasting = None;
    for repo in repos {
        let mut own =
            RepoOutcome { name: repo.name.clone(), error: lasting.clone(), ..RepoOutcome::default() };
        if lasting.is_none() {
            let before = backend.bytes_up();
            own.error = run.repo(repo, &mut own, &mut outcome.findings).await.err();
            own.bytes_up = backend.bytes_up() - before;
        }
        // The next repository would meet the same.
        lasting = own.error.clone().filter(|error| match error {
            SyncError::Backend(error) => error.is_lasting(),
            SyncError::Stopped => true,
            _ => false,
        });
        outcome.repos.push(own);
    }
    outcome
}

/// What is the same for all repositories.
struct Run<'a> {
    backend: &'a Backend,
    limits: &'a Limits,
    places: &'a Places,
    progress: &'a (dyn Fn(u64, u64, &str) + Sync),
    stop: &'a Stop,
}

/// What is to be done for a repository.
struct Plan {
    /// Files that the backend wants, as they were announced.
    wanted: Vec<FileHash>,
    /// Files that it may still have and that are gone.
    gone: Vec<Ready>,
}

impl Run<'_> {
    async fn repo(
        &self,
        repo: &Repo,
        own: &mut RepoOutcome,
        findings: &mut Vec<Finding>,
    ) -> Result<(), SyncError> {
        let cache = self.places.cache.as_deref();
        let place = Place::new(cache, self.backend.base(), &repo.name, &repo.reference);
        let mut changing = 0;
        for pass in 0..PASSES {
            (self.progress)(0, 0, &repo.name);
            let listing = self.list(repo, cache).await?;
            (own.files, own.left_out) = (listing.files.len(), listing.left_out.len());
            if pass == 0 {
                findings.extend(listing.findings.iter().cloned());
            }
            let held = place.read().unwrap_or_default();
            let reply = self.announce(repo, &listing, &held, &place, own).await?;
            let plan = Plan::of(repo, &listing, &held, &reply);
            changing = self.send(repo, plan, own).await?;
            if changing == 0 && own.failed.is_empty() {
                let now = Held { root: listing.root_hash, files: listing.files };
                if now != held {
                    place.write(&now);
                }
            }
            if changing == 0 {
                return Ok(());
            }
        }
        Err(SyncError::Changing(changing))
    }

    async fn list(&self, repo: &Repo, cache: Option<&Path>) -> Result<Listing, SyncError> {
        let (repo, limits, cache) = (repo.clone(), self.limits.clone(), cache.map(Path::to_owned));
        let (stop, _guard) = self.stop.until_dropped();
        let listing =
            tokio::task::spawn_blocking(move || files::list(&repo, &limits, cache.as_deref(), &stop));
        match listing.await {
            Ok(Err(SourceError::Stopped)) => Err(SyncError::Stopped),
            Ok(listing) => Ok(listing?),
            Err(error) => Err(SyncError::Broken(error.to_string())),
        }
    }

    /// Tells the backend what there is: the root alone when it has had all of that, and else every file.
    async fn announce(
        &self,
        repo: &Repo,
        listing: &Listing,
        held: &Held,
        place: &Place,
        own: &mut RepoOutcome,
    ) -> Result<SyncReply, SyncError> {
        let state = |files| SyncRequest {
            repos: vec![RepoState {
                name: repo.name.clone(),
                root_hash: listing.root_hash.clone(),
                files,
                reference: Some(repo.reference.clone()),
            }],
        };
        own.root_only = held.root == listing.root_hash;
        if own.root_only {
            match self.unless_stopped(self.backend.sync(&state(None))).await? {
                // It has lost what it had, or never knew of it.
                Err(BackendError::Rejected { .. }) => own.root_only = false,
                reply => return Ok(reply?),
            }
        }
        // Until all of it is taken, the root that was there before means nothing either.
        place.doubt();
        Ok(self.unless_stopped(self.backend.sync(&state(Some(listing.files.clone())))).await??)
    }

    async fn unless_stopped<T>(&self, work: impl Future<Output = T>) -> Result<T, SyncError> {
        tokio::select! {
            () = self.stop.stopped() => Err(SyncError::Stopped),
            done = work => Ok(done),
        }
    }
}

impl Plan {
    /// Of what a backend asks for, only files that are listed are sent: whatever else it names is gone.
    fn of(repo: &Repo, listing: &Listing, held: &Held, reply: &SyncReply) -> Self {
        let listed = |path: &str| {
            let found = listing.files.binary_search_by(|file| file.path.as_str().cmp(path));
            found.ok().map(|at| &listing.files[at])
        };
        let ours = reply.changed.iter().filter(|file| {
            file.repo == repo.name
                && file.reference.as_ref().is_none_or(|reference| *reference == repo.reference)
        });
        let asked: BTreeSet<&str> = ours.map(|file| file.path.as_str()).collect();
        let wanted = asked.iter().filter_map(|path| listed(path)).cloned().collect();
        let known = asked.iter().copied().chain(held.files.iter().map(|file| file.path.as_str()));
        let gone: BTreeSet<&str> = known.filter(|path| listed(path).is_none()).collect();
        let taken_back = |path: &str| Ready { file: reference(repo, path), chunks: Vec::new(), bytes: 0 };
        Self { wanted, gone: gone.into_iter().map(taken_back).collect() }
    }
}

fn reference(repo: &Repo, path: &str) -> FileRef {
    FileRef { repo: repo.name.clone(), path: path.to_owned(), reference: Some(repo.reference.clone()) }
}

#[cfg(test)]
mod tests;
