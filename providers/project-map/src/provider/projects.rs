//! The projects that were asked about, each opened once.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::source::workspace::{Places, Workspace};

/// How many projects stay open; a host that works in more forgets the one that was asked about longest ago.
const MOST: usize = 32;

/// The projects.
pub(super) struct Projects {
    places: Places,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    /// With the number of the question that asked for it last.
    workspaces: HashMap<PathBuf, (u64, Arc<Workspace>)>,
    questions: u64,
}

impl Projects {
    pub(super) fn new(places: Places) -> Self {
        Self { places, open: Mutex::default() }
    }

    /// The project in a folder, opened when it is not; an error says why it is not read as one.
    pub(super) fn of(&self, root: &Path) -> Result<Arc<Workspace>, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.questions += 1;
        let question = open.questions;
        if let Some((asked, workspace)) = open.workspaces.get_mut(root) {
            *asked = question;
            return Ok(Arc::clone(workspace));
        }
        let workspace = Workspace::open(root, &self.places).map_err(|refused| refused.to_string())?;
        let workspace = Arc::new(workspace);
        open.workspaces.insert(root.to_owned(), (question, Arc::clone(&workspace)));
        if open.workspaces.len() > MOST {
            let oldest =
                open.workspaces.iter().min_by_key(|(_, (asked, _))| *asked).map(|(root, _)| root.clone());
            oldest.and_then(|oldest| open.workspaces.remove(&oldest));
        }
        Ok(workspace)
    }
}
