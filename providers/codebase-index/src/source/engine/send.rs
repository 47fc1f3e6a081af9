//! Sending batches, a few at once.

use std::collections::VecDeque;

use tokio::task::JoinSet;

use super::{Plan, RepoOutcome, Run, cut};
use crate::{
    error::{BackendError, SyncError},
    select::batch::{Batch, Gatherer},
    source::{backend::Backend, workspace::Repo},
};

/// After so many batches that the backend does not take, the rest would not be taken either.
const MOST_FAILED: usize = 3;

/// What came of a batch, or of the part of it that was taken.
#[derive(Default)]
struct Sent {
    files: usize,
    chunks: usize,
    error: Option<BackendError>,
}

impl Run<'_> {
    /// Sends what is wanted and takes back what is gone; gives how many files changed meanwhile.
    pub(super) async fn send(
        &self,
        repo: &Repo,
        plan: Plan,
        own: &mut RepoOutcome,
    ) -> Result<usize, SyncError> {
        let (wanted, gone) = (plan.wanted.len(), plan.gone.len());
        let total = (wanted + gone) as u64;
        let mut gatherer = Gatherer::new(self.limits.batch_bytes);
        let mut waiting: VecDeque<Batch> = plan.gone.into_iter().flat_map(|one| gatherer.add(one)).collect();
        let (stop, _guard) = self.stop.until_dropped();
        let mut cut = cut::begin(repo, plan.wanted, &self.places.grammars, self.limits.threads, stop);
        let most = self.limits.concurrency.clamp(1, 64);
        // Requests on the way end with this set, whoever drops it.
        let mut sending: JoinSet<Sent> = JoinSet::new();
        let (mut came, mut changed, mut done, mut ended) = (0, 0, 0, false);
        loop {
            while sending.len() < most
                && let Some(batch) = waiting.pop_front()
            {
                sending.spawn(send(self.backend.clone(), batch));
            }
            if ended && sending.is_empty() {
                break;
            }
            tokio::select! {
                () = self.stop.stopped() => return Err(SyncError::Stopped),
                next = cut.recv(), if !ended && waiting.len() < most => match next {
                    Some(cut::Cut::Ready(ready)) => {
                        came += 1;
                        waiting.extend(gatherer.add(ready));
                    }
                    Some(cut::Cut::Changed) => (came, changed, done) = (came + 1, changed + 1, done + 1),
                    None => {
                        ended = true;
                        waiting.extend(gatherer.finish());
                    }
                },
                Some(sent) = sending.join_next() => {
                    let sent = sent.map_err(|error| SyncError::Broken(error.to_string()))?;
                    done += sent.files;
                    own.sent_files += sent.files;
                    own.chunks += sent.chunks;
                    (self.progress)(done as u64, total, &repo.name);
                    note(sent.error, own)?;
                }
            }
        }
        if came < wanted {
            return Err(if self.stop.is_stopped() {
                SyncError::Stopped
            } else {
                SyncError::Broken(format!("{} files were not cut", wanted - came))
            });
        }
        own.removed += gone;
        own.sent_files = own.sent_files.saturating_sub(gone);
        Ok(changed)
    }
}

fn note(error: Option<BackendError>, own: &mut RepoOutcome) -> Result<(), SyncError> {
    let Some(error) = error else { return Ok(()) };
    own.failed.push(error.clone());
    if error.is_lasting() || own.failed.len() >= MOST_FAILED { Err(error.into()) } else { Ok(()) }
}

/// Sends a batch; one that is too large is halved, once.
async fn send(backend: Backend, batch: Batch) -> Sent {
    let (files, chunks) = (batch.files, batch.request.chunks.len());
    match backend.index(&batch.request).await {
        Ok(_) => Sent { files, chunks, error: None },
        Err(error @ BackendError::TooLarge(_)) => match batch.halves() {
            Some(halves) => in_halves(&backend, halves).await,
            None => Sent { error: Some(error), ..Sent::default() },
        },
        Err(error) => Sent { error: Some(error), ..Sent::default() },
    }
}

async fn in_halves(backend: &Backend, halves: [Batch; 2]) -> Sent {
    let mut sent = Sent::default();
    for half in halves {
        match backend.index(&half.request).await {
            Ok(_) => {
                sent.files += half.files;
                sent.chunks += half.request.chunks.len();
            }
            Err(error) => {
                sent.error = Some(error);
                break;
            }
        }
    }
    sent
}
