//! Opening files of a work tree: never through a link, so that nothing outside of it is read.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

use ctxhost_code::walk::Stat;
use rustix::fs::{Mode, OFlags, open, openat};
use sha2::{Digest, Sha256};

use crate::select::filter::MOST_BYTES;

/// A file as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Its bytes, and at most one more than what is sent.
    pub(crate) bytes: Vec<u8>,
    /// SHA-256 of these.
    pub(crate) hash: [u8; 32],
    /// What the system said before and after; when that differs, the bytes may be from two states.
    pub(crate) stats: [Stat; 2],
}

/// Reads a file below a root, by its path with `/`.
///
/// # Errors
///
/// With what the system said; `NotFound` also where a link, a folder or no path stands.
pub(crate) fn read(root: &Path, path: &str) -> io::Result<Text> {
    let file = opened(root, path)?;
    let before = file.metadata()?;
    if !before.is_file() {
        return Err(ErrorKind::NotFound.into());
    }
    let mut bytes = Vec::with_capacity(before.len().min(MOST_BYTES) as usize + 1);
    (&file).take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    let hash = Sha256::digest(&bytes).into();
    Ok(Text { bytes, hash, stats: [Stat::of(&before), Stat::of(&file.metadata()?)] })
}

/// Steps down folder by folder: a check of the whole path would be out of date when the file is opened.
fn opened(root: &Path, path: &str) -> io::Result<File> {
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut at = open(root, folder, Mode::empty())?;
    let (above, name) = path.rsplit_once('/').map_or(("", path), |(above, name)| (above, name));
    for step in above.split('/').filter(|step| !step.is_empty()) {
        at = openat(&at, named(step)?, folder | OFlags::NOFOLLOW, Mode::empty()).map_err(missing)?;
    }
    // A pipe that took a file's place must not hold up.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(openat(&at, named(name)?, flags, Mode::empty()).map_err(missing)?.into())
}

fn named(step: &str) -> io::Result<&str> {
    if matches!(step, "" | "." | ".." | ".git") { Err(ErrorKind::NotFound.into()) } else { Ok(step) }
}

fn missing(error: rustix::io::Errno) -> io::Error {
    use rustix::io::Errno;
    match error {
        Errno::LOOP | Errno::NOTDIR | Errno::NXIO => ErrorKind::NotFound.into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn nothing_outside_is_read() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("root");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        fs::write(place.path().join("secret"), "s").unwrap();
        fs::write(root.join("src/a.rs"), "fn a() {}").unwrap();
        fs::write(root.join(".git/config"), "s").unwrap();
        symlink(place.path().join("secret"), root.join("src/link")).unwrap();
        symlink(place.path(), root.join("out")).unwrap();
        assert_eq!(read(&root, "src/a.rs").unwrap().bytes, b"fn a() {}");
        for path in [
            "src/link",
            "out/secret",
            "../secret",
            "src/../../secret",
            "src",
            "",
            "/etc/hosts",
            ".git/config",
        ] {
            assert_eq!(read(&root, path).unwrap_err().kind(), ErrorKind::NotFound, "{path}");
        }
    }

    #[test]
    fn a_large_file_is_read_up_to_the_most() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("a"), vec![b'a'; 2 * MOST_BYTES as usize]).unwrap();
        assert_eq!(read(place.path(), "a").unwrap().bytes.len() as u64, MOST_BYTES + 1);
    }
}
