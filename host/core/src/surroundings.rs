//! Time, environment and home folder, handed in once and never read in the middle.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

/// A clock with two hands: one that only goes forward, and the calendar's.
pub trait Clock: Send + Sync {
    /// Nanoseconds since some moment; never goes back.
    fn now_ns(&self) -> u64;
    /// Unix seconds, with a fraction.
    fn unix_now(&self) -> f64;
}

/// The machine's clock, with its calendar fixed where the user asked for it.
pub struct SystemClock {
    start: Instant,
    fixed: Option<f64>,
}

impl SystemClock {
    /// The machine's clock; `fixed` is a moment in unix seconds for reproducible runs.
    pub fn new(fixed: Option<f64>) -> Self {
        Self { start: Instant::now(), fixed }
    }
}

impl Clock for SystemClock {
    fn now_ns(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX - 1)
    }

    fn unix_now(&self) -> f64 {
        self.fixed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
        })
    }
}

/// Everything about the process that the host may look at.
#[derive(Clone)]
pub struct Surroundings {
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The running program.
    pub exe: Option<PathBuf>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Surroundings {
    // The environment may hold secrets, so it is not written out.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Surroundings")
            .field("home", &self.home)
            .field("exe", &self.exe)
            .finish_non_exhaustive()
    }
}

impl Surroundings {
    /// Nothing at all: no environment, no home, no program; the machine's clock.
    pub fn empty() -> Self {
        Self { env: BTreeMap::new(), home: None, exe: None, clock: Arc::new(SystemClock::new(None)) }
    }

    /// The surroundings of this process; for `main`, which hands them in.
    pub fn of_process(fixed_now: Option<f64>) -> Self {
        let env: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let home = env.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        Self { env, home, exe: std::env::current_exe().ok(), clock: Arc::new(SystemClock::new(fixed_now)) }
    }

    /// An environment variable that is set and not empty.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.env.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The user's configuration folder for ctxhost.
    pub fn config_dir(&self) -> Option<PathBuf> {
        self.xdg("XDG_CONFIG_HOME", ".config")
    }

    /// The user's folder of installed providers' data.
    pub fn data_dir(&self) -> Option<PathBuf> {
        self.xdg("XDG_DATA_HOME", ".local/share")
    }

    /// The folder for what must be kept.
    pub fn state_dir(&self) -> Option<PathBuf> {
        self.xdg("XDG_STATE_HOME", ".local/state")
    }

    /// The folder for what can be made again.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        self.xdg("XDG_CACHE_HOME", ".cache")
    }

    /// A base folder of the XDG rules, which ignore a relative path, with our name behind it.
    fn xdg(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let base = self.var(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        Some(base.or_else(|| self.home.as_deref().map(|home| home.join(below_home)))?.join("ctxhost"))
    }

    /// A path as the user wrote it, with a leading `~` put in place.
    pub fn expand(&self, path: &str) -> PathBuf {
        match (path.strip_prefix('~'), &self.home) {
            (Some(""), Some(home)) => home.clone(),
            (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
            _ => Path::new(path).to_path_buf(),
        }
    }
}
