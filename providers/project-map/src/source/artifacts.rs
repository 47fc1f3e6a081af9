//! The artifacts on disk: read within bounds, written one at a time and each as a whole.
//!
//! A set is written file by file. Whoever stops in between leaves whole files, some of them old; the next run sees which.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use ctxhost_sdk::prelude::*;

use super::folder::{Folder, UNFINISHED, Writer};
use crate::{
    error::DiskProblem,
    select::pair::Kind,
    settings::Config,
    shape::{artifact, header::Header},
};

/// Larger files are not ours: the largest artifact has 12 KiB besides its notes.
const LARGEST: u64 = 1024 * 1024;
/// The Linux kernel has some 6,000 folders; what has more is no source tree, and time is bounded.
const MOST_FOLDERS: usize = 100_000;
/// Each folder on the way is held open, and a process may hold a thousand.
const DEEPEST: usize = 100;
/// Tens are usual.
const MOST_ARTIFACTS: usize = 20_000;

/// What says that a folder is another project, or a cache whose content nobody maps.
const FOREIGN: [&str; 2] = [".git", "CACHEDIR.TAG"];

/// An artifact on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OnDisk {
    /// The directory that it is found for, whatever its header says.
    pub(crate) dir: String,
    pub(crate) kind: Kind,
    /// Its own path below the root.
    pub(crate) path: String,
    /// The whole text, with plain line ends.
    pub(crate) whole: String,
    /// The text without header and notes.
    pub(crate) text: String,
    pub(crate) header: Option<Header>,
    /// Whether the text is what was once written.
    pub(crate) intact: bool,
    /// The notes; `None` where there is no region.
    pub(crate) notes: Option<String>,
    /// Whether the marks of the notes are as they should be.
    pub(crate) sound: bool,
}

/// What a look at all artifacts found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// By directory, the root first, the index before the map.
    pub(crate) artifacts: Vec<OnDisk>,
    pub(crate) findings: Vec<Finding>,
    /// What a process that was killed left behind: folder and name.
    pub(crate) leftovers: Vec<(String, String)>,
}

/// The artifacts of one project.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
    /// The folder that they lie in, when they do not stand beside the sources.
    base: Option<String>,
    /// Names of folders that are not looked into.
    skipped: Vec<String>,
    write: Writer,
}

impl Store {
    pub(crate) fn at(root: &Path, config: &Config) -> Self {
        let plain = |pattern: &&String| !pattern.contains(['*', '?', '[', '!', '\\']);
        let names = config.ignore_patterns.iter().filter(plain).map(|name| name.trim_matches('/').to_owned());
        Self {
            root: root.to_owned(),
            base: config.artifact_dir.clone(),
            skipped: names.filter(|name| !name.contains('/')).collect(),
            write: |file, bytes| file.write_all(bytes),
        }
    }

    #[cfg(test)]
    pub(crate) fn with_writer(self, write: Writer) -> Self {
        Self { write, ..self }
    }

    /// Where an artifact lies below the root.
    pub(crate) fn path(&self, dir: &str, kind: Kind) -> String {
        joined(&self.folder_of(dir), kind.file_name())
    }

    /// Reads one artifact; `None` when it is not there.
    pub(crate) fn read(&self, dir: &str, kind: Kind) -> Result<Option<OnDisk>, DiskProblem> {
        let root = Folder::root(&self.root)?;
        let Some(folder) = root.below(&self.folder_of(dir))? else { return Ok(None) };
        self.read_in(&folder, dir, kind)
    }

    /// Reads all that there are, also those that no pair belongs to.
    pub(crate) fn read_all(&self) -> Found {
        let mut look = Look { store: self, found: Found::default(), folders: 0, problems: Vec::new() };
        let begun =
            Folder::root(&self.root).and_then(|root| root.below(self.base.as_deref().unwrap_or_default()));
        match begun {
            Ok(Some(folder)) => look.folder(&folder, "", 0),
            Ok(None) => {}
            Err(problem) => look.problems.push((self.base.clone().unwrap_or_default(), problem)),
        }
        look.done()
    }

