//! `/index`: chunks fill the blobs that views want, and a blob that is complete is shown by all of them at once.

use std::collections::{BTreeMap, HashMap, HashSet};

use ctxhost_protocol::codebase_index::{Chunk, FileRef, IndexRequest};
use rusqlite::{Connection, params};

use super::{
    texts::{self, Text},
    views::{self, Blob, View},
};
use crate::store::StoreError;

/// The chunks of one request that belong to one content of one file.
type Parts<'a> = BTreeMap<(&'a str, Option<&'a str>, &'a str, Option<&'a str>), Vec<&'a Chunk>>;

/// Drops files, then stores chunks, and says how many.
pub(super) fn index(db: &Connection, org: &str, request: &IndexRequest, now: i64) -> Result<u64, StoreError> {
    let org = views::org_or_new(db, org)?;
    for gone in &request.remove {
        remove(db, org, gone)?;
    }
    let mut parts: Parts<'_> = BTreeMap::new();
    for chunk in &request.chunks {
        let key = (chunk.repo.as_str(), chunk.reference.as_deref(), chunk.path.as_str(), hash(chunk));
        parts.entry(key).or_default().push(chunk);
    }
    for ((repo, reference, path, hash), chunks) in parts {
        let view = match view(db, org, repo, reference)? {
            Some(view) => view,
            None => views::new_view(db, org, repo, reference, now)?,
        };
        let blob = wanted(db, org, &view, path, hash)?;
        fill(db, org, &blob, path, &chunks)?;
    }
    Ok(request.chunks.len() as u64)
}

/// The hash of the file's bytes, if the chunk names it.
fn hash(chunk: &Chunk) -> Option<&str> {
    let sha256 = |text: &&str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    chunk.file_hash.as_deref().or_else(|| chunk.git_sha.as_deref().filter(sha256))
}

/// The view that is meant; a client that names no checkout may mean the latest one.
fn view(db: &Connection, org: i64, repo: &str, reference: Option<&str>) -> Result<Option<View>, StoreError> {
    match (views::view(db, org, repo, reference)?, reference) {
        (None, None) => views::latest(db, org, repo),
        (view, _) => Ok(view),
    }
}

/// A file has no chunks: it is gone, or has nothing to index.
fn remove(db: &Connection, org: i64, gone: &FileRef) -> Result<(), StoreError> {
    let Some(view) = view(db, org, &gone.repo, gone.reference.as_deref())? else { return Ok(()) };
    let Some(file) = views::file(db, view.id, &gone.path)? else { return Ok(()) };
    let mut select = db.prepare_cached("SELECT EXISTS(SELECT 1 FROM chunk WHERE blob = ?1)")?;
    if select.query_row([file.wanted], |row| row.get(0))? {
        // Other checkouts may show these very chunks, so only this one stops to.
        db.prepare_cached("UPDATE file SET shown = NULL, hidden = 1 WHERE id = ?1")?.execute([file.id])?;
        return Ok(());
    }
    db.prepare_cached("UPDATE blob SET complete = 1, expected = NULL WHERE id = ?1")?
        .execute([file.wanted])?;
    show(db, file.wanted)
}

/// The blob that chunks of this path and hash are for; the view wants it if no listing says otherwise.
fn wanted(
    db: &Connection,
    org: i64,
    view: &View,
    path: &str,
    hash: Option<&str>,
) -> Result<Blob, StoreError> {
    let file = views::file(db, view.id, path)?;
    let hash = match (hash, &file) {
        (Some(hash), _) => hash.to_owned(),
        (None, Some(file)) => file.hash.clone(),
        (None, None) if view.listed => return Err(unlisted(path)),
        (None, None) => views::unnamed(view.id, &view.root),
    };
    let blob = views::blob(db, org, path, &hash)?;
    match file {
        Some(file) if file.wanted == blob.id => {
            db.prepare_cached("UPDATE file SET hidden = 0 WHERE id = ?1 AND hidden = 1")?
                .execute([file.id])?;
        }
        _ if view.listed => {}
        _ => views::want(db, view.id, path, &blob)?,
    }
    Ok(blob)
}

fn unlisted(path: &str) -> StoreError {
    let message =
        format!("{path:?} is not among the files of the last /sync; list it there, or send its `fileHash`");
    StoreError::lacking("not-listed", message)
}

/// A chunk as it is stored.
#[derive(PartialEq, Eq)]
struct Stored {
    text: i64,
    lang: String,
    lines: (Option<u32>, Option<u32>),
}

