//! Bringing the index up to the files.

use std::{
    fs::File,
    path::Path,
    sync::{Arc, TryLockError},
};

use super::{
    Project, View,
    gate::Shared,
    pace::Pace,
    place::{self, Lock},
};
use crate::{
    finding::{Findings, Problem},
    index::{Document, IndexError, Reader, Writer},
    symbols::BYTES_CAP,
};

const LOCK: &str = "index.lock";

/// Text is made visible in batches: small ones at first, so that a new index serves soon, then larger ones, since each is
/// a segment that has to be merged. A process that dies loses one.
const FIRST_BATCH: u64 = 256 << 10;
const LAST_BATCH: u64 = 16 << 20;

/// No more of a file is ever read.
const LARGEST_TEXT: u64 = BYTES_CAP as u64;

/// How an update ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All files of the last look are indexed, but for those that changed since or could not be read.
    Complete,
    /// It was stopped; what was done is kept.
    Stopped,
    /// Somebody else is indexing this project; what they have is there to be read.
    Elsewhere,
}

/// What an update did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Updated {
    /// How it ended.
    pub outcome: Outcome,
    /// How many files were indexed.
    pub done: usize,
    /// What went wrong.
    pub findings: Findings,
}

impl Project {
    /// Parses and counts the files of the last look that the index does not have in their present state, and removes what
    /// is gone. `stop` is asked between files, `progress` is told how many of how many are done.
    pub fn update(
        &self,
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Updated {
        self.index(pace, false, stop, progress)
    }

    /// As [`Project::update`], but makes the index anew.
    pub fn rebuild(
        &self,
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Updated {
        self.index(pace, true, stop, progress)
    }

    fn index(
        &self,
        pace: Pace,
        anew: bool,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Updated {
        let mut findings = Findings::default();
        if !anew && self.view_with(&mut findings).is_complete() {
            return Updated { outcome: Outcome::Complete, done: 0, findings };
        }
        let mut kept = match self.writing.try_lock() {
            Ok(kept) => kept,
            Err(TryLockError::WouldBlock) => return Updated::elsewhere(findings),
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        };
        let Some(lock) = self.index_lock(&mut findings) else { return Updated::elsewhere(findings) };
        self.gate.open(lock.is_some());
        let mut writer = self.writer(kept.take(), &mut findings);
        if anew {
            writer.clear();
        }
        let mut batch = Batch { project: self, writer, findings, text: 0, most: FIRST_BATCH, broken: false };
        let (outcome, done) = batch.run(pace, stop, progress);
        if let (Outcome::Complete, Some(lock), Some(place)) = (outcome, &lock, &self.place) {
            place.sweep(self.version(), lock);
        }
        let on_disk = self.index_folder().is_some_and(|folder| folder.is_dir());
        let generation = on_disk.then(|| self.state().reader.generation());
        *kept = Some(Kept { writer: batch.writer, generation });
        self.gate.open(false);
        Updated { outcome, done, findings: batch.findings }
    }

    /// Takes the lock: `None` when somebody else has it, `Some(None)` when there is none to be had and everything stays
    /// in memory.
    fn index_lock(&self, findings: &mut Findings) -> Option<Option<File>> {
        let (Some(place), Some(folder)) = (self.place(findings), self.index_folder()) else {
            return Some(None);
        };
        if let Err(error) = place::create(&folder) {
            findings.add(Problem::Cache, "index", error.to_string());
            return Some(None);
        }
        match place.try_lock(LOCK) {
            Lock::Held(file) => Some(Some(file)),
            Lock::Busy => None,
            Lock::Failed(error) => {
                findings.add(Problem::Lock, "index", error.to_string());
                Some(None)
            }
        }
    }

    /// Gives the writer from the last time when nobody has written since, or opens one.
    fn writer(&self, kept: Option<Kept>, findings: &mut Findings) -> Writer {
        let folder = self.index_folder().filter(|folder| folder.is_dir());
        if let Some(kept) = kept
            && kept.generation == folder.as_deref().and_then(|folder| self.generation(folder))
        {
            return kept.writer;
        }
        let Some(folder) = folder else { return Writer::in_memory(self.version()) };
        let (writer, problem) =
            Writer::open_on(Box::new(Shared(Arc::clone(&self.gate))), &folder, self.version());
        if let Some(problem) = problem {
            findings.add(Problem::Broken, "index", problem.to_string());
        }
        writer
    }

    /// Gives the generation of the index on the disk.
    fn generation(&self, folder: &Path) -> Option<u64> {
        let reader = self.state().reader.clone();
        let opened = if reader.generation() == 0 {
            Reader::open(folder, self.version())
        } else {
            reader.refreshed(folder)
        };
        opened.ok().map(|reader| reader.generation())
    }
}

impl Updated {
    fn elsewhere(findings: Findings) -> Self {
        Self { outcome: Outcome::Elsewhere, done: 0, findings }
    }
}

/// A writer that is kept for the next update.
pub(super) struct Kept {
    writer: Writer,
    /// The generation that it wrote last; `None` when it has no folder.
    generation: Option<u64>,
}

/// An update under way.
struct Batch<'a> {
    project: &'a Project,
    writer: Writer,
    findings: Findings,
    /// How many bytes of text wait to be made visible, and how many may.
    text: u64,
    most: u64,
    /// Whether what was there could not be read back, so that it has to be made anew.
    broken: bool,
}

impl Batch<'_> {
    fn run(
        &mut self,
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> (Outcome, usize) {
        let view = View::new(self.project.snapshot(), self.writer.reader());
        self.writer.remove(view.stale_paths().iter().map(String::as_str));
        let tasks = view.tasks();
        let (mut seen, mut done) = (0, 0);
        self.project.parse(&tasks, pace, stop, &mut |parsed| {
            seen += 1;
            if let Some(document) = parsed.document(&mut self.findings) {
                self.add(document);
                done += 1;
            }
            progress(seen, tasks.len());
        });
        self.commit();
        let complete = seen == tasks.len() && !self.broken;
        (if complete { Outcome::Complete } else { Outcome::Stopped }, done)
    }

    fn add(&mut self, document: Document) {
        self.text += document.bytes.min(LARGEST_TEXT);
        let added = self.writer.add([document]);
        self.note(added);
        if self.text >= self.most {
            self.commit();
            self.most = LAST_BATCH.min(2 * self.most);
        }
    }

    fn commit(&mut self) {
        self.text = 0;
        let committed = self.writer.commit();
        self.note(committed);
        let gate = &self.project.gate;
        let detached = !gate.is_open() || gate.has_failed();
        self.project.publish(self.writer.reader(), detached);
    }

    fn note(&mut self, result: Result<(), IndexError>) {
        match result {
            Ok(()) => {}
            // Without the lock this is as it should be, and has been said.
            Err(IndexError::Write { .. }) if !self.project.gate.is_open() => {}
            Err(error @ IndexError::Write { .. }) => {
                self.findings.add(Problem::Cache, "index", told(&error));
            }
            Err(error) => {
                self.findings.add(Problem::Broken, "index", told(&error));
                // What was added since is lost too; the next update sees that it is missing.
                self.writer.clear();
                self.broken = true;
            }
        }
    }
}

fn told(error: &IndexError) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
