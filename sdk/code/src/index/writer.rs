//! Changing the index: documents in, segments out.

use super::{
    Document, IndexError, Reader,
    buffer::Buffer,
    dead::Dead,
    disk::{Disk, FileSystem, UNFINISHED},
    manifest::{self, Manifest, segment_path},
    merge::{self, Stopped},
    view::{self, Part},
};
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

mod keep;
mod tiers;

/// A flush comes when the documents that wait take this much memory: a third of what the whole process may take at
/// 11,500 files, and few enough flushes that merging stays cheap.
const BUFFER: usize = 32 << 20;

/// Changes an index. There is at most one writer at a time: the caller holds the project's lock.
///
/// What is added or removed shows in [`Writer::reader`] and on the disk after [`Writer::commit`]. When the disk does not
/// take it, it stays in memory and shows all the same; the error is given once, and every commit tries again.
pub struct Writer {
    folder: Option<PathBuf>,
    disk: Box<dyn Disk>,
    version: u64,
    generation: u64,
    next: u64,
    parts: Vec<Part>,
    buffer: Buffer,
    changed: bool,
    told: bool,
}

impl Writer {
    /// Opens the index in a folder, or begins one. The folder is there already and the index's own.
    ///
    /// `version` says how words and symbols are made; an index of another one is left behind. The second value says why
    /// an index that is there could not be used: it is begun again, and the old one replaced at the first commit.
    pub fn open(folder: &Path, version: u64) -> (Self, Option<IndexError>) {
        Self::open_on(Box::new(FileSystem), folder, version)
    }

    /// Opens an index that is written by way of `disk`.
    pub fn open_on(disk: Box<dyn Disk>, folder: &Path, version: u64) -> (Self, Option<IndexError>) {
        let mut writer = Self::new(disk, Some(folder.to_owned()), version);
        // Names of segments are not used twice even when the list is lost, for the sake of those who still read it.
        writer.next = last_number(folder) + 1;
        match view::open(folder, version, &[]) {
            Ok(Some((manifest, parts))) => {
                writer.generation = manifest.generation;
                writer.next = writer.next.max(manifest.next);
                writer.parts = parts;
                writer.sweep();
                (writer, None)
            }
            Ok(None) => (writer, None),
            Err(problem) => {
                writer.changed = true;
                (writer, Some(problem))
            }
        }
    }

    /// Begins an index that is kept in memory, for where there is no folder.
    pub fn in_memory(version: u64) -> Self {
        Self::new(Box::new(FileSystem), None, version)
    }

    fn new(disk: Box<dyn Disk>, folder: Option<PathBuf>, version: u64) -> Self {
        Self {
            folder,
            disk,
            version,
            generation: 0,
            next: 1,
            parts: Vec::new(),
            buffer: Buffer::default(),
            changed: false,
            told: false,
        }
    }

    /// Adds documents; each takes the place of the one of its path.
    ///
    /// # Errors
    /// When the documents that waited filled a segment and the disk did not take it; they are kept in memory.
    pub fn add(&mut self, documents: impl IntoIterator<Item = Document>) -> Result<(), IndexError> {
        let mut result = Ok(());
        for document in documents {
            self.bury(&document.path);
            self.buffer.add(&document);
            if self.buffer.bytes() >= BUFFER {
                result = result.and(self.flush());
            }
        }
        result
    }

