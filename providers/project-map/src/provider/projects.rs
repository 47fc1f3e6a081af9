//! The projects that were asked about, each opened once.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use ctxhost_code::project::Places;
use ctxhost_sdk::Recent;

use crate::source::workspace::Workspace;

/// How many projects stay open; a host that works in more forgets the one that was asked about longest ago.
const MOST: usize = 32;

/// The projects.
pub(super) struct Projects {
    places: Places,
    open: Recent<PathBuf, Arc<Workspace>>,
}

impl Projects {
    pub(super) fn new(places: Places) -> Self {
        Self { places, open: Recent::new(MOST) }
    }

    /// The project in a folder, opened when it is not; an error says why it is not read as one.
    pub(super) fn of(&self, root: &Path) -> Result<Arc<Workspace>, String> {
        let open =
            || Workspace::open(root, &self.places).map(Arc::new).map_err(|refused| refused.to_string());
        self.open.get_or_try_make(root, open)
    }
}
