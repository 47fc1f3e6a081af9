//! A project: from its files to its pairs, from scratch, for some files, or from what was last known.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::{Component, Path},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, SystemTime},
};

use ctxhost_code::{
    finding::{Findings, Problem},
    grammar::Grammars,
    index::Reader,
    project::{Outcome, Pace, Places, Project, Refused, Synced},
    snapshot::{Disk, FileState, Snapshot, Source},
    symbols::Partial,
    walk::{WalkSettings, Walker},
};
use ctxhost_sdk::prelude::Finding;

use super::{
    facts::{self, Indexed},
    folder::UNFINISHED,
    kept::{Busy, Kept, Seal, Shelf},
};
use crate::{
    select::{
        ignore::{Ignore, Seen},
        inventory::{FileFacts, Inventory},
        map,
        pair::{Kind, Pair},
    },
    settings::Config,
    shape::forbidden::Own,
};

mod told;

/// To be counted up when facts are made otherwise within one version of the crate.
const FORM: u32 = 4;

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
    /// Whether every file was seen and read.
    pub(crate) complete: bool,
    pub(crate) findings: Vec<Finding>,
    /// How many files are mapped.
    pub(crate) files: usize,
    pub(crate) inventory: Arc<Inventory>,
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

#[derive(Default)]
struct State {
    known: Option<Kept>,
    /// By what the kept file was told when it was read or written last.
    seal: Option<Seal>,
    /// Whether memory is ahead of the disk, which cannot be written.
    ahead: bool,
    /// What was made last, and of what.
    made: Option<(Kept, Config, Look)>,
}

