//! A project: from its files to its pairs, from scratch, for some files, or from what was last known.

use std::{
    fs::File,
    path::Path,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, SystemTime},
};

use ctxhost_code::{
    finding::{Findings, Problem},
    grammar::Grammars,
    index::Reader,
    project::{Outcome, Pace, Places, Project, Refused, Synced},
    snapshot::{Disk, FileState, Snapshot},
    symbols::Partial,
    walk::{WalkSettings, Walker},
};
use ctxhost_sdk::prelude::Finding;

use super::{
    artifacts::OnDisk,
    facts,
    kept::{Busy, Kept, Shelf},
};
use crate::{
    select::{
        ignore::{Ignore, Seen},
        inventory::{FileFacts, Inventory},
        pair::Pair,
        standing::{Stood, compare_until, compare_with},
    },
    settings::Config,
    shape::forbidden::Own,
};

pub(super) mod drawn;
mod followed;
mod mapped;
mod memory;
mod rule;
mod told;

use drawn::Texts;
pub(crate) use followed::Followed;
use mapped::{is_artifact, left_out, with};
use memory::State;

/// The part of a look's time in which folders are listed; then the files that were found are read.
const WALK: f64 = 0.5;
/// The part by which files are read; then what is new is parsed.
const READ: f64 = 0.7;

/// How long somebody else who is indexing this project is waited for: so often, and so long each time. It is two minutes,
/// in which a hundred thousand files are indexed.
const TRIES: usize = 2_400;
const NAP: Duration = Duration::from_millis(50);

/// A project's pairs, and what is behind them.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// Sorted by directory, the root first.
    pub(crate) pairs: Arc<Vec<Pair>>,
    /// For each pair what is written of it.
    pub(crate) texts: Arc<Vec<Texts>>,
    /// Whether every file was seen and read.
    pub(crate) complete: bool,
    pub(crate) findings: Vec<Finding>,
    /// How many files are mapped.
    pub(crate) files: usize,
    pub(crate) inventory: Arc<Inventory>,
}

impl Look {
    /// Compares the pairs with what is on disk.
    pub(crate) fn stood<'a>(&'a self, disk: &'a [OnDisk]) -> Vec<Stood<'a>> {
        compare_with(&self.pairs, &|at, kind| self.texts[at][kind as usize].clone(), disk)
    }

    /// As [`Look::stood`] for as long as there is time, and how many artifacts were compared to the letter.
    pub(crate) fn stood_until<'a>(
        &'a self,
        disk: &'a [OnDisk],
        over: &dyn Fn() -> bool,
    ) -> (Vec<Stood<'a>>, usize) {
        compare_until(&self.pairs, &|at, kind| self.texts[at][kind as usize].clone(), disk, over)
    }
}

/// A project.
pub(crate) struct Workspace {
    project: Project,
    grammars: Grammars,
    walk: WalkSettings,
    shelf: Option<Shelf>,
    /// Where it lies, which no page may say.
    own: Own,
    state: Mutex<State>,
}

impl Workspace {
    /// Opens a project; nothing is read yet.
    pub(crate) fn open(root: &Path, places: &Places) -> Result<Self, Refused> {
        let settings = places.project();
        let grammars = settings.grammars.clone();
        let project = Project::open(root, settings)?;
        let shelf = project.folder().map(|folder| Shelf::new(folder, rule::of(places)));
        let own = Own::of(&[root, project.root()]);
        Ok(Self { project, grammars, walk: places.walk(), shelf, own, state: Mutex::default() })
    }

    /// The root, without links.
    pub(crate) fn root(&self) -> &Path {
        self.project.root()
    }

    /// Why definitions are read less well here than they might be; nothing where the grammars that are there can be used.
    pub(crate) fn lacks_grammars(&self) -> Option<String> {
        let view = self.project.view();
        let in_part = view.reader.totals().partial.iter().any(|partial| partial.reason == Partial::Grammar);
        if !in_part && !self.grammars.languages().is_empty() {
            return None;
        }
        let problem = self.grammars.problems().first().map(ToString::to_string);
        let why = if in_part { "a grammar cannot be used" } else { "the library of grammars is not there" };
        Some(problem.unwrap_or_else(|| why.to_owned()))
    }

    /// Where it lies on this machine.
    pub(crate) fn own(&self) -> &Own {
        &self.own
    }

