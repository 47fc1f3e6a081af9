//! What a provider keeps between processes.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::hash::fnv1a;

/// A larger file is not one of ours.
const LARGEST: u64 = 256 * 1024;

/// How many locks all names share, so that no lock's file ever has to go.
const LOCKS: u64 = 16;

/// How often a lock that another process holds is tried again.
const RETRY: Duration = Duration::from_millis(2);

/// Small documents of a provider's own, one JSON file a name, for the user's eyes alone.
///
/// Hook processes live for one event each, so what a provider has to remember between them lies here. A document is
/// replaced as a whole: a reader has the old or the new one, and never a part. Names may hold anything, since a file is
/// named by [`fnv1a`].
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let state = Some(folder.path()); // `setup.state_dir().as_deref()` in a provider
/// use ctxhost_sdk::StateFolder;
///
/// let switches = StateFolder::below(state, "switches");
/// assert_eq!(switches.read::<bool>("/work"), None);
/// switches.keep("/work", &true)?;
/// assert_eq!(switches.read::<bool>("/work"), Some(true));
/// switches.forget("/work")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StateFolder {
    folder: Option<PathBuf>,
    most: Option<usize>,
}

impl StateFolder {
    /// A folder of this name in the provider's own, which is [`Setup::state_dir`](crate::Setup::state_dir); without one
    /// nothing is kept. It is made when something is.
    pub fn below(state: Option<&Path>, name: &str) -> Self {
        Self { folder: state.map(|state| state.join(name)), most: None }
    }

    /// Keeps some so many documents at most: when one is written, those go that were written longest ago.
    #[must_use]
    pub fn at_most(mut self, documents: usize) -> Self {
        self.most = Some(documents);
        self
    }

    /// Reads a document; `None` where there is none, or none of this type of at most 256 KiB.
    pub fn read<T: DeserializeOwned>(&self, name: impl AsRef<[u8]>) -> Option<T> {
        let mut bytes = Vec::new();
        File::open(self.file(name.as_ref()).ok()?).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps a document in place of the one that was there.
    ///
    /// # Errors
    /// There is no folder, or what the system says; what was there before then still is.
    pub fn keep(&self, name: impl AsRef<[u8]>, document: &impl Serialize) -> io::Result<()> {
        static WRITES: AtomicU64 = AtomicU64::new(0);
        let file = self.file(name.as_ref())?;
        // Another thread or process may be writing the same one.
        let write = WRITES.fetch_add(1, Ordering::Relaxed);
        let new = file.with_extension(format!("{}-{write}.new", process::id()));
        let kept = self.write(document, &new).and_then(|()| fs::rename(&new, &file));
        if kept.is_err() {
            let _ = fs::remove_file(new);
        }
        kept
    }

    /// Forgets a document; that there is none is no error.
    ///
    /// # Errors
    /// There is no folder, or what the system says.
    pub fn forget(&self, name: impl AsRef<[u8]>) -> io::Result<()> {
        match fs::remove_file(self.file(name.as_ref())?) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Keeps others away from a name, in this process and in others, until what this gives is dropped; `None` when one does
    /// not let go in time, or nothing can be written.
    ///
    /// Reading and keeping need no lock; it is for changing what was read. Some names share a lock, so nobody may hold
    /// two.
    pub fn lock(&self, name: impl AsRef<[u8]>, patience: Duration) -> Option<File> {
        let folder = self.folder.as_ref()?;
        private_folder(folder).ok()?;
        let path = folder.join(format!("{:x}.lock", fnv1a(name) % LOCKS));
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path).ok()?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => thread::sleep(RETRY),
                Err(_) => return None,
            }
        }
    }

    fn write(&self, document: &impl Serialize, new: &Path) -> io::Result<()> {
        let folder = new.parent().unwrap_or(Path::new(""));
        private_folder(folder)?;
        if let Some(most) = self.most {
            make_room(folder, most);
        }
        let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(new)?;
        out.write_all(&serde_json::to_vec(document)?)
    }

    fn file(&self, name: &[u8]) -> io::Result<PathBuf> {
        match &self.folder {
            Some(folder) => Ok(folder.join(format!("{:016x}.json", fnv1a(name)))),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for what must be kept")),
        }
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Removes the oldest of too many files; what writers that were killed left behind goes with them.
fn make_room(folder: &Path, most: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending != "lock"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let surplus = files.len().saturating_sub(most);
    files.iter().take(surplus).for_each(|(_, file)| drop(fs::remove_file(file)));
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_document_is_kept_by_name_until_it_is_forgotten() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = StateFolder::below(Some(place.path()), "sessions").at_most(20);
        assert_eq!(folder.read::<String>("s"), None);
        folder.keep("s", &"known").expect("it is kept");
        assert_eq!(folder.read::<String>("s").as_deref(), Some("known"));
        assert_eq!((folder.read::<String>("other"), folder.read::<u32>("s")), (None, None));
        folder.forget("s").and_then(|()| folder.forget("s")).expect("it is forgotten");
        assert_eq!(folder.read::<String>("s"), None);
        (0..40).for_each(|n| folder.keep(n.to_string(), &"known").expect("it is kept"));
        let left = fs::read_dir(place.path().join("sessions")).expect("a folder").count();
        assert!(left <= 21, "{left}");
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let folder = StateFolder::below(None, "sessions");
        assert!(folder.keep("s", &1).is_err() && folder.forget("s").is_err());
        assert_eq!(folder.read::<u32>("s"), None);
        assert!(folder.lock("s", Duration::ZERO).is_none());
    }

    #[test]
    fn only_the_user_may_look_into_it() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = StateFolder::below(Some(place.path()), "sessions");
        folder.keep("s", &1).expect("it is kept");
        let _held = folder.lock("s", Duration::ZERO).expect("a lock");
        let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        let sessions = place.path().join("sessions");
        assert_eq!(mode(&sessions), 0o700);
        let files: Vec<_> =
            fs::read_dir(&sessions).expect("files").flatten().map(|entry| entry.path()).collect();
        assert_eq!(files.iter().map(|file| mode(file)).collect::<Vec<_>>(), [0o600, 0o600]);
    }

    #[test]
    fn what_cannot_be_kept_leaves_nothing_behind() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = StateFolder::below(Some(place.path()), "sessions");
        folder.keep("s", &1).expect("it is kept");
        // No JSON has keys like these.
        let wrong = std::collections::BTreeMap::from([((1, 2), 3)]);
        assert!(folder.keep("s", &wrong).is_err());
        assert_eq!(folder.read::<u32>("s"), Some(1));
        assert_eq!(fs::read_dir(place.path().join("sessions")).expect("a folder").count(), 1);
    }

    #[test]
    fn a_name_is_held_by_one_at_a_time_and_its_lock_stays() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = StateFolder::below(Some(place.path()), "sessions").at_most(20);
        let held = folder.lock("s", Duration::ZERO);
        assert!(held.is_some() && folder.lock("s", Duration::from_millis(5)).is_none());
        (0..40).for_each(|n| folder.keep(n.to_string(), &"known").expect("it is kept"));
        assert!(folder.lock("s", Duration::ZERO).is_none(), "other names do not take its file away");
        drop(held);
        assert!(folder.lock("s", Duration::ZERO).is_some());
    }
}
