//! Searching: by words, by names, by vectors; and the chunks that were found.
//!
//! What matches is a text; what is answered is the chunk that shows it in the first of the views that are looked at. So
//! code that several checkouts share is found once.

mod scope;

use rusqlite::{Connection, OptionalExtension, Row, params};

use self::scope::Looked;
use super::{generations, vectors, views};
use crate::store::{ChunkId, Scope, Scored, StoreError, StoredChunk, TextId, names};

/// How many matches of words are scored at most; each takes some microseconds.
const LOOKED_AT: u32 = 12_000;
/// How many namesakes are looked at to find the best of them.
const NAMESAKES: usize = 2_000;
/// How many chunks of a file that was named by its path are given.
const OF_A_FILE: usize = 3;

pub(super) fn lexical(
    db: &Connection,
    org: &str,
    scope: &Scope,
    words: &[String],
    limit: usize,
) -> Result<Vec<Scored>, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(Vec::new()) };
    let looked = Looked::new(db, org, scope)?;
    if looked.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let mut shown = looked.shown(db)?;
    let mut found = Vec::new();
    for (score, text) in matches(db, org, &telling(db, org, words)?)? {
        if let Some(chunk) = shown.chunk(text)? {
            found.push(Scored { chunk, score });
            if found.len() == limit {
                break;
            }
        }
    }
    Ok(found)
}

/// All texts that hold any of the words, the best first.
fn matches(db: &Connection, org: i64, words: &[&str]) -> Result<Vec<(f64, TextId)>, StoreError> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let any: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
    // Sorted here and not by the table's own rank, which carries every place of every word through its sorter. The
    // weights are those of name, path and body; the lower the better.
    let mut select = db.prepare_cached(&format!(
        "SELECT -bm25(words_{org}, 8.0, 3.0, 1.0), rowid FROM words_{org} WHERE words_{org} MATCH ?1"
    ))?;
    let rows = select.query_map([any.join(" OR ")], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut all = rows.collect::<Result<Vec<(f64, TextId)>, _>>()?;
    all.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    Ok(all)
}

/// The rarest of the words, as many as can be looked at in time: a word of a third of all texts costs most and says
/// least. In an organisation with few texts that is all of them.
fn telling<'words>(
    db: &Connection,
    org: i64,
    words: &'words [String],
) -> Result<Vec<&'words str>, StoreError> {
    let mut select = db.prepare_cached(&format!("SELECT doc FROM terms_{org} WHERE term = ?1"))?;
    let mut counted = Vec::with_capacity(words.len());
    for word in words {
        let count: Option<u32> = select.query_row([word], |row| row.get(0)).optional()?;
        counted.extend(count.map(|count| (count, word.as_str())));
    }
    counted.sort_by_key(|(count, _)| *count);
    let mut looked_at = 0;
    let fits = |(count, _): &(u32, &str)| {
        let first = looked_at == 0;
        looked_at += count;
        first || looked_at <= LOOKED_AT
    };
    Ok(counted.into_iter().take_while(fits).map(|(_, word)| word).collect())
}

pub(super) fn dense(
    db: &Connection,
    org: &str,
    scope: &Scope,
    generation: i64,
    vector: &[f32],
    limit: usize,
) -> Result<Vec<Scored>, StoreError> {
    generations::check(vector, generations::dimension(db, generation)?)?;
    let Some(org) = views::org(db, org)? else { return Ok(Vec::new()) };
    let looked = Looked::new(db, org, scope)?;
    if looked.is_empty() {
        return Ok(Vec::new());
    }
    let mut shown = looked.shown(db)?;
    let sql = format!(
        "SELECT v.text, vec_distance_cosine(v.vector, ?1) AS distance FROM vectors_{generation} v
         WHERE v.text IN ({}) ORDER BY distance NULLS LAST LIMIT ?2",
        looked.texts()
    );
    let mut select = db.prepare(&sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let vector = vectors::bytes(vector);
    let mut rows = match looked.lang() {
        Some(lang) => select.query(params![vector, limit, lang])?,
        None => select.query(params![vector, limit])?,
    };
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        // A vector of zeros has no angle.
        let Some(distance) = row.get::<_, Option<f64>>(1)? else { break };
        if let Some(chunk) = shown.chunk(row.get(0)?)? {
            found.push(Scored { chunk, score: 1.0 - distance });
        }
    }
    Ok(found)
}

