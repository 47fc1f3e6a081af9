//! Organisations, views, files and blobs: the rows that `/sync` and `/index` share.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::store::StoreError;

/// A row of `view`.
pub(super) struct View {
    pub(super) id: i64,
    pub(super) root: String,
    pub(super) listed: bool,
    pub(super) latest: bool,
    pub(super) synced: i64,
}

/// A row of `file`, with the hash of the blob that it wants.
pub(super) struct File {
    pub(super) id: i64,
    pub(super) wanted: i64,
    pub(super) hash: String,
}

/// A row of `blob`.
pub(super) struct Blob {
    pub(super) id: i64,
    pub(super) complete: bool,
    pub(super) expected: Option<u32>,
}

/// An organisation that something was stored for.
pub(super) fn org(db: &Connection, name: &str) -> Result<Option<i64>, StoreError> {
    let mut select = db.prepare_cached("SELECT id FROM org WHERE name = ?1")?;
    Ok(select.query_row([name], |row| row.get(0)).optional()?)
}

/// An organisation, made with its own table of words if it is new.
pub(super) fn org_or_new(db: &Connection, name: &str) -> Result<i64, StoreError> {
    if let Some(id) = org(db, name)? {
        return Ok(id);
    }
    db.execute("INSERT INTO org(name) VALUES (?1)", [name])?;
    let id = db.last_insert_rowid();
    super::texts::create_words(db, id)?;
    Ok(id)
}

const VIEW: &str = "SELECT id, root, listed, latest, synced FROM view WHERE org = ?1 AND repo = ?2";

fn view_of(row: &Row<'_>) -> rusqlite::Result<View> {
    Ok(View {
        id: row.get(0)?,
        root: row.get(1)?,
        listed: row.get(2)?,
        latest: row.get(3)?,
        synced: row.get(4)?,
    })
}

/// The view of a checkout; one without a name has the empty one.
pub(super) fn view(
    db: &Connection,
    org: i64,
    repo: &str,
    reference: Option<&str>,
) -> Result<Option<View>, StoreError> {
    let mut select = db.prepare_cached(&format!("{VIEW} AND reference = ?3"))?;
    Ok(select.query_row(params![org, repo, reference.unwrap_or_default()], view_of).optional()?)
}

/// The view of a repository that was synced last.
pub(super) fn latest(db: &Connection, org: i64, repo: &str) -> Result<Option<View>, StoreError> {
    let mut select = db.prepare_cached(&format!("{VIEW} AND latest = 1"))?;
    Ok(select.query_row(params![org, repo], view_of).optional()?)
}

/// Begins a view that shows nothing yet.
pub(super) fn new_view(
    db: &Connection,
    org: i64,
    repo: &str,
    reference: Option<&str>,
    now: i64,
) -> Result<View, StoreError> {
    let latest = latest(db, org, repo)?.is_none();
    db.prepare_cached(
        "INSERT INTO view(org, repo, reference, root, listed, latest, synced) VALUES (?1, ?2, ?3, '', 0, ?4, ?5)",
    )?
    .execute(params![org, repo, reference.unwrap_or_default(), latest, now])?;
    Ok(View { id: db.last_insert_rowid(), root: String::new(), listed: false, latest, synced: now })
}

/// A file of a view.
pub(super) fn file(db: &Connection, view: i64, path: &str) -> Result<Option<File>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT f.id, f.wanted, b.hash FROM file f JOIN blob b ON b.id = f.wanted WHERE f.view = ?1 AND f.path = ?2",
    )?;
    let of_row = |row: &Row<'_>| Ok(File { id: row.get(0)?, wanted: row.get(1)?, hash: row.get(2)? });
    Ok(select.query_row(params![view, path], of_row).optional()?)
}

/// Lets a view want a blob at a path; what it showed there stays until the blob is complete.
pub(super) fn want(db: &Connection, view: i64, path: &str, blob: &Blob) -> Result<(), StoreError> {
    let shown = blob.complete.then_some(blob.id);
    db.prepare_cached(
        "INSERT INTO file(view, path, wanted, shown, hidden) VALUES (?1, ?2, ?3, ?4, 0)
         ON CONFLICT(view, path) DO UPDATE SET wanted = ?3, shown = coalesce(?4, shown), hidden = 0",
    )?
    .execute(params![view, path, blob.id, shown])?;
    Ok(())
}

/// The blob of a path and hash, made if it is new. It counts as used from here on.
pub(super) fn blob(db: &Connection, org: i64, path: &str, hash: &str) -> Result<Blob, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT id, complete, expected, unused IS NOT NULL FROM blob WHERE org = ?1 AND path = ?2 AND hash = ?3",
    )?;
    let of_row = |row: &Row<'_>| {
        let blob = Blob { id: row.get(0)?, complete: row.get(1)?, expected: row.get(2)? };
        Ok((blob, row.get::<_, bool>(3)?))
    };
    match select.query_row(params![org, path, hash], of_row).optional()? {
        Some((blob, unused)) => {
            if unused {
                db.prepare_cached("UPDATE blob SET unused = NULL WHERE id = ?1")?.execute([blob.id])?;
            }
            Ok(blob)
        }
        None => {
            let name = path.rsplit('/').next().unwrap_or(path);
            db.prepare_cached(
                "INSERT INTO blob(org, path, name, hash, complete) VALUES (?1, ?2, ?3, ?4, 0)",
            )?
            .execute(params![org, path, name, hash])?;
            Ok(Blob { id: db.last_insert_rowid(), complete: false, expected: None })
        }
    }
}

/// Stands in for a hash that nobody named: it is that of no file, and of this view and root alone.
pub(super) fn unnamed(view: i64, root: &str) -> String {
    format!("?{view}:{root}")
}

/// Whether a hash is such a stand-in.
pub(super) fn is_unnamed(hash: &str) -> bool {
    hash.starts_with('?')
}
