//! Goes through the folders, with several threads.

use std::{
    collections::VecDeque,
    fs::{self, DirEntry},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    Entry, Stat, WalkSettings,
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
    folders: Mutex<(VecDeque<Folder>, usize)>,
    woken: Condvar,
    files: AtomicUsize,
    full: AtomicBool,
    /// Whether folders are read one level after the other and sorted, so that what does not fit is always the same.
    ordered: bool,
}

/// What a thread has found.
#[derive(Default)]
struct Found {
    files: Vec<Entry>,
    findings: Findings,
}

/// Gives all files below a folder, sorted by path.
pub(super) fn files(root: &Path, scope: &Scope, settings: &WalkSettings) -> (Vec<Entry>, Findings) {
    let threads = settings.threads.clamp(1, 16);
    let (mut found, full) = run(root, scope.clone(), settings, threads, false);
    if full {
        // Threads that race would keep another part of the files each time, and every look would see changes.
        (found, _) = run(root, scope.clone(), settings, 1, true);
        let detail = format!("more than {} files; the deepest are left out", settings.most_files);
        found.findings.add(Problem::TooMany, "", detail);
    }
    found.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    (found.files, found.findings)
}

fn run(root: &Path, scope: Scope, settings: &WalkSettings, threads: usize, ordered: bool) -> (Found, bool) {
    let first = Folder { path: root.to_owned(), scope };
    let queue = Queue {
        settings,
        folders: Mutex::new((VecDeque::from([first]), 1)),
        woken: Condvar::new(),
        files: AtomicUsize::new(0),
        full: AtomicBool::new(false),
        ordered,
    };
    let mut all = Found::default();
    thread::scope(|threads_of| {
        let others: Vec<_> = (1..threads).map(|_| threads_of.spawn(|| queue.work())).collect();
        all = queue.work();
        for other in others {
            let found = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.files.extend(found.files);
            all.findings.extend(found.findings);
        }
    });
    (all, queue.full.load(Ordering::Relaxed))
}

impl Queue<'_> {
    fn work(&self) -> Found {
        let mut found = Found::default();
        while let Some(folder) = self.take() {
            let below = self.list(&folder, &mut found);
            self.give(below);
        }
        found
    }

    /// Waits for a folder; `None` when all are done.
    fn take(&self) -> Option<Folder> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if folders.1 == 0 || self.full.load(Ordering::Relaxed) {
                self.woken.notify_all();
                return None;
            }
            // The newest first keeps the queue short.
            let next = if self.ordered { folders.0.pop_front() } else { folders.0.pop_back() };
            match next {
                Some(folder) => return Some(folder),
                None => folders = self.woken.wait(folders).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Counts one folder as done and those below it as waiting.
    fn give(&self, below: Vec<Folder>) {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.1 = folders.1 + below.len() - 1;
        folders.0.extend(below);
        drop(folders);
        self.woken.notify_all();
    }

    fn list(&self, folder: &Folder, found: &mut Found) -> Vec<Folder> {
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
        for entry in &entries {
            below.extend(self.meet(entry, folder, &scope, found));
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
        if !stat.is_file() || self.full.load(Ordering::Relaxed) {
            return;
        }
        if self.files.fetch_add(1, Ordering::Relaxed) >= self.settings.most_files {
            self.full.store(true, Ordering::Relaxed);
            self.woken.notify_all();
            return;
        }
        found.files.push(Entry { path, stat: Stat::of(&stat) });
    }
}
