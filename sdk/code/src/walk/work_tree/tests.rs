use std::{
    fs,
    os::unix::{ffi::OsStrExt, fs::symlink},
    process::Command,
};

use super::WorkTree;
use crate::walk::{
    TrackedKind,
    tests::{Folder, git},
};

/// Paths that `git ls-files` quotes without `-z`, or that lie where something else is ignored.
const NAMES: [&str; 7] =
    ["é.ts", "q\"t.ts", "a b/ c", "two\nlines", "new/\u{1f600}", "ignored/kept.rs", "tab\there"];

/// What `git ls-files -s -z` says: the kind by the mode, and the path.
fn listed(folder: &Folder) -> Vec<(Vec<u8>, TrackedKind)> {
    let run = Command::new("git").args(["ls-files", "-s", "-z"]).current_dir(folder.path()).output().unwrap();
    let lines = run.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    let each = lines.map(|line| {
        let tab = line.iter().position(|byte| *byte == b'\t').unwrap();
        let kind = match &line[..6] {
            b"120000" => TrackedKind::Link,
            b"160000" => TrackedKind::Repository,
            _ => TrackedKind::File,
        };
        (line[tab + 1..].to_vec(), kind)
    });
    let mut all: Vec<_> = each.collect();
    all.dedup();
    all
}

fn tracked(folder: &Folder) -> Vec<(Vec<u8>, TrackedKind)> {
    let (tracked, findings) = WorkTree::open(folder.path()).unwrap().tracked();
    assert!(findings.is_empty(), "{findings:?}");
    tracked.iter().map(|(name, kind)| (name.to_vec(), kind)).collect()
}

fn submodule(folder: &Folder, name: &str) {
    let other = folder.home().join("other");
    fs::create_dir_all(&other).unwrap();
    git(&other, &["init", "-q"]);
    fs::write(other.join("inner.rs"), "").unwrap();
    git(&other, &["add", "-A"]);
    git(&other, &["commit", "-qm", "one"]);
    git(folder.path(), &["submodule", "add", "-q", other.to_str().unwrap(), name]);
}

#[test]
fn tracked_files_are_those_of_ls_files() {
    let folder = Folder::repository();
    folder.write(".gitignore", "ignored/\n");
    NAMES.iter().for_each(|name| folder.write(name, name));
    fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"latin-\xe9")), "").unwrap();
    symlink("a b", folder.path().join("link")).unwrap();
    submodule(&folder, "sub");
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["add", "-f", "ignored/kept.rs"]);
    folder.write("untracked.rs", "");
    folder.write("ignored/other.rs", "");
    for version in ["2", "4"] {
        git(folder.path(), &["update-index", "--index-version", version]);
        let tracked = tracked(&folder);
        assert_eq!(tracked, listed(&folder), "index version {version}");
        assert_eq!(tracked.len(), NAMES.len() + 5);
    }
}

#[test]
fn files_in_conflict_are_listed_once() {
    let folder = Folder::repository();
    let commit = |text: &str| {
        folder.write("a", text);
        git(folder.path(), &["add", "-A"]);
        git(folder.path(), &["commit", "-qm", text]);
    };
    commit("base");
    git(folder.path(), &["checkout", "-qb", "other"]);
    commit("theirs");
    git(folder.path(), &["checkout", "-q", "-"]);
    commit("ours");
    let merge = Command::new("git").args(["merge", "other"]).current_dir(folder.path()).output().unwrap();
    assert!(!merge.status.success());
    assert_eq!(tracked(&folder), [(b"a".to_vec(), TrackedKind::File)]);
}

#[test]
fn linked_work_trees_and_submodules_are_work_trees() {
    let folder = Folder::repository();
    folder.write("a", "");
    git(folder.path(), &["add", "-A"]);
    git(folder.path(), &["commit", "-qm", "one"]);
    git(folder.path(), &["remote", "add", "origin", "git@example.org:team/tool.git"]);
    let linked = folder.home().join("linked");
    git(folder.path(), &["worktree", "add", "-q", linked.to_str().unwrap(), "-b", "two"]);
    submodule(&folder, "sub");

    let main = WorkTree::open(folder.path()).unwrap();
    let beside = WorkTree::around(&linked).unwrap();
    let inside = WorkTree::around(&folder.path().join("sub")).unwrap();
    assert!(!main.is_linked() && beside.is_linked() && !inside.is_linked());
    assert_eq!(main.repository(), beside.repository());
    assert_ne!(main.repository(), inside.repository());
    assert_eq!(beside.remote("origin").as_deref(), Some("git@example.org:team/tool.git"));
    assert_eq!(beside.tracked().0.len(), 1);
    assert_eq!(inside.tracked().0.iter().map(|(name, _)| name).collect::<Vec<_>>(), [b"inner.rs"]);
    assert_eq!(inside.top(), folder.path().join("sub").canonicalize().unwrap());
}
