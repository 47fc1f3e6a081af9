//! The one way by which the index writes, so that a test can let it fail.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

/// Writes and removes whole files.
pub trait Disk: Send + Sync {
    /// Puts what `fill` writes in the place of `path`, at once or not at all.
    ///
    /// # Errors
    /// What the system or `fill` said; the old file is then still there.
    fn replace(&self, path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Removes a file that nobody needs; it does not matter if that fails.
    fn remove(&self, path: &Path);
}

/// The file system: files that only their owner reads, written beside their place and renamed.
///
/// Nothing is synced: after a power cut the sums show what is missing, and the index is made again.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

/// How a file is called while it is written; whoever holds the lock removes those of a process that died.
pub(super) const UNFINISHED: &str = "unfinished";

impl Disk for FileSystem {
    fn replace(&self, path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let beside = path.with_extension(UNFINISHED);
        let written = write(&beside, fill).and_then(|()| fs::rename(&beside, path));
        if written.is_err() {
            self.remove(&beside);
        }
        written
    }

    fn remove(&self, path: &Path) {
        // It is removed at the next opening then.
        let _ = fs::remove_file(path);
    }
}

fn write(path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A symlink or a foreign file of that name is not followed or shared: it is removed first.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    fill(&mut file)
}
