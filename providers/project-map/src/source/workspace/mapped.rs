//! Which of a project's files are mapped.

use std::sync::Arc;

use super::Kept;
use crate::{
    select::{
        ignore::{Ignore, Seen},
        inventory::{FileFacts, Inventory},
    },
    settings::Config,
    source::{artifacts, folder::UNFINISHED},
};

/// Adds files of which little is known.
pub(super) fn with(kept: &Kept, bare: Vec<FileFacts>) -> Kept {
    let mut files = kept.inventory.files.clone();
    files.extend(bare);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Kept { inventory: Arc::new(Inventory { files }), complete: kept.complete, stamp: None }
}

/// Whether a file is one of ours, wherever it lies, or what a process that was killed left of one.
pub(super) fn is_artifact(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let unfinished = name.starts_with(".pi-map.") && name.ends_with(UNFINISHED);
    unfinished || artifacts::is_one(path)
}

/// The patterns of what is not mapped.
pub(super) fn left_out(config: &Config) -> Vec<String> {
    let own = config.artifact_dir.as_deref().map(|dir| format!("/{}/", dir.trim_matches('/')));
    config.ignore_patterns.iter().cloned().chain(own).collect()
}

/// Leaves out what the settings leave out, and the folder of the artifacts.
pub(super) fn mapped(inventory: &Arc<Inventory>, config: &Config) -> Arc<Inventory> {
    let ignore = Ignore::new(&left_out(config));
    let mut seen = Seen::default();
    let out: Vec<bool> = inventory.files.iter().map(|file| ignore.has(&file.path, &mut seen)).collect();
    if !out.contains(&true) {
        return Arc::clone(inventory);
    }
    let files =
        inventory.files.iter().zip(out).filter(|(_, out)| !out).map(|(file, _)| file.clone()).collect();
    Arc::new(Inventory { files })
}
