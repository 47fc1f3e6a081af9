//! Folders of a project, entered without following a link out of it, and the small files in them.

use std::{
    fs::File,
    io::{self, Read},
    os::fd::OwnedFd,
    path::Path,
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::{
    fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat},
    io::Errno,
};

use crate::error::DiskProblem;

/// How a file is called while it is written, behind its name and a number.
pub(crate) const UNFINISHED: &str = ".new";

/// How bytes reach a file; a test's own fails as a full disk does.
pub(crate) type Writer = fn(&mut File, &[u8]) -> io::Result<()>;

/// A folder that was entered.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

/// Something in a folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Whether it is a folder, as far as the folder's list says.
    pub(crate) folder: bool,
}

impl Folder {
    /// Enters a project's root; what leads there may be links.
    pub(crate) fn root(path: &Path) -> Result<Self, DiskProblem> {
        Ok(Self(openat(CWD, path, flags(OFlags::RDONLY | OFlags::DIRECTORY), Mode::empty())?))
    }

    /// Enters the folder below, with `/` between names; `None` when it is not there.
    pub(crate) fn below(&self, dir: &str) -> Result<Option<Self>, DiskProblem> {
        let mut folder = Self(self.0.try_clone()?);
        for name in names(dir)? {
            match folder.child(name)? {
                Some(child) => folder = child,
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }

    /// Enters the folder below, and makes it where it is not there.
    pub(crate) fn made(&self, dir: &str) -> Result<Self, DiskProblem> {
        let mut folder = Self(self.0.try_clone()?);
        for name in names(dir)? {
            if folder.child(name)?.is_none() {
                match mkdirat(&folder.0, name, Mode::from_raw_mode(0o777)) {
                    // Another process was faster.
                    Err(Errno::EXIST) => {}
                    made => made?,
                }
            }
            folder = folder.child(name)?.ok_or(DiskProblem::WrongKind("gone"))?;
        }
        Ok(folder)
    }

    /// Enters a folder in this one; `None` when it is not there.
    pub(crate) fn child(&self, name: &str) -> Result<Option<Self>, DiskProblem> {
        let flags = flags(OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW);
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(handle) => Ok(Some(Self(handle))),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR) => Err(match self.type_of(name)? {
                Some(FileType::Symlink) => DiskProblem::Link,
                _ => DiskProblem::WrongKind("no folder"),
            }),
            Err(errno) => Err(errno.into()),
        }
    }

    /// What is in it, by name; a name that is not UTF-8 is none of ours.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, DiskProblem> {
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            if name != "." && name != ".." {
                let folder = match entry.file_type() {
                    FileType::Unknown => self.type_of(name)? == Some(FileType::Directory),
                    known => known == FileType::Directory,
                };
                entries.push(Entry { name: name.to_owned(), folder });
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Reads a regular file of at most so many bytes as a whole; `None` when it is not there.
    pub(crate) fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, DiskProblem> {
        // Not blocking, because opening a pipe waits for whoever is at its other end.
        let flags = flags(OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK);
        let file = match openat(&self.0, name, flags, Mode::empty()) {
            Ok(handle) => File::from(handle),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(DiskProblem::Link),
            Err(errno) => return Err(errno.into()),
        };
        if !file.metadata()?.is_file() {
            return Err(DiskProblem::WrongKind("no file"));
        }
        let mut bytes = Vec::new();
        // It may grow while it is read.
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(DiskProblem::TooLarge(most >> 10));
        }
        Ok(Some(bytes))
    }

    /// Puts a file in the place of another, at once or not at all. Nothing is synced: after a power cut a half file is
    /// seen by its header and made again.
    pub(crate) fn replace(&self, name: &str, bytes: &[u8], write: Writer) -> Result<(), DiskProblem> {
        match self.type_of(name)? {
            None | Some(FileType::RegularFile) => {}
            Some(FileType::Symlink) => return Err(DiskProblem::Link),
            Some(_) => return Err(DiskProblem::WrongKind("no file")),
        }
        let beside = unfinished(name);
        let flags = flags(OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW);
        // The umask says who may read a file of the project.
        let mut file = File::from(openat(&self.0, &beside, flags, Mode::from_raw_mode(0o666))?);
        let written = write(&mut file, bytes);
        let put = written.and_then(|()| Ok(renameat(&self.0, &beside, &self.0, name)?));
        if put.is_err() {
            // What stays is swept by the next run.
            let _ = unlinkat(&self.0, &beside, AtFlags::empty());
        }
        Ok(put?)
    }

    /// Removes a file; it does not matter if it is gone.
    pub(crate) fn remove(&self, name: &str) -> Result<(), DiskProblem> {
        match unlinkat(&self.0, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Removes a folder in this one if there is nothing in it; gives whether it is gone.
    pub(crate) fn remove_empty(&self, name: &str) -> bool {
        unlinkat(&self.0, name, AtFlags::REMOVEDIR).is_ok()
    }

    fn type_of(&self, name: &str) -> Result<Option<FileType>, DiskProblem> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(FileType::from_raw_mode(stat.st_mode))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }
}

/// The name of a file while it is written: no other process or thread has it.
fn unfinished(name: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    format!("{name}.{}-{}{UNFINISHED}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Whether a name is one that a file of this name has while it is written.
pub(crate) fn is_unfinished(name: &str, of: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let between = name.strip_prefix(of).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(UNFINISHED));
    between
        .and_then(|rest| rest.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

/// The names of a path; one that would lead up or away is refused.
fn names(dir: &str) -> Result<Vec<&str>, DiskProblem> {
    let names: Vec<&str> = dir.split('/').filter(|name| !name.is_empty()).collect();
    let inside = !dir.starts_with('/') && !names.iter().any(|name| [".", ".."].contains(name));
    if inside { Ok(names) } else { Err(DiskProblem::WrongKind("outside of the project")) }
}

fn flags(flags: OFlags) -> OFlags {
    flags | OFlags::CLOEXEC
}