    /// Looks at all files, brings index and facts up to date, makes the pairs. `over` says whether so large a part of the
    /// time is over, between 0 and 1; `progress` is told how many files of how many are parsed.
    pub(crate) fn look(
        &self,
        config: &Config,
        now: SystemTime,
        over: &(dyn Fn(f64) -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Look {
        let synced = self.project.sync_until(now, &|| over(WALK), &|| over(READ));
        self.looked(synced, config, over, progress)
    }

    /// As [`Workspace::look`], but takes nobody else's walk, not even one of this process: a script that changes a file and
    /// gives a host a command is faster than the time within which its providers share walks.
    pub(crate) fn look_anew(
        &self,
        config: &Config,
        now: SystemTime,
        over: &(dyn Fn(f64) -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Look {
        let sync = || self.project.sync_until(now, &|| over(WALK), &|| over(READ));
        let first = sync();
        // The second call knows that walk already, and walks by itself.
        let synced = if first.shared { sync() } else { first };
        self.looked(synced, config, over, progress)
    }

    fn looked(
        &self,
        synced: Synced,
        config: &Config,
        over: &(dyn Fn(f64) -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Look {
        let mut findings = synced.changes.findings;
        let outcome = self.update(over, progress, &mut findings);
        let snapshot = synced.snapshot;
        let seen = snapshot.unread() == 0
            && [Problem::Unfinished, Problem::Root].iter().all(|problem| findings.of(*problem).is_none());
        let (files, bare) = self.facts(&snapshot);
        let complete = seen && (bare.is_empty() || outcome == Outcome::Complete);
        let kept = Kept { inventory: files, complete, stamp: None };
        let shown = if bare.is_empty() { kept.clone() } else { with(&kept, bare) };
        let look = self.keep_and_make(&kept, &shown, config, &mut findings);
        Look { findings: told::all(&findings), ..look }
    }

    /// Brings the index up to date; waits for whoever else does it.
    fn update(
        &self,
        over: &(dyn Fn(f64) -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
        findings: &mut Findings,
    ) -> Outcome {
        for _ in 0..TRIES {
            let updated = self.project.update(Pace::Now, &|| over(1.0), progress);
            let elsewhere = updated.outcome == Outcome::Elsewhere;
            if !elsewhere || over(1.0) {
                findings.extend(updated.findings);
                return updated.outcome;
            }
            thread::sleep(NAP);
        }
        Outcome::Elsewhere
    }

    /// The facts of all files of a snapshot, and of those that there is no time for what their paths say.
    fn facts(&self, snapshot: &Snapshot) -> (Arc<Inventory>, Vec<FileFacts>) {
        let known = self.last().unwrap_or_default().inventory;
        let view = self.project.view();
        let mut at = 0;
        let mut found: Vec<Option<&FileFacts>> = Vec::with_capacity(snapshot.len());
        let mut tasks: Vec<facts::Task<'_>> = Vec::new();
        let all: Vec<(&str, &FileState)> = snapshot.files().filter(|(path, _)| !is_artifact(path)).collect();
        // Both are sorted, so that one pass does.
        for (path, state) in &all {
            while known.files.get(at).is_some_and(|file| file.path.as_str() < *path) {
                at += 1;
            }
            let same = known.files.get(at).filter(|file| file.path == *path && file.hash == state.hash);
            if same.is_none() {
                tasks.push((path, **state));
            }
            found.push(same);
        }
        if tasks.is_empty() && all.len() == known.files.len() {
            return (known, Vec::new());
        }
        let mut made = facts::from_index(&Disk::new(self.root()), &view.reader, &tasks).into_iter();
        let (mut files, mut bare) = (Vec::with_capacity(all.len()), Vec::new());
        for ((path, state), same) in all.into_iter().zip(found) {
            match same.cloned().or_else(|| made.next().flatten()) {
                Some(facts) => files.push(facts),
                None => bare.push(facts::bare(path, state)),
            }
        }
        (Arc::new(Inventory { files }), bare)
    }

    /// Waits for whoever else writes maps of this project, and keeps others from it while the lock lives: two that each know
    /// of their own change alone would undo each other's. `stop` ends the waiting.
    pub(crate) fn alone(&self, stop: &dyn Fn() -> bool) -> Option<File> {
        // The first command of a project is the first to need its folder; where none can be made there is no lock either.
        let _ = self.project.make_folder();
        self.shelf.as_ref()?.lock(stop)
    }

    /// As [`Workspace::alone`], without waiting, for whoever has something better to do than to write.
    ///
    /// # Errors
    ///
    /// When somebody else writes maps of this project just now.
    pub(crate) fn alone_now(&self) -> Result<Option<File>, Busy> {
        self.shelf.as_ref().map_or(Ok(None), Shelf::try_lock)
    }

    /// Whether a walk would show a file at this path if there were one.
    pub(crate) fn would_show(&self, path: &str) -> bool {
        Walker::new(self.root(), self.walk.clone()).would_show(path)
    }

    /// Whether a file at this path would be mapped if there were one.
    pub(crate) fn would_map(&self, config: &Config, path: &str) -> bool {
        !Ignore::new(&left_out(config)).has(path, &mut Seen::default()) && self.would_show(path)
    }

    /// What was last known, without looking at any file but the cache.
    pub(crate) fn known(&self, config: &Config) -> Option<Look> {
        Some(self.made(&self.last()?, config))
    }

    /// The code index in its last state, whatever the files are by now.
    pub(crate) fn index(&self) -> Reader {
        self.project.view().reader.clone()
    }
}

#[cfg(test)]
mod tests;
