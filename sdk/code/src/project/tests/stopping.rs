use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Says yes from the given call on.
fn after(calls: usize) -> impl Fn() -> bool + Sync {
    let asked = AtomicUsize::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) >= calls
}

fn many() -> Ground {
    let ground = Ground::of(&[]);
    (0..40).for_each(|n| ground.write(&format!("f{n:02}.py"), format!("def f{n}(): pass\n")));
    // Until then the files count as written while they are looked at, and each look reads them again.
    std::thread::sleep(Duration::from_millis(50));
    ground
}

#[test]
fn processes_that_are_all_stopped_come_to_the_end_together() {
    let ground = many();
    let mut known = 0;
    for process in 1..40 {
        let project = ground.project();
        let synced = project.sync_until(at(process), &|| false, &after(12));
        let unfinished = synced.changes.findings.of(Problem::Unfinished).is_some();
        assert_eq!(unfinished, synced.snapshot.len() < 40);
        assert!(synced.snapshot.len() > known, "{known} files are known in process {process}");
        known = synced.snapshot.len();
        // What is known is indexed, and it is not said to be everything.
        assert_eq!(update(&project).outcome, Outcome::Complete);
        assert_eq!(project.view().reader.totals().files as usize, known);
        assert_eq!(project.view().is_complete(), !unfinished);
        if !unfinished {
            assert_eq!(text(&project.view().reader), ground.fresh());
            return;
        }
    }
    panic!("the look never came to its end");
}

#[test]
fn a_walk_that_is_stopped_gives_the_last_snapshot() {
    let ground = many();
    let first = ground.project();
    complete(&first, at(0));
    ground.write("new.py", "def new(): pass\n");
    ground.remove("f00.py");
    for project in [first, ground.project()] {
        let synced = project.sync_until(at(9), &|| true, &|| true);
        assert_eq!(synced.snapshot.len(), 40);
        assert!(synced.snapshot.get("f00.py").is_some());
        let found: Vec<_> = synced.changes.findings.iter().map(|finding| finding.problem).collect();
        assert_eq!(found, [Problem::Unfinished]);
    }
    let changes = ground.project().sync(at(19)).changes;
    assert!(changes.added.contains(&"new.py".to_owned()) && changes.findings.is_empty());
}

#[test]
fn nobody_waits_for_another_thread_longer_than_there_is_time() {
    let ground = many();
    let project = ground.project();
    complete(&project, at(0));
    let turn = project.walking.lock().unwrap();
    let synced = project.sync_until(at(9), &|| false, &after(3));
    drop(turn);
    assert!(synced.changes.findings.of(Problem::Unfinished).is_some());
    assert_eq!((synced.snapshot.len(), synced.shared), (40, false));
}

#[test]
fn a_look_that_was_not_finished_is_not_shared() {
    let ground = many();
    let (one, other) = (ground.project(), ground.project());
    assert!(one.sync_until(at(0), &|| false, &after(12)).snapshot.unread() > 0);
    let synced = other.sync(at(0));
    assert!(!synced.shared);
    assert_eq!((synced.snapshot.len(), synced.snapshot.unread()), (40, 0));
}

#[test]
fn walks_that_are_all_stopped_see_everything_together() {
    let ground = Ground::of(&[]);
    (0..40).for_each(|n| ground.write(&format!("d{}/e/f{n}.py", n % 10), format!("def f{n}(): pass\n")));
    std::thread::sleep(Duration::from_millis(50));
    let mut known = 0;
    for process in 1..100 {
        let project = ground.project();
        // The root and a few folders of twenty.
        let synced = project.sync_until(at(process), &after(7), &|| false);
        let found: Vec<_> = synced.changes.findings.iter().map(|finding| finding.problem).collect();
        assert_eq!(found, [Problem::Unfinished]);
        assert!(synced.snapshot.len() >= known && synced.snapshot.unread() > 0);
        known = synced.snapshot.len();
        update(&project);
        assert!(project.view().reader.totals().files as usize == known && !project.view().is_complete());
        if known == 40 {
            break;
        }
    }
    assert_eq!(known, 40);
    ground.remove("d0/e/f0.py");
    let project = ground.project();
    assert_eq!(complete(&project, at(200)), Outcome::Complete);
    assert_eq!(text(&project.view().reader), ground.fresh());
}
