//! Goes through the folders, with several threads.

use std::{
    collections::VecDeque,
    fs::{self, DirEntry},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    Entry, Stat, WalkSettings, glob,
    scope::{Names, Next, Scope},
};
use crate::finding::{Findings, Problem};

/// A folder that is still to be read.
struct Folder {
    path: PathBuf,
    scope: Scope,
}

/// What the threads share.
struct Queue<'a> {
    settings: &'a WalkSettings,
    folders: Mutex<Waiting>,
    woken: Condvar,
    files: AtomicUsize,
    /// What comparing names with patterns has taken, and may.
    steps: AtomicU64,
    most_steps: u64,
    full: AtomicBool,
    /// Says whether time is over, and whether it said so.
    stop: Stop<'a>,
    stopped: AtomicBool,
    /// Whether folders are read one level after the other and sorted, so that what does not fit is always the same.
    ordered: bool,
}

/// When a walk ends before its time, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Stop<'a> {
    pub(super) turn: u64,
    pub(super) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Stop<'_> {
    /// Brings another folder to the end, which is gone through first: turns that follow each other begin far apart.
    fn shuffle(self, below: &mut [Folder]) {
        // The golden ratio's fraction: its multiples lie evenly between 0 and 1, however many there are.
        let fraction = self.turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let first = (fraction * below.len() as u64) >> 32;
        below.rotate_left(first as usize);
    }
}

#[derive(Default)]
struct Waiting {
    folders: VecDeque<Folder>,
    /// How many are waiting or being read.
    open: usize,
    /// How many threads have nothing to do.
    idle: usize,
}

/// What a thread has found.
#[derive(Default)]
struct Found {
    files: Vec<Entry>,
    findings: Findings,
}

/// Comparing names with patterns may take this many steps: some ten seconds. A repository of 200,000 files with two
/// hundred patterns takes a tenth of it; what takes more was made to.
const MOST_STEPS: u64 = 10_000_000_000;

/// Gives all files below a folder, sorted by path.
pub(super) fn files(
    root: &Path,
    scope: &Scope,
    settings: &WalkSettings,
    turn: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Vec<Entry>, Findings) {
    files_within(root, scope, settings, MOST_STEPS, Stop { turn, stop })
}

/// As [`files`], with so many steps.
pub(super) fn files_within(
    root: &Path,
    scope: &Scope,
    settings: &WalkSettings,
    most_steps: u64,
    stop: Stop<'_>,
) -> (Vec<Entry>, Findings) {
    let mut queue = Queue::new(root, scope, settings, most_steps, stop, false);
    let mut found = queue.run(settings.threads.clamp(1, 16));
    if queue.is_full() && !queue.was_stopped() {
        // Threads that race would keep another part of the files each time, and every look would see changes.
        queue = Queue::new(root, scope, settings, most_steps, stop, true);
        found = queue.run(1);
        if queue.steps.load(Ordering::Relaxed) > most_steps {
            found.findings.add(Problem::Rules, "", "comparing names with the ignore rules takes too long");
        } else {
            let detail = format!("more than {} files; the deepest are left out", settings.most_files);
            found.findings.add(Problem::TooMany, "", detail);
        }
    }
    if queue.was_stopped() {
        found.findings.add(Problem::Unfinished, "", "not all folders were listed");
    }
    found.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    (found.files, found.findings)
}

impl<'a> Queue<'a> {
    fn new(
        root: &Path,
        scope: &Scope,
        settings: &'a WalkSettings,
        most_steps: u64,
        stop: Stop<'a>,
        ordered: bool,
    ) -> Self {
        let first = Folder { path: root.to_owned(), scope: scope.clone() };
        Self {
            settings,
            folders: Mutex::new(Waiting { folders: VecDeque::from([first]), open: 1, idle: 0 }),
            woken: Condvar::new(),
            files: AtomicUsize::new(0),
            steps: AtomicU64::new(0),
            most_steps,
            full: AtomicBool::new(false),
            stop,
            stopped: AtomicBool::new(false),
            ordered,
        }
    }

