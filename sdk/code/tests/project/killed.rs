//! A process that is killed while it indexes.

use std::{
    env,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::*;

const ROOT: &str = "CTXHOST_TEST_ROOT";
const CACHE: &str = "CTXHOST_TEST_CACHE";

/// What the other process does: it indexes again and again until it is killed. Run as a test it does nothing.
#[test]
fn the_other_process() {
    let (Some(root), Some(cache)) = (env::var_os(ROOT), env::var_os(CACHE)) else { return };
    let project = project(Path::new(&root), Some(cache.into()));
    let told = Path::new(&root).with_extension("done");
    let mut done = 0_usize;
    loop {
        project.sync(SystemTime::now());
        project.rebuild(Pace::Now, &|| false, &mut |_, _| {
            done += 1;
            fs::write(&told, done.to_string()).unwrap();
        });
    }
}

/// Another process; it is killed at the end of the test, whatever that is.
struct Other(Child);

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(root: &Path, cache: &Path) -> Other {
    let _ = fs::remove_file(root.with_extension("done"));
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "killed::the_other_process"])
        .env(ROOT, root)
        .env(CACHE, cache)
        .stdout(Stdio::null())
        .spawn();
    Other(child.unwrap())
}

/// How many files the other process has parsed.
fn done(root: &Path) -> usize {
    fs::read_to_string(root.with_extension("done")).ok().and_then(|done| done.parse().ok()).unwrap_or(0)
}

/// Kills it a moment after it has parsed so many files.
fn spawn_and_kill(root: &Path, cache: &Path, files: usize, after: Duration) {
    let mut other = spawn(root, cache);
    while done(root) < files {
        assert!(other.0.try_wait().unwrap().is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(after);
}

#[test]
fn a_process_that_is_killed_leaves_a_right_index() {
    let folder = tempfile::tempdir().unwrap();
    let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
    for n in 0..120 {
        let body = format!("def name{n}(argument):\n    return other{n}(argument)\n").repeat(10 + n % 7 * 30);
        write(&root.join(format!("d{}/f{n}.py", n % 9)), &body);
    }
    let expected = fresh(&root);
    let mut begun = 0;
    for round in 0..12 {
        // Anywhere in the first work and the second one, where an index is replaced.
        spawn_and_kill(&root, &cache, round * 20, Duration::from_micros(round as u64 * 1_337 % 10_000));
        let project = project(&root, Some(cache.clone()));
        project.sync(SystemTime::now());
        let view = project.view();
        begun += usize::from(!view.is_complete());
        // What is there before anything is done is right, as far as it goes.
        let found = view.reader.files().filter(|file| view.is_current(file.doc)).count();
        assert_eq!(found + view.pending().len(), 120);
        assert_eq!(bring_up(&project), [], "round {round}");
        assert_eq!(text(&project.view().reader), expected, "round {round}");
    }
    assert!(begun >= 2, "only {begun} processes were killed between two batches");
}

#[test]
fn two_processes_on_one_project_have_the_right_index_at_every_step() {
    let folder = tempfile::tempdir().unwrap();
    let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
    for n in 0..40 {
        write(&root.join(format!("d{}/f{n}.py", n % 9)), &format!("def name{n}(): return other{n}\n"));
    }
    // It makes the index anew all the time, so that this one finds it locked, half made and replaced.
    let other = spawn(&root, &cache);
    let project = project(&root, Some(cache.clone()));
    let mut elsewhere = 0;
    for step in 0..6 {
        let begin = Instant::now();
        write(&root.join("changing.py"), &format!("def step{step}(): pass\n"));
        let view = loop {
            assert!(begin.elapsed() < Duration::from_secs(60), "step {step} never came to its end");
            let synced = project.sync(SystemTime::now());
            let updated = project.update(Pace::Now, &|| false, &mut |_, _| {});
            assert!(synced.changes.findings.is_empty(), "{:?}", synced.changes.findings);
            assert!(updated.findings.is_empty(), "{:?}", updated.findings);
            elsewhere += usize::from(updated.outcome == Outcome::Elsewhere);
            let view = project.view();
            if view.is_complete() && synced.snapshot.root() == view.snapshot.root() && !synced.shared {
                break view;
            }
        };
        assert_eq!(text(&view.reader), fresh(&root), "step {step}");
    }
    assert!(elsewhere > 0, "the other process was never met");
    drop(other);
    assert_eq!(bring_up(&project), []);
}
