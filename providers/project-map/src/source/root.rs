//! Where the project of a folder begins: maps of a whole work tree are also those of every folder in it.

use std::path::{Path, PathBuf};

use ctxhost_code::walk;
use ctxhost_sdk::protocol::project_map::PROJECT_FILE;

use super::artifacts::Store;
use crate::{select::pair::Kind, settings::Config};

/// A project's root, and where in it somebody stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    /// The folder that it was found from, below the root; empty for the root itself.
    pub(crate) from: String,
}

/// Finds the root for a folder: itself, or the nearest one above it in the same work tree that has the maps of a whole
/// project or settings for them. `config` says where maps lie.
pub(crate) fn of(folder: &Path, config: &Config) -> Root {
    let itself = || Root { path: folder.to_owned(), from: String::new() };
    match begins(folder, config) {
        Some(true) => itself(),
        _ => above(folder, config).unwrap_or_else(itself),
    }
}

fn above(folder: &Path, config: &Config) -> Option<Root> {
    let top = walk::work_tree(folder)?;
    let real = folder.canonicalize().ok()?;
    let all: Vec<&Path> = real.ancestors().skip(1).take_while(|above| above.starts_with(&top)).collect();
    let sure = all.iter().find(|above| begins(above, config) == Some(true));
    // Of artifacts that cannot be read the highest are most likely those of a whole project.
    let root = *sure.or_else(|| all.iter().rev().find(|above| begins(above, config).is_none()))?;
    let from = real.strip_prefix(root).ok()?;
    // As the user calls it, where that is the same place.
    let called = folder.ancestors().nth(from.components().count());
    let called = called.filter(|called| called.canonicalize().is_ok_and(|called| called == root));
    Some(Root { path: called.unwrap_or(root).to_owned(), from: from.to_str()?.to_owned() })
}

/// Whether a project begins in a folder; `None` where its artifacts cannot be read.
fn begins(folder: &Path, config: &Config) -> Option<bool> {
    if folder.join(PROJECT_FILE).symlink_metadata().is_ok() {
        return Some(true);
    }
    let store = Store::at(folder, config);
    let read = Kind::BOTH.map(|kind| store.read("", kind));
    let is_root = read.iter().flatten().flatten().filter_map(|found| found.header.as_ref());
    if is_root.into_iter().any(|header| header.dir.is_empty()) {
        return Some(true);
    }
    read.iter().all(Result::is_ok).then_some(false)
}
