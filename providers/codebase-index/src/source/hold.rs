//! Keeping other processes away for a moment, by the lock on a file that stays.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    os::unix::fs::OpenOptionsExt,
    path::Path,
    time::Duration,
};

use super::{private, stop::Stop};

/// How often a lock that another process has is tried again.
const RETRY: Duration = Duration::from_millis(20);

/// Tries once; `None` while another has it. It is let go when the file is dropped, whatever becomes of the process.
pub(crate) fn try_hold(path: &Path) -> io::Result<Option<File>> {
    if let Some(above) = path.parent() {
        private::folder(above)?;
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Waits until it has the lock; `None` when that took too long, or somebody asked to stop.
pub(crate) async fn hold(path: &Path, patience: Duration, stop: &Stop) -> io::Result<Option<File>> {
    let start = tokio::time::Instant::now();
    loop {
        if let Some(file) = try_hold(path)? {
            return Ok(Some(file));
        }
        if start.elapsed() >= patience || stop.is_stopped() {
            return Ok(None);
        }
        tokio::time::sleep(RETRY).await;
    }
}
