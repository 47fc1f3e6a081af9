//! What is known of a session, kept between processes that each live for one event.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process, thread,
    time::{Duration, Instant},
};

use ctxhost_sdk::serde_json;
use serde::{Serialize, de::DeserializeOwned};

/// What is kept of a session has an end, so a larger file is not ours.
const LARGEST: u64 = 256 * 1024;

/// How many sessions are kept; those whose end nobody told go when there are more.
const MOST: usize = 200;

/// How many locks all sessions share, so that no lock's file ever has to go.
const LOCKS: u64 = 16;

/// How often a lock that another process holds is tried again.
const RETRY: Duration = Duration::from_millis(2);

/// One file a session.
#[derive(Clone, Debug)]
pub(crate) struct Turns(Option<PathBuf>);

impl Turns {
    /// Below the provider's own folder; without one nothing is kept.
    pub(crate) fn below(state: Option<&Path>) -> Self {
        Self(state.map(|state| state.join("sessions")))
    }

    /// Keeps other processes away from a session until what this gives is dropped; `None` when one does not let go, or
    /// nothing can be written.
    pub(crate) fn lock(&self, session: &str, patience: Duration) -> Option<File> {
        let folder = self.0.as_ref()?;
        private_folder(folder).ok()?;
        let path = folder.join(format!("{:x}.lock", hash(session) % LOCKS));
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

    /// What is known of a session.
    pub(crate) fn read<T: DeserializeOwned>(&self, session: &str) -> Option<T> {
        let mut bytes = Vec::new();
        File::open(self.file(session)?).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps it. Where that fails the next event takes what is shown for something else and offers it again, which the
    /// host leaves out.
    pub(crate) fn keep(&self, session: &str, known: &impl Serialize) {
        let Some(file) = self.file(session) else { return };
        let new = file.with_extension(format!("{}.new", process::id()));
        if self.write(known, &new).and_then(|()| fs::rename(&new, &file)).is_err() {
            let _ = fs::remove_file(new);
        }
    }

    fn write(&self, known: &impl Serialize, new: &Path) -> io::Result<()> {
        let folder = new.parent().unwrap_or(Path::new(""));
        private_folder(folder)?;
        make_room(folder);
        let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(new)?;
        out.write_all(&serde_json::to_vec(known)?)
    }

    /// Forgets it.
    pub(crate) fn forget(&self, session: &str) {
        if let Some(file) = self.file(session) {
            let _ = fs::remove_file(file);
        }
    }

    fn file(&self, session: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(format!("{:016x}.json", hash(session))))
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn make_room(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending != "lock"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let surplus = files.len().saturating_sub(MOST);
    files.iter().take(surplus).for_each(|(_, file)| drop(fs::remove_file(file)));
}

/// FNV-1a: a session's name may hold anything, a file's may not.
fn hash(session: &str) -> u64 {
    session.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_outlives_its_process_and_not_its_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let turns = Turns::below(Some(folder.path()));
        assert_eq!(turns.read::<String>("s"), None);
        turns.keep("s", &"known");
        assert_eq!(turns.read::<String>("s").as_deref(), Some("known"));
        assert_eq!(turns.read::<String>("other"), None);
        turns.forget("s");
        assert_eq!(turns.read::<String>("s"), None);
        (0..MOST + 20).for_each(|n| turns.keep(&n.to_string(), &"known"));
        let left = fs::read_dir(folder.path().join("sessions")).expect("a folder").count();
        assert!(left <= MOST + 1, "{left}");
        Turns::below(None).keep("s", &"known");
    }

    #[test]
    fn a_session_is_held_by_one_at_a_time_and_its_lock_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let turns = Turns::below(Some(folder.path()));
        let held = turns.lock("s", Duration::ZERO);
        assert!(held.is_some() && turns.lock("s", Duration::from_millis(5)).is_none());
        (0..MOST + 20).for_each(|n| turns.keep(&n.to_string(), &"known"));
        assert!(turns.lock("s", Duration::ZERO).is_none(), "other sessions do not take its file away");
        drop(held);
        assert!(turns.lock("s", Duration::ZERO).is_some());
        assert!(Turns::below(None).lock("s", Duration::ZERO).is_none());
    }
}
