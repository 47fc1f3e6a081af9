//! The look for artifacts, within bounds: also for those that no pair belongs to.

use std::collections::HashSet;

use ctxhost_sdk::prelude::*;

use super::{OnDisk, Store, joined};
use crate::{
    error::DiskProblem,
    select::pair::Kind,
    source::folder::{Folder, is_unfinished},
};

/// The Linux kernel has some 6,000 folders; what has more is no source tree, and time is bounded.
const MOST_FOLDERS: usize = 100_000;
/// Each folder on the way is held open, and a process may hold a thousand.
const DEEPEST: usize = 100;
/// Tens are usual.
const MOST_ARTIFACTS: usize = 20_000;

/// What says that a folder is another project, or a cache whose content nobody maps.
const FOREIGN: [&str; 2] = [".git", "CACHEDIR.TAG"];

/// Folders of others' sources that are as large as they are well known.
const NOBODYS: [&str; 1] = ["node_modules"];

/// What a look at all artifacts found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// By directory, the root first, the index before the map.
    pub(crate) artifacts: Vec<OnDisk>,
    pub(crate) findings: Vec<Finding>,
    /// What a process that was killed left behind: folder and name.
    pub(crate) leftovers: Vec<(String, String)>,
    /// What could not be read, by its path.
    pub(crate) unread: Vec<(String, DiskProblem)>,
}

/// Reads all that there are, and those of these directories.
pub(super) fn all(store: &Store, dirs: &[&str]) -> Found {
    let mut look =
        Look { store, found: Found::default(), folders: 0, problems: Vec::new(), ignored: Vec::new() };
    let begun =
        Folder::root(&store.root).and_then(|root| root.below(store.base.as_deref().unwrap_or_default()));
    match begun {
        Ok(Some(folder)) => look.folder(&folder, "", 0),
        Ok(None) => {}
        Err(problem) => look.problems.push((store.base.clone().unwrap_or_default(), problem)),
    }
    look.ignored();
    look.named(dirs);
    look.elsewhere();
    look.done()
}

/// A look on its way.
struct Look<'a> {
    store: &'a Store,
    found: Found,
    folders: usize,
    problems: Vec<(String, DiskProblem)>,
    /// Directories that are looked into when all others were.
    ignored: Vec<String>,
}

