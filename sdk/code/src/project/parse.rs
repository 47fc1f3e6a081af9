//! From a file to a document, on several threads.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

use super::{
    Project, View,
    pace::Pace,
    text::{self, Text},
};
use crate::{
    finding::{Findings, Problem},
    index::{Document, count},
    snapshot::{Disk, FileState, Snapshot},
    symbols::{Extracted, Extractor, Partial},
};

/// What came of a file.
pub(super) enum Parsed {
    Document(Box<Document>),
    /// It has changed since the look, or is gone; the next look sees it.
    Changed,
    /// It could not be read: path and reason.
    Failed(String, String),
}

/// A file that is to be read.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) path: &'a str,
    pub(super) state: &'a FileState,
    /// Whether the system's word does not tell that it still is in that state ([`Snapshot::is_recent`]).
    pub(super) recent: bool,
}

impl<'a> Task<'a> {
    pub(super) fn of(snapshot: &Snapshot, path: &'a str, state: &'a FileState) -> Self {
        Self { path, state, recent: snapshot.is_recent(state) }
    }
}

impl Project {
    /// Parses some files of a view now, such as the best candidates of a [`Project::scan`]; those that have changed since
    /// or cannot be read are left out, and so is what is left when `stop` says so.
    pub fn documents(&self, view: &View, paths: &[&str], stop: &(dyn Fn() -> bool + Sync)) -> Vec<Document> {
        let snapshot = &view.snapshot;
        let tasks: Vec<_> =
            paths.iter().filter_map(|path| Some(Task::of(snapshot, path, snapshot.get(path)?))).collect();
        self.collect(&tasks, stop)
    }

    /// Parses files in states that the caller has just looked at, whatever the last [`Project::sync`] knew of them; those
    /// that have changed since or cannot be read are left out.
    pub fn documents_of(
        &self,
        files: &[(&str, FileState)],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Vec<Document> {
        // They were looked at a moment ago, so that only their text tells whether they still are in that state.
        let tasks: Vec<_> = files.iter().map(|(path, state)| Task { path, state, recent: true }).collect();
        self.collect(&tasks, stop)
    }

    fn collect(&self, tasks: &[Task<'_>], stop: &(dyn Fn() -> bool + Sync)) -> Vec<Document> {
        let mut documents = Vec::new();
        self.parse(tasks, Pace::Now, stop, &mut |parsed| {
            if let Parsed::Document(document) = parsed {
                documents.push(*document);
            }
        });
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        documents
    }

    /// Parses files and hands each to `each` on this thread, in any order.
    pub(super) fn parse(
        &self,
        tasks: &[Task<'_>],
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        each: &mut dyn FnMut(Parsed),
    ) {
        let threads = self.settings.threads.clamp(1, super::MOST_THREADS).min(tasks.len());
        let next = AtomicUsize::new(0);
        // A few wait for whoever takes them; more would only be memory.
        let (give, take) = sync_channel(2 * threads);
        thread::scope(|scope| {
            for _ in 0..threads {
                let give = give.clone();
                scope.spawn(|| self.work(tasks, &next, pace, stop, give));
            }
            drop(give);
            take.into_iter().for_each(each);
        });
    }

    fn work(
        &self,
        tasks: &[Task<'_>],
        next: &AtomicUsize,
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        give: SyncSender<Parsed>,
    ) {
        pace.begin();
        let disk = Disk::new(&self.root);
        let mut extractor = Extractor::new(&self.settings.grammars);
        loop {
            self.make_way(pace, stop);
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(at).filter(|_| !stop()) else { return };
            let only = self.is_path_only(task.path);
            if give.send(parsed(&disk, &mut extractor, task, only)).is_err() {
                return;
            }
        }
    }
}

impl Parsed {
    /// Gives the document, and notes why there is none.
    pub(super) fn document(self, findings: &mut Findings) -> Option<Document> {
        match self {
            Self::Document(document) => return Some(*document),
            Self::Changed => {}
            Self::Failed(path, reason) => findings.add(Problem::File, path, reason),
        }
        None
    }
}

fn parsed(disk: &Disk, extractor: &mut Extractor, task: &Task<'_>, path_only: bool) -> Parsed {
    match text::read(disk, task, path_only) {
        Ok(Some(text)) => Parsed::Document(Box::new(document(extractor, task.path, task.state, &text))),
        Ok(None) => Parsed::Changed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Parsed::Changed,
        Err(error) => Parsed::Failed(task.path.to_owned(), error.to_string()),
    }
}

fn document(extractor: &mut Extractor, path: &str, state: &FileState, text: &Text) -> Document {
    let Text { bytes, language, kind, cut } = text;
    // What is packed for machines has names that mean nothing.
    let mut extracted = match language {
        Some(_) if !kind.binary && !kind.minified => extractor.extract(*language, bytes),
        _ => Extracted::default(),
    };
    if *cut && !kind.binary {
        extracted.partial = extracted.partial.or(Some(Partial::TooLarge));
    }
    let document = count(path, bytes, *language, kind.test, kind.is_foreign(), state.hash, extracted);
    Document { bytes: state.stat.size, ..document }
}
