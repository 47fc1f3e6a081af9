//! The store in one SQLite file.
//!
//! One connection writes, a few read beside it, each in a transaction of its own, so that a search sees one state and
//! waits for no `/index`. Words lie in one full-text table for each organisation, so that their statistics are its own;
//! vectors lie in one table for each generation.

mod connect;
mod fault;
mod fill;
mod generations;
mod look;
mod prune;
mod schema;
mod sync;
mod texts;
mod vectors;
mod views;

use std::path::Path;

use ctxhost_protocol::codebase_index::{IndexRequest, SyncReply, SyncRequest};

use self::connect::Connections;
use super::{ChunkId, Scope, Scored, Serving, Store, StoreError, StoredChunk, TextId, check};

/// An index in one SQLite file.
pub struct Sqlite {
    connections: Connections,
}

impl Sqlite {
    /// Opens the index of this file, or makes it: for this user alone, like the folders that it needs.
    ///
    /// # Errors
    /// When the file cannot be made, is damaged, is not ours or is that of a newer version; it is left as it is.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { connections: Connections::file(path)? })
    }

    /// An index that ends with this value, for tests and trials.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn in_memory() -> Result<Self, StoreError> {
        Ok(Self { connections: Connections::memory()? })
    }

    #[cfg(test)]
    fn connections(&self) -> &Connections {
        &self.connections
    }
}

impl Store for Sqlite {
    fn sync(&self, org: &str, request: &SyncRequest, now: i64) -> Result<SyncReply, StoreError> {
        check::sync(request)?;
        if self.connections.read(|tx| sync::unchanged(tx, org, request, now))? {
            return Ok(SyncReply::default());
        }
        self.connections.write(|tx| sync::sync(tx, org, request, now))
    }

    fn index(&self, org: &str, request: &IndexRequest, now: i64) -> Result<u64, StoreError> {
        check::index(request)?;
        self.connections.write(|tx| fill::index(tx, org, request, now))
    }

    fn lexical(
        &self,
        org: &str,
        scope: &Scope,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<Scored>, StoreError> {
        self.connections.read(|tx| look::lexical(tx, org, scope, words, limit))
    }

    fn exact(
        &self,
        org: &str,
        scope: &Scope,
        names: &[String],
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<ChunkId>, StoreError> {
        self.connections.read(|tx| look::exact(tx, org, scope, names, paths, limit))
    }

    fn dense(
        &self,
        org: &str,
        scope: &Scope,
        generation: i64,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<Scored>, StoreError> {
        self.connections.read(|tx| look::dense(tx, org, scope, generation, vector, limit))
    }

    fn chunks(&self, org: &str, ids: &[ChunkId]) -> Result<Vec<StoredChunk>, StoreError> {
        self.connections.read(|tx| look::chunks(tx, org, ids))
    }

    fn generation(&self, fingerprint: &str, dimension: u32) -> Result<i64, StoreError> {
        match self.connections.read(|tx| generations::current_is(tx, fingerprint, dimension))? {
            Some(id) => Ok(id),
            None => self.connections.write(|tx| generations::begin(tx, fingerprint, dimension)),
        }
    }

    fn serving(&self, org: &str) -> Result<Option<Serving>, StoreError> {
        self.connections.read(|tx| generations::serving(tx, org))
    }

    fn unembedded(&self, generation: i64, limit: usize) -> Result<Vec<(TextId, String)>, StoreError> {
        self.connections.read(|tx| generations::unembedded(tx, generation, limit))
    }

    fn waiting(&self, org: &str, generation: i64) -> Result<u64, StoreError> {
        self.connections.read(|tx| generations::waiting(tx, org, generation))
    }

    fn put_vectors(&self, generation: i64, vectors: &[(TextId, Vec<f32>)]) -> Result<(), StoreError> {
        self.connections.write(|tx| generations::put(tx, generation, vectors))
    }

    fn prune(&self, now: i64) -> Result<(), StoreError> {
        prune::prune(&self.connections, now)
    }
}

#[cfg(test)]
mod tests;