    fn run(&self, threads: usize) -> Found {
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| self.work())).collect();
            let mut all = self.work();
            for other in others {
                let found = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                all.files.extend(found.files);
                all.findings.extend(found.findings);
            }
            all
        })
    }

    fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    fn was_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Ends the walk when time is over.
    fn heed(&self) {
        if (self.stop.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
            self.end();
        }
    }

    /// Ends the walk: it has found or done as much as it may.
    fn end(&self) {
        self.full.store(true, Ordering::Relaxed);
        self.woken.notify_all();
    }

    fn work(&self) -> Found {
        let mut found = Found::default();
        let mut next = self.take();
        while let Some(folder) = next {
            let below = self.list(&folder, &mut found);
            next = self.give(below).or_else(|| self.take());
        }
        found
    }

    /// Waits for a folder; `None` when all are done.
    fn take(&self) -> Option<Folder> {
        let mut waiting = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if waiting.open == 0 || self.is_full() {
                self.woken.notify_all();
                return None;
            }
            if let Some(folder) = self.next(&mut waiting) {
                return Some(folder);
            }
            waiting.idle += 1;
            waiting = self.woken.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            waiting.idle -= 1;
        }
    }

    /// Counts one folder as done and those below it as waiting; gives the next one when there is one.
    fn give(&self, below: Vec<Folder>) -> Option<Folder> {
        let mut waiting = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.open = waiting.open + below.len() - 1;
        waiting.folders.extend(below);
        let next = if self.is_full() { None } else { self.next(&mut waiting) };
        // Waking costs more than reading a small folder, so only those are woken who will find something.
        if waiting.idle > 0 && (!waiting.folders.is_empty() || waiting.open == 0) {
            self.woken.notify_all();
        }
        next
    }

    fn next(&self, waiting: &mut Waiting) -> Option<Folder> {
        // The newest first keeps the queue short.
        if self.ordered { waiting.folders.pop_front() } else { waiting.folders.pop_back() }
    }

    fn list(&self, folder: &Folder, found: &mut Found) -> Vec<Folder> {
        self.heed();
        if self.is_full() {
            return Vec::new();
        }
        let entries = match self.entries(&folder.path, &mut found.findings) {
            Ok(entries) => entries,
            Err(error) => {
                // A folder that went away meanwhile is no problem, it is a change.
                if error.kind() != io::ErrorKind::NotFound {
                    found.findings.add(Problem::Folder, folder.scope.shown(""), error.to_string());
                }
                return Vec::new();
            }
        };
        let names = Names::of(&entries);
        let Some(scope) = folder.scope.entered(&folder.path, &names, self.settings, &mut found.findings)
        else {
            return Vec::new();
        };
        let mut below = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            // One folder may hold all files there are.
            if number % 256 == 255 {
                self.heed();
            }
            below.extend(self.meet(entry, folder, &scope, found));
            let steps = glob::steps();
            if self.steps.fetch_add(steps, Ordering::Relaxed) + steps > self.most_steps {
                self.end();
            }
            if self.is_full() {
                break;
            }
        }
        if !self.ordered {
            self.stop.shuffle(&mut below);
        }
        below
    }

    fn entries(&self, path: &Path, findings: &mut Findings) -> io::Result<Vec<DirEntry>> {
        // A folder of millions of names must not fill the memory.
        let most = self.settings.most_files.saturating_mul(2).saturating_add(64);
        let mut entries: Vec<_> = fs::read_dir(path)?.take(most).collect::<Result<_, _>>()?;
        if entries.len() == most {
            findings.add(
                Problem::TooMany,
                path.to_string_lossy(),
                format!("more than {most} names in a folder"),
            );
        }
        if self.ordered {
            entries.sort_unstable_by_key(DirEntry::file_name);
        }
        Ok(entries)
    }

    fn meet(&self, entry: &DirEntry, folder: &Folder, scope: &Scope, found: &mut Found) -> Option<Folder> {
        let kind = entry.file_type().ok()?;
        if !kind.is_dir() && !kind.is_file() {
            return None;
        }
        let name = entry.file_name();
        let next = scope.next(name.as_bytes(), kind.is_dir(), &mut found.findings)?;
        let Some(name) = name.to_str() else {
            let place = scope.shown(&name.to_string_lossy());
            found.findings.add(Problem::Name, place, "the name is not UTF-8");
            return None;
        };
        match next {
            Next::Folder(scope) => Some(Folder { path: folder.path.join(name), scope }),
            Next::File => {
                self.keep(scope.shown(name), entry, found);
                None
            }
        }
    }

    fn keep(&self, path: String, entry: &DirEntry, found: &mut Found) {
        // Gone since it was listed: as if it had never been.
        let Ok(stat) = entry.metadata() else { return };
        if !stat.is_file() || self.is_full() {
            return;
        }
        if self.files.fetch_add(1, Ordering::Relaxed) >= self.settings.most_files {
            return self.end();
        }
        found.files.push(Entry { path, stat: Stat::of(&stat) });
    }
}
