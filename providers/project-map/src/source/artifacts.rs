//! The artifacts on disk: read within bounds, written one at a time and each as a whole.
//!
//! A set is written file by file. Whoever stops in between leaves whole files, some of them old; the next run sees which.

use std::{
    collections::{BTreeSet, HashSet},
    io::Write,
    path::{Path, PathBuf},
};

use ctxhost_sdk::prelude::Finding;

use super::folder::{Folder, Writer};
use crate::{
    error::DiskProblem,
    select::{pair::Kind, sets, standing::Reach},
    settings::Config,
    shape::{artifact, header::Header},
};

mod look;

pub(crate) use look::Found;

/// Larger files are not ours: the largest artifact has 12 KiB besides its notes.
const LARGEST: u64 = 1024 * 1024;
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

impl OnDisk {
    /// What is written in its place: the text with the notes that are in it now. `None` where it says that already.
    fn replaced(&self, text: &str, reach: Reach) -> Result<Option<String>, DiskProblem> {
        let plain = artifact::with_notes(text, None);
        if plain != self.whole && plain.starts_with(&self.whole) {
            // A part of what is written holds nothing of anybody else.
            return Ok(Some(text.to_owned()));
        }
        let text = artifact::with_notes(text, self.notes.as_deref());
        match self.header {
            _ if self.whole == text => Ok(None),
            None => Err(DiskProblem::NotOurs),
            Some(_) if !self.intact && reach == Reach::Ours => Err(DiskProblem::ByHand),
            Some(_) => Ok(Some(text)),
        }
    }

    /// Whether it may be removed.
    fn removable(&self, reach: Reach) -> Result<(), DiskProblem> {
        match self.header {
            None => Err(DiskProblem::NotOurs),
            Some(_) if !self.intact && reach == Reach::Ours => Err(DiskProblem::ByHand),
            Some(_) if self.has_notes() => Err(DiskProblem::HasNotes),
            Some(_) => Ok(()),
        }
    }

    /// Whether its notes hold something.
    pub(crate) fn has_notes(&self) -> bool {
        self.notes.as_deref().is_some_and(|notes| !notes.trim().is_empty())
    }
}

/// The artifacts of one project.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
    /// The folder that they lie in, when they do not stand beside the sources.
    base: Option<String>,
    /// Names of folders that have no pairs now, and are looked into last: they may be large.
    ignored: Vec<String>,
    write: Writer,
}

