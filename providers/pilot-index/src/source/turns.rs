//! What is known of a session's turn, kept between processes that each live for one event.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use ctxhost_sdk::serde_json;
use serde::{Serialize, de::DeserializeOwned};

/// A turn's texts have an end, so a larger file is not ours.
const LARGEST: u64 = 256 * 1024;

/// How many sessions are kept; those whose end nobody told go when there are more.
const MOST: usize = 200;

/// The turns of sessions, a file each.
#[derive(Clone, Debug)]
pub(crate) struct Turns(Option<PathBuf>);

impl Turns {
    /// Turns below the provider's own folder; without one nothing is kept.
    pub(crate) fn below(state: Option<&Path>) -> Self {
        Self(state.map(|state| state.join("turns")))
    }

    /// What is known of a session.
    pub(crate) fn read<T: DeserializeOwned>(&self, session: &str) -> Option<T> {
        let mut bytes = Vec::new();
        fs::File::open(self.file(session)?).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps it; a turn that cannot be kept costs the prompt in the episode, and nothing else.
    pub(crate) fn keep(&self, session: &str, turn: &impl Serialize) {
        let Some(file) = self.file(session) else { return };
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let keep = || -> std::io::Result<()> {
            let folder = file.parent().unwrap_or(Path::new(""));
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            Self::make_room(folder);
            let mut options = OpenOptions::new();
            let mut out = options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            out.write_all(&serde_json::to_vec(turn)?)?;
            fs::rename(&new, &file)
        };
        if keep().is_err() {
            let _ = fs::remove_file(new);
        }
    }

    /// Forgets it.
    pub(crate) fn forget(&self, session: &str) {
        if let Some(file) = self.file(session) {
            let _ = fs::remove_file(file);
        }
    }

    fn make_room(folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let surplus = files.len().saturating_sub(MOST);
        files.iter().take(surplus).for_each(|(_, file)| drop(fs::remove_file(file)));
    }

    fn file(&self, session: &str) -> Option<PathBuf> {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        session.bytes().for_each(|byte| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        Some(self.0.as_ref()?.join(format!("{hash:016x}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::memory::record::Turn;

    #[test]
    fn a_turn_outlives_its_process_and_not_its_session() {
        let folder = tempfile::tempdir().expect("a folder");
        let turns = Turns::below(Some(folder.path()));
        assert_eq!(turns.read::<Turn>("s"), None);
        let mut turn = Turn::default();
        turn.prompt("Fix it");
        turns.keep("s", &turn);
        assert_eq!(turns.read("s"), Some(turn.clone()));
        assert_eq!(turns.read::<Turn>("other"), None);
        turns.forget("s");
        assert_eq!(turns.read::<Turn>("s"), None);
        (0..MOST + 20).for_each(|n| turns.keep(&n.to_string(), &turn));
        let left = fs::read_dir(folder.path().join("turns")).expect("a folder").count();
        assert!(left <= MOST + 1, "{left}");
        Turns::below(None).keep("s", &turn);
    }
}
