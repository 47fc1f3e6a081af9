//! What only the inside of the engine can show: a disk that is full, a file that is held.

use ctxhost_protocol::codebase_index::{Chunk, FileHash, IndexRequest, RepoState, SyncRequest};

use super::*;

const ORG: &str = "acme";

fn chunk(number: usize) -> IndexRequest {
    let chunk = Chunk {
        repo: "api".to_owned(),
        path: format!("{number}.rs"),
        symbol: "a".to_owned(),
        file_hash: Some(format!("{number:064x}")),
        file_chunks: Some(1),
        content: format!("alpha {}", format!("word{number} ").repeat(300)),
        ..Chunk::default()
    };
    IndexRequest { chunks: vec![chunk], remove: Vec::new() }
}

fn listing(count: usize) -> SyncRequest {
    let files =
        (0..count).map(|number| FileHash { path: format!("{number}.rs"), hash: format!("{number:064x}") });
    let repo = RepoState {
        name: "api".to_owned(),
        root_hash: "r".to_owned(),
        files: Some(files.collect()),
        reference: None,
    };
    SyncRequest { repos: vec![repo] }
}

fn found(store: &Sqlite) -> usize {
    store.lexical(ORG, &Scope::default(), &["alpha".to_owned()], 10_000).expect("a search").len()
}

#[test]
fn a_full_disk_loses_nothing_and_the_same_request_succeeds_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::open(&folder.path().join("index.sqlite")).expect("a store");
    store.sync(ORG, &listing(500), 0).expect("a sync");
    store.connections().maintain("PRAGMA max_page_count = 60").expect("a small disk");
    let mut stored = 0;
    let error = loop {
        match store.index(ORG, &chunk(stored), 0) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(stored > 3, "{stored}");
    assert_eq!(found(&store), stored, "what was there is there, and nothing of the rest");
    assert_eq!(store.sync(ORG, &listing(500), 0).expect("a sync").changed.len(), 500 - stored);
    store.connections().maintain("PRAGMA max_page_count = 100000").expect("more room");
    store.index(ORG, &chunk(stored), 0).expect("stored");
    assert_eq!(found(&store), stored + 1);
}

#[test]
fn searches_wait_for_no_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::open(&folder.path().join("index.sqlite")).expect("a store");
    store.index(ORG, &chunk(0), 0).expect("stored");
    store
        .connections()
        .write(|db| {
            fill::index(db, ORG, &chunk(1), 0)?;
            assert_eq!(found(&store), 1, "what is not committed is not seen, and not waited for");
            Ok(())
        })
        .expect("a write");
    assert_eq!(found(&store), 2);
}

#[test]
fn many_threads_search_and_write_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::open(&folder.path().join("index.sqlite")).expect("a store");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..20 {
                    store.index(ORG, &chunk(thread * 20 + number), 0).expect("stored");
                }
            });
            scope.spawn(move || {
                let mut last = 0;
                for _ in 0..40 {
                    let now = found(store);
                    assert!(now >= last, "{now} after {last}");
                    last = now;
                }
            });
        }
    });
    assert_eq!(found(&store), 80);
}
