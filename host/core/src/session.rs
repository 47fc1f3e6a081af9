//! What a conversation shows, remembered between the processes of one-shot runs.
//!
//! A face that sees the conversation itself reports what is visible; this ledger is for those that do not.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions, TryLockError},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, UNIX_EPOCH},
};

use ctxhost_protocol::envelope::{Finding, Visible};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    compose::Injection,
    files::{make_private_dir, read_regular, write_private},
    finding::{FindingExt, Step},
};

/// A ledger larger than this is not ours, in bytes; one line of a section has some 150.
const LEDGER_CAP: u64 = 4 * 1024 * 1024;

/// How long a run waits for another one of the same session that holds its ledger.
pub const LOCK_WAIT: Duration = Duration::from_secs(2);

/// How long it waits where the other is asked about the same turn, and what it has answered is not to be said again: the
/// longest deadline of a prompt and what comes before it.
pub const TURN_WAIT: Duration = Duration::from_secs(23);

/// How long somebody who waits for the ledger sleeps before looking whether it is still wanted.
const NAP: Duration = Duration::from_millis(5);

/// How many visible sections are remembered, the latest ones; so many lines are less than [`LEDGER_CAP`].
const VISIBLE: usize = 4096;

/// How many kinds of findings are remembered as told; with more of them, all may be told once more.
const TOLD: usize = 1024;

/// A session that nothing was heard of for this long is forgotten, in seconds: 30 days.
const KEEP_SECONDS: f64 = 30.0 * 24.0 * 3600.0;

/// What a conversation shows, and what its user was told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ledger {
    /// The sections that were injected and not superseded.
    pub visible: Vec<Visible>,
    /// The findings that were shown, as provider and code.
    pub told: BTreeSet<(String, String)>,
    /// How many prompts there were.
    pub prompts: u64,
    /// The last turn that was answered, where the agent names its turns: two faces may be asked about one.
    pub turn: Option<String>,
    /// Text for one model call that waits for the next tool event, because the agent takes it only there.
    pub waiting: String,
    /// Whether the agent has said that it is about to compact the conversation, and not yet that it has.
    pub compacting: bool,
}

impl Ledger {
    /// Remembers the injection of a prompt.
    pub fn record(&mut self, injection: &Injection) {
        self.show(injection);
        self.prompts += 1;
    }

    /// Remembers what an injection shows from now on.
    pub fn show(&mut self, injection: &Injection) {
        for placed in &injection.sections {
            self.visible.retain(|shown| !(shown.provider == placed.provider && shown.key == placed.key));
            self.visible.push(Visible {
                provider: placed.provider.clone(),
                key: placed.key.clone(),
                id: placed.id.clone(),
            });
        }
        self.visible.drain(..self.visible.len().saturating_sub(VISIBLE));
    }

    /// Forgets what the conversation showed, because the agent has compacted it.
    pub fn compacted(&mut self) {
        self.visible.clear();
        self.waiting.clear();
        self.compacting = false;
    }

    /// Keeps the findings whose kind was not shown yet, and remembers them as shown.
    ///
    /// A kind is a provider and a code; where no provider is meant, two places are two kinds.
    pub fn first_told(&mut self, findings: Vec<Finding>) -> Vec<Finding> {
        let kind = |finding: &Finding| {
            let whose = finding.provider.as_ref().or(finding.pointer.as_ref());
            // That a late one is not asked again was said with its being late.
            let code = if finding.code == "stuck" { "late" } else { &finding.code };
            (whose.cloned().unwrap_or_default(), code.to_owned())
        };
        // All of this prompt first: one kind may have more than one sentence in it.
        let mut first: Vec<_> =
            findings.into_iter().filter(|finding| !self.told.contains(&kind(finding))).collect();
        let late: Vec<_> =
            first.iter().filter(|finding| finding.code == "late").map(|late| late.provider.clone()).collect();
        first.retain(|finding| finding.code != "stuck" || !late.contains(&finding.provider));
        if self.told.len() + first.len() > TOLD {
            self.told.clear();
        }
        self.told.extend(first.iter().map(kind).take(TOLD));
        first
    }
}

/// A session's ledger, held under a lock until it is saved or let go.
pub struct Held {
    /// The ledger.
    pub ledger: Ledger,
    place: Place,
}

