use super::*;
use crate::project::sync::LOCK;

fn later(now: SystemTime, milliseconds: u64) -> SystemTime {
    now + Duration::from_millis(milliseconds)
}

#[test]
fn a_second_provider_takes_the_walk_of_the_first() {
    let ground = Ground::of(&[("a.py", "one")]);
    let (first, second) = (ground.project(), ground.project());
    let now = SystemTime::now();
    assert!(!first.sync(now).shared);
    let synced = second.sync(later(now, 50));
    assert!(synced.shared);
    assert_eq!(synced.changes.added, ["a.py"]);
    assert_eq!(synced.snapshot, first.snapshot());
}

#[test]
fn nobody_takes_his_own_walk_or_an_old_one() {
    let ground = Ground::of(&[("a.py", "one")]);
    let (first, second) = (ground.project(), ground.project());
    let now = SystemTime::now();
    first.sync(now);
    ground.write("a.py", "another");
    assert_eq!(first.sync(later(now, 10)).changes.modified, ["a.py"]);
    ground.write("a.py", "and another");
    let synced = second.sync(later(now, 300));
    assert!(!synced.shared);
    assert_eq!(synced.snapshot.get("a.py").unwrap().stat.size, 11);
}

#[test]
fn an_edit_right_after_another_processs_walk_is_seen() {
    let ground = Ground::of(&[("a.py", "one")]);
    let (first, second) = (ground.project(), ground.project());
    let now = SystemTime::now();
    first.sync(now);
    // What the lock's file says where another process has walked.
    let lock = first.folder().expect("a folder").join(LOCK);
    fs::write(lock, [&b"\n0000000"[..], &0_u32.to_le_bytes()].concat()).expect("the lock's file");
    ground.write("a.py", "another");
    let synced = second.sync(later(now, 50));
    assert!(!synced.shared);
    assert_eq!(synced.snapshot.get("a.py").unwrap().stat.size, 7);
}

#[test]
fn a_clock_that_was_set_back_shares_no_old_walk() {
    let ground = Ground::of(&[("a.py", "one")]);
    let (first, second) = (ground.project(), ground.project());
    let now = SystemTime::now();
    first.sync(now);
    ground.write("a.py", "another");
    let synced = second.sync(now - Duration::from_secs(3600));
    assert!(!synced.shared);
    assert_eq!(synced.snapshot.get("a.py").unwrap().stat.size, 7);
    ground.write("a.py", "changed");
    let synced = second.sync(now - Duration::from_secs(3500));
    assert_eq!(synced.changes.modified, ["a.py"]);
}

#[test]
fn a_clock_that_is_ahead_hides_no_change_within_a_tick() {
    let ground = Ground::of(&[("a.py", "one")]);
    let project = ground.project();
    // The first look reads the disk's own time, so that the file counts as just written.
    project.sync(SystemTime::now() + Duration::from_secs(3600));
    assert!(
        project.snapshot().looked_ns()
            <= crate::walk::Stat::of(&fs::metadata(ground.root().join("a.py")).unwrap()).mtime_ns
                + 60_000_000_000
    );
}

#[test]
fn the_second_provider_reads_what_the_first_indexed() {
    let ground = Ground::of(&[("a.py", "def one(): pass")]);
    let (first, second) = (ground.project(), ground.project());
    second.sync(at(0));
    assert_eq!(second.view().pending().len(), 1);
    complete(&first, at(1));
    assert!(second.view().is_complete());
    assert_eq!(text(&second.view().reader), text(&first.view().reader));
    ground.write("b.py", "def two(): pass");
    complete(&second, at(2));
    first.sync(at(3));
    assert!(first.view().is_complete());
    ground.write("c.py", "def three(): pass");
    assert_eq!(complete(&first, at(4)), Outcome::Complete);
    assert_eq!(text(&first.view().reader), ground.fresh());
}

#[test]
fn whoever_comes_second_leaves_the_indexing_to_the_first() {
    let ground = Ground::of(&[("a.py", "one"), ("b.py", "two")]);
    let (first, second) = (ground.project(), ground.project());
    first.sync(at(0));
    second.sync(at(1));
    let mut outcomes = Vec::new();
    first.update(Pace::Now, &|| false, &mut |_, _| outcomes.push(update(&second)));
    assert!(outcomes.iter().all(|updated| updated.outcome == Outcome::Elsewhere && updated.done == 0));
    assert_eq!(outcomes.len(), 2);
    assert!(second.view().is_complete());
}

#[test]
fn many_at_once_end_with_one_right_index() {
    let ground = Ground::of(&[]);
    (0..60).for_each(|n| ground.write(&format!("d{}/f{n}.py", n % 5), format!("def name{n}(): pass\n")));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let project = ground.project();
                for step in 0..5 {
                    project.sync(at(step));
                    while update(&project).outcome == Outcome::Elsewhere {
                        std::thread::yield_now();
                    }
                }
                assert!(project.view().is_complete());
            });
        }
    });
    let project = ground.project();
    project.sync(at(99));
    assert_eq!(update(&project).done, 0);
    assert_eq!(text(&project.view().reader), ground.fresh());
}
