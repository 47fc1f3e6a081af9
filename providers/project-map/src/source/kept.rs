//! What is known of files, and the pairs that were made of it, kept between runs in the project's folder of the shared
//! cache.
//!
//! Each is one file, replaced as a whole. Whatever is wrong with it, it is made anew.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::select::inventory::{FileFacts, Hash, Inventory};

mod pairs;

pub(super) use pairs::Made;

const NAME: &str = "map-facts";
const LOCK: &str = "maps.lock";
/// Another command is waited for at most this often, and so long each time: a minute, in which the largest projects are
/// mapped. Then it is taken to hang.
const TRIES: usize = 30_000;
const NAP: Duration = Duration::from_millis(2);
const MAGIC: &[u8; 8] = b"ctxmap\r\n";
/// Magic, rule, sum.
const HEAD: usize = 24;
/// What facts begin with: their own hash, by which pairs say what they were made of.
const STAMP: usize = 32;
/// Larger files are not ours: 200,000 files take some 60 MB.
const LARGEST: u64 = 256 << 20;

/// What was last known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(crate) inventory: Arc<Inventory>,
    /// Whether every file was seen.
    pub(crate) complete: bool,
    /// The hash of all that, when it lies in the cache.
    pub(crate) stamp: Option<Hash>,
}

impl Kept {
    /// Whether both are the same; two that were read at different times are not known to be.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inventory, &other.inventory) && self.complete == other.complete
    }
}

/// What the system says of the file, by which it is told whether somebody has replaced it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seal {
    inode: u64,
    size: u64,
    time: (i64, i64),
}

/// Somebody else writes this project's maps just now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// Where facts are kept. `rule` stands for everything besides the files that facts depend on.
#[derive(Clone, Debug)]
pub(crate) struct Shelf {
    folder: PathBuf,
    rule: u64,
}

impl Shelf {
    pub(crate) fn new(folder: &Path, rule: u64) -> Self {
        Self { folder: folder.to_owned(), rule }
    }

    pub(crate) fn seal(&self) -> Option<Seal> {
        let stat = fs::symlink_metadata(self.folder.join(NAME)).ok()?;
        Some(Seal { inode: stat.ino(), size: stat.len(), time: (stat.mtime(), stat.mtime_nsec()) })
    }

    /// Waits until nobody else writes this project's maps, and keeps others from it for as long as the file is held. `None`
    /// when `stop` said so, or where no lock can be had: a cache that cannot be written keeps nothing that could be lost.
    pub(crate) fn lock(&self, stop: &dyn Fn() -> bool) -> Option<File> {
        let file = self.lock_file()?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) if !stop() => thread::sleep(NAP),
                Err(_) => return None,
            }
        }
        None
    }

    /// As [`Shelf::lock`], without waiting.
    ///
    /// # Errors
    ///
    /// When somebody else has it.
    pub(crate) fn try_lock(&self) -> Result<Option<File>, Busy> {
        let Some(file) = self.lock_file() else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Err(Busy),
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    fn lock_file(&self) -> Option<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        options.open(self.folder.join(LOCK)).ok()
    }

    /// Gives what is kept; `None` when there is nothing that can be used.
    pub(crate) fn load(&self) -> Option<Kept> {
        decode(&self.read(NAME)?, self.rule)
    }

    /// Keeps it, for the owner's eyes alone, and gives its stamp.
    ///
    /// # Errors
    ///
    /// With what the system said; what was kept before is then still there.
    pub(crate) fn save(&self, kept: &Kept) -> io::Result<Hash> {
        let (bytes, stamp) = encode(kept, self.rule)?;
        self.replace(NAME, &bytes)?;
        Ok(stamp)
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = File::open(self.folder.join(name)).ok()?;
        let size = file.metadata().ok().filter(|stat| stat.is_file() && stat.len() <= LARGEST)?.len();
        bytes.reserve_exact(usize::try_from(size).ok()? + 1);
        file.take(LARGEST).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        // Another process may be doing the same.
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = self.folder.join(format!("{name}.{}-{count}.unfinished", std::process::id()));
        let written = write(&beside, bytes).and_then(|()| fs::rename(&beside, self.folder.join(name)));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)
}

#[derive(Serialize)]
struct Written<'a> {
    complete: bool,
    files: &'a [FileFacts],
}

#[derive(Deserialize)]
struct Load {
    complete: bool,
    files: Vec<FileFacts>,
}

fn encode(kept: &Kept, rule: u64) -> io::Result<(Vec<u8>, Hash)> {
    let written = Written { complete: kept.complete, files: &kept.inventory.files };
    let said = postcard::to_allocvec(&written).map_err(io::Error::other)?;
    let stamp = Hash::from(Sha256::digest(&said));
    Ok((sealed(rule, &[&stamp, &said]), stamp))
}

fn decode(bytes: &[u8], rule: u64) -> Option<Kept> {
    let (stamp, said) = opened(bytes, rule)?.split_first_chunk::<STAMP>()?;
    let Load { complete, files } = postcard::from_bytes(said).ok()?;
    let sorted = files.windows(2).all(|pair| pair[0].path < pair[1].path);
    sorted.then(|| Kept { inventory: Arc::new(Inventory { files }), complete, stamp: Some(*stamp) })
}

/// A body with what tells whether it is whole and by which rule it was made.
fn sealed(rule: u64, body: &[&[u8]]) -> Vec<u8> {
    let mut bytes = [MAGIC, &rule.to_le_bytes()[..], &[0; 8]].concat();
    body.iter().for_each(|part| bytes.extend_from_slice(part));
    let sum = sum(&bytes[HEAD..]);
    bytes[HEAD - 8..HEAD].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The body again; `None` when it is not whole, or was made by another rule.
fn opened(bytes: &[u8], rule: u64) -> Option<&[u8]> {
    let (head, body) = bytes.split_at_checked(HEAD)?;
    let expected = [&MAGIC[..], &rule.to_le_bytes(), &sum(body).to_le_bytes()].concat();
    (head == expected).then_some(body)
}

/// Tells what is torn or cut from what is whole; nobody who may write here is kept out by it.
fn sum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn kept() -> Kept {
        let file =
            |path: &str| FileFacts { path: path.into(), purpose: "Says it.".into(), ..FileFacts::default() };
        let inventory = Arc::new(Inventory { files: vec![file("a"), file("b")] });
        Kept { inventory, complete: true, stamp: None }
    }

    #[test]
    fn what_was_saved_is_loaded_by_the_same_rule_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::new(folder.path(), 7);
        assert!(shelf.load().is_none() && shelf.seal().is_none());
        let stamp = shelf.save(&kept()).expect("room");
        let loaded = shelf.load().expect("what was saved");
        assert_eq!((loaded.inventory, loaded.complete, loaded.stamp), (kept().inventory, true, Some(stamp)));
        assert!(Shelf::new(folder.path(), 8).load().is_none());
        let mode = fs::metadata(folder.path().join(NAME)).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
    }

    #[test]
    fn what_is_broken_is_not_loaded() {
        let (bytes, _) = encode(&kept(), 7).expect("bytes");
        assert!(decode(&bytes, 7).is_some());
        for cut in 0..bytes.len() {
            assert!(decode(&bytes[..cut], 7).is_none(), "cut at {cut}");
            let mut changed = bytes.clone();
            changed[cut] ^= 1;
            assert!(decode(&changed, 7).is_none(), "changed at {cut}");
        }
    }
}
