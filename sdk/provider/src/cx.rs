//! What a provider has in its hands: the call it answers, and the host behind it.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock, Weak},
    time::Duration,
};

use ctxhost_abi::{NO_DEADLINE, Status};
use ctxhost_protocol::envelope::{Create, Level, Notify};

use crate::{
    error::{Error, Result},
    export::HostTable,
};

/// The host, for as long as it is there: logging and notifying from any thread.
///
/// A clone may be kept by a thread of the provider's own; once the instance is destroyed, it does nothing.
#[derive(Clone)]
pub struct HostHandle(Arc<RwLock<Option<HostTable>>>);

/// The same handle without keeping it alive.
pub(crate) struct WeakHandle(Weak<RwLock<Option<HostTable>>>);

impl WeakHandle {
    pub(crate) fn upgrade(&self) -> Option<HostHandle> {
        self.0.upgrade().map(HostHandle)
    }
}

impl HostHandle {
    pub(crate) fn new(table: HostTable) -> Self {
        Self(Arc::new(RwLock::new(Some(table))))
    }

    pub(crate) fn downgrade(&self) -> WeakHandle {
        WeakHandle(Arc::downgrade(&self.0))
    }

    /// Waits for callbacks on other threads and lets no later one through.
    pub(crate) fn close(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn with<T>(&self, action: impl FnOnce(&HostTable) -> T) -> Option<T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(action)
    }

    /// Writes a line to the host's log.
    pub fn log(&self, level: Level, text: &str) {
        let level = match level {
            Level::Error => 1,
            Level::Warning => 2,
            Level::Info => 3,
        };
        self.with(|host| host.log(level, text));
    }

    /// Tells the host something that is not an answer.
    pub fn notify(&self, message: &Notify) {
        if let Ok(json) = serde_json::to_vec(message) {
            self.with(|host| host.notify(&json));
        }
    }

    /// The host's clock in nanoseconds; it only goes forward, and stands still once the host is gone.
    pub fn now_ns(&self) -> u64 {
        self.with(HostTable::now_ns).unwrap_or(u64::MAX)
    }

    pub(crate) fn cancelled(&self, call: u64) -> bool {
        self.with(|host| host.cancelled(call)).unwrap_or(true)
    }
}

/// The environment variables that a provider which reads code asks for in its manifest, so that it finds what git and the
/// other providers find: [`Setup::config_dir`] and [`Setup::grammar_dirs`] look at them.
pub const CODE_ENVIRONMENT: [&str; 2] = ["XDG_CONFIG_HOME", "CTXHOST_GRAMMARS"];

/// What a provider is made from.
#[derive(Clone)]
pub struct Setup {
    /// The host, to keep.
    pub host: HostHandle,
    pub(crate) create: Create,
}

impl Setup {
    /// An environment variable that the manifest asked for, if it is set and not empty.
    pub fn env(&self, name: &str) -> Option<&str> {
        self.create.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Where the library was found.
    pub fn install_dir(&self) -> Option<PathBuf> {
        self.create.paths.install.as_ref().map(PathBuf::from)
    }

    /// The provider's own folder for what can be made again; not made in advance.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        self.create.paths.cache.as_ref().map(PathBuf::from)
    }

    /// The provider's own folder for what must be kept; not made in advance.
    pub fn state_dir(&self) -> Option<PathBuf> {
        self.create.paths.state.as_ref().map(PathBuf::from)
    }

    /// The folder of the code cache that all providers share; not made in advance.
    pub fn code_cache_dir(&self) -> Option<PathBuf> {
        self.create.paths.code_cache.as_ref().map(PathBuf::from)
    }

    /// The folders in which grammars for reading code lie, the first place first; for `ctxhost-code`.
    ///
    /// `CTXHOST_GRAMMARS`, where it is an absolute path and the manifest asked for it ([`CODE_ENVIRONMENT`]); then what the
    /// host knows, its own and the user's; then where the library was found.
    pub fn grammar_dirs(&self) -> Vec<PathBuf> {
        let known = self.create.paths.grammars.iter().map(PathBuf::from);
        self.absolute("CTXHOST_GRAMMARS").into_iter().chain(known).chain(self.install_dir()).collect()
    }

    /// The user's home folder.
    pub fn home_dir(&self) -> Option<PathBuf> {
        self.create.paths.home.as_ref().map(PathBuf::from)
    }

    /// The user's folder of settings where it is not `.config` in the home folder: `XDG_CONFIG_HOME`, if it is an absolute
    /// path and the manifest asked for it ([`CODE_ENVIRONMENT`]).
    pub fn config_dir(&self) -> Option<PathBuf> {
        self.absolute("XDG_CONFIG_HOME")
    }

    fn absolute(&self, variable: &str) -> Option<PathBuf> {
        self.env(variable).map(PathBuf::from).filter(|path| path.is_absolute())
    }
}

/// One call: how long it may take, whether it is still wanted, and the host behind it.
pub struct Cx<'a> {
    pub(crate) host: &'a HostHandle,
    pub(crate) call: u64,
    pub(crate) deadline_ns: u64,
    #[cfg(feature = "async")]
    pub(crate) runtime: &'a std::sync::OnceLock<tokio::runtime::Runtime>,
}

impl Cx<'_> {
    /// The host behind this call.
    pub fn host(&self) -> &HostHandle {
        self.host
    }

    /// How long the call may still take; `None` when it has no deadline.
    pub fn remaining(&self) -> Option<Duration> {
        (self.deadline_ns != NO_DEADLINE)
            .then(|| Duration::from_nanos(self.deadline_ns.saturating_sub(self.host.now_ns())))
    }

    /// Stops work that is no longer wanted; call it inside loops and before anything slow.
    ///
    /// # Errors
    /// The deadline has passed, or the host has cancelled the call.
    pub fn check(&self) -> Result<()> {
        // Asked first: the host counts a deadline that has just passed as well, and that is not a cancellation.
        let cancelled = self.host.cancelled(self.call);
        if self.remaining() == Some(Duration::ZERO) {
            return Err(Error::of(Status::Deadline, "the deadline has passed"));
        }
        if cancelled {
            return Err(Error::of(Status::Cancelled, "the host no longer wants the answer"));
        }
        Ok(())
    }

    /// Tells how far this call has come; `total` where it is known.
    pub fn progress(&self, done: u64, total: Option<u64>, text: impl Into<String>) {
        self.host.notify(&Notify::Progress { call: self.call, done, total, text: text.into() });
    }

    /// Runs a future on the provider's own runtime until it is done, the deadline has passed or the call is cancelled.
    ///
    /// The runtime is made at the first call and has one thread, the caller's; a host's runtime cannot cross the
    /// boundary.
    ///
    /// # Errors
    /// The future's own error, the deadline, the cancellation, or a runtime that could not be made.
    #[cfg(feature = "async")]
    pub fn block_on<T>(&self, future: impl Future<Output = Result<T>>) -> Result<T> {
        // Cancellation has no waker across the boundary, so it is looked for this often.
        const LOOK: Duration = Duration::from_millis(5);
        let runtime = match self.runtime.get() {
            Some(runtime) => runtime,
            None => {
                let made = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
                self.runtime.get_or_init(|| made)
            }
        };
        runtime.block_on(async {
            let mut future = std::pin::pin!(future);
            loop {
                self.check()?;
                let wait = self.remaining().map_or(LOOK, |remaining| remaining.min(LOOK));
                if let Ok(done) = tokio::time::timeout(wait, future.as_mut()).await {
                    return done;
                }
            }
        })
    }
}
