//! What a process has around it: environment and calendar, handed in once.

use std::{ffi::OsString, path::PathBuf, sync::Arc};

/// Says the time, in seconds since 1970.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Says what a variable of the environment holds.
pub type Environment = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Environment and calendar.
#[derive(Clone)]
pub struct Surroundings {
    /// The environment.
    pub variable: Environment,
    /// The calendar.
    pub clock: Clock,
}

impl Surroundings {
    /// Where data of this user lie: `$XDG_DATA_HOME`.
    #[must_use]
    pub fn data_home(&self) -> Option<PathBuf> {
        self.folder("XDG_DATA_HOME", ".local/share")
    }

    /// Where what programs remember lies: `$XDG_STATE_HOME`.
    #[must_use]
    pub fn state_home(&self) -> Option<PathBuf> {
        self.folder("XDG_STATE_HOME", ".local/state")
    }

    /// By the rules of XDG, a relative path there is as if it were not set.
    fn folder(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        let absolute =
            |name: &str| (self.variable)(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(below_home)))
    }
}
