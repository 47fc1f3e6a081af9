//! `.pilot/memories.jsonl`: read whole, written whole, by several processes at once.
//!
//! A writer takes the lock, reads what is there now, merges its own into it and renames a new file into place, so that a
//! reader needs no lock and two writers lose nothing.

mod lines;
mod place;

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use ctxhost_sdk::protocol::pilot_index::Episode;

use crate::{
    error::MemoryProblem,
    select::memory::keep::{Caps, keep},
};
use lines::{Lines, written};
use place::{FOLDER, Folder};

/// The largest file that is read: with the longest episodes five hundred take 2 MiB, and the document's own
/// implementation, which drops nothing, needs years for sixteen.
const LARGEST: u64 = 16 * 1024 * 1024;

/// How often a lock that another process holds is tried again.
const RETRY: Duration = Duration::from_millis(2);

/// How bytes reach a file; a test's own fails as a full disk does.
pub(crate) type Writer = fn(&mut File, &[u8]) -> io::Result<()>;

/// The memory of one project.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    project: PathBuf,
    write: Writer,
}

/// What a look found.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub(crate) episodes: Vec<Episode>,
    /// Lines that are no episodes.
    pub(crate) corrupt: usize,
}

impl Store {
    /// The memory of the project in this folder; nothing is made or opened yet.
    pub(crate) fn at(project: &Path) -> Self {
        Self { project: project.to_owned(), write: |file, bytes| file.write_all(bytes) }
    }

    #[cfg(test)]
    fn with_writer(project: &Path, write: Writer) -> Self {
        Self { project: project.to_owned(), write }
    }

    /// Where the episodes are.
    pub(crate) fn file(&self) -> PathBuf {
        self.project.join(FOLDER).join(place::FILE)
    }

    /// Reads the episodes; none where there is no file.
    pub(crate) fn read(&self) -> Result<Kept, MemoryProblem> {
        let Some(folder) = Folder::existing(&self.project)? else { return Ok(Kept::default()) };
        let lines = self.lines(&folder)?;
        Ok(Kept { corrupt: lines.corrupt.len(), episodes: lines.episodes })
    }

    /// Changes the episodes under the lock; gives how many lines were no episodes and have been moved aside.
    pub(crate) fn change(
        &self,
        caps: Caps,
        patience: Duration,
        change: impl FnOnce(&mut Vec<Episode>),
    ) -> Result<usize, MemoryProblem> {
        let folder = Folder::made(&self.project)?;
        let lock = Self::locked(&folder, patience)?;
        let Lines { mut episodes, corrupt } = self.lines(&folder)?;
        let before = episodes.clone();
        change(&mut episodes);
        keep(&mut episodes, caps);
        if episodes != before || !corrupt.is_empty() {
            self.move_aside(&folder, &corrupt)?;
            self.replace(&folder, &episodes)?;
        }
        drop(lock);
        Ok(corrupt.len())
    }

    /// Deletes the episodes, and what was moved aside; gives how many there were.
    pub(crate) fn clear(&self, patience: Duration) -> Result<usize, MemoryProblem> {
        let Some(folder) = Folder::existing(&self.project)? else { return Ok(0) };
        let lock = Self::locked(&folder, patience)?;
        // A file that is too large to be read can still be deleted.
        let number = self.lines(&folder).map_or(0, |lines| lines.episodes.len());
        for name in [place::FILE, place::CORRUPT, place::NEW] {
            match fs::remove_file(folder.path(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        drop(lock);
        Ok(number)
    }

    fn lines(&self, folder: &Folder) -> Result<Lines, MemoryProblem> {
        let Some(file) = folder.open(place::FILE)? else { return Ok(Lines::default()) };
        if file.metadata()?.len() > LARGEST {
            return Err(MemoryProblem::TooLarge(LARGEST >> 20));
        }
        let mut bytes = Vec::new();
        // It may grow while it is read.
        file.take(LARGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST {
            return Err(MemoryProblem::TooLarge(LARGEST >> 20));
        }
        Ok(Lines::of(&bytes))
    }

    fn locked(folder: &Folder, patience: Duration) -> Result<File, MemoryProblem> {
        let file = folder.create(place::LOCK, false)?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < patience => thread::sleep(RETRY),
                Err(fs::TryLockError::WouldBlock) => return Err(MemoryProblem::Busy),
                Err(fs::TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }

    /// Lines that are no episodes are kept beside the file, so that nothing is lost.
    fn move_aside(&self, folder: &Folder, corrupt: &[Vec<u8>]) -> Result<(), MemoryProblem> {
        if corrupt.is_empty() {
            return Ok(());
        }
        let mut file = folder.append(place::CORRUPT)?;
        if file.metadata()?.len() > LARGEST {
            return Err(MemoryProblem::TooLarge(LARGEST >> 20));
        }
        let mut bytes = corrupt.join(&b'\n');
        bytes.push(b'\n');
        (self.write)(&mut file, &bytes)?;
        Ok(file.sync_all()?)
    }

    fn replace(&self, folder: &Folder, episodes: &[Episode]) -> Result<(), MemoryProblem> {
        let mut file = folder.create(place::NEW, true)?;
        let put = (self.write)(&mut file, &written(episodes)).and_then(|()| file.sync_all());
        let put = put.and_then(|()| fs::rename(folder.path(place::NEW), folder.path(place::FILE)));
        put.inspect_err(|_| drop(fs::remove_file(folder.path(place::NEW))))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
