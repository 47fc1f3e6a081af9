use std::{
    collections::BTreeMap,
    io,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use proptest::prelude::*;
use sha2::{Digest, Sha256};

use super::{Changes, Disk, Looked, Snapshot, Source};
use crate::{
    finding::Problem,
    index::Hash,
    walk::{Entry, Stat, WalkSettings, Walker},
};

mod stopping;

const SECOND: i64 = 1_000_000_000;

/// Files in memory: text, time of change, and how often each look still finds it changing.
#[derive(Default)]
struct Memory {
    files: BTreeMap<String, (String, i64)>,
    restless: Mutex<BTreeMap<String, usize>>,
    looks: AtomicUsize,
}

impl Memory {
    fn of(files: &[(&str, &str, i64)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text, time)| ((*path).to_owned(), ((*text).to_owned(), *time)))
            .collect();
        Self { files, ..Self::default() }
    }

    fn walked(&self) -> Vec<Entry> {
        self.files.keys().map(|path| Entry { path: path.clone(), stat: self.stat(path) }).collect()
    }

    fn stat(&self, path: &str) -> Stat {
        let (text, time) = &self.files[path];
        Stat { size: text.len() as u64, mtime_ns: *time, inode: 1, ctime_ns: *time, mode: 0o100_644 }
    }

    fn update(&self, before: &Snapshot, now_ns: i64) -> (Snapshot, Changes) {
        self.looks.store(0, Ordering::Relaxed);
        before.update(&self.walked(), self, now_ns, 2)
    }

    fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Source for Memory {
    fn look(&self, path: &str) -> io::Result<Looked> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let (text, _) = self.files.get(path).ok_or(io::ErrorKind::NotFound)?;
        if text == "denied" {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let (before, mut after) = (self.stat(path), self.stat(path));
        if let Some(left) = self.restless.lock().unwrap().get_mut(path).filter(|left| **left > 0) {
            *left -= 1;
            after.mtime_ns += 1;
        }
        Ok(Looked { before, after, hash: hash(text) })
    }
}

fn hash(text: &str) -> Hash {
    Sha256::digest(text).into()
}

#[test]
fn changes_are_told_apart() {
    let (before, first) =
        Memory::of(&[("a", "1", 0), ("b", "1", 0), ("c", "1", 0)]).update(&Snapshot::default(), SECOND);
    assert_eq!(first.added, ["a", "b", "c"]);
    let (after, changes) =
        Memory::of(&[("a", "1", 5), ("c", "2", 5), ("d", "1", 5)]).update(&before, 2 * SECOND);
    assert_eq!(
        (changes.added, changes.modified, changes.deleted),
        (vec!["d".to_owned()], vec!["c".to_owned()], vec!["b".to_owned()])
    );
    assert_eq!(after.get("c").unwrap().hash, hash("2"));
    assert!(after.get("b").is_none());
}

#[test]
fn the_root_does_not_depend_on_times() {
    let (one, _) = Memory::of(&[("a/b", "1", 0), ("c", "2", 0)]).update(&Snapshot::default(), SECOND);
    let (two, _) = Memory::of(&[("a/b", "1", 77), ("c", "2", 99)]).update(&Snapshot::default(), 9 * SECOND);
    let (other, _) = Memory::of(&[("a/b", "1", 0), ("c", "3", 0)]).update(&Snapshot::default(), SECOND);
    let (moved, _) = Memory::of(&[("a", "1", 0), ("c", "2", 0)]).update(&Snapshot::default(), SECOND);
    assert_eq!(one.root(), two.root());
    assert_ne!(one.root(), other.root());
    assert_ne!(one.root(), moved.root());
}

#[test]
fn folders_are_hashed_over_their_sorted_entries() {
    let (snapshot, _) =
        Memory::of(&[("a-b", "1", 0), ("a/x", "2", 0), ("a/y/z", "3", 0)]).update(&Snapshot::default(), 0);
    let folder = |entries: &[(&str, u8, Hash)]| -> Hash {
        let lines =
            entries.iter().flat_map(|(name, kind, hash)| [name.as_bytes(), &[0, *kind], hash].concat());
        Sha256::digest(lines.collect::<Vec<_>>()).into()
    };
    let inner = folder(&[("z", b'f', hash("3"))]);
    let middle = folder(&[("x", b'f', hash("2")), ("y", b'd', inner)]);
    let top = folder(&[("a", b'd', middle), ("a-b", b'f', hash("1"))]);
    let expected = [("", top), ("a", middle), ("a/y", inner)].map(|(path, hash)| (path.to_owned(), hash));
    assert_eq!(snapshot.folders(), expected);
    assert_eq!(snapshot.root(), top);
}

#[test]
fn nothing_is_read_again_without_a_reason() {
    let memory = Memory::of(&[("a", "1", SECOND + 5), ("b", "1", SECOND + 7)]);
    let (before, _) = memory.update(&Snapshot::default(), 9 * SECOND);
    let (after, changes) = memory.update(&before, 10 * SECOND);
    assert_eq!(memory.looks(), 0);
    assert!(changes.is_empty());
    assert_eq!((after.root(), after.looked_ns()), (before.root(), 10 * SECOND));
}

/// Holds that a file rewritten within the same tick, with the same size, is noticed when the look was at `looked`.
fn check_rewritten(time: i64, looked: i64) {
    let (before, _) = Memory::of(&[("a", "1", time)]).update(&Snapshot::default(), looked);
    let (_, changes) = Memory::of(&[("a", "2", time)]).update(&before, looked + 90 * SECOND);
    assert_eq!(changes.modified, ["a"], "written at {time}, looked at {looked}");
}

#[test]
fn a_file_written_about_when_it_was_looked_at_is_read_again() {
    let time = 100 * SECOND + 123;
    check_rewritten(time, time);
    check_rewritten(time, time + 9_000_000);
    // A disk that keeps whole seconds only.
    check_rewritten(100 * SECOND, 101 * SECOND);
}

#[test]
fn a_clock_that_goes_backwards_hides_nothing() {
    check_rewritten(100 * SECOND + 123, 5 * SECOND);
    let memory = Memory::of(&[("a", "1", 100 * SECOND + 1)]);
    let (first, _) = memory.update(&Snapshot::default(), 200 * SECOND);
    let (second, changes) = memory.update(&first, 50 * SECOND);
    assert!(changes.is_empty());
    // Now the last look seems to be from before the file: it is read, whatever its times say.
    let (_, changes) = Memory::of(&[("a", "2", 100 * SECOND + 1)]).update(&second, 60 * SECOND);
    assert_eq!(changes.modified, ["a"]);
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_again() {
    let memory = Memory::of(&[("a", "1", 1)]);
    memory.restless.lock().unwrap().insert("a".to_owned(), 2);
    let (snapshot, changes) = memory.update(&Snapshot::default(), 9 * SECOND);
    assert_eq!(memory.looks(), 3);
    assert!(changes.findings.is_empty());
    assert_eq!(snapshot.get("a").unwrap().stat, memory.stat("a"));
}

#[test]
fn a_file_that_never_rests_is_left_for_the_next_look() {
    let memory = Memory::of(&[("a", "1", 1)]);
    memory.restless.lock().unwrap().insert("a".to_owned(), 3);
    let (snapshot, changes) = memory.update(&Snapshot::default(), 9 * SECOND);
    assert_eq!(changes.findings.of(Problem::Changing).unwrap().place, "a");
    let (snapshot, changes) = memory.update(&snapshot, 99 * SECOND);
    assert_eq!(memory.looks(), 1);
    assert!(changes.findings.is_empty());
    assert_eq!(snapshot.get("a").unwrap().stat, memory.stat("a"));
}

#[test]
fn what_cannot_be_read_is_kept_out_with_a_finding() {
    let (before, _) = Memory::of(&[("a", "1", 1), ("b", "1", 1)]).update(&Snapshot::default(), 9 * SECOND);
    let (after, changes) = Memory::of(&[("a", "denied", 2), ("b", "1", 1)]).update(&before, 10 * SECOND);
    assert_eq!(changes.deleted, ["a"]);
    assert_eq!(changes.findings.of(Problem::File).unwrap().place, "a");
    assert_eq!(after.len(), 1);
}

#[test]
fn a_file_that_went_away_since_the_walk_is_not_there() {
    let mut memory = Memory::of(&[("a", "1", 1), ("b", "1", 1)]);
    let walked = memory.walked();
    memory.files.remove("a");
    let (snapshot, changes) = Snapshot::default().update(&walked, &memory, 1, 2);
    assert_eq!(changes.added, ["b"]);
    assert!(changes.findings.is_empty());
    assert_eq!(snapshot.len(), 1);
}

#[test]
fn on_a_real_disk_a_file_with_its_old_time_set_back_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    std::fs::write(&path, "one").unwrap();
    let walker = Walker::new(folder.path(), WalkSettings::default());
    let disk = Disk::new(folder.path());
    let far = i64::MAX / 2;
    let (first, _) = Snapshot::default().update(&walker.walk().files, &disk, far, 2);
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    // Files get the time of the kernel's last tick: without a pause both writes may fall into one.
    std::thread::sleep(std::time::Duration::from_millis(30));
    std::fs::write(&path, "two").unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let (_, changes) = first.update(&walker.walk().files, &disk, far, 2);
    assert_eq!(changes.modified, ["a"]);
}

#[test]
fn a_file_of_any_size_is_hashed_in_bounded_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::File::create(folder.path().join("huge")).unwrap();
    file.set_len(1 << 40).unwrap();
    let disk = Disk::new(folder.path());
    let first = disk.look("huge").unwrap().hash;
    assert_eq!(disk.look("huge").unwrap().hash, first);
    std::os::unix::fs::FileExt::write_all_at(&file, b"x", (1 << 40) - 1).unwrap();
    assert_ne!(disk.look("huge").unwrap().hash, first);
}

