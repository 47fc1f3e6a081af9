//! Processes of agents: each belongs to a test's place, and none may outlive its test.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::harness::Place;

/// How long what an agent started may take to end after the agent has.
const AFTERWARDS: Duration = Duration::from_secs(10);

/// A command of an agent, which finds this place's settings and nothing else of the machine's.
pub(crate) fn command(place: &Place, program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(place.path("work"))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        // Neither the agents nor what they start write anywhere else.
        .env("TMPDIR", place.path("cache"))
        .env("HOME", place.path("home"))
        .env("XDG_CONFIG_HOME", place.path("config"))
        .env("XDG_DATA_HOME", place.path("data"))
        .env("XDG_STATE_HOME", place.path("state"))
        .env("XDG_CACHE_HOME", place.path("cache"))
        .env("XDG_RUNTIME_DIR", place.path("run"))
        .env("CTXHOST_PROVIDER_PATH", place.path("providers"));
    command
}

/// The program under the name that users have it by.
pub(crate) fn ctxhost(place: &Place) -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_ctxhost-under-test"));
    let program = place.path("bin/ctxhost");
    fs::create_dir_all(place.path("bin")).expect("a folder");
    if !program.exists() && fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).expect("the program can be copied");
    }
    program
}

/// Holds, when it goes out of scope, that every process of a place has ended; it ends what has not.
///
/// A process is known by the home folder in its environment, which none of the agents takes from what it starts; a
/// process group would miss what starts a session of its own.
pub(crate) struct NothingLeft {
    home: PathBuf,
}

impl NothingLeft {
    /// Watches over a place.
    pub(crate) fn of(place: &Place) -> Self {
        Self { home: place.path("home") }
    }

    /// The processes that are there now, with their command lines.
    pub(crate) fn processes(&self) -> BTreeMap<i32, String> {
        let entry = format!("HOME={}", self.home.display());
        let mut found = BTreeMap::new();
        for process in fs::read_dir("/proc").expect("processes").flatten() {
            let id = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
            // One that has just ended cannot be read.
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if let Some(id) =
                id.filter(|_| environment.split(|byte| *byte == 0).any(|one| one == entry.as_bytes()))
            {
                let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
                found.insert(id, String::from_utf8_lossy(&line).replace('\0', " "));
            }
        }
        found
    }

    /// Those whose command line has this in it.
    pub(crate) fn with(&self, part: &str) -> Vec<i32> {
        self.processes().into_iter().filter(|(_, line)| line.contains(part)).map(|(id, _)| id).collect()
    }

    fn wait(&self) -> BTreeMap<i32, String> {
        let deadline = Instant::now() + AFTERWARDS;
        loop {
            let left = self.processes();
            if left.is_empty() || Instant::now() >= deadline {
                return left;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for NothingLeft {
    fn drop(&mut self) {
        // A test that has failed did not get to ending its agent, and has said enough.
        let left = if thread::panicking() { self.processes() } else { self.wait() };
        for id in left.keys() {
            end(*id);
        }
        assert!(left.is_empty() || thread::panicking(), "the agent is gone, and these are left: {left:#?}");
    }
}

/// Ends a process of a test at once.
pub(crate) fn end(id: i32) {
    if let Some(process) = Pid::from_raw(id) {
        // It may have ended by itself.
        let _ = kill_process(process, Signal::KILL);
    }
}

#[test]
fn what_is_left_is_found() {
    let place = Place::new();
    let left = NothingLeft::of(&place);
    assert_eq!(left.processes(), BTreeMap::new());
    let mut child =
        command(&place, Path::new("sh")).args(["-c", "sleep 600 & wait"]).spawn().expect("a shell");
    let deadline = Instant::now() + AFTERWARDS;
    while left.with("sleep 600").len() < 2 {
        assert!(Instant::now() < deadline, "{:?}", left.processes());
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("the shell is ours");
    child.wait().expect("a killed shell ends");
    let orphans = left.with("sleep 600");
    assert_eq!(orphans.len(), 1, "{:?}", left.processes());
    end(orphans[0]);
}
