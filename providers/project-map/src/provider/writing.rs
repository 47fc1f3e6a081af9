//! Carries out what was decided about artifacts, one file at a time.

use std::io;

use crate::{
    error::DiskProblem,
    select::standing::{Action, Reach, Stood},
    source::artifacts::Store,
};

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// The places of what was written.
    pub(super) written: Vec<String>,
    /// The places of what somebody else has written meanwhile, and said the same.
    pub(super) same: Vec<String>,
    /// The places of what was removed.
    pub(super) removed: Vec<String>,
    /// The places of what could not be, and why.
    pub(super) failed: Vec<(String, DiskProblem)>,
    /// How many were not come to, because the call was taken back or the disk takes nothing.
    pub(super) left: usize,
    /// How many stay though they are stale: what could be written here says less.
    pub(super) spared: usize,
}

/// Writes and removes what is within reach. The root's pair is written after all others, and removing comes last, so that
/// whoever stops in between leaves no map that names one which is not there yet.
pub(super) fn carry_out(
    store: &Store,
    stood: &[Stood<'_>],
    reach: Reach,
    stop: &dyn Fn() -> bool,
    progress: &mut dyn FnMut(usize, usize),
) -> Done {
    let mut tasks: Vec<(&Stood<'_>, Action)> =
        stood.iter().map(|stood| (stood, stood.action(reach))).collect();
    tasks.retain(|(_, action)| *action != Action::Nothing);
    tasks.sort_by_key(|(stood, action)| (*action == Action::Remove, stood.dir.is_empty()));
    let mut done = Done::default();
    for (at, (stood, action)) in tasks.iter().enumerate() {
        progress(at, tasks.len());
        if stop() || done.failed.last().is_some_and(|(_, problem)| takes_nothing(problem)) {
            done.left = tasks.len() - at;
            return done;
        }
        done.one(store, stood, *action, reach);
    }
    done
}

impl Done {
    fn one(&mut self, store: &Store, stood: &Stood<'_>, action: Action, reach: Reach) {
        let place = store.path(stood.dir, stood.kind);
        let wanted = stood.wanted.as_deref().unwrap_or_default();
        match action {
            Action::Remove => match store.remove(stood.dir, stood.kind, reach) {
                Ok(()) => self.removed.push(place),
                Err(problem) => self.failed.push((place, problem)),
            },
            _ => match store.put(stood.dir, stood.kind, wanted, reach) {
                Ok(true) => self.written.push(place),
                Ok(false) => self.same.push(place),
                Err(problem) => self.failed.push((place, problem)),
            },
        }
    }

    /// Whether an artifact is as it should be by now.
    pub(super) fn has(&self, place: &str) -> bool {
        self.written.iter().chain(&self.same).chain(&self.removed).any(|done| done == place)
    }

    /// What could not be done, and what to do next; nothing where all was.
    pub(super) fn trouble(&self) -> Option<String> {
        let next = "`validate --fix` completes it";
        let left = match self.left {
            0 => String::new(),
            left => format!(", and {left} more were not come to"),
        };
        match (&self.failed[..], self.left) {
            ([], 0) => None,
            ([], left) => Some(format!("stopped with {left} artifacts to go: {next}")),
            ([(place, problem)], _) => Some(format!("`{place}` {problem}{left}: mend that, then {next}")),
            ([(place, problem), more @ ..], _) => Some(format!(
                "`{place}` {problem}, and so it is with {} more{left}: mend that, then {next}",
                more.len()
            )),
        }
    }
}

/// Whether the disk would say the same of every other file.
fn takes_nothing(problem: &DiskProblem) -> bool {
    let DiskProblem::System(error) = problem else { return false };
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::ReadOnlyFilesystem
    )
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, fs};

    use super::*;
    use crate::{
        select::{
            pair::{Page, Pair},
            standing::compare,
        },
        settings::Config,
    };

    fn pairs(dirs: &[&str]) -> Vec<Pair> {
        let page = |dir: &str| Page { title: dir.to_owned(), ..Page::default() };
        dirs.iter()
            .map(|dir| Pair { dir: (*dir).to_owned(), index: page(dir), map: page(dir), ..Pair::default() })
            .collect()
    }

    fn place() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        for dir in ["a", "b"] {
            fs::create_dir(folder.path().join(dir)).expect("a folder");
        }
        let store = Store::at(folder.path(), &Config::default());
        (folder, store)
    }

    const NEVER: &dyn Fn() -> bool = &|| false;

    #[test]
    fn the_root_is_written_last_and_orphans_go_after_it() {
        let (_folder, store) = place();
        let made =
            carry_out(&store, &compare(&pairs(&["", "a", "b"]), &[]), Reach::Ours, NEVER, &mut |_, _| {});
        let order = ["a/.pi-map.index.md", "a/.pi-map.md", "b/.pi-map.index.md", "b/.pi-map.md"];
        assert_eq!(made.written[..4], order);
        assert_eq!(made.written[4..], [".pi-map.index.md", ".pi-map.md"]);
        let (now, disk) = (pairs(&["", "a"]), store.read_all().artifacts);
        let mended = carry_out(&store, &compare(&now, &disk), Reach::Ours, NEVER, &mut |_, _| {});
        assert_eq!((mended.written.len(), mended.removed.len()), (0, 2));
        assert_eq!(store.read_all().artifacts.len(), 4);
    }

    #[test]
    fn whoever_stops_leaves_whole_files_and_the_next_run_mends() {
        let (_folder, store) = place();
        let wanted = pairs(&["", "a", "b"]);
        let calls = Cell::new(0);
        let stop = || calls.replace(calls.get() + 1) == 3;
        let stopped = carry_out(&store, &compare(&wanted, &[]), Reach::Ours, &stop, &mut |_, _| {});
        assert_eq!((stopped.written.len(), stopped.left), (3, 3));
        assert_eq!(
            stopped.trouble().expect("it is said"),
            "stopped with 3 artifacts to go: `validate --fix` completes it"
        );
        let disk = store.read_all().artifacts;
        assert!(disk.len() == 3 && disk.iter().all(|known| known.intact));
        let mended = carry_out(&store, &compare(&wanted, &disk), Reach::Ours, NEVER, &mut |_, _| {});
        assert!(mended.written.len() == 3 && mended.trouble().is_none());
    }

    #[test]
    fn what_another_wrote_meanwhile_is_not_counted_as_written() {
        let (_folder, store) = place();
        let pairs = pairs(&["", "a"]);
        let stood = compare(&pairs, &[]);
        for (written, same) in [(4, 0), (0, 4)] {
            let done = carry_out(&store, &stood, Reach::Ours, NEVER, &mut |_, _| {});
            assert_eq!((done.written.len(), done.same.len()), (written, same));
            assert!(done.has("a/.pi-map.md"));
        }
    }

    #[test]
    fn a_full_disk_is_told_once() {
        let (_folder, store) = place();
        let full = store.clone().with_writer(|_, _| Err(io::ErrorKind::StorageFull.into()));
        let done =
            carry_out(&full, &compare(&pairs(&["", "a", "b"]), &[]), Reach::Ours, NEVER, &mut |_, _| {});
        assert_eq!((done.failed.len(), done.left), (1, 5));
        let said = done.trouble().expect("it is said");
        assert!(said.starts_with("`a/.pi-map.index.md` cannot be used: "), "{said}");
        assert!(
            said.ends_with(", and 5 more were not come to: mend that, then `validate --fix` completes it"),
            "{said}"
        );
        assert_eq!(store.read_all().artifacts, []);
    }
}
