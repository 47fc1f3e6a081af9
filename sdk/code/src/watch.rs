//! Hearing of changes below a project, in a host that lives long.
//!
//! What is heard is only a reason to look earlier, never one not to look: systems drop events, folders beyond the most are
//! not watched at all, and of a file that is written through another of its names, through memory that it is mapped to or
//! on another machine nothing is heard.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::snapshot::Snapshot;

/// Systems let a person watch some ten thousand folders in all, for all programs; this leaves most to others.
pub const MOST_FOLDERS: usize = 4096;

/// A change is told after this long without another one: editors and version control write many files at once.
const QUIET: Duration = Duration::from_millis(200);
/// And after so many changes within [`QUIET`] of each other, so that a build that writes all the time is told of too.
const MOST_WAITS: usize = 25;

/// Watching could not begin.
#[derive(Debug, thiserror::Error)]
#[error("cannot watch the project's files")]
pub struct WatchError(#[from] notify::Error);

/// Watches the folders of a project until it is dropped.
pub struct Watch {
    watcher: RecommendedWatcher,
    root: PathBuf,
    folders: BTreeSet<PathBuf>,
}

impl Watch {
    /// Begins to watch the root. `changed` is called on a thread of its own when something changed and it is quiet again.
    ///
    /// # Errors
    ///
    /// When the system has no means left for it.
    pub fn start(root: &Path, changed: impl Fn() + Send + 'static) -> Result<Self, WatchError> {
        let (give, take) = channel();
        let watcher = notify::recommended_watcher(move |event| hear(event, &give))?;
        thread::Builder::new()
            .name("watch".into())
            .spawn(move || tell(&take, changed))
            .map_err(notify::Error::io)?;
        let mut watch = Self { watcher, root: root.to_owned(), folders: BTreeSet::new() };
        watch.watcher.watch(root, RecursiveMode::NonRecursive)?;
        Ok(watch)
    }

    /// Watches the folders that a snapshot has, no longer those that it has not, and gives how many are watched. Folders
    /// that git ignores are thus not watched, however much is built in them. Called after each look.
    pub fn follow(&mut self, snapshot: &Snapshot) -> usize {
        let folders = snapshot.folders().into_iter().map(|(path, _)| path).filter(|path| !path.is_empty());
        let wanted: BTreeSet<PathBuf> = folders.take(MOST_FOLDERS).map(|path| self.root.join(path)).collect();
        for gone in self.folders.difference(&wanted) {
            // One that was deleted is watched no more already.
            let _ = self.watcher.unwatch(gone);
        }
        let watcher = &mut self.watcher;
        let folders = &self.folders;
        // One that cannot be watched is asked for again next time.
        self.folders = wanted
            .into_iter()
            .filter(|path| folders.contains(path) || watcher.watch(path, RecursiveMode::NonRecursive).is_ok())
            .collect();
        self.folders.len() + 1
    }
}

/// Passes on what changes something. Reading is an event too, and looking at the files reads them.
fn hear(event: notify::Result<Event>, give: &Sender<()>) {
    if !event.is_ok_and(|event| matches!(event.kind, EventKind::Access(_))) {
        // Nobody listens any more when the watch is being dropped.
        let _ = give.send(());
    }
}

fn tell(take: &Receiver<()>, changed: impl Fn()) {
    while take.recv().is_ok() {
        for _ in 0..MOST_WAITS {
            match take.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
        // What else has come by now is told of with this.
        while take.try_recv().is_ok() {}
        changed();
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc, time::Duration};

    use super::Watch;
    use crate::{
        snapshot::{Disk, Snapshot},
        walk::{WalkSettings, Walker},
    };

    fn snapshot(root: &std::path::Path) -> Snapshot {
        let files = Walker::new(root, WalkSettings::default()).walk().files;
        Snapshot::default().update(&files, &Disk::new(root), 0, 1).0
    }

    #[test]
    fn a_change_in_any_folder_that_counts_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["a/b/c.rs", "ignored/d.rs"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        fs::write(root.join(".gitignore"), "ignored/\n").unwrap();
        let (give, take) = mpsc::channel();
        let mut watch = Watch::start(root, move || give.send(()).unwrap_or_default()).unwrap();
        // The root, `a` and `a/b`.
        assert_eq!(watch.follow(&snapshot(root)), 3);
        let heard = || take.recv_timeout(Duration::from_secs(30)).is_ok();
        fs::write(root.join("a/b/c.rs"), "new").unwrap();
        assert!(heard());
        fs::write(root.join("top.rs"), "new").unwrap();
        assert!(heard());
        fs::remove_dir_all(root.join("a")).unwrap();
        assert!(heard());
        assert_eq!(watch.follow(&snapshot(root)), 1);
    }

    /// Why no look may be left out because nothing was heard.
    #[test]
    fn what_is_written_through_another_name_is_seen_and_not_heard() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("project");
        fs::create_dir(&root).unwrap();
        fs::write(root.join("a.rs"), "one").unwrap();
        fs::hard_link(root.join("a.rs"), place.path().join("other name")).unwrap();
        let before = snapshot(&root);
        let (give, take) = mpsc::channel();
        let _watch = Watch::start(&root, move || give.send(()).unwrap_or_default()).unwrap();
        fs::write(place.path().join("other name"), "another").unwrap();
        assert!(take.recv_timeout(Duration::from_millis(500)).is_err());
        assert_eq!(before.compare(&snapshot(&root)).modified, ["a.rs"]);
    }

    #[test]
    fn many_changes_are_told_once() {
        let (give, take) = mpsc::channel();
        let (called, calls) = mpsc::channel();
        (0..200).for_each(|_| give.send(()).unwrap());
        let teller = std::thread::spawn(move || super::tell(&take, move || called.send(()).unwrap()));
        assert!(calls.recv().is_ok());
        drop(give);
        teller.join().unwrap();
        assert_eq!(calls.try_iter().count(), 0);
    }

    #[test]
    fn reading_a_file_is_no_change() {
        use notify::{Event, EventKind, event::AccessKind};
        let (give, take) = mpsc::channel();
        super::hear(Ok(Event::new(EventKind::Access(AccessKind::Read))), &give);
        assert_eq!(take.try_iter().count(), 0);
        super::hear(Ok(Event::new(EventKind::Any)), &give);
        super::hear(Err(notify::Error::generic("lost some")), &give);
        assert_eq!(take.try_iter().count(), 2);
    }
}
