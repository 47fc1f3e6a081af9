//! Making way: a person who waits for an answer comes before files that nobody asked for.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use super::Project;

/// How long a worker sleeps before it looks again whether the question is answered.
const NAP: Duration = Duration::from_millis(2);

/// How fast to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Somebody waits for it.
    Now,
    /// With low priority, and pausing between files while a question is answered.
    Background,
}

/// As long as this lives, work in the background pauses.
#[derive(Debug)]
pub struct Asking<'a>(&'a AtomicUsize);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Project {
    /// Says that a question is being answered until the value is dropped.
    pub fn asking(&self) -> Asking<'_> {
        self.asking.fetch_add(1, Ordering::Relaxed);
        Asking(&self.asking)
    }

    /// Waits while a question is answered.
    pub(super) fn make_way(&self, pace: Pace, stop: &(dyn Fn() -> bool + Sync)) {
        while pace == Pace::Background && self.asking.load(Ordering::Relaxed) > 0 && !stop() {
            thread::sleep(NAP);
        }
    }
}

impl Pace {
    /// Sets the priority of the calling thread; where that is refused, or counts for the whole process, it stays.
    pub(super) fn begin(self) {
        #[cfg(target_os = "linux")]
        if self == Self::Background {
            // 10 of 19 steps down: a tenth of the processor's time beside a busy program, all of it beside none.
            let _ = rustix::process::setpriority_process(None, 10);
        }
    }
}
