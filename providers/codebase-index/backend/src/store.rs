//! Where everything is kept: what each checkout holds, the chunks of its files, their words and their vectors.
//!
//! [`Store`] is what an engine has to do; [`Sqlite`] does it in one file. What a search *means* (fusion, boosts,
//! diversity, snippets) lies above, in [`crate::rank`], so that every engine gives the same order.
//!
//! - **A tenant is an organisation.** Each call names one, and nothing of another reaches its answer: no content, no
//!   count, no statistics of words.
//! - **A view** is what one checkout of a repository holds: for each path the hash that it wants shown and the one that
//!   is shown. `/sync` writes the first at once; the second follows when all chunks of that file have come. Until then
//!   the old one stays, so there is no gap.
//! - **Chunks are addressed by content**: by the file's path and hash. A file that some checkout brought before is never
//!   asked for again, and a chunk whose text is known keeps its vector.
//! - **Each call is one transaction.** It happens whole or not at all, whatever ends the process.

mod check;
mod error;
pub(crate) mod names;
mod sqlite;

use ctxhost_protocol::codebase_index::{IndexRequest, SyncReply, SyncRequest, View};

pub use error::StoreError;
pub use sqlite::Sqlite;

/// The most chunks of one `/index`.
pub const MAX_CHUNKS: usize = 512;
/// The most bytes of a chunk's content.
pub const MAX_CONTENT_BYTES: usize = 64 * 1024;
/// How long a file's chunks are kept when no view has it: a branch that is left is often come back to.
pub const KEEP_UNREFERENCED: i64 = 30 * 86_400;
/// How long a view is kept that nobody synced.
pub const KEEP_UNSYNCED: i64 = 60 * 86_400;

/// A chunk as one view shows it. It means nothing outside its organisation, and nothing after the view has moved on.
pub type ChunkId = i64;
/// A text that is embedded: a chunk's path, symbol and content.
pub type TextId = i64;

/// What a search looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The checkouts to look at; of a repository that none of them names (or whose named ones are unknown) it is the
    /// one that was synced last.
    pub views: Vec<View>,
    /// Only this repository.
    pub repo: Option<String>,
    /// Only chunks of this language.
    pub lang: Option<String>,
}

/// A chunk and how well it matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The chunk.
    pub chunk: ChunkId,
    /// Higher is better; comparable within one answer only.
    pub score: f64,
}

/// A chunk with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredChunk {
    /// Its id.
    pub id: ChunkId,
    /// The repository in which it was found.
    pub repo: String,
    /// The file.
    pub path: String,
    /// What it is in its file.
    pub symbol: String,
    /// Its language.
    pub lang: String,
    /// The checkout in which it was found, when that has a name.
    pub reference: Option<String>,
    /// The hash of the file; empty when nobody ever named one.
    pub file_hash: String,
    /// The first line.
    pub line_start: Option<u32>,
    /// The last line.
    pub line_end: Option<u32>,
    /// The code.
    pub content: String,
}

/// The generation of vectors by which an organisation is searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serving {
    /// Its number.
    pub generation: i64,
    /// The model that made it.
    pub fingerprint: String,
    /// How many numbers a vector has.
    pub dimension: u32,
}

/// An engine that keeps an index. Every method blocks; none of them panics on what it is given.
///
/// Times are seconds since 1970 and handed in.
pub trait Store: Send + Sync + 'static {
    /// Writes what the checkouts hold, and says which files are to be sent. A checkout that has not changed since is one
    /// row to read and none to write.
    fn sync(&self, org: &str, request: &SyncRequest, now: i64) -> Result<SyncReply, StoreError>;

    /// Stores chunks, drops files without any, and says how many chunks were stored. Vectors come later, by
    /// [`Store::unembedded`] and [`Store::put_vectors`]: no embedder's failure is in the way of what is stored here.
    fn index(&self, org: &str, request: &IndexRequest, now: i64) -> Result<u64, StoreError>;

    /// The chunks that hold any of the words, which are as `ctxhost_code::words::split` gives them, the best first.
    fn lexical(
        &self,
        org: &str,
        scope: &Scope,
        words: &[String],
        limit: usize,
    ) -> Result<Vec<Scored>, StoreError>;

    /// The chunks whose symbol is one of the names, whole or its last part, then those of the files whose path is or ends
    /// in one of the paths. Capitals do not matter.
    fn exact(
        &self,
        org: &str,
        scope: &Scope,
        names: &[String],
        paths: &[String],
        limit: usize,
    ) -> Result<Vec<ChunkId>, StoreError>;

    /// The chunks whose vectors of this generation are nearest, by the cosine of their angle; exact, not approximate.
    fn dense(
        &self,
        org: &str,
        scope: &Scope,
        generation: i64,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<Scored>, StoreError>;

    /// The chunks of these ids, in the order asked; what is no longer shown is left out.
    fn chunks(&self, org: &str, ids: &[ChunkId]) -> Result<Vec<StoredChunk>, StoreError>;

    /// Finds the generation of a model or begins it. From then on it is the one that is to be filled.
    fn generation(&self, fingerprint: &str, dimension: u32) -> Result<i64, StoreError>;

    /// The generation to search by: of those that were once complete for this organisation the newest, else the newest
    /// that has any of its vectors. So a new model takes over in one step, when it is ready.
    fn serving(&self, org: &str) -> Result<Option<Serving>, StoreError>;

    /// Texts that have no vector of this generation yet, of all organisations, the longest waiting first.
    fn unembedded(&self, generation: i64, limit: usize) -> Result<Vec<(TextId, String)>, StoreError>;

    /// How many texts of an organisation wait for a vector of this generation.
    fn waiting(&self, org: &str, generation: i64) -> Result<u64, StoreError>;

    /// Stores vectors; those of texts that are gone meanwhile are left out.
    fn put_vectors(&self, generation: i64, vectors: &[(TextId, Vec<f32>)]) -> Result<(), StoreError>;

    /// Forgets what nobody has looked at for long: see [`KEEP_UNREFERENCED`] and [`KEEP_UNSYNCED`]. To be called at the
    /// start and once a day.
    fn prune(&self, now: i64) -> Result<(), StoreError>;
}
