//! Logins and their refresh tokens, in a small database of its own beside the index.
//!
//! A login is a *family*: each refresh token is used once and has one successor. Tokens themselves are not kept, only
//! their hashes.

use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{ACCESS_SECONDS, tokens::Holder};

/// For how long a used refresh token still gives its successor: two processes of one client may refresh at once, and an
/// answer may be lost on its way. Later it is a theft.
pub(super) const GRACE_SECONDS: i64 = 10;

/// `ctxa`, so that no other file is taken for ours.
const APPLICATION: i64 = 0x6374_7861;

const SCHEMA: &str = "
    CREATE TABLE family (
        id TEXT PRIMARY KEY,
        provider TEXT NOT NULL,
        org TEXT NOT NULL,
        username TEXT NOT NULL,
        consent TEXT,
        checked INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        revoked INTEGER
    ) STRICT;
    CREATE TABLE refresh (
        hash BLOB PRIMARY KEY,
        family TEXT NOT NULL REFERENCES family (id) ON DELETE CASCADE,
        used INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refresh_of_family ON refresh (family);
    PRAGMA user_version = 1;
";

/// Why a login cannot be kept or looked up.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// The database fails.
    #[error("the logins cannot be kept: {0}")]
    Engine(#[from] rusqlite::Error),
    /// The file is not ours, or that of a newer version.
    #[error("{0}")]
    Foreign(String),
}

/// A login, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) holder: Holder,
    /// What the provider gave, by which it says whether the person still belongs to the organisation.
    pub(super) consent: Option<String>,
    /// When it last said so.
    pub(super) checked: i64,
}

/// What a refresh token is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// It was not used, or only a moment ago: then at that time.
    Good(Option<i64>),
    /// It was used before: someone else has it too.
    Stolen,
    /// Nobody knows it.
    Unknown,
}

/// The database.
pub(super) struct Accounts {
    connection: Mutex<Connection>,
}

impl Accounts {
    /// Opens the database, or makes it.
    pub(super) fn open(path: &Path) -> Result<Self, AccountsError> {
        // SQLite would make the file for everyone to read.
        crate::private::lockable(path).map_err(|error| AccountsError::Foreign(error.to_string()))?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;",
        )?;
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let number = |name: &str| tx.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        match (number("application_id")?, number("user_version")?) {
            (APPLICATION, 1) => {}
            (0, 0) => {
                tx.pragma_update(None, "application_id", APPLICATION)?;
                tx.execute_batch(SCHEMA)?;
            }
            _ => {
                let path = path.display();
                let message = format!("{path} is no database of logins, or of a newer version; move it away");
                return Err(AccountsError::Foreign(message));
            }
        }
        tx.commit()?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// A login begins, with the hash of its first refresh token.
    pub(super) fn begin(&self, family: &Family, hash: &[u8], ends: i64) -> Result<(), AccountsError> {
        let Family { holder, consent, checked } = family;
        let mut connection = self.lock();
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute(
            "INSERT INTO family (id, provider, org, username, consent, checked, ends) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![holder.family, holder.provider, holder.org, holder.username, consent, checked, ends],
        )?;
        tx.execute("INSERT INTO refresh (hash, family) VALUES (?1, ?2)", params![hash, holder.family])?;
        Ok(tx.commit()?)
    }

    /// A login that nobody ended.
    pub(super) fn family(&self, id: &str) -> Result<Option<Family>, AccountsError> {
        let found = self.lock().query_row(
            "SELECT provider, org, username, consent, checked FROM family WHERE id = ?1 AND revoked IS NULL",
            [id],
            |row| {
                let holder = Holder {
                    provider: row.get(0)?,
                    org: row.get(1)?,
                    username: row.get(2)?,
                    family: id.to_owned(),
                };
                Ok(Family { holder, consent: row.get(3)?, checked: row.get(4)? })
            },
        );
        Ok(found.optional()?)
    }

    /// What a refresh token of this family is worth now.
    pub(super) fn worth(&self, family: &str, hash: &[u8], now: i64) -> Result<Worth, AccountsError> {
        worth(&self.lock(), family, hash, now)
    }

    /// The person was found to belong to the organisation still.
    pub(super) fn checked(&self, family: &str, now: i64) -> Result<(), AccountsError> {
        self.lock().execute("UPDATE family SET checked = ?2 WHERE id = ?1", params![family, now])?;
        Ok(())
    }

    /// Uses a refresh token up: `successor` makes the hash of the next one from the time at which this one was used
    /// first, and when that ends.
    pub(super) fn renew(
        &self,
        family: &str,
        hash: &[u8],
        now: i64,
        successor: impl Fn(i64) -> ([u8; 32], i64),
    ) -> Result<Worth, AccountsError> {
        let mut connection = self.lock();
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let worth = worth(&tx, family, hash, now)?;
        if worth == Worth::Good(None) {
            let (next, ends) = successor(now);
            tx.execute("UPDATE refresh SET used = ?2 WHERE hash = ?1", params![hash, now])?;
            tx.execute("INSERT INTO refresh (hash, family) VALUES (?1, ?2)", params![next, family])?;
            tx.execute("UPDATE family SET ends = ?2 WHERE id = ?1", params![family, ends])?;
        }
        tx.commit()?;
        Ok(worth)
    }

    /// Ends a login.
    pub(super) fn revoke(&self, family: &str, now: i64) -> Result<(), AccountsError> {
        self.lock().execute(
            "UPDATE family SET revoked = ?2, consent = NULL WHERE id = ?1 AND revoked IS NULL",
            params![family, now],
        )?;
        Ok(())
    }

    /// The logins that were ended, and of which an access token may still be about.
    pub(super) fn revoked(&self, now: i64) -> Result<Vec<String>, AccountsError> {
        let connection = self.lock();
        let mut select = connection.prepare("SELECT id FROM family WHERE revoked > ?1")?;
        let ids = select.query_map([now - 2 * ACCESS_SECONDS], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Forgets the logins of which no token holds any more.
    pub(super) fn prune(&self, now: i64) -> Result<(), AccountsError> {
        let before = now - 2 * ACCESS_SECONDS;
        self.lock().execute("DELETE FROM family WHERE ends < ?1 OR revoked < ?1", [before])?;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic in the middle leaves no half transaction: it is rolled back when it is dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn worth(db: &Connection, family: &str, hash: &[u8], now: i64) -> Result<Worth, AccountsError> {
    let found: Option<Option<i64>> = db
        .query_row(
            "SELECT used FROM refresh JOIN family ON family.id = refresh.family
             WHERE hash = ?1 AND family.id = ?2 AND revoked IS NULL",
            params![hash, family],
            |row| row.get(0),
        )
        .optional()?;
    Ok(match found {
        None => Worth::Unknown,
        Some(Some(used)) if now >= used + GRACE_SECONDS => Worth::Stolen,
        Some(used) => Worth::Good(used),
    })
}
