//! What a request must hold before any engine sees it.

use std::collections::HashSet;

use ctxhost_protocol::codebase_index::{Chunk, IndexRequest, RepoState, SyncRequest};

use super::{MAX_CHUNKS, MAX_CONTENT_BYTES, StoreError};

/// The longest name of a repository, checkout, symbol or language, in bytes.
const LONGEST_NAME: usize = 1024;
/// The longest path, in bytes: what Linux allows.
const LONGEST_PATH: usize = 4096;
/// The longest hash; SHA-512 in hex has as many.
const LONGEST_HASH: usize = 128;

/// Refuses a `/sync` that contradicts itself.
pub(super) fn sync(request: &SyncRequest) -> Result<(), StoreError> {
    let mut seen = HashSet::new();
    for repo in &request.repos {
        name("a repository's name", &repo.name)?;
        name("rootHash", &repo.root_hash)?;
        reference(repo.reference.as_deref())?;
        if !seen.insert((&repo.name, repo.reference.as_deref().unwrap_or_default())) {
            return Err(bad(
                400,
                format!("repository {:?} stands twice in one request; send it once", repo.name),
            ));
        }
        files(repo)?;
    }
    Ok(())
}

fn files(repo: &RepoState) -> Result<(), StoreError> {
    let mut seen = HashSet::new();
    for file in repo.files.iter().flatten() {
        path(&file.path)?;
        hash(&file.path, &file.hash)?;
        if !seen.insert(&file.path) {
            let message =
                format!("{:?} stands twice among the files of {:?}; send it once", file.path, repo.name);
            return Err(bad(400, message));
        }
    }
    Ok(())
}

/// Refuses an `/index` that is too large or contradicts itself.
pub(super) fn index(request: &IndexRequest) -> Result<(), StoreError> {
    if request.chunks.len() > MAX_CHUNKS {
        let message = format!("{} chunks in one request; send at most {MAX_CHUNKS}", request.chunks.len());
        return Err(bad(413, message));
    }
    let mut seen = HashSet::new();
    for part in &request.chunks {
        chunk(part)?;
        let reference = part.reference.as_deref().unwrap_or_default();
        if !seen.insert((&part.repo, reference, &part.path, &part.symbol)) {
            let message = format!(
                "symbol {:?} stands twice in {:?} of {:?}; symbols are unique in their file",
                part.symbol, part.path, part.repo
            );
            return Err(bad(400, message));
        }
    }
    for gone in &request.remove {
        name("a repository's name", &gone.repo)?;
        path(&gone.path)?;
        reference(gone.reference.as_deref())?;
    }
    Ok(())
}

fn chunk(chunk: &Chunk) -> Result<(), StoreError> {
    name("a repository's name", &chunk.repo)?;
    path(&chunk.path)?;
    name("a symbol", &chunk.symbol)?;
    reference(chunk.reference.as_deref())?;
    if chunk.lang.len() > LONGEST_NAME {
        return Err(bad(
            422,
            format!("the language of {:?} is longer than {LONGEST_NAME} bytes", chunk.path),
        ));
    }
    if let Some(given) = &chunk.file_hash {
        hash(&chunk.path, given)?;
    }
    if chunk.file_chunks == Some(0) {
        let message = format!(
            "fileChunks of {:?} is 0 though here is one; send a file without chunks in `remove`",
            chunk.path
        );
        return Err(bad(422, message));
    }
    if chunk.content.len() > MAX_CONTENT_BYTES {
        let message = format!(
            "{:?} in {:?} has {} bytes; send at most {MAX_CONTENT_BYTES} as one chunk",
            chunk.symbol,
            chunk.path,
            chunk.content.len()
        );
        return Err(bad(413, message));
    }
    Ok(())
}

fn name(what: &str, text: &str) -> Result<(), StoreError> {
    match text.len() {
        0 => Err(bad(422, format!("{what} is empty"))),
        1..=LONGEST_NAME => Ok(()),
        _ => Err(bad(422, format!("{what} is longer than {LONGEST_NAME} bytes"))),
    }
}

fn reference(reference: Option<&str>) -> Result<(), StoreError> {
    reference.map_or(Ok(()), |text| name("ref", text))
}

fn path(path: &str) -> Result<(), StoreError> {
    match path.len() {
        0 => Err(bad(422, "a file's path is empty")),
        1..=LONGEST_PATH => Ok(()),
        _ => Err(bad(422, format!("a file's path is longer than {LONGEST_PATH} bytes"))),
    }
}

/// A hash is opaque here, but it is hex or the like: whatever else a store invents as a hash cannot be one.
fn hash(path: &str, hash: &str) -> Result<(), StoreError> {
    let plain = hash.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:+/=.".contains(&byte));
    match hash.len() {
        1..=LONGEST_HASH if plain => Ok(()),
        _ => Err(bad(422, format!("the hash of {path:?} is none; send the SHA-256 of its bytes in hex"))),
    }
}

fn bad(status: u16, message: impl Into<String>) -> StoreError {
    StoreError::invalid(status, message)
}
