//! Generations of vectors: one for each model, each in a table of its own, so that two models never meet in one search.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{texts::Text, vectors, views};
use crate::store::{Serving, StoreError, TextId};

/// The generation of a model, if it is the one that is being filled.
pub(super) fn current_is(
    db: &Connection,
    fingerprint: &str,
    dimension: u32,
) -> Result<Option<i64>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT id FROM generation WHERE fingerprint = ?1 AND dimension = ?2
         AND turn = (SELECT max(turn) FROM generation)",
    )?;
    Ok(select.query_row(params![fingerprint, dimension], |row| row.get(0)).optional()?)
}

/// Makes a model's generation the one that is filled from here on, be it new or an old one that is come back to.
pub(super) fn begin(db: &Connection, fingerprint: &str, dimension: u32) -> Result<i64, StoreError> {
    if let Some(id) = current_is(db, fingerprint, dimension)? {
        return Ok(id);
    }
    let id = db.query_row(
        "INSERT INTO generation(fingerprint, dimension, turn)
         VALUES (?1, ?2, (SELECT coalesce(max(turn), 0) + 1 FROM generation))
         ON CONFLICT(fingerprint, dimension) DO UPDATE SET turn = excluded.turn, unused = NULL RETURNING id",
        params![fingerprint, dimension],
        |row| row.get::<_, i64>(0),
    )?;
    db.execute_batch(&format!(
        "CREATE TABLE IF NOT EXISTS vectors_{id}(text INTEGER PRIMARY KEY, vector BLOB NOT NULL) STRICT;
         DELETE FROM waiting;
         INSERT INTO waiting(generation, text, org)
             SELECT {id}, t.id, t.org FROM text t WHERE NOT EXISTS (SELECT 1 FROM vectors_{id} v WHERE v.text = t.id);
         UPDATE progress SET complete = NOT EXISTS (SELECT 1 FROM waiting w WHERE w.org = progress.org)
             WHERE generation = {id};"
    ))?;
    Ok(id)
}

/// Lets a new text wait for its vector, if there is a model.
pub(super) fn wait(db: &Connection, org: i64, text: TextId) -> Result<(), StoreError> {
    db.prepare_cached(
        "INSERT INTO waiting(generation, text, org) SELECT id, ?1, ?2 FROM generation ORDER BY turn DESC LIMIT 1",
    )?
    .execute(params![text, org])?;
    Ok(())
}

/// Forgets a text that is gone.
pub(super) fn forget(db: &Connection, text: TextId) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM waiting WHERE text = ?1")?.execute([text])?;
    for id in all(db)? {
        db.prepare_cached(&format!("DELETE FROM vectors_{id} WHERE text = ?1"))?.execute([text])?;
    }
    Ok(())
}

fn all(db: &Connection) -> Result<Vec<i64>, StoreError> {
    let mut select = db.prepare_cached("SELECT id FROM generation")?;
    let ids = select.query_map([], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

pub(super) fn serving(db: &Connection, org: &str) -> Result<Option<Serving>, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(None) };
    let mut select = db.prepare_cached(
        "SELECT g.id, g.fingerprint, g.dimension FROM progress p JOIN generation g ON g.id = p.generation
         WHERE p.org = ?1 ORDER BY p.complete DESC, g.turn DESC LIMIT 1",
    )?;
    let serving = |row: &Row<'_>| {
        Ok(Serving { generation: row.get(0)?, fingerprint: row.get(1)?, dimension: row.get(2)? })
    };
    Ok(select.query_row([org], serving).optional()?)
}

pub(super) fn unembedded(
    db: &Connection,
    generation: i64,
    limit: usize,
) -> Result<Vec<(TextId, String)>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT t.id, t.path, t.symbol, t.content FROM waiting w JOIN text t ON t.id = w.text
         WHERE w.generation = ?1 ORDER BY w.text LIMIT ?2",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = select.query_map(params![generation, limit], |row| {
        let (path, symbol, content): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok((row.get(0)?, Text { path: &path, symbol: &symbol, content: &content }.embedded()))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn waiting(db: &Connection, org: &str, generation: i64) -> Result<u64, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(0) };
    let mut select = db.prepare_cached("SELECT count(*) FROM waiting WHERE generation = ?1 AND org = ?2")?;
    let count: i64 = select.query_row(params![generation, org], |row| row.get(0))?;
    Ok(count.unsigned_abs())
}

/// How many numbers a generation's vectors have.
pub(super) fn dimension(db: &Connection, generation: i64) -> Result<u32, StoreError> {
    let mut select = db.prepare_cached("SELECT dimension FROM generation WHERE id = ?1")?;
    select.query_row([generation], |row| row.get(0)).optional()?.ok_or(StoreError::Generation(generation))
}

/// Refuses a vector that no model of this dimension can have made.
pub(super) fn check(vector: &[f32], dimension: u32) -> Result<(), StoreError> {
    if vector.len() as u64 != u64::from(dimension) {
        return Err(StoreError::Dimension { expected: dimension, got: vector.len() });
    }
    match vector.iter().all(|number| number.is_finite()) {
        true => Ok(()),
        false => Err(StoreError::invalid(422, "a vector holds a number that is not finite")),
    }
}

pub(super) fn put(db: &Connection, generation: i64, new: &[(TextId, Vec<f32>)]) -> Result<(), StoreError> {
    let dimension = dimension(db, generation)?;
    let mut orgs = BTreeSet::new();
    let mut org_of = db.prepare_cached("SELECT org FROM text WHERE id = ?1")?;
    let mut insert =
        db.prepare_cached(&format!("INSERT OR REPLACE INTO vectors_{generation} VALUES (?1, ?2)"))?;
    let mut done = db.prepare_cached("DELETE FROM waiting WHERE generation = ?1 AND text = ?2")?;
    for (text, vector) in new {
        check(vector, dimension)?;
        let Some(org) = org_of.query_row([text], |row| row.get::<_, i64>(0)).optional()? else { continue };
        insert.execute(params![text, vectors::bytes(vector)])?;
        done.execute(params![generation, text])?;
        orgs.insert(org);
    }
    for org in orgs {
        advance(db, generation, org)?;
    }
    Ok(())
}

/// Notes that an organisation has vectors of a generation, and whether it has them all. It stays complete when texts
/// come later: a search by nearly all vectors is better than one by another model's.
fn advance(db: &Connection, generation: i64, org: i64) -> Result<(), StoreError> {
    db.prepare_cached(
        "INSERT INTO progress(org, generation, complete) VALUES (?1, ?2, 0) ON CONFLICT DO NOTHING",
    )?
    .execute(params![org, generation])?;
    // Nothing waits for a generation that is not the newest, so there that says nothing.
    db.prepare_cached(
        "UPDATE progress SET complete = 1 WHERE org = ?1 AND generation = ?2
         AND ?2 = (SELECT id FROM generation ORDER BY turn DESC LIMIT 1)
         AND NOT EXISTS (SELECT 1 FROM waiting WHERE generation = ?2 AND org = ?1)",
    )?
    .execute(params![org, generation])?;
    Ok(())
}
