//! Taking a question back.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Takes a question back: whoever waits for its answers goes on at once, and the providers are told.
///
/// Clones are one and the same. Once cancelled it stays so.
///
/// ```
/// let cancel = ctxhost::Cancel::default();
/// let asker = cancel.clone();
/// cancel.cancel();
/// assert!(asker.is_cancelled());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    cancelled: bool,
    next: u64,
    watches: BTreeMap<u64, Box<dyn Fn() + Send>>,
}

impl Cancel {
    /// Takes it back.
    pub fn cancel(&self) {
        let watches = {
            let mut state = self.state();
            state.cancelled = true;
            std::mem::take(&mut state.watches)
        };
        for watch in watches.into_values() {
            watch();
        }
    }

    /// Whether it was taken back.
    pub fn is_cancelled(&self) -> bool {
        self.state().cancelled
    }

    /// Runs `wake` when it is taken back, or now if it already is, until the watch is dropped.
    pub(crate) fn watch(&self, wake: impl Fn() + Send + 'static) -> Watch<'_> {
        let mut state = self.state();
        let number = state.next;
        if state.cancelled {
            drop(state);
            wake();
        } else {
            state.next += 1;
            state.watches.insert(number, Box::new(wake));
        }
        Watch { cancel: self, number }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cancel").field("cancelled", &self.is_cancelled()).finish()
    }
}

/// Somebody who waits.
pub(crate) struct Watch<'a> {
    cancel: &'a Cancel,
    number: u64,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.cancel.state().watches.remove(&self.number);
    }
}
