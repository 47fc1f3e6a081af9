//! What a request must hold before any engine sees it.

use std::collections::HashSet;

use ctxhost_protocol::codebase_index::{Chunk, IndexRequest, RepoState, SyncRequest, limits};

use super::{MAX_CHUNKS, MAX_CONTENT_BYTES, StoreError};

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
    if !chunk.lang.is_empty() {
        name("a language", &chunk.lang)?;
    }
    if let Some(given) = &chunk.file_hash {
        hash(&chunk.path, given)?;
    }
    if chunk.file_chunks == Some(0) {
        let message = format!(
            "fileChunks of {:?} is 0 though here is one; send a file without chunks in `remove`",
            chunk.path
        );
        return Err(StoreError::malformed(message));
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
    if text.is_empty() || text.chars().any(|character| character.is_ascii_control()) {
        return Err(StoreError::malformed(format!("{what} is empty or has control characters")));
    }
    within(what, text, limits::NAME)
}

fn reference(reference: Option<&str>) -> Result<(), StoreError> {
    reference.map_or(Ok(()), |text| name("ref", text))
}

fn path(path: &str) -> Result<(), StoreError> {
    let leads_on = |part: &str| matches!(part, "" | "." | "..");
    if path.contains(['\0', '\n']) || path.split('/').any(leads_on) {
        let message =
            "a file's path has an empty part, `.`, `..`, or a line feed; send it from its repository's root";
        return Err(StoreError::malformed(message));
    }
    within("a file's path", path, limits::PATH)
}

/// A hash is opaque here, but it is hex or the like: whatever else a store invents as a hash cannot be one.
fn hash(path: &str, hash: &str) -> Result<(), StoreError> {
    let plain = hash.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:+/=.".contains(&byte));
    if hash.is_empty() || !plain {
        let message = format!("the hash of {path:?} is none; send the SHA-256 of its bytes in hex");
        return Err(StoreError::malformed(message));
    }
    within("a file's hash", hash, limits::HASH)
}

/// Limits count characters, as the schemas do.
fn within(what: &str, text: &str, limit: usize) -> Result<(), StoreError> {
    if text.len() > limit && text.chars().count() > limit {
        return Err(bad(422, format!("{what} is longer than {limit} characters")));
    }
    Ok(())
}

fn bad(status: u16, message: impl Into<String>) -> StoreError {
    StoreError::invalid(status, message)
}
