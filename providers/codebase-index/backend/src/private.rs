//! Files and folders for this user alone: keys, tokens and code of others lie in them.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Why a private file or folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PrivateError {
    /// The system refuses.
    #[error("cannot use {}: {source}; see who owns it and what mode it has", path.display())]
    Io {
        /// What was to be used.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Others can get at it.
    #[error("{} is not for you alone: {fault}; {hint}", path.display())]
    Open {
        /// What others can get at.
        path: PathBuf,
        /// In which way.
        fault: &'static str,
        /// What to do about it.
        hint: &'static str,
    },
}

/// More than any file of ours that is read whole.
const LARGEST: u64 = 1 << 20;

/// Makes a folder, and those above it, with mode 0700. One that is there already must not be writable by others.
pub(crate) fn folder(path: &Path) -> Result<(), PrivateError> {
    let fail = |source| PrivateError::Io { path: path.to_owned(), source };
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(fail)?;
    let metadata = fs::metadata(path).map_err(fail)?;
    if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
        return Err(PrivateError::Open {
            path: path.to_owned(),
            fault: "other users may write to this folder",
            hint: "choose a folder of your own",
        });
    }
    Ok(())
}

/// Puts a file in place whole, with mode 0600.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), PrivateError> {
    let fail = |source| PrivateError::Io { path: path.to_owned(), source };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let draft = path.with_file_name(format!(".{name}.{}", std::process::id()));
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(fail(error)),
        _ => {}
    }
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&draft, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&draft);
        fail(error)
    })
}

/// Reads a file that nobody else can read or write; `None` when there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, PrivateError> {
    let fail = |source| PrivateError::Io { path: path.to_owned(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    let metadata = file.metadata().map_err(fail)?;
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !metadata.is_file() || !own || metadata.mode() & 0o077 != 0 {
        return Err(PrivateError::Open {
            path: path.to_owned(),
            fault: "other users may read or write this file",
            hint: "see who did, then give it mode 0600",
        });
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(fail)?;
    Ok(Some(text))
}

/// Opens a file to be locked, with mode 0600.
pub(crate) fn lockable(path: &Path) -> Result<File, PrivateError> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(|source| PrivateError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it is there").mode() & 0o777
    }

    #[test]
    fn what_is_written_is_for_this_user_alone() {
        let temporary = tempfile::tempdir().expect("a folder");
        let inner = temporary.path().join("a/b");
        folder(&inner).expect("a folder is made");
        assert_eq!((mode(&inner), mode(&temporary.path().join("a"))), (0o700, 0o700));
        let file = inner.join("keys.json");
        write(&file, b"one").expect("written");
        write(&file, b"two").expect("written again");
        assert_eq!((mode(&file), read(&file).expect("read")), (0o600, Some("two".to_owned())));
        assert_eq!(fs::read_dir(&inner).expect("a folder").count(), 1, "no draft stays");
    }

    #[test]
    fn what_others_can_get_at_is_refused() {
        let temporary = tempfile::tempdir().expect("a folder");
        let file = temporary.path().join("keys.json");
        write(&file, b"secret").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("a mode");
        assert!(matches!(read(&file), Err(PrivateError::Open { .. })));
        fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o777)).expect("a mode");
        assert!(matches!(folder(temporary.path()), Err(PrivateError::Open { .. })));
    }

    #[test]
    fn a_file_that_is_not_there_is_none() {
        let temporary = tempfile::tempdir().expect("a folder");
        assert_eq!(read(&temporary.path().join("none")).expect("no failure"), None);
    }
}