    /// Writes an artifact, unless it says the same already; gives whether it was written.
    pub(crate) fn put(&self, dir: &str, kind: Kind, text: &str) -> Result<bool, DiskProblem> {
        let root = Folder::root(&self.root)?;
        let place = self.folder_of(dir);
        let folder = match &self.base {
            Some(_) => root.made(&place)?,
            None => root.below(&place)?.ok_or(DiskProblem::WrongKind("in a folder that is gone"))?,
        };
        if self.read_in(&folder, dir, kind)?.is_some_and(|known| known.whole == text) {
            return Ok(false);
        }
        folder.replace(kind.file_name(), text.as_bytes(), self.write)?;
        Ok(true)
    }

    /// Removes an artifact, and the folders that are empty then: git leaves a folder behind for our file alone.
    pub(crate) fn remove(&self, dir: &str, kind: Kind) -> Result<(), DiskProblem> {
        self.remove_named(&self.folder_of(dir), kind.file_name())
    }

    /// Removes what a killed process left behind.
    pub(crate) fn sweep(&self, leftovers: &[(String, String)]) {
        for (folder, name) in leftovers {
            // One that cannot be removed harms nobody, and is tried again the next time.
            let _ = self.remove_named(folder, name);
        }
    }

    fn remove_named(&self, folder: &str, name: &str) -> Result<(), DiskProblem> {
        let root = Folder::root(&self.root)?;
        let Some(entered) = root.below(folder)? else { return Ok(()) };
        entered.remove(name)?;
        let mut folder = folder;
        while !folder.is_empty() {
            let (above, own) = folder.rsplit_once('/').unwrap_or(("", folder));
            match root.below(above)? {
                Some(above) if above.remove_empty(own) => {}
                _ => break,
            }
            folder = above;
        }
        Ok(())
    }

    fn folder_of(&self, dir: &str) -> String {
        joined(self.base.as_deref().unwrap_or_default(), dir)
    }

    fn read_in(&self, folder: &Folder, dir: &str, kind: Kind) -> Result<Option<OnDisk>, DiskProblem> {
        let Some(bytes) = folder.read(kind.file_name(), LARGEST)? else { return Ok(None) };
        let artifact::Read { whole, body, header, intact, notes, sound } = artifact::read(&bytes);
        let (dir, path) = (dir.to_owned(), self.path(dir, kind));
        Ok(Some(OnDisk { dir, kind, path, whole, text: body, header, intact, notes, sound }))
    }
}

/// Reads the root's index and map; one that cannot be read is as good as none.
#[allow(dead_code, reason = "injection begins with it")]
pub(crate) fn read_root(root: &Path, config: &Config) -> [Option<OnDisk>; 2] {
    let store = Store::at(root, config);
    Kind::BOTH.map(|kind| store.read("", kind).ok().flatten())
}

/// A look on its way.
struct Look<'a> {
    store: &'a Store,
    found: Found,
    folders: usize,
    problems: Vec<(String, DiskProblem)>,
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
            } else if entry.name.starts_with(".pi-map.") && entry.name.ends_with(UNFINISHED) {
                self.found.leftovers.push((self.store.folder_of(dir), entry.name.clone()));
            } else if entry.folder
                && !FOREIGN.contains(&entry.name.as_str())
                && !self.store.skipped.contains(&entry.name)
            {
                self.child(folder, &joined(dir, &entry.name), &entry.name, depth + 1);
            }
        }
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
            return;
        }
        match self.store.read_in(folder, dir, kind) {
            Ok(artifact) => self.found.artifacts.extend(artifact),
            Err(problem) => self.problems.push((self.store.path(dir, kind), problem)),
        }
    }

    fn done(mut self) -> Found {
        self.found.artifacts.sort_by(|a, b| (&a.dir, a.kind).cmp(&(&b.dir, b.kind)));
        self.found.findings.extend(unread(&self.problems));
        self.found
    }
}

/// One finding for all that could not be read.
fn unread(problems: &[(String, DiskProblem)]) -> Option<Finding> {
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

fn joined(folder: &str, name: &str) -> String {
    match (folder.is_empty(), name.is_empty()) {
        (true, _) => name.to_owned(),
        (_, true) => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

#[cfg(test)]
mod tests;
