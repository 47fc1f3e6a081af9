//! What a search means, above any store: which chunks, in which order, and which of their lines.

use ctxhost_protocol::codebase_index::{SearchReply, SearchRequest};

use crate::store::{Store, StoreError};

/// How many results there are when the question does not say.
pub const DEFAULT_LIMIT: u32 = 10;
/// The most results.
pub const MAX_LIMIT: u32 = 100;

/// The question as a vector, with the generation whose model made it: vectors of two models are never compared.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The generation that [`Store::serving`] named when the vector was made.
    pub generation: i64,
    /// The vector.
    pub vector: &'a [f32],
}

/// Answers a question. Without a vector the words alone decide.
pub fn search(
    store: &dyn Store,
    org: &str,
    request: &SearchRequest,
    question: Option<Question<'_>>,
) -> Result<SearchReply, StoreError> {
    let _ = (store, org, request, question);
    Ok(SearchReply::default())
}
