//! The store over its trait, in one file and in memory.

mod contract;
mod damaged;
mod generations;
mod killed;
mod orgs;
mod pruned;
mod sequences;

use std::collections::BTreeSet;

use ctxhost_index::store::{Scope, Store, StoreError};
use ctxhost_protocol::codebase_index::{
    Chunk, FileHash, FileRef, IndexRequest, RepoState, SyncReply, SyncRequest, View,
};

/// Where time begins in these tests.
const NOW: i64 = 1_700_000_000;
/// The organisation of most tests.
const ORG: &str = "acme";

/// A hash as long as a real one, of a number.
fn hash(number: u64) -> String {
    format!("{number:064x}")
}

fn files(all: &[(&str, u64)]) -> Option<Vec<FileHash>> {
    Some(
        all.iter().map(|(path, number)| FileHash { path: (*path).to_owned(), hash: hash(*number) }).collect(),
    )
}

fn state(repo: &str, reference: Option<&str>, root: &str, files: Option<Vec<FileHash>>) -> SyncRequest {
    let reference = reference.map(str::to_owned);
    let repo = RepoState { name: repo.to_owned(), root_hash: root.to_owned(), files, reference };
    SyncRequest { repos: vec![repo] }
}

/// A chunk of a file that has one, in words of its own.
fn chunk(repo: &str, path: &str, symbol: &str, number: u64, content: &str) -> Chunk {
    Chunk {
        repo: repo.to_owned(),
        path: path.to_owned(),
        symbol: symbol.to_owned(),
        lang: "rust".to_owned(),
        file_hash: Some(hash(number)),
        file_chunks: Some(1),
        line_start: Some(1),
        line_end: Some(1),
        content: content.to_owned(),
        ..Chunk::default()
    }
}

fn index(store: &dyn Store, org: &str, chunks: Vec<Chunk>) -> Result<u64, StoreError> {
    store.index(org, &IndexRequest { chunks, remove: Vec::new() }, NOW)
}

fn remove(store: &dyn Store, repo: &str, reference: Option<&str>, path: &str) {
    let reference = reference.map(str::to_owned);
    let gone = FileRef { repo: repo.to_owned(), path: path.to_owned(), reference };
    store.index(ORG, &IndexRequest { chunks: Vec::new(), remove: vec![gone] }, NOW).expect("a removal");
}

fn changed(reply: &SyncReply) -> Vec<&str> {
    reply.changed.iter().map(|file| file.path.as_str()).collect()
}

/// The status and message with which a request was refused.
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>) -> (u16, String) {
    match result {
        Err(StoreError::Invalid { status, message, .. }) => (status, message),
        other => panic!("not refused: {other:?}"),
    }
}

fn view(repo: &str, reference: &str) -> Scope {
    let view = View { repo: repo.to_owned(), reference: reference.to_owned() };
    Scope { views: vec![view], repo: Some(repo.to_owned()), lang: None }
}

/// What a search for a word shows: repository, path, symbol, hash.
fn shown(store: &dyn Store, org: &str, scope: &Scope, word: &str) -> BTreeSet<[String; 4]> {
    let found = store.lexical(org, scope, &[word.to_owned()], 100_000).expect("a search");
    let ids: Vec<_> = found.iter().map(|one| one.chunk).collect();
    let chunks = store.chunks(org, &ids).expect("the chunks");
    assert_eq!(chunks.len(), ids.len(), "each that was found is there");
    chunks.into_iter().map(|chunk| [chunk.repo, chunk.path, chunk.symbol, chunk.file_hash]).collect()
}

fn paths(store: &dyn Store, scope: &Scope, word: &str) -> Vec<String> {
    shown(store, ORG, scope, word).into_iter().map(|[_, path, ..]| path).collect()
}
