//! The memory's file: several writers, and everything that can be wrong with a folder.

use std::{
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

use ctxhost_sdk::serde_json;

use super::*;
use crate::select::memory::keep::upsert;

const CAPS: Caps = Caps { episodes: 500, days: 180 };
const WAIT: Duration = Duration::from_secs(60);

fn episode(id: &str) -> Episode {
    Episode { id: id.to_owned(), title: "t".to_owned(), confidence: 0.5, ..Episode::default() }
}

fn add(store: &Store, id: &str) -> Result<usize, MemoryProblem> {
    store.change(CAPS, WAIT, |episodes| upsert(episodes, episode(id)))
}

fn place() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::at(folder.path());
    (folder, store)
}

fn ids(store: &Store) -> Vec<String> {
    store.read().expect("it is read").episodes.into_iter().map(|episode| episode.id).collect()
}

fn mode(path: &Path) -> u32 {
    path.metadata().expect("it is there").permissions().mode() & 0o777
}

#[test]
fn what_is_written_is_read_again_and_is_its_owners_alone() {
    let (folder, store) = place();
    assert_eq!(ids(&store), [""; 0]);
    assert!(!folder.path().join(".pilot").exists(), "a look makes nothing");
    add(&store, "a").expect("it is written");
    add(&store, "b").expect("it is written");
    add(&store, "a").expect("it is written");
    assert_eq!(ids(&store), ["a", "b"]);
    assert_eq!(mode(&folder.path().join(".pilot")), 0o700);
    assert_eq!(mode(&store.file()), 0o600);
    assert_eq!(mode(&folder.path().join(".pilot/memories.lock")), 0o600);
    assert_eq!(store.clear(WAIT).expect("it is cleared"), 2);
    assert!(!store.file().exists() && ids(&store).is_empty());
}

#[test]
fn eight_writers_with_handles_of_their_own_lose_nothing() {
    let (folder, store) = place();
    thread::scope(|scope| {
        for writer in 0..8 {
            let store = Store::at(folder.path());
            scope.spawn(move || {
                for number in 0..25 {
                    add(&store, &format!("{writer}-{number}")).expect("it is written");
                }
            });
        }
    });
    assert_eq!(ids(&store).len(), 200);
}

#[test]
fn lines_that_are_no_episodes_are_skipped_and_moved_aside() {
    let (folder, store) = place();
    let good = serde_json::to_string(&episode("good")).expect("it is written");
    let long = format!("{{\"id\":\"{}\"}}", "x".repeat(100_000));
    let lines = [
        good.as_bytes(),
        b"{broken",
        b"[]",
        b"{\"id\":\"\",\"createdAt\":1,\"title\":\"\",\"confidence\":1}",
        b"\xff\xfe\x00",
        long.as_bytes(),
        b"  ",
        b"{\"id\":\"n\",\"createdAt\":\"soon\",\"title\":\"\",\"confidence\":1}",
    ];
    fs::create_dir(folder.path().join(".pilot")).expect("a folder");
    fs::write(store.file(), lines.join(&b'\n')).expect("a file");
    let kept = store.read().expect("it is read");
    assert_eq!((kept.episodes.len(), kept.corrupt), (1, 6));
    assert_eq!(add(&store, "new").expect("it is written"), 6);
    assert_eq!(ids(&store), ["good", "new"]);
    let aside = fs::read(folder.path().join(".pilot/memories.jsonl.corrupt")).expect("it is kept");
    assert!(aside.starts_with(b"{broken\n[]\n") && aside.windows(3).any(|bytes| bytes == b"\xff\xfe\x00"));
    assert_eq!(add(&store, "newer").expect("it is written"), 0);
    let again = fs::read(folder.path().join(".pilot/memories.jsonl.corrupt")).expect("it is kept");
    assert_eq!(aside, again);
}

#[test]
fn the_last_line_of_an_id_counts_and_foreign_fields_stay() {
    let (folder, store) = place();
    fs::create_dir(folder.path().join(".pilot")).expect("a folder");
    let line = |id: &str, title: &str| {
        format!(
            "{{\"id\":\"{id}\",\"createdAt\":1,\"title\":\"{title}\",\"confidence\":0.5,\"extra\":[1]}}\n"
        )
    };
    fs::write(store.file(), [line("a", "old"), line("b", "b"), line("a", "new")].concat()).expect("a file");
    let kept = store.read().expect("it is read");
    assert_eq!(kept.episodes.iter().map(|e| e.title.as_str()).collect::<Vec<_>>(), ["new", "b"]);
    add(&store, "c").expect("it is written");
    assert!(fs::read_to_string(store.file()).expect("a file").contains("\"extra\":[1]"));
}

