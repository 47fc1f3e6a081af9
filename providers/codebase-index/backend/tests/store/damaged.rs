//! Files that are damaged, foreign, or in the way: an error that says so, and nothing written to them.

use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use ctxhost_index::store::{Scope, Sqlite, Store, StoreError};
use rusqlite::Connection;

use super::*;

fn filled(path: &Path, count: u64) {
    let store = Sqlite::open(path).expect("a store");
    let names: Vec<String> = (0..count).map(|number| format!("{number}.rs")).collect();
    let listing: Vec<(&str, u64)> = names.iter().map(String::as_str).zip(1..).collect();
    store.sync(ORG, &state("api", None, "root", files(&listing)), NOW).expect("a sync");
    for (path, number) in listing {
        index(&store, ORG, vec![chunk("api", path, "a", number, &format!("alpha {}", "text ".repeat(200)))])
            .expect("stored");
    }
}

#[test]
fn the_file_and_its_folders_are_for_this_user_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new/deep/index.sqlite");
    filled(&path, 1);
    let _open = Sqlite::open(&path).expect("a store");
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&folder.path().join("new")), 0o700);
    assert_eq!(mode(path.parent().expect("its folder")), 0o700);
    for file in fs::read_dir(path.parent().expect("its folder")).expect("files").flatten() {
        assert_eq!(mode(&file.path()), 0o600, "{:?}", file.path());
    }
}

#[test]
fn what_is_stored_is_there_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("index.sqlite");
    filled(&path, 3);
    let store = Sqlite::open(&path).expect("a store");
    assert_eq!(paths(&store, &Scope::default(), "alpha"), ["0.rs", "1.rs", "2.rs"]);
    let unchanged = store.sync(ORG, &state("api", None, "root", None), NOW).expect("a sync");
    assert_eq!(unchanged, SyncReply::default());
}

#[test]
fn a_file_of_another_kind_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |content: &[u8]| {
        let path = folder.path().join("other");
        fs::write(&path, content).expect("written");
        let result = Sqlite::open(&path);
        assert_eq!(fs::read(&path).expect("it is there"), content, "not a byte changed");
        result.err().expect("refused")
    };
    let damaged = check(&b"this is no database, it is a letter to a friend. ".repeat(40));
    assert!(matches!(damaged, StoreError::Damaged(_)), "{damaged:?}");
    assert!(damaged.to_string().contains("move the file away"), "{damaged}");

    let path = folder.path().join("foreign.sqlite");
    Connection::open(&path).expect("a file").execute_batch("CREATE TABLE mine(x)").expect("a table");
    let foreign = check(&fs::read(&path).expect("it is there"));
    assert!(matches!(foreign, StoreError::Foreign(_)), "{foreign:?}");

    let path = folder.path().join("newer.sqlite");
    filled(&path, 1);
    Connection::open(&path).expect("a file").pragma_update(None, "user_version", 99).expect("set");
    let newer = Sqlite::open(&path).err().expect("refused");
    assert!(matches!(&newer, StoreError::Foreign(text) if text.contains("99")), "{newer:?}");
}

#[test]
fn a_place_where_no_file_can_be_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("file"), "x").expect("written");
    symlink("nowhere/at/all", folder.path().join("link")).expect("linked");
    for path in ["file/index.sqlite", "link", "."] {
        let path = folder.path().join(path);
        let error = Sqlite::open(&path).err().expect("refused");
        assert!(matches!(error, StoreError::Open { .. }), "{error:?}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn pages_that_were_overwritten_are_said_to_be_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("index.sqlite");
    filled(&path, 60);
    Connection::open(&path)
        .expect("a file")
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .expect("one file");
    let whole = fs::read(&path).expect("it is there");
    let pages = whole.len() / 8192;
    let mut damaged = 0;
    for page in 1..pages {
        fs::write(&path, &whole).expect("written");
        let mut file = fs::OpenOptions::new().write(true).open(&path).expect("the file");
        file.seek(SeekFrom::Start(page as u64 * 8192)).expect("a place");
        file.write_all(&[0xa5; 8192]).expect("overwritten");
        damaged += usize::from(use_all(&path));
    }
    assert!(damaged > pages / 2, "{damaged} of {pages} pages were missed by nobody");
    // Cut short, as by a full disk in a copy.
    fs::write(&path, &whole[..whole.len() / 2]).expect("written");
    assert!(use_all(&path));
}

/// Does a bit of everything; says whether something was damaged. Any other failure is ours.
fn use_all(path: &Path) -> bool {
    let all = || -> Result<(), StoreError> {
        let store = Sqlite::open(path)?;
        let words = ["alpha".to_owned(), "text".to_owned()];
        let found = store.lexical(ORG, &Scope::default(), &words, 100)?;
        let ids: Vec<_> = found.iter().map(|one| one.chunk).collect();
        store.chunks(ORG, &ids)?;
        store.exact(ORG, &Scope::default(), &["a".to_owned()], &["1.rs".to_owned()], 100)?;
        store.sync(ORG, &state("api", None, "root2", files(&[("1.rs", 77)])), NOW)?;
        index(&store, ORG, vec![chunk("api", "1.rs", "a", 77, "alpha")])?;
        store.prune(NOW)
    };
    match all() {
        Ok(()) => false,
        Err(StoreError::Damaged(_)) => true,
        Err(other) => panic!("{other:?}"),
    }
}