enum Place {
    /// A file, with the lock on it.
    File(PathBuf, File),
    /// The memory of this process, taken.
    Memory(Taken),
    /// Somebody else holds it.
    Busy,
    /// The file cannot be had.
    Nowhere,
}

/// The ledger of a session that has no name, so that no other process can ever ask for it.
#[derive(Default)]
pub struct Memory {
    state: Mutex<InMemory>,
    free: Condvar,
}

#[derive(Default)]
struct InMemory {
    ledger: Ledger,
    taken: bool,
}

/// A ledger in memory that nobody else takes meanwhile.
struct Taken(Arc<Memory>);

impl Memory {
    /// What it says at this moment, without waiting for whoever holds it.
    pub fn snapshot(&self) -> Ledger {
        self.state().ledger.clone()
    }

    /// Takes it as [`open`] takes a file.
    pub fn open(self: &Arc<Self>, patience: Duration, wanted: &dyn Fn() -> bool) -> (Held, Vec<Finding>) {
        let until = Instant::now() + patience;
        let mut state = self.state();
        while state.taken {
            if Instant::now() >= until || !wanted() {
                let held = Held { ledger: state.ledger.clone(), place: Place::Busy };
                return (held, vec![unusable(OTHER_RUN.to_owned())]);
            }
            // A short nap, so that a question that is taken back does not wait on.
            state = self.free.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.taken = true;
        let ledger = state.ledger.clone();
        drop(state);
        (Held { ledger, place: Place::Memory(Taken(Arc::clone(self))) }, Vec::new())
    }

    fn state(&self) -> MutexGuard<'_, InMemory> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.0.state().taken = false;
        self.0.free.notify_all();
    }
}

/// What is said when somebody else holds a ledger for too long.
const OTHER_RUN: &str = "another run of this session does not end";

/// What a session's ledger says at this moment, without waiting for whoever holds it; `None` when there is no file.
pub fn snapshot(state_dir: Option<&Path>, id: &str) -> Option<Ledger> {
    let bytes = read_regular(&file(state_dir?, id), LEDGER_CAP).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The file of a session's ledger.
fn file(state_dir: &Path, id: &str) -> PathBuf {
    // The id is somebody else's text, so it is no file name.
    let hash = Sha256::digest(id.as_bytes());
    let name = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>();
    state_dir.join("sessions").join(format!("{name}.json"))
}

/// Opens a session's ledger; a broken one starts anew with a finding. `now` is in unix seconds.
///
/// Whoever else holds it is waited for as long as it is `wanted`, and no longer than `patience`.
pub fn open(
    state_dir: Option<&Path>,
    id: &str,
    now: f64,
    patience: Duration,
    wanted: &dyn Fn() -> bool,
) -> (Held, Vec<Finding>) {
    let mut findings = Vec::new();
    let Some(state_dir) = state_dir else {
        findings
            .push(unusable("there is no state folder: neither XDG_STATE_HOME nor HOME is set".to_owned()));
        return (Held { ledger: Ledger::default(), place: Place::Nowhere }, findings);
    };
    let folder = state_dir.join("sessions");
    let file = file(state_dir, id);
    let lock = make_private_dir(&folder).and_then(|()| lock(&file.with_extension("lock"), patience, wanted));
    let place = match lock {
        Ok(lock) => Place::File(file.clone(), lock),
        Err(error) => {
            findings.push(unusable(error.to_string()));
            if error.kind() == io::ErrorKind::TimedOut { Place::Busy } else { Place::Nowhere }
        }
    };
    let ledger = match read_regular(&file, LEDGER_CAP) {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_else(|error| {
            findings.push(unusable(format!("{}: {error}; the session starts anew", file.display())));
            Ledger::default()
        }),
        Err(error) if error.is_absent() => {
            forget_old(&folder, now);
            Ledger::default()
        }
        Err(error) => {
            findings.push(unusable(error.to_string()));
            Ledger::default()
        }
    };
    (Held { ledger, place }, findings)
}

impl Held {
    /// Whether what is written into it will be remembered.
    pub fn is_ours(&self) -> bool {
        matches!(self.place, Place::File(..) | Place::Memory(_))
    }

    /// Whether nobody at all can remember it.
    pub fn has_no_place(&self) -> bool {
        matches!(self.place, Place::Nowhere)
    }

    /// Writes the ledger and lets go of the lock.
    pub fn save(self) -> Vec<Finding> {
        match self.place {
            Place::File(file, _lock) => {
                let written = serde_json::to_vec(&self.ledger)
                    .map_err(io::Error::other)
                    .and_then(|bytes| write_private(&file, &bytes));
                let refused = |error| unusable(format!("{}: {error}", file.display()));
                written.err().map(refused).into_iter().collect()
            }
            Place::Memory(taken) => {
                taken.0.state().ledger = self.ledger;
                Vec::new()
            }
            // Without the lock somebody else is writing; what they remember must not be overwritten.
            Place::Busy | Place::Nowhere => Vec::new(),
        }
    }
}

fn unusable(why: String) -> Finding {
    Step::Session
        .warning("session-state", format!("what this session shows is not remembered: {why}"))
        .hint("sections may repeat; check the folder and the disk")
}

fn lock(path: &Path, patience: Duration, wanted: &dyn Fn() -> bool) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .custom_flags(flags)
        .open(path)?;
    let until = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= until || !wanted() => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, OTHER_RUN));
            }
            Err(TryLockError::WouldBlock) => thread::sleep(NAP),
        }
    }
}

