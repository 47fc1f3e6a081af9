//! Looking at the files, once for all who ask at the same time.

use std::{
    sync::{Arc, MutexGuard, TryLockError},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rustc_hash::FxHashSet;

use super::{
    Project,
    place::{self, Lock, Place},
};
use crate::{
    finding::{Findings, Problem},
    snapshot::{Changes, Disk, Hurried, Snapshot},
    walk::{Entry, Walker},
};

pub(super) const LOCK: &str = "sync.lock";

/// A host asks its providers about one prompt one after the other; what the first one's walk saw is good for the others.
/// An agent that edits a file and asks the same host takes longer than this. Another process may begin at once after an
/// edit, and takes only walks that began while it waited.
const SHARED_NS: i64 = 100_000_000;

/// How long another thread that walks is left alone before it is asked again.
const NAP: Duration = Duration::from_millis(1);

/// What a look at the files gave.
#[derive(Clone, Debug)]
pub struct Synced {
    /// The files now.
    pub snapshot: Arc<Snapshot>,
    /// What differs from this project's look before; at the first one every file is new. Findings are in there too.
    pub changes: Changes,
    /// Whether somebody else's walk was taken.
    pub shared: bool,
}

impl Project {
    /// Looks at the files. `now` is the time of the call.
    ///
    /// Whoever finds that another provider of this process has walked since the last call of this project, and no earlier
    /// than 100 ms before `now`, takes that walk; that of another process only when it began during this call. A root that is gone is [`Problem::Root`] and leaves everything as it was.
    pub fn sync(&self, now: SystemTime) -> Synced {
        self.sync_until(now, &|| false, &|| false)
    }

    /// As [`Project::sync`], but it lists no more folders once `seen_enough` says so, and reads no more files once `stop`
    /// does: then there is [`Problem::Unfinished`].
    ///
    /// What was seen and read by then is kept, for other processes too, so that the next call takes up there; of the other
    /// files the snapshot knows what the look before knew ([`Snapshot::unread`]), of those too that are gone since. A
    /// call that is stopped while somebody else looks gives the snapshot of the last look.
    pub fn sync_until(
        &self,
        now: SystemTime,
        seen_enough: &(dyn Fn() -> bool + Sync),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Synced {
        let now_ns = nanoseconds(now);
        let mine = self.snapshot();
        let seen =
            self.place.as_ref().and_then(Place::summary).map_or(0, |saved| saved.looks).max(mine.looks());
        let mut findings = Findings::default();
        let Some(_turn) = self.turn(stop) else {
            findings.add(Problem::Unfinished, "", "another thread is still looking");
            return Synced {
                snapshot: self.snapshot(),
                changes: Changes { findings, ..Changes::default() },
                shared: false,
            };
        };
        let place = self.place(&mut findings);
        let lock = place.and_then(|place| held(place.lock(LOCK, stop), &mut findings));
        // Another thread of this copy may have walked meanwhile.
        let newest = self.snapshot();
        let saved = place.and_then(|place| newer(place, &newest, &mut findings));
        let base = saved.map_or(newest, Arc::new);
        let here = || lock.as_ref().is_some_and(place::was_walked_here);
        // Begun after this call, by a clock that may have been set, or by two that came one after the other.
        let later = base.looks() > seen + u64::from(base.looked_ns() < now_ns);
        let shared = base.looks() > mine.looks() && is_fresh(&base, now_ns, seen) && (later || here());
        let next = if shared {
            Some(base)
        } else {
            self.walked(&base, now_ns, lock.as_ref(), [seen_enough, stop], &mut findings)
        };
        drop(lock);
        let snapshot = next.unwrap_or_else(|| Arc::clone(&mine));
        self.state().snapshot = Arc::clone(&snapshot);
        let changes = Changes { findings, ..mine.compare(&snapshot) };
        Synced { snapshot, changes, shared }
    }

    /// Waits until no other thread walks; `None` when `stop` said so first.
    fn turn(&self, stop: &dyn Fn() -> bool) -> Option<MutexGuard<'_, ()>> {
        loop {
            match self.walking.try_lock() {
                Ok(turn) => return Some(turn),
                Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
                Err(TryLockError::WouldBlock) if stop() => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(NAP),
            }
        }
    }

    /// Walks and reads what is new; `None` when the root is gone.
    fn walked(
        &self,
        base: &Snapshot,
        now_ns: i64,
        lock: Option<&std::fs::File>,
        [seen_enough, stop]: [&(dyn Fn() -> bool + Sync); 2],
        findings: &mut Findings,
    ) -> Option<Arc<Snapshot>> {
        // A clock that is ahead would make files look older than they are when they are read.
        let began_ns = lock.and_then(place::time_of_disk).map_or(now_ns, |disk| disk.min(now_ns));
        let walker = Walker::new(&self.root, self.settings.walk.clone());
        let mut walked = walker.walk_until(base.looks(), seen_enough);
        let gone = walked.findings.of(Problem::Root).is_some();
        let part = walked.findings.of(Problem::Unfinished).is_some();
        findings.extend(walked.findings);
        if gone {
            return None;
        }
        if part {
            add_unseen(&mut walked.files, base);
        }
        let source = Hurried { disk: &Disk::new(&self.root), stop };
        let (mut next, changes) =
            base.update_until(&walked.files, &source, began_ns, self.settings.threads, stop);
        findings.extend(changes.findings);
        if part {
            next.note_unseen();
        } else if next.unread() > 0 {
            findings.add(Problem::Unfinished, "", format!("{} files were not read", next.unread()));
        }
        if let (Some(lock), Some(place)) = (lock, &self.place) {
            match place.save(&next, &*self.settings.disk) {
                Ok(()) => place::note_walker(lock),
                Err(error) => findings.add(Problem::Cache, "snapshot", error.to_string()),
            }
        }
        Some(Arc::new(next))
    }

    /// Gives the place when it can be used.
    pub(super) fn place(&self, findings: &mut Findings) -> Option<&Place> {
        let place = self.place.as_ref()?;
        match place.make(&*self.settings.disk) {
            Ok(()) => Some(place),
            Err(error) => {
                findings.add(Problem::Cache, "", error.to_string());
                None
            }
        }
    }
}

/// Adds the known files that a walk did not come to, as they were.
fn add_unseen(walked: &mut Vec<Entry>, base: &Snapshot) {
    let seen: FxHashSet<&str> = walked.iter().map(|entry| entry.path.as_str()).collect();
    let unseen = base.files().filter(|(path, _)| !seen.contains(path));
    let unseen: Vec<_> =
        unseen.map(|(path, state)| Entry { path: path.to_owned(), stat: state.stat }).collect();
    walked.extend(unseen);
    walked.sort_unstable_by(|a, b| a.path.cmp(&b.path));
}

/// Takes the kept snapshot when it is further than the one in memory.
fn newer(place: &Place, mine: &Snapshot, findings: &mut Findings) -> Option<Snapshot> {
    match place.summary() {
        Some(saved) if saved.looks <= mine.looks() => None,
        _ => place.load(findings).filter(|saved| saved.looks() > mine.looks()),
    }
}

/// Whether a snapshot that somebody else made is good for a call at `now_ns`, before which `seen` looks were there.
///
/// The clock alone cannot tell: after it was set back, an old walk seems to have begun after the call. So a walk from
/// "after" counts only when its snapshot was not there at the call; when two more are there, the last must be from after.
fn is_fresh(snapshot: &Snapshot, now_ns: i64, seen: u64) -> bool {
    // Whoever takes up where it was stopped brings it further.
    if snapshot.unread() > 0 {
        return false;
    }
    let ago = now_ns.saturating_sub(snapshot.looked_ns());
    match snapshot.looks().saturating_sub(seen) {
        0 => (0..=SHARED_NS).contains(&ago),
        1 => ago <= SHARED_NS,
        _ => true,
    }
}

pub(super) fn held(lock: Lock, findings: &mut Findings) -> Option<std::fs::File> {
    match lock {
        Lock::Held(file) => return Some(file),
        Lock::Busy => findings.add(Problem::Lock, "", "another process has it for too long"),
        Lock::Failed(error) => findings.add(Problem::Lock, "", error.to_string()),
    }
    None
}

fn nanoseconds(time: SystemTime) -> i64 {
    let signed = |duration: std::time::Duration| i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| -signed(before.duration()), signed)
}
