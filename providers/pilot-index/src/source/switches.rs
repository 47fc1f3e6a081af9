//! What a person has switched off with a command, kept for the project until it is switched on again.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use ctxhost_sdk::serde_json;
use serde::{Deserialize, Serialize};

/// The two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Switches {
    /// Whether code and episodes are offered at all.
    pub(crate) retrieval: bool,
    /// Whether episodes are stored and retrieved.
    pub(crate) memory: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { retrieval: true, memory: true }
    }
}

/// Where they are kept: below the provider's own folder, never in the project.
#[derive(Clone, Debug)]
pub(crate) struct Board(Option<PathBuf>);

impl Board {
    pub(crate) fn below(state: Option<&Path>) -> Self {
        Self(state.map(|state| state.join("switches")))
    }

    /// How a project's switches stand.
    pub(crate) fn read(&self, project: &Path) -> Switches {
        let read = || {
            let mut bytes = Vec::new();
            fs::File::open(self.file(project)?).ok()?.take(4_096).read_to_end(&mut bytes).ok()?;
            serde_json::from_slice(&bytes).ok()
        };
        read().unwrap_or_default()
    }

    /// Keeps them; false when there is no place for it.
    pub(crate) fn keep(&self, project: &Path, switches: Switches) -> io::Result<()> {
        let Some(file) = self.file(project) else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no folder for what must be kept"));
        };
        if switches == Switches::default() {
            return match fs::remove_file(file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        DirBuilder::new().recursive(true).mode(0o700).create(file.parent().unwrap_or(Path::new("")))?;
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        out.write_all(&serde_json::to_vec(&switches)?)?;
        fs::rename(new, file)
    }

    fn file(&self, project: &Path) -> Option<PathBuf> {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let bytes = project.as_os_str().as_encoded_bytes();
        bytes.iter().for_each(|byte| hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
        Some(self.0.as_ref()?.join(format!("{hash:016x}.json")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_outlives_its_process_and_belongs_to_its_project() {
        let folder = tempfile::tempdir().expect("a folder");
        let board = Board::below(Some(folder.path()));
        let off = Switches { retrieval: false, memory: true };
        assert_eq!(board.read(Path::new("/a")), Switches::default());
        board.keep(Path::new("/a"), off).expect("it is kept");
        assert_eq!((board.read(Path::new("/a")), board.read(Path::new("/b"))), (off, Switches::default()));
        board.keep(Path::new("/a"), Switches::default()).expect("it is kept");
        assert_eq!(fs::read_dir(folder.path().join("switches")).expect("a folder").count(), 0);
        assert!(Board::below(None).keep(Path::new("/a"), off).is_err());
    }
}
