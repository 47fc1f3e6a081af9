//! What time it is, as the host says it: the calendar of the newest request, and the host's clock since then.

use std::sync::{Mutex, PoisonError};

/// A calendar that background work reads too.
pub(crate) struct Calendar {
    /// The host's clock in nanoseconds.
    clock: Box<dyn Fn() -> u64 + Send + Sync>,
    /// Seconds since 1970, and the host's clock at that moment.
    set: Mutex<(f64, u64)>,
}

impl Calendar {
    /// One that stands at 1970 until a request sets it.
    pub(crate) fn new(clock: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self { clock: Box::new(clock), set: Mutex::new((0.0, 0)) }
    }

    /// Takes the time of a request.
    pub(crate) fn set(&self, now: f64) {
        *self.set.lock().unwrap_or_else(PoisonError::into_inner) = (now.max(0.0), (self.clock)());
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> f64 {
        let (now, at) = *self.set.lock().unwrap_or_else(PoisonError::into_inner);
        // A host that is gone says the largest number.
        let since = (self.clock)().checked_sub(at).filter(|since| *since < u64::MAX / 2).unwrap_or(0);
        now + since as f64 / 1e9
    }
}
