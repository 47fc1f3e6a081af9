//! What a search means, above any store: which chunks, in which order, and which of their lines.
//!
//! Two legs look for candidates: the words of the question, and, with a model, its vector. What they say is joined by
//! the ranks alone, since their scores have nothing in common. Paths that the question writes out go first, and so
//! does the name that is all of it; a name in a sentence counts a little. No file takes more than three places.

mod fuse;
mod question;
mod snippet;

use std::collections::{HashMap, HashSet};

use ctxhost_protocol::codebase_index::{SearchHit, SearchReply, SearchRequest, limits};

use self::{fuse::Fused, question::Asked};
use crate::store::{ChunkId, Scope, Scored, Store, StoreError, StoredChunk};

/// How many results there are when the question does not say.
pub const DEFAULT_LIMIT: u32 = limits::DEFAULT_RESULTS;
/// The most results.
pub const MAX_LIMIT: u32 = limits::RESULTS;
/// The longest question in bytes; a model reads less.
pub const MAX_QUERY_BYTES: usize = limits::QUERY_BYTES;

/// How many chunks of one file are shown at most: more of them says nothing new.
const OF_A_FILE: usize = 3;
/// How deep each leg looks: what is on no list this long does not come up through the other.
const DEPTH: usize = 200;
/// How many chunks are taken by the names and paths that a question writes out.
const NAMESAKES: usize = 100;
/// How many chunks are read at once while results are gathered.
const PAGE: usize = 50;

/// The question as a vector, with the generation whose model made it: vectors of two models are never compared.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The generation that [`Store::serving`] named when the vector was made.
    pub generation: i64,
    /// The vector.
    pub vector: &'a [f32],
}

/// Answers a question. Without a vector the words alone decide, and so they do when the vector does not fit.
///
/// # Errors
/// When the question is empty or too long, the limit is out of range, or the store fails.
pub fn search(
    store: &dyn Store,
    org: &str,
    request: &SearchRequest,
    question: Option<Question<'_>>,
) -> Result<SearchReply, StoreError> {
    let limit = check(request)?;
    let scope =
        Scope { views: request.views.clone(), repo: request.repo.clone(), lang: request.lang.clone() };
    let asked = Asked::read(&request.query);
    let words = store.lexical(org, &scope, &asked.words, DEPTH)?;
    let (vectors, notes) = dense(store, org, &scope, question)?;
    let named = store.chunks(org, &named(store, org, &scope, &asked, &words)?)?;
    let fused = fuse::fuse(&words, vectors.as_deref(), &named, &asked);
    let results = gather(store, org, &fused, limit, &asked)?;
    let mode = if vectors.is_some() { "hybrid" } else { "lexical" };
    Ok(SearchReply { results, mode: Some(mode.to_owned()), notes })
}

fn check(request: &SearchRequest) -> Result<usize, StoreError> {
    if request.query.trim().is_empty() {
        return Err(StoreError::malformed("`query` is empty; ask something"));
    }
    if request.query.len() > MAX_QUERY_BYTES {
        return Err(StoreError::invalid(422, format!("`query` is longer than {MAX_QUERY_BYTES} bytes")));
    }
    if request.views.len() > limits::VIEWS {
        return Err(StoreError::invalid(422, format!("`views` names more than {} checkouts", limits::VIEWS)));
    }
    match request.limit.unwrap_or(DEFAULT_LIMIT) {
        limit @ 1..=MAX_LIMIT => Ok(limit as usize),
        other => Err(StoreError::invalid(422, format!("`limit` is {other}; it is from 1 to {MAX_LIMIT}"))),
    }
}

/// The leg of the vectors. It is left out, with a note, when the generation changed since the vector was made.
fn dense(
    store: &dyn Store,
    org: &str,
    scope: &Scope,
    question: Option<Question<'_>>,
) -> Result<(Option<Vec<Scored>>, Vec<String>), StoreError> {
    let Some(Question { generation, vector }) = question else { return Ok((None, Vec::new())) };
    match store.dense(org, scope, generation, vector, DEPTH) {
        Ok(found) => {
            let note = match store.waiting(org, generation)? {
                0 => None,
                waiting => {
                    Some(format!("{waiting} texts wait for their vectors; by words they are found already"))
                }
            };
            Ok((Some(found), note.into_iter().collect()))
        }
        Err(StoreError::Generation(_) | StoreError::Dimension { .. }) => {
            Ok((None, vec!["searched by words only: the model has changed, ask again".to_owned()]))
        }
        Err(error) => Err(error),
    }
}

/// The chunks that the question may name. Where many have one name, those that its words find must be among them; and
/// those that define what one word asks for.
fn named(
    store: &dyn Store,
    org: &str,
    scope: &Scope,
    asked: &Asked,
    words: &[Scored],
) -> Result<Vec<ChunkId>, StoreError> {
    let mut named = store.exact(org, scope, &asked.names, &asked.paths, NAMESAKES)?;
    if !named.is_empty() || asked.is_one_word() {
        let seen: HashSet<ChunkId> = named.iter().copied().collect();
        named.extend(words.iter().take(PAGE).map(|one| one.chunk).filter(|chunk| !seen.contains(chunk)));
    }
    Ok(named)
}

/// Reads chunks, the best first, until there are enough.
fn gather(
    store: &dyn Store,
    org: &str,
    fused: &[Fused],
    limit: usize,
    asked: &Asked,
) -> Result<Vec<SearchHit>, StoreError> {
    let mut of_file = HashMap::<(String, String), usize>::new();
    let mut hits = Vec::new();
    for page in fused.chunks(PAGE) {
        let scores: HashMap<ChunkId, f64> = page.iter().map(|one| (one.chunk, one.score)).collect();
        let ids: Vec<ChunkId> = page.iter().map(|one| one.chunk).collect();
        for chunk in store.chunks(org, &ids)? {
            let places = of_file.entry((chunk.repo.clone(), chunk.path.clone())).or_default();
            if *places == OF_A_FILE {
                continue;
            }
            *places += 1;
            let score = scores.get(&chunk.id).copied().unwrap_or_default();
            hits.push(hit(chunk, score, asked));
            if hits.len() == limit {
                return Ok(hits);
            }
        }
    }
    Ok(hits)
}

fn hit(chunk: StoredChunk, score: f64, asked: &Asked) -> SearchHit {
    let window = snippet::best(&chunk, &asked.words);
    SearchHit {
        repo: chunk.repo,
        path: chunk.path,
        symbol: chunk.symbol,
        lang: (!chunk.lang.is_empty()).then_some(chunk.lang),
        snippet: window.text,
        score,
        line_start: chunk.line_start,
        line_end: chunk.line_end,
        snippet_start: window.lines.map(|(start, _)| start),
        snippet_end: window.lines.map(|(_, end)| end),
        file_hash: (!chunk.file_hash.is_empty()).then_some(chunk.file_hash),
        reference: chunk.reference,
    }
}

#[cfg(test)]
mod tests;
