//! The project's folder in the cache, and the locks in it.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, FileExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use sha2::{Digest, Sha256};

use crate::{
    finding::{Findings, Problem},
    index::Disk,
    snapshot::{Snapshot, Summary},
    walk::Stat,
};

/// Larger files are not ours: 200,000 files with long names take some 40 MB.
const LARGEST_SNAPSHOT: u64 = 256 << 20;
/// How often and how long a lock is waited for: a second and a half, in which a hundred thousand files are hashed. Whoever
/// holds it longer is stopped or reads something huge, and an answer without it is as right.
const TRIES: usize = 750;
/// How often when the last time was in vain.
const FEW_TRIES: usize = 25;
const PAUSE: Duration = Duration::from_millis(2);

/// An index of another version is removed after a week: two hosts of different versions may take turns, and whoever
/// updates does not come back.
const FORGOTTEN_NS: i64 = 7 * 24 * 3600 * 1_000_000_000;

/// Where a project is kept.
pub(super) struct Place {
    folder: PathBuf,
    root: PathBuf,
    /// Whether waiting was in vain the last time: then every question would wait.
    vain: AtomicBool,
}

/// What came of asking for a lock.
pub(super) enum Lock {
    /// It is held until the file is closed; a process that dies closes it.
    Held(File),
    Busy,
    Failed(io::Error),
}

impl Place {
    pub(super) fn new(cache: &Path, root: &Path) -> Self {
        let hash = Sha256::digest(root.as_os_str().as_bytes());
        let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        Self { folder: cache.join(name), root: root.to_owned(), vain: AtomicBool::new(false) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn index(&self, version: u64) -> PathBuf {
        self.folder.join(format!("index-{version:016x}"))
    }

    /// Makes the folder, if it is not there yet.
    pub(super) fn make(&self, disk: &dyn Disk) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        create(&self.folder)?;
        // For a person who wonders what this folder is about; nothing reads it.
        let root = self.root.as_os_str().as_bytes();
        let _ = disk.replace(&self.folder.join("root"), &mut |to| to.write_all(root));
        Ok(())
    }

    /// Asks for a lock, once.
    pub(super) fn try_lock(&self, name: &str) -> Lock {
        let path = self.folder.join(name);
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        // A folder that may only be read can still be locked against those who may write.
        match file.or_else(|error| File::open(&path).map_err(|_| error)) {
            Err(error) => Lock::Failed(error),
            Ok(file) => match file.try_lock() {
                Ok(()) => Lock::Held(file),
                Err(TryLockError::WouldBlock) => Lock::Busy,
                Err(TryLockError::Error(error)) => Lock::Failed(error),
            },
        }
    }

    /// Asks for a lock and waits for it, but not for long, and not once `stop` says so.
    pub(super) fn lock(&self, name: &str, stop: &dyn Fn() -> bool) -> Lock {
        let tries = if self.vain.load(Ordering::Relaxed) { FEW_TRIES } else { TRIES };
        let mut lock = self.try_lock(name);
        for _ in 1..tries {
            if !matches!(lock, Lock::Busy) || stop() {
                break;
            }
            thread::sleep(PAUSE);
            lock = self.try_lock(name);
        }
        self.vain.store(matches!(lock, Lock::Busy), Ordering::Relaxed);
        lock
    }

    /// Says how far the kept snapshot is, without reading it as a whole.
    pub(super) fn summary(&self) -> Option<Summary> {
        let mut head = [0; Summary::BYTES];
        File::open(self.snapshot()).ok()?.read_exact(&mut head).ok()?;
        Summary::of(&head)
    }

    /// Reads the kept snapshot; a broken one is a finding.
    pub(super) fn load(&self, findings: &mut Findings) -> Option<Snapshot> {
        let path = self.snapshot();
        let bytes = match fs::metadata(&path).and_then(|stat| read(&path, stat.len())) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            bytes => bytes,
        };
        let loaded = bytes.map_err(|error| error.to_string());
        match loaded.and_then(|bytes| Snapshot::from_bytes(&bytes).map_err(|broken| broken.to_string())) {
            Ok(snapshot) => Some(snapshot),
            Err(problem) => {
                findings.add(Problem::Broken, "snapshot", problem);
                None
            }
        }
    }

    pub(super) fn save(&self, snapshot: &Snapshot, disk: &dyn Disk) -> io::Result<()> {
        let bytes = snapshot.to_bytes();
        disk.replace(&self.snapshot(), &mut |to: &mut dyn Write| to.write_all(&bytes))
    }

    /// Removes the indexes of other versions that nobody has written to for a while.
    pub(super) fn sweep(&self, version: u64, lock: &File) {
        let (Some(now), Ok(entries)) = (time_of_disk(lock), fs::read_dir(&self.folder)) else { return };
        let own = self.index(version);
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let written = fs::metadata(&path).map_or(now, |stat| Stat::of(&stat).mtime_ns);
            if name.starts_with("index-") && path != own && now.saturating_sub(written) > FORGOTTEN_NS {
                // Whoever still reads it has its files open; what cannot be removed stays.
                let _ = fs::remove_dir_all(&path);
            }
        }
    }

    fn snapshot(&self) -> PathBuf {
        self.folder.join("snapshot")
    }
}

/// Makes a folder that only its owner sees, and those above it.
pub(super) fn create(folder: &Path) -> io::Result<()> {
    if folder.is_dir() { Ok(()) } else { DirBuilder::new().recursive(true).mode(0o700).create(folder) }
}

/// Where in a lock's file the process stands that walked last; what is before it is for the time.
const WALKER_AT: u64 = 8;

/// Writes down, under the lock, that this process has walked. Where that fails nobody takes its walk over.
pub(super) fn note_walker(lock: &File) {
    let _ = lock.write_all_at(&std::process::id().to_le_bytes(), WALKER_AT);
}

/// Whether the last walk was this process's.
pub(super) fn was_walked_here(lock: &File) -> bool {
    let mut walker = [0; 4];
    lock.read_exact_at(&mut walker, WALKER_AT).is_ok() && u32::from_le_bytes(walker) == std::process::id()
}

/// Asks the disk for the time, by writing to a lock that is held.
pub(super) fn time_of_disk(lock: &File) -> Option<i64> {
    lock.write_all_at(b"\n", 0).ok()?;
    Some(Stat::of(&lock.metadata().ok()?).mtime_ns)
}

fn read(path: &Path, length: u64) -> io::Result<Vec<u8>> {
    if length > LARGEST_SNAPSHOT {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(length as usize);
    File::open(path)?.take(LARGEST_SNAPSHOT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