#[test]
fn what_was_kept_is_read_again() {
    let (snapshot, _) = Memory::of(&[("a/ä", "1", 1), ("b", "22", 2)]).update(&Snapshot::default(), 9);
    assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()), Ok(snapshot));
    let empty = Snapshot::default();
    assert_eq!(Snapshot::from_bytes(&empty.to_bytes()), Ok(empty));
}

#[test]
fn broken_bytes_are_refused() {
    let (snapshot, _) = Memory::of(&[("a/ä", "1", 1), ("b", "22", 2)]).update(&Snapshot::default(), 9);
    let bytes = snapshot.to_bytes();
    for end in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut broken = bytes.clone();
        broken[at] ^= 0x10;
        assert!(Snapshot::from_bytes(&broken).is_err(), "changed at {at}");
    }
    assert!(Snapshot::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Snapshot::from_bytes(&bytes);
    }

    #[test]
    fn step_by_step_gives_what_one_look_gives(
        states in proptest::collection::vec(
            proptest::collection::btree_map("(a|b)(/(x|y)){0,2}/[a-c]", "[0-9]", 0..12), 1..6),
    ) {
        let mut snapshot = Snapshot::default();
        let mut memory = Memory::default();
        for (step, files) in states.into_iter().enumerate() {
            let now = step as i64 * SECOND;
            let changed = files.into_iter().map(|(path, text)| {
                let time = memory.files.get(&path).filter(|(old, _)| *old == text).map_or(now + 1, |(_, time)| *time);
                (path, (text, time))
            });
            memory.files = changed.collect();
            (snapshot, _) = memory.update(&snapshot, now + SECOND / 2);
            let (fresh, _) = memory.update(&Snapshot::default(), now + SECOND / 2);
            prop_assert!(snapshot.files().eq(fresh.files()));
            prop_assert_eq!(snapshot.root(), fresh.root());
        }
    }

    /// Files get the time of the kernel's last tick, and each text is as long as the others: only git's rule tells that
    /// one was written again within the tick of a look.
    #[test]
    fn what_is_written_again_within_a_tick_is_seen(
        steps in proptest::collection::vec((0_i64..15, "[a-c]", "[0-9]", any::<bool>()), 1..120),
    ) {
        const MILLISECOND: i64 = 1_000_000;
        let tick = 10 * MILLISECOND;
        let (mut snapshot, mut memory, mut clock) = (Snapshot::default(), Memory::default(), SECOND);
        for (pause, path, text, look) in steps {
            clock += pause * MILLISECOND;
            memory.files.insert(path, (text, clock / tick * tick));
            if look {
                (snapshot, _) = memory.update(&snapshot, clock);
                let (fresh, _) = memory.update(&Snapshot::default(), clock);
                prop_assert_eq!(snapshot.root(), fresh.root());
            }
        }
    }
}
