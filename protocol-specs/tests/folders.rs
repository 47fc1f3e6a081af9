//! Reading folders of this crate.

use std::fs;
use std::path::{Path, PathBuf};

/// What a folder holds, in order.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
    let mut entries: Vec<_> = listing.map(|entry| entry.expect("a folder can be read").path()).collect();
    entries.sort();
    entries
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().expect("an entry has a name").to_string_lossy().into_owned()
}
