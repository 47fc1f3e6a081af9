//! Forgetting: views that nobody syncs, blobs and generations that nobody uses.

use rusqlite::{Connection, params};

use super::{connect::Connections, fill};
use crate::store::{KEEP_UNREFERENCED, KEEP_UNSYNCED, StoreError};

/// How many blobs are dropped in one transaction, so that no `/index` waits long.
const AT_ONCE: usize = 200;

pub(super) fn prune(connections: &Connections, now: i64) -> Result<(), StoreError> {
    connections.write(|db| views(db, now))?;
    connections.write(|db| mark(db, now))?;
    while connections.write(|db| blobs(db, now))? == AT_ONCE {}
    connections.write(|db| generations(db, now))?;
    connections.maintain("PRAGMA incremental_vacuum; PRAGMA optimize;")
}

fn views(db: &Connection, now: i64) -> Result<(), StoreError> {
    let before = now.saturating_sub(KEEP_UNSYNCED);
    db.execute("DELETE FROM file WHERE view IN (SELECT id FROM view WHERE synced < ?1)", [before])?;
    db.execute("DELETE FROM view WHERE synced < ?1", [before])?;
    // A repository whose latest view is gone falls back to the one before.
    db.execute(
        "UPDATE view SET latest = 1 WHERE id IN (
             SELECT (SELECT v.id FROM view v WHERE v.org = r.org AND v.repo = r.repo ORDER BY v.synced DESC, v.id DESC LIMIT 1)
             FROM view r GROUP BY r.org, r.repo HAVING max(r.latest) = 0)",
        [],
    )?;
    Ok(())
}

/// Notes since when a blob is without a view.
fn mark(db: &Connection, now: i64) -> Result<(), StoreError> {
    const USED: &str = "EXISTS (SELECT 1 FROM file f WHERE f.wanted = blob.id)
                        OR EXISTS (SELECT 1 FROM file f WHERE f.shown = blob.id)";
    db.execute(&format!("UPDATE blob SET unused = NULL WHERE unused IS NOT NULL AND ({USED})"), [])?;
    db.execute(&format!("UPDATE blob SET unused = ?1 WHERE unused IS NULL AND NOT ({USED})"), [now])?;
    Ok(())
}

/// Drops some blobs that were without a view for long, and says how many.
fn blobs(db: &Connection, now: i64) -> Result<usize, StoreError> {
    // What is used again since it was marked is not dropped, whenever that was.
    let mut select = db.prepare_cached(
        "SELECT id, org FROM blob WHERE unused < ?1
         AND NOT EXISTS (SELECT 1 FROM file f WHERE f.wanted = blob.id)
         AND NOT EXISTS (SELECT 1 FROM file f WHERE f.shown = blob.id) LIMIT ?2",
    )?;
    let before = now.saturating_sub(KEEP_UNREFERENCED);
    let old = select
        .query_map(params![before, AT_ONCE as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(i64, i64)>, _>>()?;
    let mut chunks = db.prepare_cached("SELECT id, text FROM chunk WHERE blob = ?1")?;
    for (blob, org) in &old {
        let held = chunks
            .query_map([blob], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<Vec<(i64, i64)>, _>>()?;
        for (chunk, text) in held {
            fill::drop_chunk(db, *org, chunk, text)?;
        }
        db.prepare_cached("DELETE FROM blob WHERE id = ?1")?.execute([blob])?;
    }
    Ok(old.len())
}

/// Drops the vectors of models by which nobody has been searched for long.
fn generations(db: &Connection, now: i64) -> Result<(), StoreError> {
    const USED: &str = "turn = (SELECT max(turn) FROM generation) OR id IN (
        SELECT (SELECT p.generation FROM progress p JOIN generation g ON g.id = p.generation
                WHERE p.org = org.id ORDER BY p.complete DESC, g.turn DESC LIMIT 1) FROM org)";
    db.execute(&format!("UPDATE generation SET unused = NULL WHERE {USED}"), [])?;
    db.execute(&format!("UPDATE generation SET unused = ?1 WHERE unused IS NULL AND NOT ({USED})"), [now])?;
    let mut select = db.prepare("SELECT id FROM generation WHERE unused < ?1")?;
    let before = now.saturating_sub(KEEP_UNREFERENCED);
    for id in select.query_map([before], |row| row.get::<_, i64>(0))?.collect::<Result<Vec<_>, _>>()? {
        db.execute("DELETE FROM progress WHERE generation = ?1", [id])?;
        db.execute("DELETE FROM generation WHERE id = ?1", [id])?;
        db.execute_batch(&format!("DROP TABLE vectors_{id}"))?;
    }
    Ok(())
}