    /// Removes the documents of these paths; a path that has none is no error.
    pub fn remove<'a>(&mut self, paths: impl IntoIterator<Item = &'a str>) {
        for path in paths {
            self.buffer.remove(path);
            self.bury(path);
        }
    }

    /// Removes everything, such as when what is there cannot be read any more.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.buffer = Buffer::default();
        self.changed = true;
    }

    fn bury(&mut self, path: &str) {
        for part in &mut self.parts {
            if let Some(doc) = part.find(path) {
                Arc::make_mut(&mut part.dead).insert(doc);
                self.changed = true;
            }
        }
    }

    /// Makes everything that was added and removed so far visible, here and to every other process.
    ///
    /// # Errors
    /// When the disk does not take it, once: what was found is then kept in memory, and the next commit tries again.
    /// When what is there cannot be read back: then [`IndexError::needs_a_new_index`].
    pub fn commit(&mut self) -> Result<(), IndexError> {
        let flushed = self.flush();
        let merged = self.merge(tiers::choose(&self.parts));
        let saved = self.save();
        flushed.and(merged).and(saved)
    }

    /// Makes one segment of all and commits it, such as when the index is complete.
    ///
    /// # Errors
    /// As for [`Writer::commit`].
    pub fn compact(&mut self) -> Result<(), IndexError> {
        let flushed = self.flush();
        let worth = self.parts.len() > 1 || self.parts.iter().any(|part| part.dead.count() > 0);
        let all = if worth { (0..self.parts.len()).collect() } else { Vec::new() };
        let merged = self.merge(all);
        let saved = self.save();
        flushed.and(merged).and(saved)
    }

    /// Gives what has been committed, kept in memory or not.
    pub fn reader(&self) -> Reader {
        Reader::new(self.parts.clone(), self.generation, self.version)
    }

    fn flush(&mut self) -> Result<(), IndexError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        let write = |to: &mut dyn Write| buffer.write(to).map_err(Stopped::Writing);
        let (mut part, result) = self.make(&write)?;
        part.dead = Arc::new(Dead::of(buffer.dead().iter().copied()));
        self.parts.push(part);
        result
    }

    /// Makes one segment of those at these places; it comes last.
    fn merge(&mut self, mut places: Vec<usize>) -> Result<(), IndexError> {
        if places.is_empty() {
            return Ok(());
        }
        places.sort_unstable();
        let merged: Vec<Part> = places.iter().map(|&at| self.parts[at].clone()).collect();
        let inputs: Vec<merge::Part<'_>> =
            merged.iter().map(|part| merge::Part { segment: &part.segment, dead: &part.dead }).collect();
        let (part, result) = self.make(&|to| merge::merge(&inputs, to))?;
        places.iter().rev().for_each(|&at| drop(self.parts.remove(at)));
        if part.segment.documents() > 0 {
            self.parts.push(part);
        }
        self.changed = true;
        result
    }

    /// Saves the list, and before it what is only in memory.
    fn save(&mut self) -> Result<(), IndexError> {
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        if !self.changed {
            return Ok(());
        }
        for at in 0..self.parts.len() {
            if let Err(source) = self.rescue(&folder, at) {
                return self.tell(segment_path(&folder, self.next), source);
            }
        }
        let segments = self.parts.iter().filter_map(Part::listed).collect();
        let (version, generation, next) = (self.version, self.generation + 1, self.next);
        let bytes = Manifest { version, generation, next, segments }.encode();
        let path = manifest::path(&folder);
        match self.disk.replace(&path, &mut |to| to.write_all(&bytes)) {
            Ok(()) => {
                (self.generation, self.changed, self.told) = (generation, false, false);
                self.sweep();
                Ok(())
            }
            Err(source) => self.tell(path, source),
        }
    }

    /// Gives the error the first time.
    fn tell(&mut self, path: PathBuf, source: io::Error) -> Result<(), IndexError> {
        if std::mem::replace(&mut self.told, true) {
            return Ok(());
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Err(IndexError::Write { file, source })
    }

    /// Removes the files that no list names: merged segments, and what a process that died has left.
    fn sweep(&self) {
        let Some(folder) = &self.folder else { return };
        let kept: Vec<PathBuf> =
            self.parts.iter().filter_map(|part| Some(segment_path(folder, part.number?))).collect();
        for path in files(folder) {
            let extension = path.extension().unwrap_or_default();
            if extension == UNFINISHED || (extension == "segment" && !kept.contains(&path)) {
                self.disk.remove(&path);
            }
        }
    }
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()))
}

fn last_number(folder: &Path) -> u64 {
    let number = |path: PathBuf| u64::from_str_radix(path.file_stem()?.to_str()?, 16).ok();
    files(folder).filter_map(number).filter(|&number| number < u64::MAX >> 1).max().unwrap_or(0)
}
