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

/// The private copy of a library, made when it is not there yet.
pub(super) fn of(library: &Path, cache: Option<&Path>) -> io::Result<PathBuf> {
    let cache = cache.ok_or_else(|| {
        io::Error::other("there is no cache folder: neither XDG_CACHE_HOME nor HOME is set")
    })?;
    let folder = cache.join("libraries");
    private_folder(&folder)?;
    let metadata = open_regular(library).map_err(io::Error::other)?.metadata()?;
    let sum_file =
        folder.join(format!("{}.sum", hex(&Sha256::digest(library.as_os_str().as_encoded_bytes()))));
    if let Some(copy) = remembered(&sum_file, &metadata, &folder) {
        return Ok(copy);
    }
    let bytes = read_regular(library, FILE_CAP).map_err(io::Error::other)?;
    let sum = hex(&Sha256::digest(&bytes));
    let copy = folder.join(format!("{sum}.{}", std::env::consts::DLL_EXTENSION));
    // A copy of the right length was written whole: it came by a rename into a folder that only we write to.
    if fs::symlink_metadata(&copy)
        .ok()
        .is_none_or(|there| !there.is_file() || there.len() != bytes.len() as u64)
    {
        write_private(&copy, &bytes)?;
    }
    write_private(&sum_file, format!("{} {sum}", fingerprint(&metadata)).as_bytes())?;
    Ok(copy)
}

fn remembered(sum_file: &Path, metadata: &Metadata, folder: &Path) -> Option<PathBuf> {
    let line = String::from_utf8(read_regular(sum_file, 1024).ok()?).ok()?;
    let (known, sum) = line.rsplit_once(' ')?;
    let is_sum = sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let copy = folder.join(format!("{sum}.{}", std::env::consts::DLL_EXTENSION));
    let whole =
        || fs::symlink_metadata(&copy).is_ok_and(|there| there.is_file() && there.len() == metadata.len());
    (is_sum && known == fingerprint(metadata) && whole()).then_some(copy)
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
