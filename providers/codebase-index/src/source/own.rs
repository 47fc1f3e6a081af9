//! Reading files that hold tokens: only the person's own, which nobody else can read or write.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
};

use rustix::fs::OFlags;

/// Reads such a file up to a size; `None` where there is none.
///
/// # Errors
/// It is another's, a link, no regular file, too large, or others may read or write it; a fragment that completes "it …".
pub(crate) fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, String> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            return Err("is a symbolic link".to_owned());
        }
        Err(error) => return Err(format!("cannot be opened: {error}")),
    };
    // Asked of the open file, so that it is the one that is read.
    let facts = file.metadata().map_err(|error| format!("cannot be looked at: {error}"))?;
    if !facts.is_file() {
        return Err("is no regular file".to_owned());
    }
    if facts.uid() != rustix::process::geteuid().as_raw() {
        return Err("belongs to somebody else".to_owned());
    }
    if facts.mode() & 0o077 != 0 {
        return Err("may be read or written by others; `chmod 600` it".to_owned());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > most { Err("is too large to be one of ours".to_owned()) } else { Ok(Some(bytes)) }
}

fn open(path: &Path) -> io::Result<File> {
    // A pipe in its place must not hold up.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

#[cfg(test)]
mod tests {
    use std::{
        fs::{self, Permissions},
        os::unix::fs::{PermissionsExt, symlink},
    };

    use super::*;

    #[test]
    fn only_private_files_are_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        assert_eq!(read(&path, 10), Ok(None));
        fs::write(&path, "token").unwrap();
        for (mode, is_read) in [(0o600, true), (0o640, false), (0o602, false), (0o400, true)] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(read(&path, 10).is_ok(), is_read, "{mode:o}");
        }
        assert!(read(&path, 4).unwrap_err().contains("too large"));
        let link = place.path().join("link");
        symlink(&path, &link).unwrap();
        assert_eq!(read(&link, 10).unwrap_err(), "is a symbolic link");
        assert_eq!(read(place.path(), 10).unwrap_err(), "is no regular file");
    }
}
