//! What the user has chosen, kept between calls: for a session, or else for a directory.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use ctxhost_sdk::fnv1a;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::source::files::{make_private_folder, read_file, write_private};

/// The longest record that is read; one holds a path and a few numbers.
const LARGEST_RECORD: u64 = 64 * 1024;

/// How many choices are kept of sessions, and how many of directories; the oldest go first. A session ends without
/// telling and a directory goes without telling, so somebody has to.
const MOST_CHOICES: usize = 500;

/// What the user has chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "wanted", rename_all = "lowercase")]
pub(crate) enum Choice {
    /// This editor.
    Editor {
        pid: u32,
        /// When its process started, so that another one with its id is not taken for it.
        start: Option<u64>,
        app: String,
    },
    /// No editor.
    Nothing,
    /// Whichever the automatic rule finds.
    Automatic,
}

/// Whose choice it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A session's, by its id.
    Session(String),
    /// A directory's, by its path without links.
    Directory(String),
}

/// The choices that are kept.
#[derive(Clone, Debug)]
pub(crate) struct Choices {
    folder: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
struct Record {
    /// Names are hashed for the file's name; a record whose own name differs belongs to somebody else.
    of: String,
    #[serde(flatten)]
    choice: Choice,
}

impl Scope {
    fn name(&self) -> &str {
        match self {
            Self::Session(name) | Self::Directory(name) => name,
        }
    }

    fn folder(&self) -> &'static str {
        match self {
            Self::Session(_) => "sessions",
            Self::Directory(_) => "directories",
        }
    }
}

impl Choices {
    /// The choices in the provider's own folder; without one, none are kept.
    pub(crate) fn new(kept: Option<&Path>) -> Self {
        Self { folder: kept.map(|folder| folder.join("connections")) }
    }

    /// What was chosen there, if anything was.
    pub(crate) fn read(&self, scope: &Scope) -> Option<Choice> {
        let bytes = read_file(&self.file(scope)?, LARGEST_RECORD).ok()??;
        // A record of a later version, or a damaged one, is no choice.
        let record: Record = serde_json::from_slice(&bytes).ok()?;
        (record.of == scope.name()).then_some(record.choice)
    }

    /// Keeps a choice.
    pub(crate) fn keep(&self, scope: &Scope, choice: &Choice) -> io::Result<()> {
        let (Some(folder), Some(file)) = (&self.folder, self.file(scope)) else {
            return Err(io::Error::other("the host has given this provider no place to keep it"));
        };
        make_private_folder(folder)?;
        make_private_folder(&folder.join(scope.folder()))?;
        let _lock = lock(folder, 100)?;
        let record = Record { of: scope.name().to_owned(), choice: choice.clone() };
        write_private(&file, &serde_json::to_vec(&record)?)?;
        forget_oldest(&folder.join(scope.folder()));
        Ok(())
    }

    /// Forgets a choice, unless it has become another one meanwhile.
    pub(crate) fn forget(&self, scope: &Scope, choice: &Choice) {
        let (Some(folder), Some(file)) = (&self.folder, self.file(scope)) else { return };
        // Whoever holds the lock is choosing at this moment; what was found is then outdated anyway.
        let Ok(_lock) = lock(folder, 1) else { return };
        if self.read(scope).as_ref() == Some(choice) {
            // It is found outdated again next time if this fails.
            let _ = fs::remove_file(file);
        }
    }

    fn file(&self, scope: &Scope) -> Option<PathBuf> {
        let name = format!("{:016x}.json", fnv1a(scope.name()));
        Some(self.folder.as_ref()?.join(scope.folder()).join(name))
    }
}

