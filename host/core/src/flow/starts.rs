//! The `session.start`s of a conversation that are running, which its prompts wait for.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::lock;
use crate::ask::Cancel;

/// How long a prompt waits in all for a `session.start` that is still running.
pub(super) const START_WAIT: Duration = Duration::from_secs(3);

/// The `session.start`s that are running.
#[derive(Default)]
pub(super) struct Starts {
    running: Mutex<usize>,
    ended: Condvar,
}

/// One that is running.
pub(super) struct Starting<'a>(&'a Starts);

impl Starts {
    pub(super) fn begin(&self) -> Starting<'_> {
        *lock(&self.running) += 1;
        Starting(self)
    }

    /// Waits until none is running; false when that takes too long.
    pub(super) fn wait(&self, cancel: &Cancel) -> bool {
        let until = Instant::now() + START_WAIT;
        let mut running = lock(&self.running);
        while *running > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || cancel.is_cancelled() {
                return false;
            }
            // A short nap, so that a question that is taken back does not wait on.
            let nap = left.min(Duration::from_millis(50));
            running = self.ended.wait_timeout(running, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        *lock(&self.0.running) -= 1;
        self.0.ended.notify_all();
    }
}
