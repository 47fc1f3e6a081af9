//! Files of our own that nobody else may read: 0600 in 0700, replaced as a whole.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
    time::SystemTime,
};

use crate::select::root::hex;

/// Makes a folder that only its owner may enter.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 != 0 { fs::set_permissions(path, fs::Permissions::from_mode(0o700)) } else { Ok(()) }
}

/// Replaces a file, so that a reader sees the old bytes or the new ones.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path, bytes)?;
    let renamed = fs::rename(&new, path);
    if renamed.is_err() {
        let _ = fs::remove_file(&new);
    }
    renamed
}

/// Writes a file that is not there yet; whoever comes second gets an error of the kind `AlreadyExists`.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = beside(path, bytes)?;
    let linked = fs::hard_link(&new, path);
    let _ = fs::remove_file(&new);
    linked
}

/// Reads a file up to a size; `None` when it is not there, is larger, or cannot be read.
pub(crate) fn read(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = fs::File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

/// Removes the oldest files of a folder until there are at most so many.
pub(crate) fn keep_newest(folder: &Path, most: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let age = |entry: fs::DirEntry| {
        let modified = entry.metadata().ok().filter(fs::Metadata::is_file)?.modified();
        Some((modified.unwrap_or(SystemTime::UNIX_EPOCH), entry.path()))
    };
    let mut files: Vec<_> = entries.flatten().filter_map(age).collect();
    files.sort_unstable();
    let surplus = files.len().saturating_sub(most);
    for (_, path) in &files[..surplus] {
        let _ = fs::remove_file(path);
    }
}

fn beside(path: &Path, bytes: &[u8]) -> io::Result<std::path::PathBuf> {
    if let Some(above) = path.parent() {
        folder(above)?;
    }
    let mut salt = [0; 8];
    getrandom::fill(&mut salt).map_err(io::Error::other)?;
    let new = path.with_extension(format!("{}.new", hex(&salt)));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    match file.write_all(bytes) {
        Ok(()) => Ok(new),
        Err(error) => {
            let _ = fs::remove_file(&new);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_private_and_replaced_as_a_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/file");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(read(&path, 3).as_deref(), Some(&b"two"[..]));
        assert_eq!(read(&path, 2), None);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(create(&path, b"three").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn the_oldest_go_first() {
        let place = tempfile::tempdir().unwrap();
        for (name, age) in [("a", 30), ("b", 10), ("c", 20)] {
            let path = place.path().join(name);
            write(&path, b"").unwrap();
            let then = SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
        }
        keep_newest(place.path(), 2);
        assert!(!place.path().join("a").exists() && place.path().join("b").exists());
    }
}
