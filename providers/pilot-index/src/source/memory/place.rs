//! The folder `.pilot`, entered without following a link out of the project.

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use crate::error::MemoryProblem;

pub(super) const FOLDER: &str = ".pilot";
pub(super) const FILE: &str = "memories.jsonl";
pub(super) const CORRUPT: &str = "memories.jsonl.corrupt";
pub(super) const NEW: &str = "memories.jsonl.new";
pub(super) const LOCK: &str = "memories.lock";

/// A folder that is there and is no link.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// The folder, where it is there.
    pub(super) fn existing(project: &Path) -> Result<Option<Self>, MemoryProblem> {
        let path = project.join(FOLDER);
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => Err(MemoryProblem::Link),
            Ok(found) if !found.is_dir() => Err(MemoryProblem::WrongKind("no folder")),
            Ok(_) => Ok(Some(Self(path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The folder, made for its owner alone where it is not there.
    pub(super) fn made(project: &Path) -> Result<Self, MemoryProblem> {
        if let Some(folder) = Self::existing(project)? {
            return Ok(folder);
        }
        match DirBuilder::new().mode(0o700).create(project.join(FOLDER)) {
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        Self::existing(project)?.ok_or(MemoryProblem::WrongKind("gone"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Opens a regular file for reading.
    pub(super) fn open(&self, name: &str) -> Result<Option<File>, MemoryProblem> {
        match self.with(OpenOptions::new().read(true), name) {
            Err(MemoryProblem::System(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Opens a file for writing, made for its owner alone where it is not there.
    pub(super) fn create(&self, name: &str, empty: bool) -> Result<File, MemoryProblem> {
        self.with(OpenOptions::new().write(true).create(true).truncate(empty), name)
    }

    /// Opens a file for writing at its end.
    pub(super) fn append(&self, name: &str) -> Result<File, MemoryProblem> {
        self.with(OpenOptions::new().append(true).create(true), name)
    }

    fn with(&self, options: &mut OpenOptions, name: &str) -> Result<File, MemoryProblem> {
        // Not blocking, because opening a pipe waits for whoever is at its other end.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = options.mode(0o600).custom_flags(flags.bits() as i32).open(self.path(name));
        let file = opened.map_err(|error| {
            let link = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
            if link { MemoryProblem::Link } else { MemoryProblem::System(error) }
        })?;
        if file.metadata()?.is_file() { Ok(file) } else { Err(MemoryProblem::WrongKind("no file")) }
    }
}
