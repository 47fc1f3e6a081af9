//! A disk that takes nothing more.

use crate::made::{VERSION, document, exported};
use ctxhost_code::index::{Disk, FileSystem, IndexError, Reader, Writer};
use std::{
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Lets this many writes through and fails all others.
#[derive(Clone, Default)]
struct Full {
    left: Arc<AtomicUsize>,
    failed: Arc<AtomicUsize>,
}

impl Full {
    fn take(&self) -> io::Result<()> {
        let less = |left: usize| left.checked_sub(1);
        let taken = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        self.failed.fetch_add(usize::from(taken.is_err()), Ordering::SeqCst);
        taken.map(drop).map_err(|_| io::Error::from(io::ErrorKind::StorageFull))
    }
}

impl Disk for Full {
    fn replace(&self, path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        self.take()?;
        FileSystem.replace(path, &mut |to| fill(&mut Counted { to, full: self }))
    }

    fn remove(&self, path: &Path) {
        FileSystem.remove(path);
    }
}

struct Counted<'a> {
    to: &'a mut dyn Write,
    full: &'a Full,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.full.take()?;
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn add(writer: &mut Writer, from: usize) -> Vec<IndexError> {
    let mut errors = Vec::new();
    for at in from..from + 12 {
        let added = writer.add([document(&format!("f{at}.rs"), "alpha beta", &[], &[])]);
        errors.extend(added.and(writer.commit()).err());
    }
    errors
}

/// Fails at the nth write, for every n that there is: it is said once, everything is found all the same, and when there
/// is space again everything is on the disk.
#[test]
fn a_full_disk_is_said_once_and_nothing_is_lost() {
    for writes in 0..60 {
        let folder = tempfile::tempdir().expect("a folder");
        let full = Full { left: Arc::new(AtomicUsize::new(writes)), ..Full::default() };
        let (mut writer, _) = Writer::open_on(Box::new(full.clone()), folder.path(), VERSION);
        let errors = add(&mut writer, 0);
        assert!(errors.len() <= 1, "{writes}: {errors:?}");
        assert_eq!(errors.is_empty(), full.failed.load(Ordering::SeqCst) == 0, "{writes}: {errors:?}");
        assert!(errors.iter().all(|error| matches!(error, IndexError::Write { .. })), "{errors:?}");
        assert_eq!(writer.reader().postings("alpha").expect("sound").len(), 12, "{writes}");
        // What is on the disk is an older state, and a sound one.
        let older = Reader::open(folder.path(), VERSION).expect("a sound index");
        assert!(exported(&older).len() <= exported(&writer.reader()).len());

        full.left.store(usize::MAX, Ordering::SeqCst);
        assert!(add(&mut writer, 12).is_empty(), "{writes}");
        let found = Reader::open(folder.path(), VERSION).expect("a sound index");
        assert_eq!(found.totals().files, 24, "{writes}");
        assert_eq!(exported(&found), exported(&writer.reader()), "{writes}");
    }
}

/// One segment and the list, each begun and written at once: what is on the disk already is not written again.
#[test]
fn an_edit_writes_two_small_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let full = Full { left: Arc::new(AtomicUsize::new(1000)), ..Full::default() };
    let (mut writer, _) = Writer::open_on(Box::new(full.clone()), folder.path(), VERSION);
    for edit in 1..=5 {
        writer.add([document(&format!("f{edit}.rs"), "alpha beta", &[], &[])]).expect("a disk");
        writer.commit().expect("a disk");
        assert_eq!(full.left.load(Ordering::SeqCst), 1000 - 4 * edit);
    }
    writer.commit().expect("nothing to do");
    assert_eq!(full.left.load(Ordering::SeqCst), 1000 - 4 * 5);
}

#[test]
fn files_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let (mut writer, _) = Writer::open(folder.path(), VERSION);
    add(&mut writer, 0);
    for entry in std::fs::read_dir(folder.path()).expect("a folder") {
        let mode = entry.expect("an entry").metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn what_a_dead_process_left_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut writer, _) = Writer::open(folder.path(), VERSION);
    add(&mut writer, 0);
    let count = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = count();
    std::fs::write(folder.path().join("00000000000000ff.segment"), "cut").expect("a file");
    std::fs::write(folder.path().join("00000000000000fe.unfinished"), "cut").expect("a file");
    drop(writer);
    let (mut writer, problem) = Writer::open(folder.path(), VERSION);
    assert!(problem.is_none());
    assert_eq!(count(), before);
    add(&mut writer, 50);
    assert_eq!(Reader::open(folder.path(), VERSION).expect("sound").totals().files, 24);
}
