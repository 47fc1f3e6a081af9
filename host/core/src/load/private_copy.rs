//! A third-party library runs from a private copy named by its content.
//!
//! Overwriting a library that is loaded crashes the process, and loading the same path again gives the old code; a
//! copy named by its SHA-256 has neither fault.
//! The hash is remembered by path, inode, size and times, so that a prompt does not hash a megabyte.

use std::{
    fs::{self, Metadata},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::files::{open_regular, read_regular, write_private};

/// As in [`preflight`](super::preflight): nothing larger is a provider.
const FILE_CAP: u64 = 512 * 1024 * 1024;

/// A copy that may be opened, or one that has to be tried out before it is [kept](Copy::keep).
pub(super) struct Copy {
    /// Where it lies.
    pub(super) path: PathBuf,
    /// Where it will lie once it was tried out; `None` for one that was.
    place: Option<PathBuf>,
}

impl Copy {
    pub(super) fn is_new(&self) -> bool {
        self.place.is_some()
    }

    /// Lays a copy that stood the trial where the next process finds it, and says where that is.
    pub(super) fn keep(self) -> io::Result<PathBuf> {
        let Some(place) = self.place else { return Ok(self.path) };
        match fs::rename(&self.path, &place) {
            // Another process was as far as this one, and a moment earlier.
            Err(error) if error.kind() == io::ErrorKind::NotFound && place.is_file() => {}
            renamed => renamed?,
        }
        Ok(place)
    }
}

/// The private copy of a library, made when it is not there yet.
pub(super) fn of(library: &Path, cache: Option<&Path>) -> io::Result<Copy> {
    let cache = cache.ok_or_else(|| {
        io::Error::other("there is no cache folder: neither XDG_CACHE_HOME nor HOME is set")
    })?;
    let folder = cache.join("libraries");
    private_folder(&folder)?;
    let metadata = open_regular(library).map_err(io::Error::other)?.metadata()?;
    let sum_file =
        folder.join(format!("{}.sum", hex(&Sha256::digest(library.as_os_str().as_encoded_bytes()))));
    if let Some(path) = remembered(&sum_file, &metadata, &folder) {
        return Ok(Copy { path, place: None });
    }
    let earlier = sum_in(&sum_file);
    let bytes = read_regular(library, FILE_CAP).map_err(io::Error::other)?;
    let sum = hex(&Sha256::digest(&bytes));
    let copy = copy_of(&folder, &sum);
    write_private(&sum_file, format!("{} {sum}", fingerprint(&metadata)).as_bytes())?;
    if let Some(earlier) = earlier.filter(|(_, earlier)| *earlier != sum) {
        // A process that has it open keeps it; whoever has another library of the same content copies it again.
        let _ = fs::remove_file(copy_of(&folder, &earlier.1));
    }
    // A copy of the right length was written whole: it came by a rename into a folder that only we write to.
    if is_whole(&copy, bytes.len() as u64) {
        return Ok(Copy { path: copy, place: None });
    }
    let new = copy.with_extension("new");
    write_private(&new, &bytes)?;
    Ok(Copy { path: new, place: Some(copy) })
}

fn remembered(sum_file: &Path, metadata: &Metadata, folder: &Path) -> Option<PathBuf> {
    let (known, sum) = sum_in(sum_file)?;
    let copy = copy_of(folder, &sum);
    (known == fingerprint(metadata) && is_whole(&copy, metadata.len())).then_some(copy)
}

/// What was known of a library when it was last hashed, and its hash.
fn sum_in(sum_file: &Path) -> Option<(String, String)> {
    let line = String::from_utf8(read_regular(sum_file, 1024).ok()?).ok()?;
    let (known, sum) = line.rsplit_once(' ')?;
    let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_sum.then(|| (known.to_owned(), sum.to_owned()))
}

fn copy_of(folder: &Path, sum: &str) -> PathBuf {
    folder.join(format!("{sum}.{}", std::env::consts::DLL_EXTENSION))
}

fn is_whole(copy: &Path, length: u64) -> bool {
    fs::symlink_metadata(copy).is_ok_and(|there| there.is_file() && there.len() == length)
}

fn fingerprint(metadata: &Metadata) -> String {
    format!(
        "{} {} {} {}.{} {}.{}",
        metadata.dev(),
        metadata.ino(),
        metadata.len(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

/// The folder must be ours alone, since what lies in it is run.
fn private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let metadata = fs::symlink_metadata(folder)?;
    let ours = metadata.is_dir()
        && metadata.uid() == rustix::process::geteuid().as_raw()
        && metadata.mode() & 0o022 == 0;
    if ours {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "{} is not a folder that only its owner may write to",
            folder.display()
        )))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
