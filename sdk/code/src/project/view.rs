//! What of the index is current, and what is missing.

use std::{cmp::Reverse, sync::Arc};

use rustc_hash::FxHashSet;
use sha2::{Digest, Sha256};

use super::{Project, parse::Task};
use crate::{
    finding::{Findings, Problem},
    index::{Hash, Reader},
    language::{self, Language},
    snapshot::{FileState, Snapshot},
    walk::kind_of,
};

/// Files from this size on are taken first, so that no thread is left with one when the others are done.
const LARGE: u64 = 256 * 1024;

/// The files and the index at one moment, held against each other.
#[derive(Clone)]
pub struct View {
    /// The files.
    pub snapshot: Arc<Snapshot>,
    /// What was found in them so far, in older states of them too.
    pub reader: Reader,
    /// Positions in the snapshot, in the order in which they are worth to be read.
    pending: Vec<u32>,
    /// Documents whose file is gone or has another content now.
    stale: FxHashSet<u32>,
}

impl View {
    /// Holds a snapshot and an index against each other.
    pub(super) fn new(snapshot: Arc<Snapshot>, reader: Reader) -> Self {
        let is_current =
            |path: &str, state: &FileState| reader.find(path).is_some_and(|file| *file.hash() == state.hash);
        let pending: Vec<u32> = (0..)
            .zip(snapshot.files())
            .filter(|(_, (path, state))| !is_current(path, state))
            .map(|(at, _)| at)
            .collect();
        let current = snapshot.len() - pending.len();
        let mut stale = FxHashSet::default();
        if reader.totals().files as usize > current {
            let is_stale =
                |path: &str, hash: &Hash| snapshot.get(path).is_none_or(|state| state.hash != *hash);
            stale.extend(
                reader.files().filter(|file| is_stale(file.path(), file.hash())).map(|file| file.doc),
            );
        }
        let pending = in_order(&snapshot, pending);
        Self { snapshot, reader, pending, stale }
    }

    /// Gives the files that the index does not have in their present state: code first, then tests, then the rest.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = (&str, &FileState)> {
        self.pending.iter().map(|at| self.snapshot.at(*at as usize))
    }

    /// Whether a document of the reader is about the present state of its file. Others must not be shown.
    pub fn is_current(&self, doc: u32) -> bool {
        !self.stale.contains(&doc)
    }

    /// Whether this text is the content of a file that the view knows. What was found in a file names places in that
    /// content, so whoever reads it later asks before cutting by them.
    pub fn has_text(&self, path: &str, text: &[u8]) -> bool {
        self.snapshot.get(path).is_some_and(|state| state.hash == Hash::from(Sha256::digest(text)))
    }

    /// Whether every file is indexed in its present state and nothing else is.
    pub fn is_complete(&self) -> bool {
        self.pending.is_empty() && self.stale.is_empty() && self.snapshot.unread() == 0
    }

    /// The documents that are not current, by path.
    pub(super) fn stale_paths(&self) -> Vec<String> {
        let file = |doc: &u32| self.reader.file(*doc).map(|file| file.path().to_owned());
        self.stale.iter().filter_map(file).collect()
    }

    pub(super) fn tasks(&self) -> Vec<Task<'_>> {
        self.pending().map(|(path, state)| Task::of(&self.snapshot, path, state)).collect()
    }
}

impl Project {
    /// Gives the state of the last look, held against what is indexed now, by whomever.
    pub fn view(&self) -> Arc<View> {
        self.view_with(&mut Findings::default())
    }

    /// As [`Project::view`], and says what is wrong with the index.
    pub fn view_with(&self, findings: &mut Findings) -> Arc<View> {
        self.refresh(findings);
        let mut state = self.state();
        if let Some(view) = &state.view
            && view.snapshot.root() == state.snapshot.root()
        {
            return Arc::clone(view);
        }
        let (snapshot, reader) = (Arc::clone(&state.snapshot), state.reader.clone());
        let published = state.published;
        drop(state);
        let view = Arc::new(View::new(snapshot, reader));
        state = self.state();
        if state.published == published {
            state.view = Some(Arc::clone(&view));
        }
        view
    }

    /// Takes over what others have indexed.
    fn refresh(&self, findings: &mut Findings) {
        let Some(folder) = self.index_folder() else { return };
        let (reader, detached) = {
            let state = self.state();
            (state.reader.clone(), state.detached)
        };
        if detached || !folder.is_dir() {
            return;
        }
        let opened = if reader.generation() == 0 {
            Reader::open(&folder, self.version())
        } else {
            reader.refreshed(&folder)
        };
        match opened {
            Ok(opened) if opened.generation() == reader.generation() => {}
            Ok(opened) => self.publish(opened, false),
            Err(error) => {
                findings.add(Problem::Broken, "index", error.to_string());
                if error.needs_a_new_index() {
                    self.publish(Reader::empty(self.version()), false);
                }
            }
        }
    }

    /// Makes a reader the one that answers.
    pub(super) fn publish(&self, reader: Reader, detached: bool) {
        let mut state = self.state();
        (state.reader, state.detached, state.view) = (reader, detached, None);
        state.published += 1;
    }
}

/// Sorts files by what they are likely to be asked for: code, then tests, then prose and data, then what others wrote.
/// Within each, large ones come first, and the others stay by path, so that a folder is read in one go.
fn in_order(snapshot: &Snapshot, mut positions: Vec<u32>) -> Vec<u32> {
    positions.sort_by_cached_key(|at| {
        let (path, state) = snapshot.at(*at as usize);
        (class(path), Reverse(state.stat.size.max(LARGE)), *at)
    });
    positions
}

fn class(path: &str) -> u8 {
    let kind = kind_of(path, b"");
    let code = language::detect(path, b"").is_some_and(Language::is_code);
    match (kind.is_foreign(), code, kind.test) {
        (true, ..) => 3,
        (false, false, _) => 2,
        (false, true, true) => 1,
        (false, true, false) => 0,
    }
}