impl Look<'_> {
    /// Looks into a folder, whose place is below the one of all artifacts.
    fn folder(&mut self, folder: &Folder, dir: &str, depth: usize) {
        self.folders += 1;
        let entries = match folder.entries() {
            Ok(entries) => entries,
            Err(problem) => return self.problems.push((self.store.folder_of(dir), problem)),
        };
        if depth > 0 && entries.iter().any(|entry| FOREIGN.contains(&entry.name.as_str())) {
            return;
        }
        for entry in &entries {
            if let Some(kind) = Kind::BOTH.into_iter().find(|kind| kind.file_name() == entry.name) {
                self.artifact(folder, dir, kind);
            } else if Kind::BOTH.iter().any(|kind| is_unfinished(&entry.name, kind.file_name())) {
                self.found.leftovers.push((self.store.folder_of(dir), entry.name.clone()));
            } else if entry.folder
                && !FOREIGN.contains(&entry.name.as_str())
                && !NOBODYS.contains(&entry.name.as_str())
            {
                let child = joined(dir, &entry.name);
                if self.store.ignored.contains(&entry.name) {
                    self.ignored.push(child);
                } else {
                    self.child(folder, &child, &entry.name, depth + 1);
                }
            }
        }
    }

    /// Looks into what is ignored now: before it was, it may have had maps. What cannot be read there troubles nobody.
    fn ignored(&mut self) {
        let said = self.problems.len();
        while let Some(dir) = self.ignored.pop() {
            let depth = dir.split('/').count();
            if self.folders >= MOST_FOLDERS || depth > DEEPEST {
                continue;
            }
            let root = Folder::root(&self.store.root);
            if let Ok(Some(folder)) = root.and_then(|root| root.below(&self.store.folder_of(&dir))) {
                self.folder(&folder, &dir, depth);
            }
        }
        self.problems.truncate(said);
    }

    /// Reads the artifacts of these directories that were not met.
    fn named(&mut self, dirs: &[&str]) {
        let met: HashSet<(String, Kind)> =
            self.found.artifacts.iter().map(|known| (known.dir.clone(), known.kind)).collect();
        let said: HashSet<String> = self.problems.iter().map(|(path, _)| path.clone()).collect();
        for dir in dirs {
            for kind in Kind::BOTH.into_iter().filter(|kind| !met.contains(&((*dir).to_owned(), *kind))) {
                match self.store.read(dir, kind) {
                    Ok(artifact) => self.found.artifacts.extend(artifact),
                    Err(_) if said.contains(&self.store.path(dir, kind)) => {}
                    // It is said where it is met, and where it is to be written.
                    Err(DiskProblem::WrongKind("no folder")) => {}
                    Err(problem) => self.problems.push((self.store.path(dir, kind), problem)),
                }
            }
        }
    }

    /// Says that there are maps from before they had a folder of their own.
    fn elsewhere(&mut self) {
        if self.store.base.is_none() {
            return;
        }
        let beside = Store { base: None, ..self.store.clone() };
        let old = Kind::BOTH
            .into_iter()
            .find(|kind| matches!(beside.read("", *kind), Ok(Some(OnDisk { header: Some(_), .. }))));
        self.found.findings.extend(old.map(|kind| Finding {
            level: Level::Warning,
            code: "maps-elsewhere".to_owned(),
            pointer: Some(kind.file_name().to_owned()),
            message: format!(
                "maps from before `artifactDir` was set lie beside the sources and go stale, such as `{}`",
                kind.file_name()
            ),
            hint: Some("move the notes in them and delete them".to_owned()),
            ..Finding::default()
        }));
    }

    fn child(&mut self, folder: &Folder, dir: &str, name: &str, depth: usize) {
        if self.folders >= MOST_FOLDERS || depth > DEEPEST {
            return self.problems.push((dir.to_owned(), DiskProblem::WrongKind("beyond what is looked at")));
        }
        match folder.child(name) {
            Ok(Some(child)) => self.folder(&child, dir, depth),
            Ok(None) => {}
            Err(problem) => self.problems.push((self.store.folder_of(dir), problem)),
        }
    }

    fn artifact(&mut self, folder: &Folder, dir: &str, kind: Kind) {
        if self.found.artifacts.len() >= MOST_ARTIFACTS {
            let problem = DiskProblem::WrongKind("beyond what is looked at");
            return self.problems.push((self.store.path(dir, kind), problem));
        }
        match self.store.read_in(folder, dir, kind) {
            Ok(artifact) => self.found.artifacts.extend(artifact),
            Err(problem) => self.problems.push((self.store.path(dir, kind), problem)),
        }
    }

    fn done(mut self) -> Found {
        self.found.artifacts.sort_by(|a, b| (&a.dir, a.kind).cmp(&(&b.dir, b.kind)));
        self.found.findings.extend(unread(&self.problems));
        self.found.unread = self.problems;
        self.found
    }
}

/// One finding for all that could not be read.
pub(super) fn unread(problems: &[(String, DiskProblem)]) -> Option<Finding> {
    let (path, problem) = problems.first()?;
    let more = match problems.len() {
        1 => String::new(),
        number => format!(", and {} more", number - 1),
    };
    let path = if path.is_empty() { "." } else { path };
    Some(Finding {
        level: Level::Warning,
        code: "maps-unread".to_owned(),
        pointer: Some(path.to_owned()),
        message: format!("looking for maps, `{path}` {problem}{more}"),
        hint: Some("make it readable, or move it out of the project".to_owned()),
        ..Finding::default()
    })
}
