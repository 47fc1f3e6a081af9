use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, os::unix::fs::symlink};

use ctxhost_code::walk::Patterns;
use sha2::{Digest, Sha256};

use super::*;
use crate::source::tests::tree::Workspace;

fn paths(listing: &Listing) -> Vec<&str> {
    listing.files.iter().map(|file| file.path.as_str()).collect()
}

fn reason(listing: &Listing, path: &str) -> Option<LeftOut> {
    listing.left_out.iter().find(|(left, _)| left == path).map(|(_, reason)| *reason)
}

/// What git tracks, without what is no file on the disk.
fn ls_files(workspace: &Workspace) -> Vec<String> {
    let listed = workspace.git("work", &["ls-files", "-z"]);
    let names = listed.split('\0').filter(|name| !name.is_empty());
    let is_file =
        |name: &&str| fs::symlink_metadata(workspace.path("work").join(name)).is_ok_and(|at| at.is_file());
    names.filter(is_file).map(str::to_owned).collect()
}

#[test]
fn the_files_are_those_that_git_tracks() {
    let names = ["é.ts", "q\"t.ts", "a b/ c.md", "src/\u{1f600}.rs", "ignored/kept.rs", "-dash", "tab\there"];
    let workspace = Workspace::of(&[(".gitignore", "ignored/\n*.log\n")]);
    names.iter().for_each(|name| workspace.write(&format!("work/{name}"), "text\n"));
    workspace.git("work", &["add", "-A"]);
    workspace.git("work", &["add", "-f", "ignored/kept.rs"]);
    workspace.write("work/new.rs", "fn new() {}\n");
    workspace.write("work/a.log", "log\n");
    workspace.remove("work/-dash");
    let listing = workspace.list(&workspace.limits());
    assert_eq!(paths(&listing), ls_files(&workspace));
    assert_eq!(listing.files.len(), names.len());
    assert_eq!((&listing.left_out[..], &listing.findings[..]), (&[][..], &[][..]));
    assert_eq!(listing.files[0].hash, hex(&Sha256::digest("ignored/\n*.log\n")));
    assert_eq!(listing.root_hash, root(&listing.files));

    let untracked = Limits { untracked: true, ..workspace.limits() };
    let more = workspace.list(&untracked);
    assert!(paths(&more).contains(&"new.rs") && !paths(&more).contains(&"a.log"));
    assert_eq!(more.files.len(), listing.files.len() + 1);
}

#[test]
fn links_lead_nowhere() {
    let workspace = Workspace::of(&[("src/a.rs", "fn a() {}\n")]);
    workspace.write("secret/b.rs", "fn secret() {}\n");
    symlink(workspace.path("secret/b.rs"), workspace.path("work/link.rs")).unwrap();
    symlink("src/a.rs", workspace.path("work/inner.rs")).unwrap();
    workspace.write("work/folder/b.rs", "fn b() {}\n");
    workspace.git("work", &["add", "-A"]);
    // A folder that became a link since.
    fs::remove_dir_all(workspace.path("work/folder")).unwrap();
    symlink(workspace.path("secret"), workspace.path("work/folder")).unwrap();
    for untracked in [false, true] {
        let listing = workspace.list(&Limits { untracked, ..workspace.limits() });
        assert_eq!(paths(&listing), ["src/a.rs"]);
        for path in ["link.rs", "inner.rs", "folder/b.rs"] {
            assert_eq!(reason(&listing, path), Some(LeftOut::Link), "{path}");
        }
    }
}

#[test]
fn paths_that_no_message_carries_are_one_finding() {
    let workspace = Workspace::of(&[("a.rs", ""), ("two\nlines.rs", ""), ("more\nlines.rs", "")]);
    fs::write(workspace.path("work").join(OsStr::from_bytes(b"latin-\xe9.rs")), "").unwrap();
    workspace.git("work", &["add", "-A"]);
    let listing = workspace.list(&workspace.limits());
    assert_eq!(paths(&listing), ["a.rs"]);
    assert_eq!(reason(&listing, "two\nlines.rs"), Some(LeftOut::LineBreak));
    assert_eq!(reason(&listing, "latin-\u{fffd}.rs"), Some(LeftOut::NotUtf8));
    let codes: Vec<_> = listing.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["path-unusable"]);
    assert!(listing.findings[0].message.contains("3 files"), "{}", listing.findings[0].message);
}

