use std::fs;

use super::{Folder, git};
use crate::finding::Problem;

/// Holds that exactly these files are walked, and that git agrees.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let folder = Folder::of(files);
    assert_eq!(folder.walked(), expected);
    assert_eq!(folder.shown(), expected, "git sees it otherwise");
}

/// Holds what is walked where git knows nothing of the rules.
fn check_beyond_git(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(Folder::of(files).walked(), expected);
}

#[test]
fn nested_ignore_files_hold_below_their_folder() {
    check(
        &[
            (".gitignore", "*.log\n"),
            ("a/.gitignore", "!keep.log\n/b\n"),
            ("a/keep.log", ""),
            ("a/b", ""),
            ("keep.log", ""),
            ("c/b", ""),
            ("a/c/b", ""),
            ("a/c/keep.log", ""),
        ],
        &[".gitignore", "a/.gitignore", "a/c/b", "a/c/keep.log", "a/keep.log", "c/b"],
    );
}

#[test]
fn nothing_comes_back_from_an_ignored_folder() {
    check(&[(".gitignore", "a/\n!a/b\n"), ("a/b", "")], &[".gitignore"]);
    check(&[(".gitignore", "a/*\n!a/b\n"), ("a/b", ""), ("a/c", "")], &[".gitignore", "a/b"]);
}

#[test]
fn tracked_files_are_kept_whatever_the_rules_say() {
    check(
        &[
            (".gitignore", "build/\nvendor/\n*.o\n"),
            ("+build/x/a", ""),
            ("build/x/b", ""),
            ("build/y/c", ""),
            ("+vendor/a.o", ""),
            ("b.o", ""),
            ("+c.o", ""),
        ],
        &[".gitignore", "build/x/a", "c.o", "vendor/a.o"],
    );
}

#[test]
fn hidden_files_are_kept() {
    check(&[(".a", ""), (".b/.c", "")], &[".a", ".b/.c"]);
}

#[test]
fn braces_and_classes_are_those_of_git() {
    check(
        &[
            (".gitignore", "{a,b}\n[[:digit:]]\nc[!d]\n"),
            ("a", ""),
            ("{a,b}", ""),
            ("7", ""),
            ("cd", ""),
            ("ce", ""),
        ],
        &[".gitignore", "a", "cd"],
    );
}

#[test]
fn a_linked_ignore_file_is_not_followed() {
    let folder = Folder::of(&[("rules", "a\n"), ("a", "")]);
    std::os::unix::fs::symlink("rules", folder.path().join(".gitignore")).unwrap();
    assert_eq!(folder.walked(), ["a", "rules"]);
    assert_eq!(folder.shown(), ["a", "rules"]);
}

#[test]
fn info_exclude_holds_after_ignore_files() {
    let folder = Folder::of(&[("a", ""), ("b", ""), (".gitignore", "!b\n")]);
    fs::write(folder.path().join(".git/info/exclude"), "a\nb\n").unwrap();
    assert_eq!(folder.walked(), [".gitignore", "b"]);
    assert_eq!(folder.shown(), folder.walked());
}

#[test]
fn the_persons_own_rules_hold_last() {
    let folder = Folder::of(&[("a", ""), ("b", ""), ("c", ""), (".gitignore", "!b\n")]);
    fs::create_dir_all(folder.home().join(".config/git")).unwrap();
    fs::write(folder.home().join(".config/git/ignore"), "a\nb\n").unwrap();
    assert_eq!(folder.walked(), [".gitignore", "b", "c"]);
    assert_eq!(folder.shown(), folder.walked());
    fs::write(folder.home().join(".gitconfig"), "[core]\n\texcludesFile = ~/mine\n").unwrap();
    fs::write(folder.home().join("mine"), "c\n").unwrap();
    assert_eq!(folder.walked(), [".gitignore", "a", "b"]);
    assert_eq!(folder.shown(), folder.walked());
}

#[test]
fn dot_ignore_wins_over_git() {
    check_beyond_git(
        &[
            (".gitignore", "build/\n"),
            (".ignore", "!build/\n+x\ndata/\nsecret\n"),
            ("build/a", ""),
            ("+secret", ""),
            ("+data/a", ""),
            ("b", ""),
        ],
        &[".gitignore", ".ignore", "b", "build/a"],
    );
}

