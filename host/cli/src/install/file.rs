//! The files that are changed: looked at before the first is written, and given back when one cannot be.

use std::{
    fs::{self, Permissions},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use ctxhost::files::read_regular;
use rustix::fs::{Access, access};

use crate::exit::{Code, Failure};

/// The largest file that is edited, in bytes. An agent's settings are a thousandth of it.
pub(crate) const FILE_CAP: u64 = 4 * 1024 * 1024;

/// A file as it is, and where it really lies.
#[derive(Clone, Debug)]
pub(crate) struct Existing {
    /// What the agent calls it.
    pub(crate) path: PathBuf,
    /// Where it lies, behind links.
    pub(crate) target: PathBuf,
    /// What is in it; nothing if it does not exist.
    pub(crate) bytes: Option<Vec<u8>>,
    mode: Option<u32>,
}

/// A file and what is to be in it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The file as it is.
    pub(crate) file: Existing,
    /// What is to be in it; nothing if it is to go.
    pub(crate) after: Option<Vec<u8>>,
    /// Whether it is for its owner alone when it is made.
    pub(crate) private: bool,
    /// Whether it is the program's own, which nobody else writes.
    pub(crate) own: bool,
    /// Folders to remove afterwards, inner ones first, as far as they are empty.
    pub(crate) remove_dirs: Vec<PathBuf>,
}

impl Change {
    /// Whether anything is to be done.
    pub(crate) fn is_any(&self) -> bool {
        self.file.bytes != self.after
    }
}

impl Existing {
    /// Reads a file that may be edited, or finds that there is none.
    ///
    /// # Errors
    /// It is there and must be left alone.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let left = |why: &str, what: &str| left_alone(path, why, what);
        let target = match fs::symlink_metadata(path) {
            Ok(_) => path.canonicalize().map_err(|error| {
                left(&format!("a link that leads nowhere ({error})"), "mend or remove it")
            })?,
            Err(error) if is_absent(&error) => {
                let missing =
                    Self { path: path.to_owned(), target: path.to_owned(), bytes: None, mode: None };
                return missing.checked();
            }
            Err(error) => return Err(left(&error.to_string(), "make it readable")),
        };
        let bytes = read_regular(&target, FILE_CAP).map_err(|error| {
            Failure::new(
                Code::Findings,
                format!("{error}; nothing was changed, make it an ordinary file that can be read"),
            )
        })?;
        let meta = fs::metadata(&target).map_err(|error| left(&error.to_string(), "make it readable"))?;
        let mode = Some(meta.permissions().mode() & 0o7777);
        if meta.permissions().readonly() || access(&target, Access::WRITE_OK).is_err() {
            return Err(left("it may not be written", "give yourself the right to"));
        }
        Self { path: path.to_owned(), target, bytes: Some(bytes), mode }.checked()
    }

    /// Holds that its folder may be written, or made.
    fn checked(self) -> Result<Self, Failure> {
        let mut folder = self.target.parent();
        while let Some(there) = folder {
            match fs::metadata(there) {
                Ok(meta) if !meta.is_dir() => {
                    return Err(left_alone(
                        &self.path,
                        &format!("{} is not a folder", there.display()),
                        "make it one",
                    ));
                }
                Ok(_) if access(there, Access::WRITE_OK | Access::EXEC_OK).is_ok() => return Ok(self),
                Ok(_) => {
                    let why = format!("its folder {} may not be written", there.display());
                    return Err(left_alone(&self.path, &why, "give yourself the right to"));
                }
                Err(error) if is_absent(&error) && fs::symlink_metadata(there).is_err() => {
                    folder = there.parent();
                }
                Err(error) => {
                    return Err(left_alone(&self.path, &format!("{}: {error}", there.display()), "mend it"));
                }
            }
        }
        Err(left_alone(&self.path, "it has no folder", "set the agent's folder to an absolute path"))
    }

    /// What is in it, as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub(crate) fn text(&self) -> Result<Option<&str>, Failure> {
        let Some(bytes) = &self.bytes else { return Ok(None) };
        let text = std::str::from_utf8(bytes);
        text.map(Some).map_err(|_| left_alone(&self.path, "it is not UTF-8", "save it as UTF-8"))
    }

    /// Whether it lies in a folder, or would.
    pub(crate) fn lies_in(&self, folder: &Path) -> bool {
        let there = self.target.ancestors().find(|above| above.exists());
        there.is_some_and(|there| there.canonicalize().is_ok_and(|there| there.starts_with(folder)))
    }

    /// The folders above it that do not exist yet, inner ones first.
    pub(crate) fn missing_dirs(&self) -> Vec<PathBuf> {
        let above = self.target.ancestors().skip(1);
        above.take_while(|folder| fs::symlink_metadata(folder).is_err()).map(Path::to_owned).collect()
    }

    /// Holds that the file still is as it was read.
    fn is_unchanged(&self) -> io::Result<bool> {
        match fs::read(&self.target) {
            Ok(now) => Ok(self.bytes.as_deref() == Some(&now)),
            Err(error) if is_absent(&error) => Ok(self.bytes.is_none()),
            Err(error) => Err(error),
        }
    }
}

