//! Disks that really refuse: folders that may only be read, a file system without room, writes that are cut short.

use std::{
    env,
    io::Write,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use ctxhost_code::finding::{Findings, Problem};
use rustix::{
    process::{Gid, Uid, geteuid},
    thread::{set_thread_gid, set_thread_uid},
};
use tempfile::TempDir;

use super::*;

/// Tells the other process which project it works in.
const ROOT: &str = "CTXHOST_TEST_REFUSED";

/// Nobody's number on most systems; any that is not root's does.
const NOBODY: u32 = 65_534;

/// So much room has the small file system; a snapshot and an index of the project below take more.
const ROOM: &str = "64k";

fn ground() -> (TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    // Whoever gives up root's rights still has to get there.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
    for n in 0..300 {
        write(
            &root.join(format!("d{}/f{n}.py", n % 9)),
            &format!("def name{n}(argument):\n    return other{n}\n"),
        );
    }
    fs::create_dir(&cache).unwrap();
    (folder, root, cache)
}

/// Without grammars, which may lie where others cannot read.
fn project(root: &Path, cache: Option<&Path>) -> Project {
    let cache = cache.map(Path::to_owned);
    let settings = ProjectSettings { cache, threads: 2, ..ProjectSettings::new(Grammars::new(Vec::new())) };
    Project::open(root, settings).unwrap()
}

/// What a look and an update met, as a provider tells it.
fn met(project: &Project) -> Vec<Problem> {
    let mut findings = Findings::default();
    findings.extend(project.sync(SystemTime::now()).changes.findings);
    let updated = project.update(Pace::Now, &|| false, &mut |_, _| {});
    assert_eq!(updated.outcome, Outcome::Complete);
    findings.extend(updated.findings);
    assert!(project.view().is_complete());
    findings.iter().map(|finding| finding.problem).collect()
}

/// Looks three times, the last time at another file, each time with a right answer and these findings.
fn check(root: &Path, cache: &Path, expected: &[Problem]) {
    // Until then the walk of whoever was here before would be taken over.
    thread::sleep(Duration::from_millis(150));
    let project = project(root, Some(cache));
    for look in 0..3 {
        if look == 2 {
            // Somebody else writes, whoever we are.
            fs::write(root.join("changed.py"), "def changed(): pass\n").unwrap();
        }
        assert_eq!(met(&project), expected, "look {look}");
        let alone = self::project(root, None);
        assert_eq!(met(&alone), []);
        assert_eq!(text(&project.view().reader), text(&alone.view().reader), "look {look}");
    }
}

/// Sets the permissions of a folder and of all in it.
fn allow(folder: &Path, folders: u32, files: u32) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            allow(&path, folders, files);
        } else {
            fs::set_permissions(path, fs::Permissions::from_mode(files)).unwrap();
        }
    }
    fs::set_permissions(folder, fs::Permissions::from_mode(folders)).unwrap();
}

/// Does it on a thread, and those that it starts, for which permissions count: not for root, as who tests often run.
fn without_roots_rights(act: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let acted = scope.spawn(|| {
            if geteuid().is_root() {
                set_thread_gid(Gid::from_raw(NOBODY)).unwrap();
                set_thread_uid(Uid::from_raw(NOBODY)).unwrap();
            }
            act();
        });
        acted.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[test]
fn a_cache_that_may_only_be_read_is_read_and_costs_one_finding_a_look() {
    let (_folder, root, cache) = ground();
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    assert_eq!(met(&project(&root, Some(&cache))), []);
    allow(&cache, 0o555, 0o444);
    without_roots_rights(|| {
        assert!(fs::write(cache.join("probe"), "").is_err(), "the folder can be written");
        let project = project(&root, Some(&cache));
        project.sync(SystemTime::now());
        let there = project.update(Pace::Now, &|| false, &mut |_, _| {});
        assert_eq!((there.outcome, there.done), (Outcome::Complete, 0), "what is there is read");
        check(&root, &cache, &[Problem::Cache]);
    });
    // Whoever may write goes on with what was there.
    allow(&cache, 0o700, 0o600);
    let next = project(&root, Some(&cache));
    assert_eq!(met(&next), []);
    assert!(next.view().reader.find("changed.py").is_some());
}

#[test]
fn a_cache_that_may_not_be_made_costs_one_finding_a_look() {
    let (_folder, root, cache) = ground();
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o555)).unwrap();
    without_roots_rights(|| check(&root, &cache, &[Problem::Cache]));
    assert_eq!(fs::read_dir(&cache).unwrap().count(), 0);
}

