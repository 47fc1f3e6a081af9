//! Texts: what is searched by words and by vectors, once for each organisation however many files hold it.

use ctxhost_code::words;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use super::generations;
use crate::store::{StoreError, TextId, names};

/// A chunk's path, symbol and content, which are embedded together.
pub(super) struct Text<'a> {
    pub(super) path: &'a str,
    pub(super) symbol: &'a str,
    pub(super) content: &'a str,
}

impl Text<'_> {
    /// What a model is given: the place in front of the code says a lot of what it is about.
    pub(super) fn embedded(&self) -> String {
        format!("{} {}\n{}", self.path, self.symbol, self.content)
    }

    /// Two texts of one hash are the same in all three parts.
    fn hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        for part in [self.path, self.symbol, self.content] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize().into()
    }
}

/// Makes an organisation's table of words, and the one that counts them. It keeps no text of its own, and the words come split already, so that the
/// tokenizer has nothing to decide: whatever is not ASCII belongs to a word.
pub(super) fn create_words(db: &Connection, org: i64) -> Result<(), StoreError> {
    db.execute_batch(&format!(
        "CREATE VIRTUAL TABLE words_{org} USING fts5(name, path, body, content='', contentless_delete=1, tokenize='ascii');
         CREATE VIRTUAL TABLE terms_{org} USING fts5vocab(words_{org}, 'row');"
    ))?;
    Ok(())
}

/// The id of a text. A new one can be found by its words at once, and waits for its vector.
pub(super) fn put(db: &Connection, org: i64, text: &Text<'_>) -> Result<TextId, StoreError> {
    let hash = text.hash();
    let mut select = db.prepare_cached("SELECT id FROM text WHERE org = ?1 AND hash = ?2")?;
    if let Some(id) = select.query_row(params![org, hash], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    db.prepare_cached(
        "INSERT INTO text(org, hash, path, symbol, leaf, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![org, hash, text.path, text.symbol, names::leaf(text.symbol), text.content])?;
    let id = db.last_insert_rowid();
    db.prepare_cached(&format!("INSERT INTO words_{org}(rowid, name, path, body) VALUES (?1, ?2, ?3, ?4)"))?
        .execute(params![id, spaced(text.symbol), spaced(text.path), spaced(text.content)])?;
    generations::wait(db, org, id)?;
    Ok(id)
}

/// Drops a text that no chunk holds any more, with its words and vectors.
pub(super) fn drop_unused(db: &Connection, org: i64, text: TextId) -> Result<(), StoreError> {
    let mut select = db.prepare_cached("SELECT EXISTS(SELECT 1 FROM chunk WHERE text = ?1)")?;
    if select.query_row([text], |row| row.get(0))? {
        return Ok(());
    }
    db.prepare_cached("DELETE FROM text WHERE id = ?1")?.execute([text])?;
    db.prepare_cached(&format!("DELETE FROM words_{org} WHERE rowid = ?1"))?.execute([text])?;
    generations::forget(db, text)
}

fn spaced(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    words::split(text, &mut |word| {
        all.push_str(word);
        all.push(' ');
    });
    all
}
