use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::*;
use crate::index::{Disk, FileSystem};

/// A disk that is full from some write on, for a number of writes.
struct Full {
    writes: AtomicUsize,
    from: usize,
    to: usize,
}

impl Disk for Full {
    fn replace(&self, path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let write = self.writes.fetch_add(1, Ordering::Relaxed);
        if (self.from..self.to).contains(&write) {
            // What was written before it was full stays nowhere.
            let _ = FileSystem
                .replace(path, &mut |to| to.write_all(b"half").and(Err(io::ErrorKind::StorageFull.into())));
            return Err(io::ErrorKind::StorageFull.into());
        }
        FileSystem.replace(path, fill)
    }

    fn remove(&self, path: &Path) {
        FileSystem.remove(path);
    }
}

/// Changes files three times and holds each time that everything is found; gives the problems met.
fn check_life(ground: &Ground, settings: ProjectSettings) -> Vec<Problem> {
    let project = ground.project_with(settings);
    let mut problems = Vec::new();
    for step in 0..3 {
        ground.write("a.py", format!("def step{step}(): pass\n"));
        ground.write(&format!("b{step}.py"), "def other(): pass\n");
        let synced = project.sync(at(step));
        let updated = update(&project);
        assert_eq!(updated.outcome, Outcome::Complete);
        for findings in [&synced.changes.findings, &updated.findings] {
            problems.extend(findings.iter().map(|finding| finding.problem));
            assert!(findings.iter().all(|finding| finding.count == 1), "{findings:?}");
        }
        assert!(project.view().is_complete());
        assert_eq!(text(&project.view().reader), ground.fresh());
    }
    problems
}

#[test]
fn a_disk_that_is_full_at_any_write_changes_no_answer() {
    let mut failed = 0;
    for from in 0..12 {
        for length in [1, 2, usize::MAX / 2] {
            let ground = Ground::of(&[]);
            let disk = Arc::new(Full { writes: AtomicUsize::new(0), from, to: from + length });
            let problems = check_life(&ground, ProjectSettings { disk, ..ground.settings() });
            assert!(problems.iter().all(|problem| *problem == Problem::Cache), "{problems:?}");
            failed += usize::from(!problems.is_empty());
            // Whatever was kept is right.
            let next = ground.project();
            assert!(next.sync(at(99)).changes.findings.is_empty());
            assert_eq!(update(&next).outcome, Outcome::Complete);
            assert_eq!(text(&next.view().reader), ground.fresh());
        }
    }
    assert!(failed >= 20, "only {failed} runs met a full disk");
}

#[test]
fn a_cache_that_can_only_be_read_is_still_read() {
    let ground = Ground::of(&[("a.py", "def one(): pass"), ("b.py", "two")]);
    complete(&ground.project(), at(0));
    let disk = Arc::new(Full { writes: AtomicUsize::new(0), from: 0, to: usize::MAX });
    let settings = ProjectSettings { disk, ..ground.settings() };
    let project = ground.project_with(settings.clone());
    assert!(project.sync(at(1)).changes.findings.of(Problem::Cache).is_some());
    assert_eq!(update(&project).done, 0);
    assert_eq!(text(&project.view().reader), ground.fresh());
    let problems = check_life(&ground, settings);
    assert!(problems.iter().all(|problem| *problem == Problem::Cache), "{problems:?}");
}

#[test]
fn a_cache_that_cannot_be_made_changes_no_answer() {
    let ground = Ground::of(&[]);
    fs::write(ground.cache(), "no folder").unwrap();
    let problems = check_life(&ground, ground.settings());
    assert!(
        !problems.is_empty() && problems.iter().all(|problem| *problem == Problem::Cache),
        "{problems:?}"
    );
}

#[test]
fn garbage_in_the_cache_is_one_finding_and_made_anew() {
    let ground = Ground::of(&[("a.py", "def one(): pass"), ("b.py", "two")]);
    complete(&ground.project(), at(0));
    let folder = ground.project().folder().unwrap().to_owned();
    let mut files = vec![folder.join("snapshot")];
    let index =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).unwrap();
    files.extend(fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path()));
    assert!(files.len() >= 3);
    for path in files {
        for garbage in [&b""[..], b"garbage", &[0xff; 5000]] {
            fs::write(&path, garbage).unwrap();
            let project = ground.project();
            let synced = project.sync(at(1));
            let updated = update(&project);
            assert_eq!(updated.outcome, Outcome::Complete, "{}", path.display());
            let found = |findings: &crate::finding::Findings| findings.of(Problem::Broken).is_some();
            assert!(
                found(&synced.changes.findings) || found(&updated.findings),
                "{} {garbage:?}",
                path.display()
            );
            assert_eq!(text(&project.view().reader), ground.fresh());
            let next = ground.project();
            assert!(next.sync(at(2)).changes.findings.is_empty());
            assert_eq!(
                update(&next),
                super::super::Updated {
                    outcome: Outcome::Complete,
                    done: 0,
                    findings: crate::finding::Findings::default()
                }
            );
            if !path.exists() {
                // The new index has files of other names.
                break;
            }
        }
    }
}

#[test]
fn a_walk_lock_that_is_never_free_is_a_finding() {
    let ground = Ground::of(&[("a.py", "one")]);
    complete(&ground.project(), at(0));
    let lock = fs::File::open(ground.project().folder().unwrap().join("sync.lock")).unwrap();
    lock.lock().unwrap();
    ground.write("a.py", "another");
    let project = ground.project();
    let synced = project.sync(at(1));
    assert!(synced.changes.findings.of(Problem::Lock).is_some());
    assert_eq!(synced.snapshot.get("a.py").unwrap().stat.size, 7);
    assert_eq!(update(&project).outcome, Outcome::Complete);
    assert_eq!(text(&project.view().reader), ground.fresh());
}

#[test]
fn a_lock_that_cannot_be_opened_is_a_finding_and_all_stays_in_memory() {
    let ground = Ground::of(&[]);
    let folder = ground.project().folder().unwrap().to_owned();
    fs::create_dir_all(&folder).unwrap();
    for lock in ["sync.lock", "index.lock"] {
        std::os::unix::fs::symlink("/nowhere/at/all", folder.join(lock)).unwrap();
    }
    let problems = check_life(&ground, ground.settings());
    assert!(problems.contains(&Problem::Lock), "{problems:?}");
    assert!(problems.iter().all(|problem| matches!(problem, Problem::Lock | Problem::Cache)), "{problems:?}");
}
