//! The `session.start`s of a conversation that are running, which its prompts wait for.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::lock;
use crate::ask::Cancel;

/// How long prompts wait in all for a `session.start` that is still running.
pub(super) const START_WAIT: Duration = Duration::from_secs(3);

/// The `session.start`s that are running.
#[derive(Default)]
pub(super) struct Starts {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    running: usize,
    /// Whether a prompt has waited in vain for those that are running: the next one does not.
    given_up: bool,
}

/// A `session.start` that is running or about to; prompts wait until it is dropped, 3 s in all.
pub struct Starting(Arc<Starts>);

impl Starts {
    pub(super) fn begin(self: &Arc<Self>) -> Starting {
        lock(&self.state).running += 1;
        Starting(Arc::clone(self))
    }

    /// Waits until none is running; false when that takes too long.
    pub(super) fn wait(&self, cancel: &Cancel) -> bool {
        let until = Instant::now() + START_WAIT;
        let mut state = lock(&self.state);
        while state.running > 0 {
            let left = until.saturating_duration_since(Instant::now());
            state.given_up |= left.is_zero();
            if state.given_up || cancel.is_cancelled() {
                return false;
            }
            // A short nap, so that a question that is taken back does not wait on.
            let nap = left.min(Duration::from_millis(50));
            state = self.ended.wait_timeout(state, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        let mut state = lock(&self.0.state);
        state.running -= 1;
        state.given_up &= state.running > 0;
        drop(state);
        self.0.ended.notify_all();
    }
}
