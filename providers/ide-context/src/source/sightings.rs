//! Which file a selection's time stamp was first seen with.
//!
//! A client that keeps one time stamp for all its buffers reports the old marks of one buffer with the time of a
//! selection in another. One stamp cannot belong to two files, so once it was seen with one, it counts for no other.
//!
//! What this catches: somebody asks about a selection, goes to another file of the same editor and asks again within
//! the minute. What it does not catch: the first buffer was never asked about while its selection was new. And it
//! never takes a real selection for an old one: a stamp is noted only when its second is over, and whatever is selected
//! after that has a later one.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ctxhost_sdk::fnv1a;
use serde::{Deserialize, Serialize};

use crate::source::{
    connection::lock,
    files::{make_private_folder, read_file, write_private},
};

/// How many are remembered; within the minute in which they matter a person makes a few, in each of many agents.
const MOST: usize = 256;

/// How often the lock on the small file is tried, a hundredth of a second apart; a prompt does not wait for long.
const TRIES: usize = 5;

/// The largest memory that is read.
const LARGEST: u64 = 64 * 1024;

/// A selection that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Sighting {
    pid: u32,
    start: Option<u64>,
    selected_at: f64,
    /// A hash: names of files are nobody's business here.
    file: u64,
}

/// The selections that were seen, in this process and, through a small file, in others.
#[derive(Debug)]
pub(crate) struct Sightings {
    path: Option<PathBuf>,
    seen: Mutex<Vec<Sighting>>,
}

impl Sightings {
    pub(crate) fn new(kept: Option<&Path>) -> Self {
        Self { path: kept.map(|folder| folder.join("selections.json")), seen: Mutex::default() }
    }

    /// Whether a selection's time stamp belongs to another file of the same editor.
    ///
    /// With `note`, the stamp is remembered with this file unless it already belongs to one.
    pub(crate) fn is_of_another_file(
        &self,
        (pid, start): (u32, Option<u64>),
        file: &str,
        selected_at: f64,
        now: f64,
        note: bool,
    ) -> bool {
        let file = fnv1a(file);
        // Read before locking, so that no slow disk keeps the process's other questions waiting.
        let kept = self.kept();
        let sighting = Sighting { pid, start, selected_at, file };
        let all = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            merge(&mut seen, kept);
            let same =
                |seen: &&Sighting| (seen.pid, seen.start, seen.selected_at) == (pid, start, selected_at);
            if let Some(sighting) = seen.iter().find(same) {
                return sighting.file != file;
            }
            // Stamps may be whole seconds, so within its second a later selection could still get the same one.
            if !note || now < selected_at.floor() + 1.0 {
                return false;
            }
            merge(&mut seen, vec![sighting]);
            seen.clone()
        };
        self.keep(all);
        false
    }

    fn kept(&self) -> Vec<Sighting> {
        let bytes = self.path.as_deref().and_then(|path| read_file(path, LARGEST).ok()?);
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Adds what was seen to what other processes have kept. What cannot be kept now is kept with the next one.
    fn keep(&self, mut all: Vec<Sighting>) {
        let Some((path, folder)) = self.path.as_deref().and_then(|path| Some((path, path.parent()?))) else {
            return;
        };
        let Ok(_lock) = make_private_folder(folder).and_then(|()| lock(folder, TRIES)) else { return };
        merge(&mut all, self.kept());
        if let Ok(bytes) = serde_json::to_vec(&all) {
            let _ = write_private(path, &bytes);
        }
    }
}

/// Adds what is new, and forgets all but the newest.
fn merge(seen: &mut Vec<Sighting>, more: Vec<Sighting>) {
    for sighting in more {
        if !seen.contains(&sighting) {
            seen.push(sighting);
        }
    }
    seen.sort_by(|one, other| one.selected_at.total_cmp(&other.selected_at));
    let excess = seen.len().saturating_sub(MOST);
    seen.drain(..excess);
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDITOR: (u32, Option<u64>) = (7, Some(1));

    #[test]
    fn a_stamp_belongs_to_the_file_it_was_first_seen_with() {
        let place = tempfile::tempdir().expect("a folder");
        let sightings = Sightings::new(Some(place.path()));
        let other_process = Sightings::new(Some(place.path()));
        assert!(!sightings.is_of_another_file(EDITOR, "/b", 100.0, 105.0, true));
        assert!(!sightings.is_of_another_file(EDITOR, "/b", 100.0, 110.0, true), "the same file");
        for sightings in [&sightings, &other_process] {
            assert!(sightings.is_of_another_file(EDITOR, "/a", 100.0, 111.0, true));
            assert!(!sightings.is_of_another_file(EDITOR, "/a", 111.0, 111.2, true), "a new selection");
            assert!(!sightings.is_of_another_file((8, Some(1)), "/a", 100.0, 111.0, false), "another editor");
            assert!(!sightings.is_of_another_file((7, Some(2)), "/a", 100.0, 111.0, false), "its id again");
        }
    }

    #[test]
    fn a_stamp_whose_second_is_not_over_is_not_held_against_anybody() {
        let sightings = Sightings::new(None);
        assert!(!sightings.is_of_another_file(EDITOR, "/b", 100.0, 100.9, true));
        assert!(!sightings.is_of_another_file(EDITOR, "/a", 100.0, 100.9, true));
        assert!(!sightings.is_of_another_file(EDITOR, "/b", 100.5, 100.9, true));
        assert!(!sightings.is_of_another_file(EDITOR, "/a", 100.5, 101.0, true));
    }

    #[test]
    fn only_the_newest_are_remembered() {
        let sightings = Sightings::new(None);
        for second in 0..=MOST {
            assert!(!sightings.is_of_another_file(EDITOR, "/b", second as f64, 1000.0, true));
        }
        assert!(!sightings.is_of_another_file(EDITOR, "/a", 0.0, 1000.0, false));
        assert!(sightings.is_of_another_file(EDITOR, "/a", 1.0, 1000.0, false));
    }

    #[test]
    fn processes_at_once_lose_nothing_of_each_other() {
        let place = tempfile::tempdir().expect("a folder");
        // One of its own for each, as in a process of its own.
        let note = |sightings: &Sightings, pid, second: u32| {
            sightings.is_of_another_file((pid, Some(1)), "/b", f64::from(second), 1000.0, true);
        };
        let processes: Vec<(u32, Sightings)> =
            (1..=4).map(|pid| (pid, Sightings::new(Some(place.path())))).collect();
        std::thread::scope(|threads| {
            for (pid, sightings) in &processes {
                threads.spawn(move || (0..4).for_each(|second| note(sightings, *pid, second)));
            }
        });
        // Whoever did not get the lock in time keeps it with the next.
        processes.iter().for_each(|(pid, sightings)| note(sightings, *pid, 4));
        assert_eq!(Sightings::new(Some(place.path())).kept().len(), 20);
    }
}
