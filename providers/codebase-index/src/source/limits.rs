//! How much is read, sent and waited for.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ctxhost_code::walk::{Patterns, WalkSettings};

/// What the settings say of reading and sending, with defaults for what they do not say.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Whether files that git does not track and does not ignore are sent too.
    pub(crate) untracked: bool,
    /// Only these files, when there is any pattern.
    pub(crate) include: Patterns,
    /// And only these of them, when there is any pattern: a project's own.
    pub(crate) include_too: Patterns,
    /// Not these files.
    pub(crate) exclude: Patterns,
    /// How to walk; the person's home is in there.
    pub(crate) walk: WalkSettings,
    /// So many repositories of one workspace are synced: 32, since somebody's folder of all checkouts is no workspace.
    pub(crate) most_repos: usize,
    /// When the files are looked at: what was written about then is read again the next time.
    pub(crate) now: SystemTime,
    /// How many threads read and cut files.
    pub(crate) threads: usize,
    /// How many requests are on the way at once.
    pub(crate) concurrency: usize,
    /// About how many bytes one request has.
    pub(crate) batch_bytes: usize,
    /// How long a connection may take to come about.
    pub(crate) connect: Duration,
    /// How long a request may take in all: a first sync of a large repository waits for the backend's disk.
    pub(crate) total: Duration,
    /// How often a request is tried where trying again helps.
    pub(crate) attempts: u32,
    /// The wait before the second try; it doubles each time.
    pub(crate) pause: Duration,
    /// The longest wait, whatever the backend asks for.
    pub(crate) longest_pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            untracked: false,
            include: Patterns::default(),
            include_too: Patterns::default(),
            exclude: Patterns::default(),
            walk: WalkSettings::default(),
            most_repos: 32,
            // Every file is later: all are read each time, until somebody says what time it is.
            now: UNIX_EPOCH,
            threads: thread::available_parallelism().map_or(1, usize::from).min(4),
            concurrency: 4,
            batch_bytes: 1 << 20,
            connect: Duration::from_secs(10),
            total: Duration::from_secs(60),
            attempts: 4,
            pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
        }
    }
}
