//! Asking work to end, from another thread or by a condition.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How often a condition is looked at while nothing else happens.
const LOOK: Duration = Duration::from_millis(25);

/// Says whether to stop; clones say the same.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    asked: Arc<AtomicBool>,
    when: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl Stop {
    /// Also stops when a condition holds.
    pub(crate) fn when(condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { asked: Arc::default(), when: Some(Arc::new(condition)) }
    }

    /// Asks to stop.
    pub(crate) fn stop(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.asked.load(Ordering::Relaxed) || self.when.as_ref().is_some_and(|when| when())
    }

    /// Ends when it is to stop.
    pub(crate) async fn stopped(&self) {
        while !self.is_stopped() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Gives one that stops with this one, and when the guard that comes with it is dropped.
    pub(crate) fn until_dropped(&self) -> (Self, StopsWhenDropped) {
        let outer = self.clone();
        let inner = Self::when(move || outer.is_stopped());
        (inner.clone(), StopsWhenDropped(inner))
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Stop").field(&self.is_stopped()).finish()
    }
}

/// Stops work on other threads when whoever waits for it is gone.
#[derive(Debug)]
pub(crate) struct StopsWhenDropped(Stop);

impl Drop for StopsWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}
