//! The way of the index to the disk, which is shut as long as the lock is not held.

use std::{
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::index::Disk;

/// Writes only while it is open, and remembers whether the last write failed.
pub(super) struct Gate {
    disk: Arc<dyn Disk>,
    open: AtomicBool,
    failed: AtomicBool,
}

impl Gate {
    pub(super) fn new(disk: Arc<dyn Disk>) -> Self {
        Self { disk, open: AtomicBool::new(false), failed: AtomicBool::new(false) }
    }

    /// Opens or shuts it: without the lock two processes would take each other's files away.
    pub(super) fn open(&self, open: bool) {
        self.open.store(open, Ordering::Relaxed);
    }

    /// Whether it is open.
    pub(super) fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// Whether what was to be written last is in memory only.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }
}

/// A gate, for whoever wants a disk of his own.
pub(super) struct Shared(pub(super) Arc<Gate>);

impl Disk for Shared {
    fn replace(&self, path: &Path, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let Gate { disk, failed, .. } = &*self.0;
        let result = if self.0.is_open() {
            disk.replace(path, fill)
        } else {
            Err(io::Error::other("the lock of the index is not held"))
        };
        failed.store(result.is_err(), Ordering::Relaxed);
        result
    }

    fn remove(&self, path: &Path) {
        if self.0.is_open() {
            self.0.disk.remove(path);
        }
    }
}