fn fill(db: &Connection, org: i64, blob: &Blob, path: &str, chunks: &[&Chunk]) -> Result<(), StoreError> {
    let mut incoming = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        let text = Text { path, symbol: &chunk.symbol, content: &chunk.content };
        let text = texts::put(db, org, &text)?;
        incoming.push((
            chunk.symbol.as_str(),
            Stored { text, lang: chunk.lang.clone(), lines: (chunk.line_start, chunk.line_end) },
        ));
    }
    let expected = chunks.iter().filter_map(|chunk| chunk.file_chunks).max();
    let mut before = stored(db, blob.id)?;
    let same = incoming.iter().all(|(symbol, new)| before.get(*symbol).is_some_and(|(_, old)| old == new));
    let mut loose = Vec::new();
    let whole = blob.complete && !before.is_empty();
    if whole && same && blob.expected == expected {
        // A request whose answer was lost.
        return show(db, blob.id);
    }
    if (blob.expected != expected && !before.is_empty()) || (whole && expected.is_some()) {
        // Cut another way than before, so nothing of the old cut may stay.
        loose.extend(before.drain().map(|(_, old)| old));
    }
    let mut missing = Vec::new();
    for (symbol, new) in &incoming {
        match before.remove(*symbol) {
            Some((_, old)) if old == *new => {}
            old => {
                loose.extend(old);
                missing.push(new);
            }
        }
    }
    // Only when the new chunks stand it is known which of the old texts nobody holds.
    for (id, _) in &loose {
        db.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([id])?;
    }
    for new in missing {
        insert(db, blob.id, new)?;
    }
    for (_, old) in &loose {
        texts::drop_unused(db, org, old.text)?;
    }
    complete(db, org, blob.id, expected, &incoming.iter().map(|(symbol, _)| *symbol).collect())
}

/// What a blob holds so far, by symbol.
fn stored(db: &Connection, blob: i64) -> Result<HashMap<String, (i64, Stored)>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT t.symbol, c.id, c.text, c.lang, c.line_start, c.line_end
         FROM chunk c JOIN text t ON t.id = c.text WHERE c.blob = ?1",
    )?;
    let rows = select.query_map([blob], |row| {
        let stored = Stored { text: row.get(2)?, lang: row.get(3)?, lines: (row.get(4)?, row.get(5)?) };
        Ok((row.get(0)?, (row.get(1)?, stored)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn insert(db: &Connection, blob: i64, chunk: &Stored) -> Result<(), StoreError> {
    db.prepare_cached(
        "INSERT INTO chunk(blob, text, lang, line_start, line_end) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![blob, chunk.text, chunk.lang, chunk.lines.0, chunk.lines.1])?;
    Ok(())
}

/// Drops a chunk, and its text if nothing else holds it.
pub(super) fn drop_chunk(db: &Connection, org: i64, chunk: i64, text: i64) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM chunk WHERE id = ?1")?.execute([chunk])?;
    texts::drop_unused(db, org, text)
}

/// Decides whether the blob is whole now.
fn complete(
    db: &Connection,
    org: i64,
    blob: i64,
    expected: Option<u32>,
    incoming: &HashSet<&str>,
) -> Result<(), StoreError> {
    let mut stored = stored(db, blob)?;
    if expected.is_some_and(|expected| stored.len() as u64 > u64::from(expected)) {
        // Left by a client that was stopped and cut the file otherwise.
        for (_, (id, old)) in stored.extract_if(|symbol, _| !incoming.contains(symbol.as_str())) {
            drop_chunk(db, org, id, old.text)?;
        }
    }
    let whole = expected.is_none_or(|expected| stored.len() as u64 >= u64::from(expected));
    db.prepare_cached("UPDATE blob SET complete = ?2, expected = ?3 WHERE id = ?1")?
        .execute(params![blob, whole, expected])?;
    if whole {
        return show(db, blob);
    }
    // It may have been whole before: half of it is not shown.
    db.prepare_cached("UPDATE file SET shown = NULL WHERE shown = ?1")?.execute([blob])?;
    Ok(())
}

/// Lets all views that wait for a blob show it.
fn show(db: &Connection, blob: i64) -> Result<(), StoreError> {
    db.prepare_cached(
        "UPDATE file SET shown = wanted WHERE wanted = ?1 AND hidden = 0 AND shown IS NOT wanted",
    )?
    .execute([blob])?;
    Ok(())
}
