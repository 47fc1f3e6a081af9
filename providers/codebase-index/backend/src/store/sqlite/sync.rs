//! `/sync`: what each checkout holds is written at once, and what is missing is asked for.

use std::collections::HashMap;

use ctxhost_protocol::codebase_index::{FileHash, FileRef, RepoState, SyncReply, SyncRequest};
use rusqlite::{Connection, params};

use super::views::{self, View};
use crate::store::StoreError;

/// How old the time of the last sync may be before an unchanged checkout writes it anew: nothing but the end of views
/// after weeks depends on it.
const STALE_SYNC: i64 = 3_600;

/// Whether only roots were asked about, and all is as it was: then nothing is to be written and nothing to be sent.
pub(super) fn unchanged(
    db: &Connection,
    org: &str,
    request: &SyncRequest,
    now: i64,
) -> Result<bool, StoreError> {
    let Some(org) = views::org(db, org)? else { return Ok(request.repos.is_empty()) };
    for repo in &request.repos {
        if repo.files.is_some() {
            return Ok(false);
        }
        let Some(view) = views::view(db, org, &repo.name, repo.reference.as_deref())? else {
            return Ok(false);
        };
        if !is_noted(&view, repo, now) || is_pending(db, view.id)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a view has this root, is the latest, and was synced a little while ago.
fn is_noted(view: &View, repo: &RepoState, now: i64) -> bool {
    let fresh = (view.synced..=view.synced.saturating_add(STALE_SYNC)).contains(&now);
    view.latest && fresh && view.root == repo.root_hash
}

/// Brings the views up to the request. Nothing of it happens when one of its repositories is refused.
pub(super) fn sync(
    db: &Connection,
    org: &str,
    request: &SyncRequest,
    now: i64,
) -> Result<SyncReply, StoreError> {
    let org = views::org_or_new(db, org)?;
    let mut reply = SyncReply::default();
    for repo in &request.repos {
        let known = views::view(db, org, &repo.name, repo.reference.as_deref())?;
        let view = match &repo.files {
            Some(files) => {
                let view = match known {
                    Some(view) => view,
                    None => views::new_view(db, org, &repo.name, repo.reference.as_deref(), now)?,
                };
                list(db, org, &view, repo, files, &mut reply)?;
                view
            }
            None => {
                let view = known.filter(|view| !view.root.is_empty()).ok_or_else(|| unknown(repo))?;
                compare(db, org, &view, repo, &mut reply)?;
                view
            }
        };
        synced(db, org, &view, repo, now)?;
    }
    Ok(reply)
}

fn unknown(repo: &RepoState) -> StoreError {
    let message = format!("repository {:?} is not known here; send its `files` once", repo.name);
    StoreError::lacking("files-needed", message)
}

/// All files were listed.
fn list(
    db: &Connection,
    org: i64,
    view: &View,
    repo: &RepoState,
    files: &[FileHash],
    reply: &mut SyncReply,
) -> Result<(), StoreError> {
    let mut before = known(db, view.id)?;
    for file in files {
        let pending = match before.remove(&file.path) {
            Some(known) if known.hash == file.hash => known.pending,
            _ => {
                let blob = views::blob(db, org, &file.path, &file.hash)?;
                views::want(db, view.id, &file.path, &blob)?;
                !blob.complete
            }
        };
        if pending {
            reply.changed.push(named(repo, &file.path));
        }
    }
    let mut gone: Vec<_> = before.into_iter().collect();
    gone.sort_by(|one, other| one.0.cmp(&other.0));
    for (path, known) in gone {
        db.prepare_cached("DELETE FROM file WHERE id = ?1")?.execute([known.id])?;
        reply.removed.push(named(repo, &path));
    }
    Ok(())
}

/// Only the root was sent, of a view that was synced before.
fn compare(
    db: &Connection,
    org: i64,
    view: &View,
    repo: &RepoState,
    reply: &mut SyncReply,
) -> Result<(), StoreError> {
    if view.root != repo.root_hash {
        // Which files changed is not known, so all are wanted anew, in whatever state they come.
        let hash = views::unnamed(view.id, &repo.root_hash);
        for path in known(db, view.id)?.into_keys() {
            let blob = views::blob(db, org, &path, &hash)?;
            views::want(db, view.id, &path, &blob)?;
        }
    }
    let mut select = db.prepare_cached(
        "SELECT path FROM file INDEXED BY file_pending WHERE view = ?1 AND shown IS NOT wanted AND hidden = 0 ORDER BY path",
    )?;
    for path in select.query_map([view.id], |row| row.get::<_, String>(0))? {
        reply.changed.push(named(repo, &path?));
    }
    Ok(())
}

/// Remembers the root, and that this view is now the latest of its repository.
fn synced(db: &Connection, org: i64, view: &View, repo: &RepoState, now: i64) -> Result<(), StoreError> {
    // A listing holds until a root comes without one that is another.
    let listed = repo.files.is_some() || (view.listed && view.root == repo.root_hash);
    if is_noted(view, repo, now) && listed == view.listed {
        return Ok(());
    }
    db.prepare_cached("UPDATE view SET latest = 0 WHERE org = ?1 AND repo = ?2 AND latest = 1 AND id <> ?3")?
        .execute(params![org, repo.name, view.id])?;
    db.prepare_cached("UPDATE view SET latest = 1, root = ?2, listed = ?3, synced = ?4 WHERE id = ?1")?
        .execute(params![view.id, repo.root_hash, listed, now])?;
    Ok(())
}

struct Known {
    id: i64,
    hash: String,
    pending: bool,
}

fn known(db: &Connection, view: i64) -> Result<HashMap<String, Known>, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT f.path, f.id, b.hash, f.shown IS NOT f.wanted AND f.hidden = 0
         FROM file f JOIN blob b ON b.id = f.wanted WHERE f.view = ?1",
    )?;
    let rows = select.query_map([view], |row| {
        Ok((row.get(0)?, Known { id: row.get(1)?, hash: row.get(2)?, pending: row.get(3)? }))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn is_pending(db: &Connection, view: i64) -> Result<bool, StoreError> {
    let mut select = db.prepare_cached(
        "SELECT EXISTS(SELECT 1 FROM file INDEXED BY file_pending WHERE view = ?1 AND shown IS NOT wanted AND hidden = 0)",
    )?;
    Ok(select.query_row([view], |row| row.get(0))?)
}

fn named(repo: &RepoState, path: &str) -> FileRef {
    FileRef { repo: repo.name.clone(), path: path.to_owned(), reference: repo.reference.clone() }
}
