//! The thread that fills the index while a session lives.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use ctxhost_code::{
    finding::Problem,
    project::{Outcome, Pace},
    watch::Watch,
};

use super::{Code, lock};

/// How long a look takes at first before what it has found is made visible.
const SLICE: Duration = Duration::from_secs(1);

/// How often is looked whether another provider or process is done with the index.
const ELSEWHERE: Duration = Duration::from_millis(200);

/// How many times: twenty minutes, after which the next question starts anew.
const PATIENCE: usize = 6_000;

/// How far it has come.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    done: AtomicUsize,
    total: AtomicUsize,
}

impl Progress {
    /// Files that are done, and how many there are.
    pub(crate) fn now(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}

/// A thread that indexes when it is told that there may be something to do; it ends with the value.
pub(crate) struct Worker {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    wanted: Mutex<bool>,
    wake: Condvar,
    progress: Progress,
}

impl Worker {
    /// Starts the thread; `told` hears each step of the progress, and once at the end. With `watch` the system wakes it
    /// when files change, so that the index is up to date before the next question; each question looks all the same.
    pub(crate) fn start(
        code: Arc<Code>,
        watch: bool,
        told: impl Fn(&Code, &Progress, bool) + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let inner = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("pilot-index".to_owned())
            .spawn(move || {
                let mut watch = watch.then(|| inner.watch(&code)).flatten();
                while inner.wait() {
                    inner.work(&code, watch.as_mut(), &told);
                }
            })
            .ok();
        Self { shared, thread: Mutex::new(thread) }
    }

    /// There may be something to do.
    pub(crate) fn wake(&self) {
        self.shared.wake();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.wake();
        if let Some(thread) = lock(&self.thread).take() {
            // It asks between files whether to stop, and a file has a time limit.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn wake(&self) {
        *lock(&self.wanted) = true;
        self.wake.notify_one();
    }

    /// Has the system wake it; where it cannot, questions look as ever.
    fn watch(self: &Arc<Self>, code: &Code) -> Option<Watch> {
        let shared = Arc::downgrade(self);
        let wake = move || {
            if let Some(shared) = shared.upgrade() {
                shared.wake();
            }
        };
        Watch::start(code.project.root(), wake).ok()
    }

    /// Waits until there is something to do; false when it is over.
    fn wait(&self) -> bool {
        let mut wanted = lock(&self.wanted);
        while !*wanted && !self.stopped() {
            wanted = self.wake.wait(wanted).unwrap_or_else(PoisonError::into_inner);
        }
        *wanted = false;
        !self.stopped()
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Looks at all files, a while at a time, so that a question meanwhile has what is known so far.
    fn look(&self, code: &Code) {
        let mut slice = SLICE;
        loop {
            let start = Instant::now();
            let changes = code.look(&|part| self.stopped() || start.elapsed() >= slice.mul_f64(part));
            if changes.findings.of(Problem::Unfinished).is_none() || self.stopped() {
                return;
            }
            // However long the walk alone takes, some time is long enough.
            slice *= 2;
        }
    }

    fn work(&self, code: &Code, watch: Option<&mut Watch>, told: &dyn Fn(&Code, &Progress, bool)) {
        self.look(code);
        if let Some(watch) = watch {
            watch.follow(&code.project.snapshot());
        }
        for _ in 0..PATIENCE {
            let outcome = code.update(Pace::Background, &|| self.stopped(), &mut |done, total| {
                self.progress.done.store(done, Ordering::Relaxed);
                self.progress.total.store(total, Ordering::Relaxed);
                told(code, &self.progress, false);
            });
            if outcome != Outcome::Elsewhere || self.stopped() || code.view().is_complete() {
                break;
            }
            thread::sleep(ELSEWHERE);
        }
        if !self.stopped() {
            told(code, &self.progress, true);
        }
    }
}
