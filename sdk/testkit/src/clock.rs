//! A clock that a test moves by hand.

use std::sync::{Mutex, PoisonError};

use ctxhost::Clock;

/// A clock that stands still until a test moves it.
#[derive(Debug)]
pub struct FakeClock {
    hands: Mutex<Hands>,
}

#[derive(Clone, Copy, Debug)]
struct Hands {
    ns: u64,
    unix: f64,
}

impl FakeClock {
    /// A clock at a moment in unix seconds.
    pub fn at(unix: f64) -> Self {
        Self { hands: Mutex::new(Hands { ns: 1_000_000_000, unix }) }
    }

    /// Sets the calendar; the forward-only hand stays where it is.
    pub fn set_unix(&self, unix: f64) {
        self.with(|hands| hands.unix = unix);
    }

    /// Lets time pass, on both hands.
    pub fn advance(&self, time: std::time::Duration) {
        self.with(|hands| {
            hands.ns += u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2);
            hands.unix += time.as_secs_f64();
        });
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut Hands) -> T) -> T {
        use_it(&mut self.hands.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Clock for FakeClock {
    fn now_ns(&self) -> u64 {
        self.with(|hands| hands.ns)
    }

    fn unix_now(&self) -> f64 {
        self.with(|hands| hands.unix)
    }
}
