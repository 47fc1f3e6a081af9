use super::*;

/// Says yes from the given call on.
fn after(calls: usize) -> impl Fn() -> bool + Sync {
    let asked = AtomicUsize::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) >= calls
}

fn many() -> Memory {
    let names: Vec<String> = (0..40).map(|number| format!("f{number:02}")).collect();
    Memory::of(&names.iter().map(|name| (name.as_str(), name.as_str(), 5)).collect::<Vec<_>>())
}

#[test]
fn each_stopped_update_takes_up_where_the_last_one_was() {
    let memory = many();
    let (whole, _) = memory.update(&Snapshot::default(), SECOND);
    memory.looks.store(0, Ordering::Relaxed);
    let mut snapshot = Snapshot::default();
    for done in (7..40).step_by(7) {
        // What was kept says the same as what is in memory.
        snapshot = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap();
        (snapshot, _) = snapshot.update_until(&memory.walked(), &memory, SECOND, 2, &after(7));
        assert_eq!((snapshot.len(), snapshot.unread(), snapshot.left_out()), (done, 40 - done, 40 - done));
    }
    (snapshot, _) = snapshot.update_until(&memory.walked(), &memory, SECOND, 2, &|| false);
    assert_eq!((memory.looks(), snapshot.unread(), snapshot.left_out()), (40, 0, 0));
    assert_eq!(snapshot.root(), whole.root());
    assert!(snapshot.files().eq(whole.files()));
}

#[test]
fn a_file_that_was_not_read_in_time_stays_as_it_was_known_and_is_read_next() {
    let (before, _) = many().update(&Snapshot::default(), SECOND);
    let mut memory = many();
    memory.files.insert("f03".to_owned(), ("new".to_owned(), 2 * SECOND));
    // Written within the tick of the last look, so that only reading tells.
    memory.files.insert("f04".to_owned(), ("F04".to_owned(), SECOND));
    let (stopped, changes) = before.update_until(&memory.walked(), &memory, 9 * SECOND, 2, &|| true);
    assert!(changes.is_empty());
    assert_eq!((stopped.len(), stopped.unread(), stopped.left_out()), (40, 2, 0));
    let (after, changes) = stopped.update_until(&memory.walked(), &memory, 20 * SECOND, 2, &|| false);
    assert_eq!(changes.modified, ["f03", "f04"]);
    assert_eq!(after.get("f04").unwrap().hash, hash("F04"));
}

#[test]
fn a_file_that_is_broken_off_is_left_for_the_next_look() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("large"), vec![b'x'; 4 << 20]).unwrap();
    std::fs::write(folder.path().join("small"), "x").unwrap();
    let walked = Walker::new(folder.path(), WalkSettings::default()).walk().files;
    let disk = Disk::new(folder.path());
    // The first two calls are about whether to begin with each, the third about going on within the large one.
    let stop = after(2);
    let hurried = crate::snapshot::Hurried { disk: &disk, stop: &stop };
    let (snapshot, changes) = Snapshot::default().update_until(&walked, &hurried, 0, 1, &stop);
    assert_eq!((changes.added, snapshot.unread()), (vec!["small".to_owned()], 1));
    assert!(changes.findings.is_empty());
}