/// Runs a part of this file in another process, begun by a shell that has prepared its surroundings.
fn elsewhere(part: &str, shell: &[&str], prepare: &str, root: &Path, cache: &Path) {
    let run = Command::new(shell[0])
        .args(&shell[1..])
        .arg(format!("{prepare} && exec \"$0\" --exact refusing::{part} --nocapture"))
        .arg(env::current_exe().unwrap())
        .env(ROOT, root)
        .env("CACHE", cache)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout) + String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.contains("1 passed"), "{:?}\n{said}", run.status);
}

/// The project of this process when it is another one.
fn here() -> Option<(PathBuf, PathBuf)> {
    Some((env::var_os(ROOT)?.into(), env::var_os("CACHE")?.into()))
}

/// What the process does whose writes are cut short; run as a test it does nothing.
#[test]
fn the_process_whose_writes_are_cut_short() {
    let Some((root, cache)) = here() else { return };
    let cut = fs::write(cache.join("probe"), vec![b'x'; 1 << 20]).unwrap_err();
    assert_eq!(
        (cut.kind(), fs::metadata(cache.join("probe")).unwrap().len()),
        (std::io::ErrorKind::FileTooLarge, 4096)
    );
    check(&root, &cache, &[Problem::Cache]);
}

#[test]
fn writes_that_are_cut_short_change_no_answer() {
    let (_folder, root, cache) = ground();
    // Eight blocks of 512 bytes; without the signal, the write that goes beyond fails.
    elsewhere(
        "the_process_whose_writes_are_cut_short",
        &["sh", "-c"],
        "trap '' XFSZ && ulimit -f 8",
        &root,
        &cache,
    );
    // Nothing half is left that anybody would take for whole.
    let next = project(&root, Some(&cache));
    assert_eq!(met(&next), []);
    assert_eq!(
        text(&next.view().reader),
        text(&{
            let alone = project(&root, None);
            met(&alone);
            alone.view().reader.clone()
        })
    );
}

/// What the process does that has a small file system for its cache; run as a test it does nothing.
#[test]
fn the_process_without_room() {
    let Some((root, cache)) = here() else { return };
    let mut ballast = fs::File::create(cache.join("ballast")).unwrap();
    let full = (0..1_000).find_map(|_| ballast.write_all(&[b'x'; 1024]).err()).unwrap();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    check(&root, &cache, &[Problem::Cache]);
    // With some room the snapshot finds its place, and the index does not.
    ballast.set_len(20 << 10).unwrap();
    check(&root, &cache, &[Problem::Cache]);
    drop(ballast);
    fs::remove_file(cache.join("ballast")).unwrap();
    for name in 0..280 {
        fs::remove_file(root.join(format!("d{}/f{name}.py", name % 9))).unwrap();
    }
    // As soon as all of it fits, it is kept, and the next process reads it.
    check(&root, &cache, &[]);
    let next = project(&root, Some(&cache));
    next.sync(SystemTime::now());
    assert_eq!(next.update(Pace::Now, &|| false, &mut |_, _| {}).done, 0);
}

#[test]
fn a_full_file_system_changes_no_answer() {
    let shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"];
    let mount = format!("mount -t tmpfs -o size={ROOM} none \"$CACHE\"");
    let (_folder, root, cache) = ground();
    let may = Command::new(shell[0]).args(&shell[1..]).arg(&mount).env("CACHE", &cache).output();
    if !may.is_ok_and(|run| run.status.success()) {
        // A container may forbid it; the writes that are cut short and the disks of `project::tests::failures` remain.
        eprintln!("no file system can be mounted here");
        return;
    }
    elsewhere("the_process_without_room", &shell, &mount, &root, &cache);
}
