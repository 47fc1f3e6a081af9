//! What a person has switched off with a command, kept for the project until it is switched on again.

use std::{io, path::Path};

use ctxhost_sdk::StateFolder;
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
pub(crate) struct Board(StateFolder);

impl Board {
    pub(crate) fn below(state: Option<&Path>) -> Self {
        Self(StateFolder::below(state, "switches"))
    }

    /// How a project's switches stand.
    pub(crate) fn read(&self, project: &Path) -> Switches {
        self.0.read(name(project)).unwrap_or_default()
    }

    /// Keeps them.
    pub(crate) fn keep(&self, project: &Path, switches: Switches) -> io::Result<()> {
        if switches == Switches::default() {
            return self.0.forget(name(project));
        }
        self.0.keep(name(project), &switches)
    }
}

fn name(project: &Path) -> &[u8] {
    project.as_os_str().as_encoded_bytes()
}

#[cfg(test)]
mod tests {
    use std::fs;

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