/// Waits for the lock on what is kept in a folder, a hundredth of a second at a time; it is free again when the file is dropped.
pub(super) fn lock(folder: &Path, tries: usize) -> io::Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(folder.join("lock"))?;
    for _ in 1..tries {
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() {
            return Ok(file);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(file)
}

fn forget_oldest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut records: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    let excess = records.len().saturating_sub(MOST_CHOICES);
    records.sort();
    for (_, path) in records.into_iter().take(excess) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn editor(pid: u32) -> Choice {
        Choice::Editor { pid, start: Some(7), app: "nvim".to_owned() }
    }

    #[test]
    fn choices_are_kept_per_scope_where_nobody_else_can_read_them() {
        let place = tempfile::tempdir().expect("a folder");
        let choices = Choices::new(Some(&place.path().join("state")));
        let (session, directory) = (Scope::Session("s".into()), Scope::Directory("s".into()));
        assert_eq!(choices.read(&session), None);
        choices.keep(&session, &editor(1)).expect("it is kept");
        choices.keep(&directory, &Choice::Nothing).expect("it is kept");
        assert_eq!(choices.read(&session), Some(editor(1)));
        assert_eq!(choices.read(&directory), Some(Choice::Nothing));
        let file = choices.file(&session).expect("a place");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&file), 0o600);
        assert_eq!(mode(file.parent().expect("a folder")), 0o700);
        fs::write(&file, "{\"of\":\"s\"").expect("it is ours");
        assert_eq!(choices.read(&session), None, "a damaged record is no choice");
    }

    #[test]
    fn a_choice_is_forgotten_only_while_it_is_still_the_same() {
        let place = tempfile::tempdir().expect("a folder");
        let choices = Choices::new(Some(place.path()));
        let scope = Scope::Session("s".into());
        choices.keep(&scope, &editor(1)).expect("it is kept");
        choices.forget(&scope, &editor(2));
        assert_eq!(choices.read(&scope), Some(editor(1)));
        choices.forget(&scope, &editor(1));
        assert_eq!(choices.read(&scope), None);
    }

    #[test]
    fn without_a_place_nothing_is_kept() {
        let choices = Choices::new(None);
        assert!(choices.keep(&Scope::Session("s".into()), &Choice::Nothing).is_err());
        assert_eq!(choices.read(&Scope::Session("s".into())), None);
    }

    #[test]
    fn many_at_once_never_leave_half_a_record() {
        let place = tempfile::tempdir().expect("a folder");
        let scope = Scope::Directory("/d".into());
        std::thread::scope(|threads| {
            for pid in 1..=8 {
                let (choices, scope) = (Choices::new(Some(place.path())), &scope);
                threads.spawn(move || {
                    for _ in 0..20 {
                        choices.keep(scope, &editor(pid)).expect("it is kept");
                        let read = choices.read(scope);
                        assert!(matches!(read, Some(Choice::Editor { .. }) | None), "{read:?}");
                        choices.forget(scope, &editor(pid % 8 + 1));
                    }
                });
            }
        });
        let left = fs::read_dir(place.path().join("connections/directories")).expect("it is there").count();
        assert!(left <= 1, "no temporary file stays");
    }

    #[test]
    fn the_oldest_choices_are_forgotten() {
        let scopes: [fn(String) -> Scope; 2] = [Scope::Session, Scope::Directory];
        for of in scopes {
            let place = tempfile::tempdir().expect("a folder");
            let choices = Choices::new(Some(place.path()));
            let scope = |number: usize| of(format!("s{number}"));
            for number in 0..=MOST_CHOICES {
                choices.keep(&scope(number), &Choice::Nothing).expect("it is kept");
                let file = File::options().write(true).open(choices.file(&scope(number)).expect("a place"));
                let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + number as u64);
                file.expect("it is there").set_modified(time).expect("it is ours");
            }
            choices.keep(&scope(MOST_CHOICES), &Choice::Nothing).expect("it is kept");
            assert_eq!(choices.read(&scope(0)), None);
            assert_eq!(choices.read(&scope(MOST_CHOICES)), Some(Choice::Nothing));
        }
    }
}