#[test]
fn what_is_not_sent_has_a_reason() {
    let workspace = Workspace::of(&[
        ("src/a.rs", "fn a() {}\n"),
        (".env", "TOKEN=1\n"),
        (".env.example", "TOKEN=\n"),
        ("keys/id_rsa", "key\n"),
        ("a.min.txt", &"x".repeat(6_000)),
        ("gen/out.rs", "fn out() {}\n"),
        ("hidden/by.rs", "fn by() {}\n"),
    ]);
    workspace.write("work/logo.png", b"\x89PNG\r\n\x1a\n\0\0");
    workspace.write("work/big.csv", "a,b,c\n".repeat(100_000));
    workspace.write("work/.ignore", "hidden/\n");
    workspace.git("work", &["add", "-A"]);
    let limits = Limits { exclude: Patterns::new(["gen/"]), ..workspace.limits() };
    let listing = workspace.list(&limits);
    assert_eq!(paths(&listing), [".env.example", ".ignore", "src/a.rs"]);
    for (path, expected) in [
        (".env", LeftOut::Secret),
        ("keys/id_rsa", LeftOut::Secret),
        ("a.min.txt", LeftOut::Minified),
        ("gen/out.rs", LeftOut::Settings),
        ("hidden/by.rs", LeftOut::Ignored),
        ("logo.png", LeftOut::Binary),
        ("big.csv", LeftOut::TooLarge),
    ] {
        assert_eq!(reason(&listing, path), Some(expected), "{path}");
    }
    assert_eq!(listing.left_out.len(), 7);
    let only = workspace.list(&Limits { include: Patterns::new(["src/"]), ..workspace.limits() });
    assert_eq!(paths(&only), ["src/a.rs"]);
}

#[test]
fn repositories_inside_are_their_own() {
    let workspace = Workspace::of(&[("a.rs", "")]);
    for name in ["work/inner", "other"] {
        workspace.write(&format!("{name}/b.rs"), "fn b() {}\n");
        workspace.git(name, &["init", "-q"]);
        workspace.git(name, &["add", "-A"]);
        workspace.git(name, &["commit", "-qm", "one"]);
    }
    workspace.write("work/inner/deep/c.rs", "fn c() {}\n");
    let other = workspace.path("other");
    workspace.git("work", &["submodule", "add", "-q", other.to_str().unwrap(), "sub"]);
    workspace.write("work/sub/new.rs", "fn new() {}\n");
    for untracked in [false, true] {
        let listing = workspace.list(&Limits { untracked, ..workspace.limits() });
        assert_eq!(paths(&listing), [".gitmodules", "a.rs"]);
    }
}

#[test]
fn a_hit_is_stale_when_its_file_is_another() {
    let workspace = Workspace::of(&[("a.rs", "fn a() {}\n")]);
    let repo = workspace.repo();
    let hit = |path: &str, hash: Option<&str>, snippet: &str| SearchHit {
        path: path.into(),
        file_hash: hash.map(|text| hex(&Sha256::digest(text))),
        snippet: snippet.into(),
        ..SearchHit::default()
    };
    assert!(!stale(&repo, &hit("a.rs", Some("fn a() {}\n"), "")));
    assert!(stale(&repo, &hit("a.rs", Some("fn a() {}"), "")));
    assert!(stale(&repo, &hit("gone.rs", Some(""), "")));
    assert!(stale(&repo, &hit("../work/a.rs", Some("fn a() {}\n"), "")));
    assert!(!stale(&repo, &hit("a.rs", None, "  fn a() {}\r\n")));
    assert!(stale(&repo, &hit("a.rs", None, "fn b() {}")));
}

#[test]
fn a_repository_that_went_away_is_an_error() {
    let workspace = Workspace::of(&[("a.rs", "")]);
    let repo = workspace.repo();
    fs::remove_dir_all(workspace.path("work/.git")).unwrap();
    let listed = list(&repo, &workspace.limits(), None, &Stop::default());
    assert_eq!(listed.unwrap_err(), SourceError::NoWorkTree(repo.root));
    let workspace = Workspace::of(&[("a.rs", "")]);
    let stop = Stop::default();
    stop.stop();
    let listed = list(&workspace.repo(), &workspace.limits(), None, &stop);
    assert_eq!(listed.unwrap_err(), SourceError::Stopped);
}
