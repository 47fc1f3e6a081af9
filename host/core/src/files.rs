//! Reading and writing the few files of the host's own: bounded, private, atomic.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::fs::OFlags;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system said no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a folder, a pipe or a device.
    #[error("{path}: not a regular file")]
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// It is larger than anything of its kind may be.
    #[error("{path}: larger than {cap} bytes")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How large it may be.
        cap: u64,
    },
}

impl ReadError {
    /// Whether the file simply is not there.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Io { source, .. }
            if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
    }
}

/// Opens a regular file for reading; a pipe does not make it wait.
///
/// # Errors
/// The system said no, or it is not a regular file.
pub fn open_regular(path: &Path) -> Result<File, ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(io)?;
    if !file.metadata().map_err(io)?.is_file() {
        return Err(ReadError::NotAFile { path: path.to_owned() });
    }
    Ok(file)
}

/// Reads a regular file of at most `cap` bytes.
///
/// # Errors
/// As [`open_regular`], or it is larger than `cap`.
pub fn read_regular(path: &Path, cap: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    open_regular(path)?
        .take(cap + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    if bytes.len() as u64 > cap {
        return Err(ReadError::TooLarge { path: path.to_owned(), cap });
    }
    Ok(bytes)
}

/// Makes a folder that only its owner may enter, with everything above it.
///
/// # Errors
/// The system said no.
pub fn make_private_dir(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Writes a file that only its owner may read, so that a reader sees the old content or the new.
///
/// # Errors
/// The system said no; nothing is left behind then.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let dir = path.parent().ok_or_else(|| io::Error::other("a file needs a folder"))?;
    make_private_dir(dir)?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{number}.tmp", std::process::id()));
    let temporary = dir.join(name);
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits() as i32)
        .open(&temporary)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    }
    written
}
