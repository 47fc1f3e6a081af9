//! The tables, and how a file becomes ours.

use rusqlite::{Connection, TransactionBehavior};

use crate::store::StoreError;

/// Says in the file's head whose it is: "ctxi".
const APPLICATION: i64 = 0x6374_7869;
/// The version of the tables; a change of them gets another.
const VERSION: i64 = 1;

/// - `view` is a checkout; `root` is empty as long as it was never synced, `listed` says whether its files are what a
///   listing said (else an `/index` may bring others), `latest` marks the view of its repository that was synced last.
/// - `file` is one path of a view: the blob that it wants, the one that it shows, and whether it was said to have none.
/// - `blob` is what a file of one content holds: complete when `expected` many chunks have come. `unused` is when it was
///   first seen without a view.
/// - `text` is a chunk's path, symbol and content, once in an organisation; `chunk` says in which blob it stands where.
/// - `waiting` holds the texts that the newest generation has yet to embed; `progress` whether a generation was once
///   complete for an organisation.
///
/// Ids of texts, chunks and generations never come again: an embedder may answer long after its text is gone.
const TABLES: &str = "
CREATE TABLE org(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE view(
    id INTEGER PRIMARY KEY, org INTEGER NOT NULL, repo TEXT NOT NULL, reference TEXT NOT NULL, root TEXT NOT NULL,
    listed INTEGER NOT NULL, latest INTEGER NOT NULL, synced INTEGER NOT NULL,
    UNIQUE(org, repo, reference)) STRICT;
CREATE INDEX view_latest ON view(org, repo) WHERE latest = 1;
CREATE TABLE blob(
    id INTEGER PRIMARY KEY, org INTEGER NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, hash TEXT NOT NULL,
    complete INTEGER NOT NULL, expected INTEGER, unused INTEGER,
    UNIQUE(org, path, hash)) STRICT;
CREATE INDEX blob_name ON blob(org, name COLLATE NOCASE);
CREATE TABLE file(
    id INTEGER PRIMARY KEY, view INTEGER NOT NULL, path TEXT NOT NULL, wanted INTEGER NOT NULL, shown INTEGER,
    hidden INTEGER NOT NULL,
    UNIQUE(view, path)) STRICT;
CREATE INDEX file_shown ON file(shown, view) WHERE shown IS NOT NULL;
CREATE INDEX file_view ON file(view, shown) WHERE shown IS NOT NULL;
CREATE INDEX file_wanted ON file(wanted, view);
CREATE INDEX file_pending ON file(view) WHERE shown IS NOT wanted AND hidden = 0;
CREATE TABLE text(
    id INTEGER PRIMARY KEY AUTOINCREMENT, org INTEGER NOT NULL, hash BLOB NOT NULL, path TEXT NOT NULL,
    symbol TEXT NOT NULL, leaf TEXT NOT NULL, content TEXT NOT NULL,
    UNIQUE(org, hash)) STRICT;
CREATE INDEX text_leaf ON text(org, leaf COLLATE NOCASE);
CREATE TABLE chunk(
    id INTEGER PRIMARY KEY AUTOINCREMENT, blob INTEGER NOT NULL, text INTEGER NOT NULL, lang TEXT NOT NULL,
    line_start INTEGER, line_end INTEGER,
    UNIQUE(blob, text)) STRICT;
CREATE INDEX chunk_text ON chunk(text, blob);
CREATE TABLE generation(
    id INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint TEXT NOT NULL, dimension INTEGER NOT NULL,
    turn INTEGER NOT NULL UNIQUE, unused INTEGER,
    UNIQUE(fingerprint, dimension)) STRICT;
CREATE TABLE waiting(
    generation INTEGER NOT NULL, text INTEGER NOT NULL, org INTEGER NOT NULL,
    PRIMARY KEY(generation, text)) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_org ON waiting(generation, org);
CREATE INDEX waiting_text ON waiting(text);
CREATE TABLE progress(
    org INTEGER NOT NULL, generation INTEGER NOT NULL, complete INTEGER NOT NULL,
    PRIMARY KEY(org, generation)) STRICT, WITHOUT ROWID;
";

/// Makes the tables in a new file, and refuses one that is not ours.
pub(super) fn prepare(mut connection: Connection) -> Result<Connection, StoreError> {
    if is_new(&connection)? {
        // Pages of 8 KiB hold five vectors of 384 numbers; those of 4 KiB two.
        connection.execute_batch("PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;")?;
    } else {
        belongs(&connection)?;
    }
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    // In a log, this loses nothing when the process ends, and on a power cut the last calls at most.
    connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;")?;
    create(&mut connection)?;
    Ok(connection)
}

fn create(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been first.
    if is_new(&transaction)? {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    belongs(&transaction)?;
    Ok(transaction.commit()?)
}

fn is_new(connection: &Connection) -> Result<bool, StoreError> {
    let count: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(count == 0 && number(connection, "user_version")? == 0)
}

fn belongs(connection: &Connection) -> Result<(), StoreError> {
    if number(connection, "application_id")? != APPLICATION {
        let message = "the file is a database of another program; name another file for the index".to_owned();
        return Err(StoreError::Foreign(message));
    }
    match number(connection, "user_version")? {
        VERSION => Ok(()),
        other => Err(StoreError::Foreign(format!(
            "the index has version {other}, this program reads {VERSION}; use the program that made it, or another file"
        ))),
    }
}

fn number(connection: &Connection, pragma: &str) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, pragma, |row| row.get(0))?)
}
