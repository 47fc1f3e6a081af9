//! Looking for words in files that are not indexed yet.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use rustc_hash::FxHashMap;

use super::{Project, View, parse::Task, text};
use crate::{
    bm25f::{FIELDS, Field},
    index::Hash,
    language::Language,
    snapshot::Disk,
    words,
};

/// A file that has some of the words, with the same numbers that the index would have for its path and its body. Names and
/// docs are not told apart from the body yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The path below the root.
    pub path: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// What it is written in.
    pub language: Option<Language>,
    /// Whether it is a test.
    pub test: bool,
    /// Whether it was generated, minified or vendored.
    pub generated: bool,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many words each field has.
    pub lengths: [u32; FIELDS],
    /// How often each word stands in it, by field; in the order in which they were asked for.
    pub counts: Vec<[u16; FIELDS]>,
}

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// The files that have at least one of the words, by path.
    pub hits: Vec<Hit>,
    /// How many files were read, those without a hit too.
    pub files: u32,
    /// How many words these files have, by field, for averages.
    pub lengths: [u64; FIELDS],
    /// Whether all files were read that the index does not have.
    pub complete: bool,
}

impl Scanned {
    /// In how many of the files a word stands, by its place among those that were asked for.
    pub fn files_with(&self, word: usize) -> u32 {
        let has = |hit: &&Hit| hit.counts.get(word).is_some_and(|counts| *counts != [0; FIELDS]);
        self.hits.iter().filter(has).count() as u32
    }
}

impl Project {
    /// Looks for words in the files of a view that the index does not have in their present state. `words` are as
    /// [`words::split`] gives them. The files most worth it are read first; `stop` is asked before each.
    pub fn scan(&self, view: &View, words: &[String], stop: &(dyn Fn() -> bool + Sync)) -> Scanned {
        let tasks = view.tasks();
        let places: FxHashMap<&str, usize> = words.iter().map(String::as_str).zip(0..).collect();
        let next = AtomicUsize::new(0);
        let stopped = AtomicBool::new(false);
        let all = Mutex::new(Scanned::default());
        let work = || {
            let disk = Disk::new(&self.root);
            let mut own = Scanned::default();
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop() {
                    stopped.store(true, Ordering::Relaxed);
                    break;
                }
                own.take(&disk, task, &places, self.is_path_only(task.path));
            }
            all.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
        };
        // Starting a thread takes as long as scanning a few files.
        let threads = self.settings.threads.clamp(1, super::MOST_THREADS).min(tasks.len().div_ceil(4));
        thread::scope(|scope| {
            (1..threads).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let mut scanned = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        scanned.hits.sort_by(|a, b| a.path.cmp(&b.path));
        scanned.complete = !stopped.into_inner();
        scanned
    }
}

impl Scanned {
    fn extend(&mut self, other: Self) {
        self.hits.extend(other.hits);
        self.files += other.files;
        self.lengths.iter_mut().zip(other.lengths).for_each(|(own, other)| *own += other);
    }

    /// Reads a file; one that changed or cannot be read has nothing to be found in.
    fn take(&mut self, disk: &Disk, task: &Task<'_>, places: &FxHashMap<&str, usize>, path_only: bool) {
        let Ok(Some(text)) = text::read(disk, task, path_only) else { return };
        let Task { path, state, .. } = task;
        let mut counted =
            Counted { counts: vec![[0; FIELDS]; places.len()], lengths: [0; FIELDS], any: false };
        counted.add(Field::Path, path, places);
        text.bytes.utf8_chunks().for_each(|chunk| counted.add(Field::Body, chunk.valid(), places));
        self.files += 1;
        self.lengths.iter_mut().zip(counted.lengths).for_each(|(all, own)| *all += u64::from(own));
        if counted.any {
            self.hits.push(Hit {
                path: (*path).to_owned(),
                hash: state.hash,
                language: text.language,
                test: text.kind.test,
                generated: text.kind.is_foreign(),
                bytes: state.stat.size,
                lengths: counted.lengths,
                counts: counted.counts,
            });
        }
    }
}

struct Counted {
    counts: Vec<[u16; FIELDS]>,
    lengths: [u32; FIELDS],
    any: bool,
}

impl Counted {
    fn add(&mut self, field: Field, text: &str, places: &FxHashMap<&str, usize>) {
        let field = field as usize;
        let mut words = 0_u32;
        words::split(text, &mut |word: &str| {
            words = words.saturating_add(1);
            if let Some(place) = places.get(word) {
                let count = &mut self.counts[*place][field];
                *count = count.saturating_add(1);
                self.any = true;
            }
        });
        self.lengths[field] = self.lengths[field].saturating_add(words);
    }
}
