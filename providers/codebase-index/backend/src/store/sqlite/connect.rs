//! The connections to the file: one that writes, some that read.

use std::{
    fs::{DirBuilder, OpenOptions, Permissions},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::{schema, vectors};
use crate::store::StoreError;

/// How many searches run beside each other; more would only share the same cores.
const READERS: usize = 4;
/// How long a call waits for another process that writes to the same file.
const PATIENCE: Duration = Duration::from_secs(5);
/// What each connection keeps of the file, in KiB.
const CACHE_KIB: i64 = 32 * 1024;

/// All connections of one store.
pub(super) struct Connections {
    writer: Mutex<Connection>,
    /// Empty in memory, where the writer reads too.
    readers: Vec<Mutex<Connection>>,
    turn: AtomicUsize,
}

impl Connections {
    pub(super) fn file(path: &Path) -> Result<Self, StoreError> {
        private(path).map_err(|source| StoreError::Open { path: path.to_owned(), source })?;
        let writer = schema::prepare(connect(path)?)?;
        let readers = (0..READERS).map(|_| reader(path).map(Mutex::new)).collect::<Result<_, _>>()?;
        Ok(Self { writer: Mutex::new(writer), readers, turn: AtomicUsize::new(0) })
    }

    pub(super) fn memory() -> Result<Self, StoreError> {
        let writer = schema::prepare(tune(Connection::open_in_memory()?)?)?;
        Ok(Self { writer: Mutex::new(writer), readers: Vec::new(), turn: AtomicUsize::new(0) })
    }

    /// Changes something, whole or not at all.
    pub(super) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut writer = lock(&self.writer);
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = change(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    /// Looks at one state of the file, whatever is written meanwhile.
    pub(super) fn read<T>(
        &self,
        look: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        look(&self.reader().transaction()?)
    }

    /// Does what stands outside of transactions.
    pub(super) fn maintain(&self, sql: &str) -> Result<(), StoreError> {
        Ok(lock(&self.writer).execute_batch(sql)?)
    }

    fn reader(&self) -> MutexGuard<'_, Connection> {
        for reader in &self.readers {
            match reader.try_lock() {
                Ok(free) => return free,
                Err(TryLockError::Poisoned(free)) => return free.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        lock(self.readers.get(turn % READERS).unwrap_or(&self.writer))
    }
}

/// A thread that panicked left no half transaction behind: dropping one rolls it back.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the file and its folders for this user alone. SQLite gives its other files the rights of this one.
fn private(path: &Path) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let file =
        OpenOptions::new().create(true).truncate(false).read(true).write(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    tune(Connection::open_with_flags(path, flags)?)
}

fn reader(path: &Path) -> Result<Connection, StoreError> {
    let reader = connect(path)?;
    reader.pragma_update(None, "query_only", true)?;
    Ok(reader)
}

fn tune(connection: Connection) -> Result<Connection, StoreError> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(128);
    vectors::register(&connection)?;
    Ok(connection)
}
