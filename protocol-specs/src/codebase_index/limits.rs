//! What a request may hold at most; a test holds the schemas against these.
//!
//! A backend may have other limits; it says them in its health.

/// The bytes of a body.
pub const BODY_BYTES: usize = 16 * 1024 * 1024;

/// The chunks of one `/index`.
pub const CHUNKS: usize = 512;

/// The bytes of a chunk's content.
pub const CONTENT_BYTES: usize = 64 * 1024;

/// The bytes of a question.
pub const QUERY_BYTES: usize = 8 * 1024;

/// The results of one `/search`.
pub const RESULTS: u32 = 100;

/// The results of one `/search` that does not say how many.
pub const DEFAULT_RESULTS: u32 = 10;

/// The views of one `/search`.
pub const VIEWS: usize = 1000;

/// The characters of a name: of a repository, a checkout, a symbol, a language.
pub const NAME: usize = 1024;

/// The characters of a path.
pub const PATH: usize = 4096;

/// The characters of a file's hash.
pub const HASH: usize = 128;
