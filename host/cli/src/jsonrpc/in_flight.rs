//! The requests that are being answered: how many, how large, and how to take one back.

use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ctxhost::{
    Cancel,
    protocol::serve::{ErrorObject, Id, MAX_IN_FLIGHT, code},
};

use super::error;

/// How many bytes all requests in flight may have together: four of the longest lines.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The requests in flight.
#[derive(Default)]
pub(super) struct InFlight {
    state: Mutex<State>,
    left: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    bytes: usize,
    requests: BTreeMap<u64, (Option<Id>, Cancel)>,
}

/// A request's place among those in flight; free again when it is dropped.
pub(super) struct Place {
    in_flight: Arc<InFlight>,
    number: u64,
    bytes: usize,
    cancel: Cancel,
}

impl InFlight {
    /// Takes a place for a request of so many bytes.
    ///
    /// # Errors
    /// There are too many, or its id is in use.
    pub(super) fn enter(self: &Arc<Self>, id: Option<&Id>, bytes: usize) -> Result<Place, ErrorObject> {
        let mut state = self.state();
        if state.requests.len() as u64 >= MAX_IN_FLIGHT || state.bytes + bytes > MAX_BYTES {
            let why = format!(
                "{} requests of {} bytes are in flight, and {MAX_IN_FLIGHT} of {MAX_BYTES} bytes may be; wait for answers",
                state.requests.len(),
                state.bytes
            );
            return Err(error(code::TOO_MANY_IN_FLIGHT, why));
        }
        let is = |known: &Option<Id>| id.is_some() && known.as_ref() == id;
        if state.requests.values().any(|(known, _)| is(known)) {
            return Err(error(
                code::NO_REQUEST,
                "a request of this id is still in flight; give each one its own id",
            ));
        }
        let number = state.next;
        state.next += 1;
        state.bytes += bytes;
        let cancel = Cancel::default();
        state.requests.insert(number, (id.cloned(), cancel.clone()));
        Ok(Place { in_flight: Arc::clone(self), number, bytes, cancel })
    }

    /// Takes a request back; false when there is none of this id.
    pub(super) fn cancel(&self, id: &Id) -> bool {
        let found = {
            let state = self.state();
            let is = |(known, _): &&(Option<Id>, Cancel)| known.as_ref() == Some(id);
            state.requests.values().find(is).map(|(_, cancel)| cancel.clone())
        };
        // Outside the lock: whoever is woken may leave at once.
        found.inspect(Cancel::cancel).is_some()
    }

    /// Waits for all requests, then takes them back and waits once more.
    pub(super) fn finish(&self, patience: Duration, parting: Duration) {
        if self.wait(patience) {
            return;
        }
        let all: Vec<Cancel> = self.state().requests.values().map(|(_, cancel)| cancel.clone()).collect();
        all.iter().for_each(Cancel::cancel);
        self.wait(parting);
    }

    fn wait(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut state = self.state();
        while !state.requests.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.left.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// How this request is taken back.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.in_flight.state();
        state.requests.remove(&self.number);
        state.bytes = state.bytes.saturating_sub(self.bytes);
        drop(state);
        self.in_flight.left.notify_all();
    }
}
