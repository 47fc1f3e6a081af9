//! The projects that were asked about, each opened once.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use ctxhost_code::project::Places;
use ctxhost_sdk::{
    Recent,
    prelude::*,
    protocol::envelope::{Life, Notify, Session, Status},
};

use crate::{
    select::choice::Choice,
    shape::status::{Standing, status},
    source::code::{Code, Worker, lock},
};

/// How many projects stay open; a host that works in more forgets the one that was asked about longest ago.
const MOST: usize = 32;

/// How often people are told how far the index is.
const PACE: Duration = Duration::from_millis(500);

/// The projects.
pub(super) struct Workspaces {
    places: Places,
    watch: bool,
    open: Recent<PathBuf, Workspace>,
}

/// A project that is open; without `code` it was refused, and the text says why.
#[derive(Clone)]
pub(super) struct Workspace {
    pub(super) code: Result<Arc<Code>, String>,
    worker: Arc<Mutex<Option<Worker>>>,
    watch: bool,
    /// What the last reply said of switches and memory; the background repeats it.
    standing: Arc<Mutex<Option<Standing>>>,
    /// What was chosen last in this process, for `context-debug`.
    pub(super) last: Arc<Mutex<Option<Choice>>>,
}

impl Workspaces {
    pub(super) fn new(places: Places, watch: bool) -> Self {
        Self { places, watch, open: Recent::new(MOST) }
    }

    /// The project of a session, opened when it is not.
    pub(super) fn of(&self, session: &Session, now: f64) -> Workspace {
        let root = Path::new(&session.cwd);
        let workspace = self.open.get_or_make(root, || Workspace {
            code: Code::open(root, &self.places).map(Arc::new).map_err(|refused| refused.to_string()),
            worker: Arc::default(),
            watch: self.watch,
            standing: Arc::default(),
            last: Arc::default(),
        });
        if let Ok(code) = &workspace.code {
            code.asked_at(now);
        }
        workspace
    }
}

impl Workspace {
    /// Has the rest indexed in the background, in a process that lives for longer than this event.
    pub(super) fn go_on(&self, session: &Session, host: &HostHandle) {
        let (Life::Long, Ok(code)) = (session.life, &self.code) else { return };
        let mut worker = lock(&self.worker);
        let worker = worker.get_or_insert_with(|| {
            start(Arc::clone(code), self.watch, host.clone(), Arc::clone(&self.standing))
        });
        worker.wake();
    }

    /// Takes over what a reply says of switches and memory.
    pub(super) fn stands(&self, standing: Standing) {
        *lock(&self.standing) = Some(standing);
    }

    /// Says it as long as no reply has.
    pub(super) fn stands_at_first(&self, standing: impl FnOnce() -> Standing) {
        lock(&self.standing).get_or_insert_with(standing);
    }

    /// A switch was turned: what the last reply said does not hold any more.
    pub(super) fn forget_standing(&self) {
        *lock(&self.standing) = None;
    }
}

/// A thread that tells people how far it is.
fn start(code: Arc<Code>, watch: bool, host: HostHandle, standing: Arc<Mutex<Option<Standing>>>) -> Worker {
    let told = Mutex::new(None::<Instant>);
    Worker::start(code, watch, move |code, progress, over| {
        let due = |told: &Option<Instant>| told.is_none_or(|told| told.elapsed() >= PACE);
        {
            let mut told = lock(&told);
            if !over && !due(&told) {
                return;
            }
            *told = Some(Instant::now());
        }
        // Without it people would be told that nothing is switched off.
        let Some(standing) = lock(&standing).clone() else { return };
        let view = code.view();
        let index = code.index(&view);
        let problems = code.problems(&view).into_iter().map(|trouble| trouble.message).collect();
        let standing = Standing { problems, ..standing };
        let (text, detail) = status(&index, &standing);
        let (done, total) = progress.now();
        let detail = if over { detail } else { format!("{detail}\n{done} of {total} in this run") };
        host.notify(&Notify::Status { status: Status { text, detail: Some(detail) } });
    })
}