/// The failure of a file that is left as it is.
pub(crate) fn left_alone(path: &Path, why: &str, what_to_do: &str) -> Failure {
    Failure::new(
        Code::Findings,
        format!("{}: {why}; nothing was changed, {what_to_do} and try again", path.display()),
    )
}

/// Writes all changes, or none.
///
/// # Errors
/// One could not be written, or a file is not as it was read; those written before it are given back.
pub(crate) fn write_all(changes: &[Change]) -> Result<(), Failure> {
    let mut done: Vec<(&Change, Vec<PathBuf>)> = Vec::new();
    for change in changes.iter().filter(|change| change.is_any()) {
        let made = change.file.missing_dirs();
        let Err(error) = write(change, &made) else {
            done.push((change, made));
            continue;
        };
        remove_empty(&made);
        let path = change.file.path.display();
        let mut message = format!("{path}: {error}; nothing was changed, mend that and try again");
        for (change, made) in done.iter().rev() {
            if let Err(error) = give_back(change) {
                let path = change.file.path.display();
                message = format!("{message}; but {path} could not be given back: {error}");
            }
            remove_empty(made);
        }
        return Err(Failure::new(Code::Internal, message));
    }
    for (change, _) in &done {
        remove_empty(&change.remove_dirs);
    }
    Ok(())
}

fn write(change: &Change, made: &[PathBuf]) -> io::Result<()> {
    let file = &change.file;
    for folder in made.iter().rev() {
        fs::create_dir(folder)?;
        if change.private {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        }
    }
    let fresh = if change.private { 0o600 } else { 0o644 };
    match &change.after {
        None => {
            unchanged(file)?;
            fs::remove_file(&file.target)
        }
        Some(bytes) => put(file, bytes, file.mode.unwrap_or(fresh)),
    }
}

/// Puts a file in its place, so that a reader sees the old content or the new.
fn put(file: &Existing, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = file.target.parent().ok_or_else(|| io::Error::other("it has no folder"))?;
    let mut temporary = tempfile::Builder::new().prefix(".ctxhost-").tempfile_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().set_permissions(Permissions::from_mode(mode))?;
    temporary.as_file().sync_all()?;
    unchanged(file)?;
    let put = if file.bytes.is_some() {
        temporary.persist(&file.target)
    } else {
        // Somebody else's file of this moment must not be lost.
        temporary.persist_noclobber(&file.target)
    };
    put.map(drop).map_err(|error| error.error)
}

fn unchanged(file: &Existing) -> io::Result<()> {
    if file.is_unchanged()? {
        return Ok(());
    }
    Err(io::Error::other("it was changed by somebody else in this moment"))
}

/// Undoes a change, unless somebody else has changed the file since.
fn give_back(change: &Change) -> io::Result<()> {
    let now = Existing { bytes: change.after.clone(), ..change.file.clone() };
    match &change.file.bytes {
        None => unchanged(&now).and_then(|()| fs::remove_file(&now.target)),
        Some(bytes) => put(&now, bytes, change.file.mode.unwrap_or(0o600)),
    }
}

fn remove_empty(folders: &[PathBuf]) {
    for folder in folders {
        // A folder that somebody uses by now is not empty, and stays.
        let _ = fs::remove_dir(folder);
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &Path, after: &str) -> Change {
        let file = Existing::read(path).expect("it can be edited");
        let after = Some(after.as_bytes().to_vec());
        Change { file, after, private: true, own: false, remove_dirs: Vec::new() }
    }

    #[test]
    fn a_file_that_changes_in_between_keeps_that_change_and_the_first_one_is_given_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second, third) =
            (folder.path().join("a"), folder.path().join("new/b"), folder.path().join("c"));
        fs::write(&first, "1").expect("a file");
        fs::write(&third, "3").expect("a file");
        let changes = [change(&first, "one"), change(&second, "two"), change(&third, "three")];
        fs::write(&third, "theirs").expect("a file");
        let failure = write_all(&changes).expect_err("it was changed");
        assert!(failure.message.contains("changed by somebody else"), "{}", failure.message);
        assert_eq!(fs::read_to_string(&first).expect("a file"), "1");
        assert_eq!(fs::read_to_string(&third).expect("a file"), "theirs");
        assert!(!folder.path().join("new").exists());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left behind");
    }

    #[test]
    fn a_file_that_appears_in_between_is_not_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        let changes = [change(&path, "ours")];
        fs::write(&path, "theirs").expect("a file");
        write_all(&changes).expect_err("it appeared");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "theirs");
    }

    #[test]
    fn a_change_that_somebody_edited_since_is_not_taken_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "old").expect("a file");
        let change = change(&path, "ours");
        fs::write(&path, "theirs").expect("a file");
        give_back(&change).expect_err("it is not what we wrote");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "theirs");
    }
}
