//! Which views a search looks at, and which chunk of them shows a text.

use std::collections::HashMap;

use rusqlite::{CachedStatement, Connection, params};

use crate::store::{ChunkId, Scope, StoreError, TextId, sqlite::views};

/// How many bits of an id name the chunk; those above name the view.
const CHUNK_BITS: u32 = 40;

/// One number for a chunk in a view. A chunk of code that two checkouts share is two of them.
fn joined(view: i64, chunk: i64) -> ChunkId {
    (view << CHUNK_BITS) | chunk
}

/// The view and the chunk of an id.
pub(super) fn parts(id: ChunkId) -> (i64, i64) {
    (id >> CHUNK_BITS, id & ((1 << CHUNK_BITS) - 1))
}

/// The views of a search, those first that it named.
pub(super) struct Looked {
    views: Vec<i64>,
    lang: Option<String>,
}

impl Looked {
    pub(super) fn new(db: &Connection, org: i64, scope: &Scope) -> Result<Self, StoreError> {
        let mut named = HashMap::<&str, Vec<i64>>::new();
        let mut views = Vec::new();
        for view in &scope.views {
            if scope.repo.as_ref().is_some_and(|repo| *repo != view.repo) {
                continue;
            }
            if let Some(known) = views::view(db, org, &view.repo, Some(&view.reference))? {
                let of_repo = named.entry(&view.repo).or_default();
                if !of_repo.contains(&known.id) {
                    of_repo.push(known.id);
                    views.push(known.id);
                }
            }
        }
        let mut select = db.prepare_cached(
            "SELECT id, repo FROM view WHERE org = ?1 AND latest = 1 AND (?2 IS NULL OR repo = ?2) ORDER BY repo",
        )?;
        let rows =
            select.query_map(params![org, scope.repo], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?;
        for row in rows {
            let (id, repo) = row?;
            if !named.contains_key(repo.as_str()) {
                views.push(id);
            }
        }
        Ok(Self { views, lang: scope.lang.clone() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    pub(super) fn lang(&self) -> Option<&str> {
        self.lang.as_deref()
    }

    /// The views' ids as SQL lists them; they are numbers of ours.
    pub(super) fn views(&self) -> String {
        self.views.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
    }

    /// Selects the texts that the views show; with a language, that is the third parameter.
    pub(super) fn texts(&self) -> String {
        // Without a language an index alone answers this.
        let lang = if self.lang.is_some() { "AND c.lang = ?3 COLLATE NOCASE" } else { "" };
        format!(
            "SELECT c.text FROM file f JOIN chunk c ON c.blob = f.shown
             WHERE f.view IN ({}) AND f.shown IS NOT NULL {lang}",
            self.views()
        )
    }

    /// Finds the chunks of texts.
    pub(super) fn shown<'db>(&self, db: &'db Connection) -> Result<Shown<'db>, StoreError> {
        // CROSS JOIN keeps the order: from the text, which has few chunks, and not from all files of a view.
        let sql = format!(
            "SELECT f.view, c.id FROM chunk c CROSS JOIN file f ON f.shown = c.blob
             WHERE c.text = ?1 AND f.view IN ({}) AND (?2 IS NULL OR c.lang = ?2 COLLATE NOCASE)",
            self.views()
        );
        let order = self.views.iter().enumerate().map(|(at, view)| (*view, at)).collect();
        Ok(Shown { select: db.prepare_cached(&sql)?, order, lang: self.lang.clone() })
    }
}

/// Where the views of a search show a text.
pub(super) struct Shown<'db> {
    select: CachedStatement<'db>,
    order: HashMap<i64, usize>,
    lang: Option<String>,
}

impl Shown<'_> {
    /// The chunk in the first view that shows it.
    pub(super) fn chunk(&mut self, text: TextId) -> Result<Option<ChunkId>, StoreError> {
        let mut best: Option<(usize, ChunkId)> = None;
        let mut rows = self.select.query(params![text, self.lang])?;
        while let Some(row) = rows.next()? {
            let view: i64 = row.get(0)?;
            let place = self.order.get(&view).copied().unwrap_or(usize::MAX);
            let this = (place, joined(view, row.get(1)?));
            best = Some(best.map_or(this, |best| best.min(this)));
        }
        Ok(best.map(|(_, chunk)| chunk))
    }
}
