use std::path::Path;

use super::Tracked;
use crate::walk::tests::{Folder, git};

fn names(tracked: &Tracked) -> Vec<String> {
    tracked.iter().map(|(name, _)| String::from_utf8_lossy(name).into_owned()).collect()
}

/// A real index of some files, written by git in the given version.
fn index(version: &str) -> (Folder, Vec<u8>) {
    let folder = Folder::repository();
    for name in ["A", "a-b/c", "a/b", "a/bb", "long/path/to/one", "long/path/to/two", "ä"] {
        folder.write(name, name);
    }
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["update-index", "--index-version", version]);
    let data = std::fs::read(folder.path().join(".git/index")).unwrap();
    (folder, data)
}

#[test]
fn every_version_gives_the_same_names() {
    for version in ["2", "4"] {
        let (tracked, _) = Tracked::parse(&index(version).1, 20).unwrap();
        let expected = ["A", "a-b/c", "a/b", "a/bb", "long/path/to/one", "long/path/to/two", "ä"];
        assert_eq!(names(&tracked), expected, "version {version}");
        assert!(tracked.has(b"a/b") && !tracked.has(b"a/") && !tracked.has(b"b"));
        assert!(tracked.has_below(b"a") && tracked.has_below(b"long/path") && !tracked.has_below(b"long/p"));
    }
}

#[test]
fn extended_flags_of_version_3_are_stepped_over() {
    let (folder, _) = index("2");
    git(folder.path(), &["update-index", "--skip-worktree", "a/b"]);
    let data = std::fs::read(folder.path().join(".git/index")).unwrap();
    assert_eq!(data[7], 3);
    assert_eq!(names(&Tracked::parse(&data, 20).unwrap().0).len(), 7);
}

#[test]
fn hashes_may_be_those_of_sha256() {
    let folder = Folder::new();
    git(folder.path(), &["init", "-q", "--object-format=sha256"]);
    folder.write("a/b", "");
    folder.write(".gitignore", "a/\n");
    git(folder.path(), &["add", "-f", "a/b"]);
    assert_eq!(folder.walked(), [".gitignore", "a/b"]);
}

#[test]
fn a_split_index_is_read_with_what_it_builds_on() {
    let folder = Folder::repository();
    folder.write("one", "");
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["update-index", "--split-index"]);
    folder.write("two", "");
    git(folder.path(), &["add", "-A"]);
    let (tracked, problem) = Tracked::read(&folder.path().join(".git"), 20);
    assert_eq!(names(&tracked), ["one", "two"]);
    assert!(problem.is_some_and(|problem| problem.contains("split")));
}

#[test]
fn an_index_cut_anywhere_is_a_problem_and_no_panic() {
    for version in ["2", "4"] {
        let (_folder, data) = index(version);
        let whole = names(&Tracked::parse(&data, 20).unwrap().0);
        for end in 0..data.len() {
            if let Ok((tracked, _)) = Tracked::parse(&data[..end], 20) {
                assert_eq!(names(&tracked), whole, "cut at {end}");
            }
        }
    }
}

#[test]
fn an_index_with_any_byte_changed_is_no_panic() {
    for version in ["2", "4"] {
        let (_folder, data) = index(version);
        for at in 0..data.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut data = data.clone();
                data[at] = value;
                if let Ok((tracked, _)) = Tracked::parse(&data, 20) {
                    assert!(tracked.iter().is_sorted());
                }
            }
        }
    }
}

#[test]
fn a_count_that_lies_takes_no_memory() {
    let mut data = b"DIRC".to_vec();
    data.extend([0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff]);
    assert!(Tracked::parse(&data, 20).is_err());
}

#[test]
fn names_that_unfold_without_end_are_refused() {
    // Each name is the one before and one letter more.
    let mut data = b"DIRC\0\0\0\x04\0\x01\0\0".to_vec();
    for _ in 0..65_536 {
        data.extend([0; 62]);
        data.extend(b"\0a\0");
    }
    assert!(Tracked::parse(&data, 20).is_err());
}

#[test]
fn no_index_tracks_nothing() {
    let (tracked, problem) = Tracked::read(Path::new("/nowhere"), 20);
    assert!(names(&tracked).is_empty() && problem.is_none());
}