pub(super) fn exact(
    db: &Connection,
    org: &str,
    scope: &Scope,
    names: &[String],
    paths: &[String],
    limit: usize,
) -> Result<Vec<ChunkId>, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(Vec::new()) };
    let looked = Looked::new(db, org, scope)?;
    if looked.is_empty() {
        return Ok(Vec::new());
    }
    let mut shown = looked.shown(db)?;
    let mut found = Vec::new();
    for name in names {
        for text in namesakes(db, org, name)? {
            if found.len() >= limit {
                return Ok(found);
            }
            found.extend(shown.chunk(text)?.filter(|chunk| !found.contains(chunk)));
        }
    }
    for path in paths {
        for text in of_path(db, org, path, &looked)? {
            if found.len() >= limit {
                return Ok(found);
            }
            found.extend(shown.chunk(text)?.filter(|chunk| !found.contains(chunk)));
        }
    }
    Ok(found)
}

/// The texts whose symbol is a name or ends in it, those first that are it.
fn namesakes(db: &Connection, org: i64, name: &str) -> Result<Vec<TextId>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT id, symbol FROM text WHERE org = ?1 AND leaf = ?2 COLLATE NOCASE ORDER BY id LIMIT ?3",
    )?;
    let rows = select.query_map(params![org, names::leaf(name), NAMESAKES as i64], |row| {
        Ok((row.get::<_, TextId>(0)?, row.get::<_, String>(1)?))
    })?;
    let mut found = Vec::new();
    for row in rows {
        let (text, symbol) = row?;
        if let Some(distance) = names::apart(&symbol, name) {
            found.push((distance, text));
        }
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, text)| text).collect())
}

/// The first texts of the files whose path is this one or ends in it.
fn of_path(db: &Connection, org: i64, path: &str, looked: &Looked) -> Result<Vec<TextId>, StoreError> {
    let name = names::file_name(path);
    let mut blobs = db.prepare_cached(&format!(
        "SELECT DISTINCT b.id, b.path FROM blob b CROSS JOIN file f ON f.shown = b.id
         WHERE b.org = ?1 AND b.name = ?2 COLLATE NOCASE AND f.view IN ({}) ORDER BY length(b.path), b.path",
        looked.views()
    ))?;
    let named = blobs
        .query_map(params![org, name], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?
        .collect::<Result<Vec<_>, _>>()?;
    let mut chunks =
        db.prepare_cached("SELECT text FROM chunk WHERE blob = ?1 ORDER BY line_start, id LIMIT ?2")?;
    let mut found = Vec::new();
    for (blob, whole) in named {
        if names::path_apart(&whole, path).is_some() {
            for text in chunks.query_map(params![blob, OF_A_FILE as i64], |row| row.get(0))? {
                found.push(text?);
            }
        }
    }
    Ok(found)
}

pub(super) fn chunks(db: &Connection, org: &str, ids: &[ChunkId]) -> Result<Vec<StoredChunk>, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(Vec::new()) };
    let mut select = db.prepare_cached(
        "SELECT v.repo, v.reference, b.path, b.hash, t.symbol, t.content, c.lang, c.line_start, c.line_end
         FROM chunk c JOIN blob b ON b.id = c.blob JOIN text t ON t.id = c.text JOIN view v ON v.id = ?2
         WHERE c.id = ?1 AND v.org = ?3
           AND EXISTS (SELECT 1 FROM file f WHERE f.view = v.id AND f.path = b.path AND f.shown = b.id)",
    )?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let (view, chunk) = scope::parts(*id);
        found.extend(select.query_row(params![chunk, view, org], |row| stored(*id, row)).optional()?);
    }
    Ok(found)
}

fn stored(id: ChunkId, row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    let reference: String = row.get(1)?;
    let hash: String = row.get(3)?;
    Ok(StoredChunk {
        id,
        repo: row.get(0)?,
        path: row.get(2)?,
        symbol: row.get(4)?,
        lang: row.get(6)?,
        reference: (!reference.is_empty()).then_some(reference),
        file_hash: if views::is_unnamed(&hash) { String::new() } else { hash },
        line_start: row.get(7)?,
        line_end: row.get(8)?,
        content: row.get(5)?,
    })
}