#[test]
fn what_other_version_control_keeps_is_left_out() {
    check_beyond_git(&[(".svn/a", ""), ("b/.hg/c", ""), (".jj/d", ""), ("e/.svn", "")], &["e/.svn"]);
}

#[test]
fn rules_hold_without_a_repository() {
    let folder = Folder::new();
    for (name, text) in [(".gitignore", "*.o\n"), ("a.o", ""), ("a.c", ""), ("b/.ignore", "c\n"), ("b/c", "")]
    {
        folder.write(name, text);
    }
    assert_eq!(folder.walked(), [".gitignore", "a.c", "b/.ignore"]);
}

#[test]
fn rules_above_the_root_hold_in_the_same_work_tree() {
    let folder = Folder::of(&[
        (".gitignore", "*.o\n/a/skip\n"),
        (".ignore", "*.tmp\n"),
        ("a/b.o", ""),
        ("a/c", ""),
        ("a/skip", ""),
        ("a/d.tmp", ""),
        ("+a/e/f.o", ""),
    ]);
    assert_eq!(super::paths(&folder.walk("a")), ["c", "e/f.o"]);
    assert_eq!(super::paths(&folder.walk("a/e")), ["f.o"]);
}

#[test]
fn whoever_starts_in_an_ignored_folder_sees_it() {
    let folder =
        Folder::of(&[(".gitignore", "out/\n"), ("out/a", ""), ("out/.gitignore", "b\n"), ("out/b", "")]);
    assert_eq!(super::paths(&folder.walk("out")), [".gitignore", "a"]);
}

#[test]
fn other_repositories_inside_follow_their_own_rules() {
    let folder = Folder::of(&[
        (".gitignore", "*.o\n"),
        ("a.o", ""),
        ("sub/.gitignore", "*.c\n"),
        ("sub/a.o", ""),
        ("sub/a.c", ""),
        ("fake/.git/HEAD", ""),
        ("fake/a.o", ""),
        ("fake/b", ""),
    ]);
    git(&folder.path().join("sub"), &["init", "-q"]);
    fs::write(folder.path().join("sub/.git/info/exclude"), "x\n").unwrap();
    folder.write("sub/x", "");
    assert_eq!(folder.walked(), [".gitignore", "fake/b", "sub/.gitignore", "sub/a.o"]);
}

#[test]
fn submodules_show_what_they_track() {
    let folder = Folder::of(&[("+a", "")]);
    folder.write("../home/library/.gitignore", "*.o\n");
    folder.write("../home/library/b.o", "");
    let library = folder.home().join("library");
    git(&library, &["init", "-q"]);
    git(&library, &["add", "-f", "b.o", ".gitignore"]);
    git(&library, &["commit", "-qm", "x"]);
    git(folder.path(), &["submodule", "--quiet", "add", library.to_str().unwrap(), "ext/library"]);
    folder.write(".gitignore", "ext/\n");
    folder.write("ext/library/c.o", "");
    folder.write("ext/other", "");
    assert!(folder.path().join("ext/library/.git").is_file());
    let expected = [".gitignore", ".gitmodules", "a", "ext/library/.gitignore", "ext/library/b.o"];
    assert_eq!(folder.walked(), expected);
}

#[test]
fn a_linked_work_tree_knows_its_index_and_is_not_walked_twice() {
    let folder = Folder::of(&[(".gitignore", "*.o\n"), ("+a.o", "")]);
    git(folder.path(), &["add", ".gitignore"]);
    git(folder.path(), &["commit", "-qm", "x"]);
    git(folder.path(), &["worktree", "add", "-q", "trees/one"]);
    fs::write(folder.path().join(".git/info/exclude"), "skip\n").unwrap();
    folder.write("trees/one/skip", "");
    folder.write("trees/one/b.o", "");
    assert_eq!(super::paths(&folder.walk("trees/one")), [".gitignore", "a.o"]);
    assert_eq!(folder.walked(), [".gitignore", "a.o"]);
}

#[test]
fn a_broken_index_is_a_finding_and_the_rules_still_hold() {
    let folder = Folder::of(&[(".gitignore", "*.o\n"), ("+a.o", ""), ("b", "")]);
    fs::write(folder.path().join(".git/index"), "DIRC garbage").unwrap();
    let walked = folder.walk("");
    assert_eq!(super::paths(&walked), [".gitignore", "b"]);
    assert!(walked.findings.of(Problem::Tracked).is_some());
}