/// Removes what nobody has touched for long; once a new session, so that the folder does not grow for ever.
fn forget_old(folder: &Path, now: f64) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for ledger in entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "json"))
    {
        let touched = fs::metadata(&ledger).and_then(|metadata| metadata.modified()).ok();
        let touched = touched.and_then(|when| when.duration_since(UNIX_EPOCH).ok());
        if touched.is_some_and(|touched| now - touched.as_secs_f64() > KEEP_SECONDS) {
            // Somebody else may have removed them already.
            let _ = fs::remove_file(&ledger).and_then(|()| fs::remove_file(ledger.with_extension("lock")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: f64 = 1_700_000_000.0;

    fn shown(key: &str, id: &str) -> crate::compose::Placed {
        let contribution = crate::validate::Contribution::of("p", Vec::new());
        crate::compose::Placed {
            provider: contribution.provider().to_owned(),
            key: key.to_owned(),
            title: String::new(),
            placement: Default::default(),
            trust: Default::default(),
            tokens: 1,
            body: String::new(),
            id: id.to_owned(),
            supersedes: None,
            variant: (0, 1),
            person: None,
        }
    }

    #[test]
    fn a_ledger_survives_the_process_and_a_compaction_empties_it() {
        let folder = tempfile::tempdir().unwrap();
        let (mut held, findings) = open(Some(folder.path()), "../../a session", NOW, LOCK_WAIT, &|| true);
        assert_eq!(findings, []);
        held.ledger
            .record(&Injection { sections: vec![shown("a", "1"), shown("b", "2")], ..Injection::default() });
        held.ledger.record(&Injection { sections: vec![shown("a", "3")], ..Injection::default() });
        assert_eq!(held.save(), []);
        let (mut held, _) = open(Some(folder.path()), "../../a session", NOW, LOCK_WAIT, &|| true);
        let ids: Vec<_> = held.ledger.visible.iter().map(|visible| visible.id.as_str()).collect();
        assert_eq!((ids, held.ledger.prompts), (vec!["2", "3"], 2));
        held.ledger.compacted();
        assert!(held.ledger.visible.is_empty());
        let files = fs::read_dir(folder.path().join("sessions")).unwrap().count();
        assert_eq!(files, 2, "a session is one file and its lock");
    }

    #[test]
    fn a_session_of_long_ago_is_forgotten_when_a_new_one_starts() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(open(Some(folder.path()), "old", NOW, LOCK_WAIT, &|| true).0.save(), []);
        let touched = fs::metadata(file(folder.path(), "old")).unwrap().modified().unwrap();
        let touched = touched.duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        let left = |now| {
            assert_eq!(
                open(Some(folder.path()), &format!("new at {now}"), now, LOCK_WAIT, &|| true).0.save(),
                []
            );
            file(folder.path(), "old").exists()
        };
        assert!(left(touched + KEEP_SECONDS - 60.0));
        assert!(!left(touched + KEEP_SECONDS + 60.0));
    }

    #[test]
    fn a_finding_is_told_once() {
        let mut ledger = Ledger::default();
        let finding = |code: &str| Step::Ask.error(code, "x").about("p");
        assert_eq!(
            ledger.first_told(vec![finding("a"), finding("a"), finding("b")]).len(),
            3,
            "of one prompt"
        );
        assert_eq!(ledger.first_told(vec![finding("a"), finding("c")]).len(), 1);
        assert_eq!(ledger.first_told(vec![finding("late")]).len(), 1);
        assert_eq!(ledger.first_told(vec![finding("stuck")]), [], "one matter with two names");
        let both = vec![finding("stuck"), finding("late")];
        assert_eq!(Ledger::default().first_told(both), [finding("late")], "also at one time");
        let file = |name: &str| Step::Discover.error("library-damaged", "x").at(name);
        assert_eq!(ledger.first_told(vec![file("one.so")]).len(), 1);
        assert_eq!(
            ledger.first_told(vec![file("one.so"), file("two.so")]).len(),
            1,
            "another file is another matter"
        );
    }

    #[test]
    fn what_is_remembered_is_bounded_and_stays_readable() {
        let folder = tempfile::tempdir().unwrap();
        let (mut held, _) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        let long = "k".repeat(190);
        for number in 0..VISIBLE + 10 {
            let sections = vec![shown(&format!("{long}{number}"), "0123456789ab")];
            held.ledger.show(&Injection { sections, ..Injection::default() });
        }
        for number in 0..3 * TOLD {
            let told = Step::Ask.error(&format!("kind-{number}"), "x").about("p");
            assert_eq!(held.ledger.first_told(vec![told]).len(), 1);
        }
        assert_eq!((held.ledger.visible.len(), held.ledger.told.len() <= TOLD), (VISIBLE, true));
        assert_eq!(held.ledger.visible[0].key, format!("{long}10"), "the oldest are forgotten");
        let ledger = held.ledger.clone();
        assert_eq!(held.save(), []);
        assert_eq!(open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true).0.ledger, ledger);
    }

    #[test]
    fn a_ledger_that_is_held_is_waited_for_only_while_it_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let memory = Arc::new(Memory::default());
        let begun = Instant::now();
        let (file, _) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        let (taken, _) = memory.open(LOCK_WAIT, &|| true);
        for (mut held, findings) in
            [open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| false), memory.open(LOCK_WAIT, &|| false)]
        {
            held.ledger.prompts = 9;
            assert_eq!((findings.len(), held.save()), (1, vec![]));
        }
        assert!(begun.elapsed() < LOCK_WAIT);
        drop((file, taken));
        let (file, findings) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        assert_eq!((file.ledger.prompts, findings), (0, vec![]), "what could not be held was not written");
        let (taken, findings) = memory.open(LOCK_WAIT, &|| true);
        assert_eq!((taken.ledger.prompts, findings), (0, vec![]));
    }

    #[test]
    fn a_broken_ledger_starts_anew_with_one_finding() {
        let folder = tempfile::tempdir().unwrap();
        let (held, _) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        fs::write(file(folder.path(), "x"), "{broken").unwrap();
        drop(held);
        let (held, findings) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        assert_eq!((held.ledger, findings.len()), (Ledger::default(), 1));
    }

    #[test]
    fn two_at_once_wait_for_each_other() {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        let (mut held, findings) = open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true);
                        assert_eq!(findings, []);
                        held.ledger.prompts += 1;
                        assert_eq!(held.save(), []);
                    }
                });
            }
        });
        assert_eq!(open(Some(folder.path()), "x", NOW, LOCK_WAIT, &|| true).0.ledger.prompts, 40);
    }

    #[test]
    fn without_a_place_the_session_goes_on() {
        let (held, findings) = open(None, "x", NOW, LOCK_WAIT, &|| true);
        assert_eq!(findings.len(), 1);
        assert_eq!(held.save(), []);
        let no_folder = tempfile::NamedTempFile::new().unwrap();
        let (held, findings) = open(Some(no_folder.path()), "x", NOW, LOCK_WAIT, &|| true);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(held.save(), []);
    }
}
