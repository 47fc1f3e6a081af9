//! Reads a file from the disk to hash it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::PathBuf,
};

use rustix::fs::OFlags;
use sha2::{Digest, Sha256};

use crate::{index::Hash, walk::Stat};

/// Files above this many bytes are hashed by samples: no source text is as large, and a disk image of 50 GB would hold a
/// question up for minutes. A change between the samples that keeps the size goes unnoticed.
pub const SAMPLED_ABOVE: u64 = 256 << 20;

/// How many samples are taken, and of how many bytes.
const SAMPLES: u64 = 256;
const SAMPLE: usize = 64 << 10;

/// A file, looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked {
    /// What the system said before it was read.
    pub before: Stat,
    /// What the system said after it was read; when it differs, the bytes may be from two states.
    pub after: Stat,
    /// The hash of what was read.
    pub hash: Hash,
}

/// Where a snapshot reads files from.
pub trait Source: Sync {
    /// Reads a file below the root and hashes it.
    ///
    /// # Errors
    ///
    /// With what the system said; [`io::ErrorKind::NotFound`] when there is no such file any more, and
    /// [`io::ErrorKind::Interrupted`] when it was broken off, which leaves the file for the next look.
    fn look(&self, path: &str) -> io::Result<Looked>;
}

/// The disk, below a folder.
#[derive(Clone, Debug)]
pub struct Disk(PathBuf);

impl Disk {
    /// Reads below this folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self(root.into())
    }

    /// Opens a file for reading; links are not followed, and what is no file is not there.
    ///
    /// # Errors
    ///
    /// With what the system said.
    pub fn open(&self, path: &str) -> io::Result<(File, Stat)> {
        // A pipe that took a file's place must not hold up.
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let file = match OpenOptions::new().read(true).custom_flags(flags).open(self.0.join(path)) {
            Err(error) if is_link_or_no_folder(&error) => return Err(io::ErrorKind::NotFound.into()),
            file => file?,
        };
        let stat = file.metadata()?;
        if stat.is_file() { Ok((file, Stat::of(&stat))) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

impl Source for Disk {
    fn look(&self, path: &str) -> io::Result<Looked> {
        Hurried { disk: self, stop: &|| false }.look(path)
    }
}

/// The disk, as long as there is time: a file of 200 MB alone may take more than an answer has.
pub(crate) struct Hurried<'a> {
    pub(crate) disk: &'a Disk,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
}

impl Source for Hurried<'_> {
    fn look(&self, path: &str) -> io::Result<Looked> {
        let (file, before) = self.disk.open(path)?;
        let hash = if before.size > SAMPLED_ABOVE {
            samples(&file, before.size, self.stop)?
        } else {
            whole(&file, self.stop)?
        };
        Ok(Looked { before, after: Stat::of(&file.metadata()?), hash })
    }
}

/// How many pieces are hashed between two looks at the clock: half a megabyte, well below a millisecond.
const BREATH: usize = 16;

fn broken_off(stop: &dyn Fn() -> bool) -> io::Result<()> {
    if stop() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

fn is_link_or_no_folder(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::LOOP, Errno::NOTDIR, Errno::NXIO]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Reads up to the size above which files are sampled, so that one that grows meanwhile has an end too.
fn whole(file: &File, stop: &dyn Fn() -> bool) -> io::Result<Hash> {
    let mut hash = Sha256::new();
    let mut buffer = [0; 32 << 10];
    let mut file = file.take(SAMPLED_ABOVE);
    for piece in 1_usize.. {
        // The system may break a call off, too, which means nothing.
        match file.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok(0) => break,
            Ok(read) => hash.update(&buffer[..read]),
        }
        if piece.is_multiple_of(BREATH) {
            broken_off(stop)?;
        }
    }
    Ok(hash.finalize().into())
}

fn samples(file: &File, size: u64, stop: &dyn Fn() -> bool) -> io::Result<Hash> {
    let mut hash = Sha256::new();
    hash.update(size.to_le_bytes());
    let mut buffer = vec![0; SAMPLE];
    for sample in 0..SAMPLES {
        let last = size - SAMPLE as u64;
        file.read_exact_at(&mut buffer, last / (SAMPLES - 1) * sample)?;
        hash.update(&buffer);
        if sample as usize % BREATH == BREATH - 1 {
            broken_off(stop)?;
        }
    }
    Ok(hash.finalize().into())
}