impl Store {
    pub(crate) fn at(root: &Path, config: &Config) -> Self {
        let plain = |pattern: &&String| !pattern.contains(['*', '?', '[', '!', '\\']);
        let names = config.ignore_patterns.iter().filter(plain).map(|name| name.trim_matches('/').to_owned());
        Self {
            root: root.to_owned(),
            base: config.artifact_dir.clone(),
            ignored: names.filter(|name| !name.contains('/')).collect(),
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
        self.read_with(&[])
    }

    /// Reads all that there are, and those of these directories wherever they lie: a look around has its bounds, and
    /// what it does not reach is there all the same.
    pub(crate) fn read_with(&self, dirs: &[&str]) -> Found {
        look::all(self, dirs)
    }

    /// Reads besides these artifacts those that say whether some of them are part of a set that begins below the root.
    pub(crate) fn with_bases(&self, disk: &mut Vec<OnDisk>) {
        let known: HashSet<&str> = disk.iter().map(|found| found.dir.as_str()).collect();
        let base = |found: &OnDisk| {
            let said =
                found.header.as_ref().map(|header| header.dir.as_str()).filter(|said| *said != found.dir)?;
            let base =
                sets::base(&found.dir, said).filter(|base| !base.is_empty() && !known.contains(base))?;
            Some(base.to_owned())
        };
        let bases: BTreeSet<String> = disk.iter().filter_map(base).collect();
        for dir in bases {
            disk.extend(Kind::BOTH.into_iter().filter_map(|kind| self.read(&dir, kind).ok().flatten()));
        }
    }

    /// Writes an artifact with the notes that its file has at that moment, unless it says the same already; gives
    /// whether it was written. Text that is not ours stays, and so does what a hand changed, unless that is within reach.
    pub(crate) fn put(&self, dir: &str, kind: Kind, text: &str, reach: Reach) -> Result<bool, DiskProblem> {
        let root = Folder::root(&self.root)?;
        let place = self.folder_of(dir);
        let folder = match &self.base {
            Some(_) => root.made(&place)?,
            None => root.below(&place)?.ok_or(DiskProblem::WrongKind("in a folder that is gone"))?,
        };
        let text = match self.read_in(&folder, dir, kind)? {
            None => text.to_owned(),
            Some(known) => match known.replaced(text, reach)? {
                None => return Ok(false),
                Some(text) => text,
            },
        };
        folder.replace(kind.file_name(), text.as_bytes(), self.write)?;
        Ok(true)
    }

    /// Removes an artifact that nobody has written in. Folders are ours only below the one of all artifacts, and those
    /// that are empty then go too.
    pub(crate) fn remove(&self, dir: &str, kind: Kind, reach: Reach) -> Result<(), DiskProblem> {
        let root = Folder::root(&self.root)?;
        let Some(folder) = root.below(&self.folder_of(dir))? else { return Ok(()) };
        let Some(known) = self.read_in(&folder, dir, kind)? else { return Ok(()) };
        known.removable(reach)?;
        folder.remove(kind.file_name())?;
        match &self.base {
            Some(base) => self.remove_empty(&root, base, dir),
            None => Ok(()),
        }
    }

    /// Removes what a killed process left behind.
    pub(crate) fn sweep(&self, leftovers: &[(String, String)]) {
        for (folder, name) in leftovers {
            // One that cannot be removed harms nobody, and is tried again the next time.
            let _ = self.remove_leftover(folder, name);
        }
    }

    fn remove_leftover(&self, folder: &str, name: &str) -> Result<(), DiskProblem> {
        match Folder::root(&self.root)?.below(folder)? {
            Some(folder) => folder.remove(name),
            None => Ok(()),
        }
    }

    fn remove_empty(&self, root: &Folder, base: &str, dir: &str) -> Result<(), DiskProblem> {
        let mut dir = dir;
        while !dir.is_empty() {
            let (above, own) = dir.rsplit_once('/').unwrap_or(("", dir));
            match root.below(&joined(base, above))? {
                Some(folder) if folder.remove_empty(own) => dir = above,
                _ => break,
            }
        }
        Ok(())
    }

    fn folder_of(&self, dir: &str) -> String {
        joined(self.base.as_deref().unwrap_or_default(), dir)
    }

    fn read_in(&self, folder: &Folder, dir: &str, kind: Kind) -> Result<Option<OnDisk>, DiskProblem> {
        let Some(bytes) = folder.read(kind.file_name(), LARGEST)? else { return Ok(None) };
        if str::from_utf8(&bytes).is_err() {
            return Err(DiskProblem::NotText);
        }
        let artifact::Read { whole, body, header, intact, notes, sound } = artifact::read(&bytes);
        let (dir, path) = (dir.to_owned(), self.path(dir, kind));
        Ok(Some(OnDisk { dir, kind, path, whole, text: body, header, intact, notes, sound }))
    }
}

/// Whether the root's index and map are there, and a finding where one cannot be read: nothing says that it is not a map.
pub(crate) fn root_pair(root: &Path, config: &Config) -> ([bool; 2], Option<Finding>) {
    if !root.is_dir() {
        return ([false; 2], None);
    }
    let store = Store::at(root, config);
    let mut problems = Vec::new();
    let there = Kind::BOTH.map(|kind| match store.read("", kind) {
        Ok(found) => found.is_some(),
        Err(problem) => {
            problems.push((store.path("", kind), problem));
            true
        }
    });
    let finding = look::unread(&problems);
    (there, finding)
}

/// Whether a path is that of an artifact.
pub(crate) fn is_one(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    Kind::BOTH.iter().any(|kind| kind.file_name() == name)
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
