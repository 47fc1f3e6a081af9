//! Reading files that anybody may have made, and writing files that nobody else may read.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::{
        fd::AsFd,
        unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    },
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat},
    io::Errno,
    process::geteuid,
};

use crate::error::ReadProblem;

/// Reads a small file at a path, through symbolic links; `None` when there is none.
///
/// It never waits: a FIFO or a device is a problem and not a place to read from.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, ReadProblem> {
    // The kind is looked at before opening, because opening alone does things to some devices.
    let kind = match fs::metadata(path) {
        Ok(metadata) => metadata.file_type(),
        Err(error) if is_missing(&error) && fs::symlink_metadata(path).is_ok() => {
            return Err(ReadProblem::Dangling);
        }
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !kind.is_file() {
        return Err(ReadProblem::WrongKind(kind_name(kind)));
    }
    match openat(CWD, path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()) {
        Ok(descriptor) => read_opened(File::from(descriptor), limit).map(Some),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(io::Error::from(error).into()),
    }
}

/// Reads a small file of the user's own inside an opened folder, and no symbolic link; `None` when there is none.
pub(crate) fn read_own_file(
    folder: impl AsFd,
    name: &str,
    limit: u64,
) -> Result<Option<Vec<u8>>, ReadProblem> {
    match written_at(&folder, name) {
        Ok(Some(_)) => {}
        Ok(None) => return Ok(None),
        Err(problem) => return Err(problem),
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = match openat(&folder, name, flags, Mode::empty()) {
        Ok(descriptor) => File::from(descriptor),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP) => return Err(ReadProblem::WrongKind("a symbolic link")),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    if file.metadata()?.uid() != geteuid().as_raw() {
        return Err(ReadProblem::ForeignOwner);
    }
    read_opened(file, limit).map(Some)
}

/// When a regular file inside an opened folder was last written, in unix seconds; `None` when there is none.
pub(crate) fn written_at(folder: impl AsFd, name: &str) -> Result<Option<f64>, ReadProblem> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Some(stat.st_mtime as f64 + stat.st_mtime_nsec as f64 / 1e9)),
            FileType::Directory => Err(ReadProblem::WrongKind("a folder")),
            FileType::Symlink => Err(ReadProblem::WrongKind("a symbolic link")),
            FileType::Fifo => Err(ReadProblem::WrongKind("a pipe")),
            FileType::Socket => Err(ReadProblem::WrongKind("a socket")),
            _ => Err(ReadProblem::WrongKind("a device")),
        },
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(io::Error::from(error).into()),
    }
}

fn read_opened(file: File, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(ReadProblem::WrongKind(kind_name(metadata.file_type())));
    }
    let too_large = ReadProblem::TooLarge(limit / 1024);
    if metadata.len() > limit {
        return Err(too_large);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // It may grow while it is read.
    if file.take(limit + 1).read_to_end(&mut bytes)? as u64 > limit {
        return Err(too_large);
    }
    Ok(bytes)
}

fn kind_name(kind: fs::FileType) -> &'static str {
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_symlink() => "a symbolic link",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

/// Nothing can be at a path that leads through a file, either.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Makes a folder that only the user can look into.
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700))
}

/// Replaces a file at once with one that only the user can read.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    // A crash may have left one of this name behind.
    let _ = fs::remove_file(&beside);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    let written = file.write_all(bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}