#[test]
fn links_are_not_followed() {
    let (folder, store) = place();
    let elsewhere = tempfile::tempdir().expect("a folder");
    symlink(elsewhere.path(), folder.path().join(".pilot")).expect("a link");
    assert!(matches!(add(&store, "a"), Err(MemoryProblem::Link)));
    assert!(matches!(store.read(), Err(MemoryProblem::Link)));
    assert_eq!(fs::read_dir(elsewhere.path()).expect("a folder").count(), 0);

    fs::remove_file(folder.path().join(".pilot")).expect("it is ours");
    fs::create_dir(folder.path().join(".pilot")).expect("a folder");
    for name in ["memories.jsonl", "memories.lock", "memories.jsonl.new"] {
        let link = folder.path().join(".pilot").join(name);
        let _ = fs::remove_file(&link);
        symlink(elsewhere.path().join("x"), &link).expect("a link");
        assert!(matches!(add(&store, "a"), Err(MemoryProblem::Link)), "{name}");
        fs::remove_file(link).expect("it is ours");
    }
    assert!(!elsewhere.path().join("x").exists());
}

#[test]
fn what_stands_in_the_way_is_said() {
    let (folder, store) = place();
    fs::write(folder.path().join(".pilot"), "").expect("a file");
    assert!(matches!(add(&store, "a"), Err(MemoryProblem::WrongKind("no folder"))));
    fs::remove_file(folder.path().join(".pilot")).expect("it is ours");
    fs::create_dir_all(folder.path().join(".pilot/memories.jsonl")).expect("folders");
    assert!(matches!(store.read(), Err(MemoryProblem::WrongKind("no file"))));
}

#[test]
fn a_pipe_does_not_hold_a_reader() {
    let (folder, store) = place();
    fs::create_dir(folder.path().join(".pilot")).expect("a folder");
    let made = Command::new("mkfifo").arg(store.file()).status().expect("mkfifo is there");
    assert!(made.success());
    assert!(matches!(store.read(), Err(MemoryProblem::WrongKind("no file"))));
}

#[test]
fn a_file_that_is_too_large_is_left_alone() {
    let (folder, store) = place();
    fs::create_dir(folder.path().join(".pilot")).expect("a folder");
    let file = File::create(store.file()).expect("a file");
    file.set_len(LARGEST + 1).expect("it is ours");
    assert!(matches!(store.read(), Err(MemoryProblem::TooLarge(16))));
    assert!(matches!(add(&store, "a"), Err(MemoryProblem::TooLarge(16))));
    assert_eq!(store.file().metadata().expect("it is there").len(), LARGEST + 1);
    store.clear(WAIT).expect("it can be deleted");
    assert!(!store.file().exists());
}

#[test]
fn a_full_disk_costs_the_new_episode_and_nothing_else() {
    let (folder, store) = place();
    add(&store, "a").expect("it is written");
    let full = Store::with_writer(folder.path(), |file, bytes| {
        file.write_all(&bytes[..bytes.len() / 2])?;
        Err(io::Error::from(io::ErrorKind::StorageFull))
    });
    assert!(matches!(add(&full, "b"), Err(MemoryProblem::System(_))));
    assert_eq!(ids(&store), ["a"]);
    assert!(!folder.path().join(".pilot/memories.jsonl.new").exists());
    add(&store, "c").expect("it is written");
    assert_eq!(ids(&store), ["a", "c"]);
}

#[test]
fn a_writer_that_was_killed_leaves_nothing_behind_that_matters() {
    let (folder, store) = place();
    add(&store, "a").expect("it is written");
    fs::write(folder.path().join(".pilot/memories.jsonl.new"), "{\"id\":\"half").expect("a file");
    add(&store, "b").expect("it is written");
    assert_eq!(ids(&store), ["a", "b"]);
}

#[test]
fn a_lock_that_is_held_costs_the_patience_and_no_more() {
    let (folder, store) = place();
    add(&store, "a").expect("it is written");
    let held = File::open(folder.path().join(".pilot/memories.lock")).expect("a file");
    held.lock().expect("it is free");
    let busy = store.change(CAPS, Duration::from_millis(5), |episodes| episodes.clear());
    assert!(matches!(busy, Err(MemoryProblem::Busy)));
    assert_eq!(ids(&store), ["a"], "reading needs no lock");
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let (folder, store) = place();
    add(&store, "a").expect("it is written");
    let pilot = folder.path().join(".pilot");
    fs::set_permissions(&pilot, fs::Permissions::from_mode(0o500)).expect("it is ours");
    // The superuser writes everywhere.
    if fs::write(pilot.join("probe"), "").is_err() {
        assert!(matches!(add(&store, "b"), Err(MemoryProblem::System(_))));
    }
    assert_eq!(ids(&store)[0], "a");
    fs::set_permissions(&pilot, fs::Permissions::from_mode(0o700)).expect("it is ours");
}