impl Workspace {
    /// Opens a project; nothing is read yet.
    pub(crate) fn open(root: &Path, places: &Places) -> Result<Self, Refused> {
        let settings = places.project();
        let grammars = settings.grammars.clone();
        let project = Project::open(root, settings)?;
        let shelf = project.folder().map(|folder| Shelf::new(folder, rule(places)));
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
        let kept = Kept { inventory: files, complete };
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

    /// As [`Workspace::look`] for files or directories alone; of all others what was last known is taken as it is. Without
    /// anything known only these are there, and the look is not complete.
    pub(crate) fn look_at(&self, config: &Config, paths: &[String]) -> Look {
        let mut findings = Findings::default();
        let known = self.last().unwrap_or_default();
        let paths: BTreeSet<String> = paths.iter().filter_map(|path| self.relative(path)).collect();
        let kept = self.patched(known, &paths, &mut findings);
        let look = self.keep_and_make(&kept, &kept, config, &mut findings);
        Look { findings: told::all(&findings), ..look }
    }

    /// Takes out what is known at these paths and below, and puts in what is there now.
    fn patched(&self, known: Kept, paths: &BTreeSet<String>, findings: &mut Findings) -> Kept {
        let walker = Walker::new(self.root(), self.walk.clone());
        let disk = Disk::new(self.root());
        let mut there: BTreeMap<String, FileState> = BTreeMap::new();
        for path in paths {
            let walked = walker.below(path);
            findings.extend(walked.findings);
            for entry in walked.files.into_iter().filter(|entry| !is_artifact(&entry.path)) {
                match disk.look(&entry.path) {
                    Ok(looked) => {
                        there.extend([(entry.path, FileState { stat: looked.before, hash: looked.hash })])
                    }
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                    Err(error) => findings.add(Problem::File, entry.path, error.to_string()),
                }
            }
        }
        let new = self.parsed(&disk, &known.inventory, &there);
        let touched = |path: &str| paths.iter().any(|above| crate::select::is_within(path, above));
        let gone =
            known.inventory.files.iter().any(|file| touched(&file.path) && !there.contains_key(&file.path));
        if new.is_empty() && !gone {
            return known;
        }
        let Kept { inventory, complete } = known;
        {
            // So that what is known need not be copied, which takes as long as reading it.
            let mut state = self.state();
            (state.known, state.made) = (None, None);
        }
        let mut files = Arc::unwrap_or_clone(inventory).files;
        files.retain(|file| match there.get(&file.path) {
            Some(state) => state.hash == file.hash,
            None => !touched(&file.path),
        });
        files.extend(new);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Kept { inventory: Arc::new(Inventory { files }), complete }
    }

    /// The facts of those files that are not known in their present state.
    fn parsed(&self, disk: &Disk, known: &Inventory, there: &BTreeMap<String, FileState>) -> Vec<FileFacts> {
        let is_known = |path: &str, state: &FileState| {
            let at = known.files.binary_search_by(|file| file.path.as_str().cmp(path));
            at.is_ok_and(|at| known.files[at].hash == state.hash)
        };
        let tasks: Vec<facts::Task<'_>> = there
            .iter()
            .filter(|(path, state)| !is_known(path, state))
            .map(|(path, state)| (path.as_str(), *state))
            .collect();
        let documents = self.project.documents_of(&tasks, &|| false);
        let mut documents: BTreeMap<String, _> =
            documents.into_iter().map(|document| (document.path.clone(), document)).collect();
        let mut of = |path: &str| {
            let document = documents.remove(path)?;
            let (language, lines, generated) = (document.language, document.lines, document.generated);
            Some(Indexed { language, lines, generated, extracted: document.extracted })
        };
        tasks.iter().filter_map(|(path, state)| facts::of(disk, path, state, &mut of)).collect()
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

    /// What this or another process knew last.
    fn last(&self) -> Option<Kept> {
        let shelf = self.shelf.as_ref();
        let mut state = self.state();
        let seal = shelf.and_then(Shelf::seal);
        if state.known.is_none() || seal != state.seal && !state.ahead {
            let loaded = shelf.and_then(Shelf::load);
            state.known = loaded.or(state.known.take());
            state.seal = seal;
        }
        state.known.clone()
    }

    /// Keeps what is known, and makes pairs of what is shown meanwhile. What cannot be kept is in memory alone.
    fn keep_and_make(&self, kept: &Kept, shown: &Kept, config: &Config, findings: &mut Findings) -> Look {
        let unsaved = {
            let mut state = self.state();
            let known = state.known.replace(kept.clone());
            let same = |known: Kept| {
                known.complete == kept.complete && Arc::ptr_eq(&known.inventory, &kept.inventory)
            };
            state.ahead || !known.is_some_and(same)
        };
        let Some(shelf) = self.shelf.as_ref().filter(|_| unsaved) else { return self.made(shown, config) };
        let (look, saved) = thread::scope(|scope| {
            let saving = scope.spawn(|| shelf.save(kept));
            let look = self.made(shown, config);
            (look, saving.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let mut state = self.state();
        state.ahead = saved.is_err();
        state.seal = shelf.seal();
        if let Err(error) = saved {
            // The index says the same of the same folder, and once is enough.
            findings.add(Problem::Cache, "map-facts", error.to_string());
        }
        look
    }

    /// Makes pairs, unless the last ones were made of the same.
    fn made(&self, kept: &Kept, config: &Config) -> Look {
        if let Some((of, by, look)) = &self.state().made
            && Arc::ptr_eq(&of.inventory, &kept.inventory)
            && of.complete == kept.complete
            && by == config
        {
            return look.clone();
        }
        let inventory = mapped(&kept.inventory, config);
        let mut pairs = map::make(&inventory, config);
        self.own.take_from(&mut pairs);
        let pairs = Arc::new(pairs);
        let files = inventory.files.len();
        let look = Look { pairs, complete: kept.complete, findings: Vec::new(), files, inventory };
        self.state().made = Some((kept.clone(), config.clone(), look.clone()));
        look
    }

    /// A path as the project has it; `None` for what lies outside. An empty one is the root.
    fn relative(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let path = if path.is_absolute() { path.strip_prefix(self.root()).ok()? } else { path };
        let mut parts: Vec<&str> = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::ParentDir => drop(parts.pop()?),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(parts.join("/"))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds files of which little is known.
fn with(kept: &Kept, bare: Vec<FileFacts>) -> Kept {
    let mut files = kept.inventory.files.clone();
    files.extend(bare);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Kept { inventory: Arc::new(Inventory { files }), complete: kept.complete }
}

/// Whether a file is one of ours, wherever it lies, or what a process that was killed left of one.
fn is_artifact(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let unfinished = name.starts_with(".pi-map.") && name.ends_with(UNFINISHED);
    unfinished || Kind::BOTH.iter().any(|kind| kind.file_name() == name)
}

/// The patterns of what is not mapped.
fn left_out(config: &Config) -> Vec<String> {
    let own = config.artifact_dir.as_deref().map(|dir| format!("/{}/", dir.trim_matches('/')));
    config.ignore_patterns.iter().cloned().chain(own).collect()
}

/// Leaves out what the settings leave out, and the folder of the artifacts.
fn mapped(inventory: &Arc<Inventory>, config: &Config) -> Arc<Inventory> {
    let ignore = Ignore::new(&left_out(config));
    let mut seen = Seen::default();
    let out: Vec<bool> = inventory.files.iter().map(|file| ignore.has(&file.path, &mut seen)).collect();
    if !out.contains(&true) {
        return Arc::clone(inventory);
    }
    let files =
        inventory.files.iter().zip(out).filter(|(_, out)| !out).map(|(file, _)| file.clone()).collect();
    Arc::new(Inventory { files })
}

/// A number that is another one when the same files would give other facts: with another version of the crate or other
/// grammars.
fn rule(places: &Places) -> u64 {
    let mut text = format!("{FORM} {}", env!("CARGO_PKG_VERSION"));
    for place in &places.grammars {
        let mut files: Vec<String> = fs::read_dir(place)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                entry.path().extension().is_some_and(|end| end == "so" || end == "scm" || end == "dylib")
            })
            .map(|entry| {
                let stat = entry.metadata().map(|stat| (stat.len(), stat.modified().ok()));
                format!("{:?} {:?}", entry.path(), stat.ok())
            })
            .collect();
        files.sort();
        text += &files.join("\n");
    }
    // FNV-1a: it has to be the same in every build, which the hashes of the standard library are not.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests;
