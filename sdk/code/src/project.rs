//! One project: which files it has now, and what was found in them.
//!
//! A [`Project`] ties the other modules together. [`Project::sync`] looks at the files, [`Project::update`] parses and
//! counts those that the index does not have in their present state, [`Project::view`] says what is current and what is
//! missing, and [`Project::scan`] looks for words in what is missing, so that a question about a repository that was
//! never seen before is answered long before everything is parsed.
//!
//! What was found lies in one cache folder a project, which providers and processes share. Each provider has its own copy
//! of this crate, even within one process, so that they meet only in that folder: under a lock for each of the two things
//! that are done once for all, walking and indexing. Reading needs no lock. Whatever goes wrong with the folder, the
//! answer is the same from memory, with one finding.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
//! # std::fs::create_dir(&root)?;
//! use ctxhost_code::{grammar::Grammars, project::{Pace, Project, ProjectSettings}};
//! use std::time::SystemTime;
//! std::fs::write(root.join("main.py"), "def parse_line(): pass\n")?;
//!
//! let settings = ProjectSettings { cache: Some(cache), ..ProjectSettings::new(Grammars::new(Vec::new())) };
//! let project = Project::open(&root, settings)?;
//! let synced = project.sync(SystemTime::now());
//! assert_eq!(synced.changes.added, ["main.py"]);
//!
//! // Nothing is indexed yet; the words are looked for in the files themselves.
//! let view = project.view();
//! assert_eq!(project.scan(&view, &["pars".to_owned()], &|| false).hits[0].path, "main.py");
//!
//! project.update(Pace::Now, &|| false, &mut |_done, _total| {});
//! assert_eq!(project.view().reader.postings("pars")?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, atomic::AtomicUsize},
    thread,
};

use crate::{
    grammar::Grammars,
    index::{Disk, FileSystem, Reader},
    snapshot::Snapshot,
    walk::{self, WalkSettings},
};

mod gate;
mod pace;
mod parse;
mod place;
mod places;
mod scan;
mod secret_files;
mod sync;
mod text;
mod update;
mod version;
mod view;

pub use pace::{Asking, Pace};
pub use places::Places;
pub use scan::{Hit, Scanned};
pub use secret_files::{SECRET_FILES, holds_secrets};
pub use sync::Synced;
pub use update::{Outcome, Updated};
pub use view::View;

use gate::Gate;
use place::Place;
use update::Kept;

/// More threads than this mostly wait for the one that writes the index.
const MOST_THREADS: usize = 8;

/// Which files are found by their path alone: nothing of what they hold goes into the index or is scanned.
#[derive(Clone, Copy, Debug)]
pub struct PathOnly {
    /// A name for the rule; an index that was made by another rule is another index.
    pub rule: &'static str,
    /// Says it of a path below the root.
    pub holds: fn(&str) -> bool,
}

/// What a project needs to know of its surroundings.
#[derive(Clone)]
pub struct ProjectSettings {
    /// The folder below which every project has a cache folder of its own; without it everything is kept in memory.
    pub cache: Option<PathBuf>,
    /// How to walk; the person's home, which is never read as a whole, is in there.
    pub walk: WalkSettings,
    /// What symbols are found by.
    pub grammars: Grammars,
    /// How many threads hash, parse and scan.
    pub threads: usize,
    /// By what the cache is written.
    pub disk: Arc<dyn Disk>,
    /// Files that hold secrets, such as `.env`; without a rule all text is indexed.
    pub path_only: Option<PathOnly>,
}

impl ProjectSettings {
    /// Gives settings without a cache, with as many threads as there are cores, at most eight.
    pub fn new(grammars: Grammars) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        Self {
            cache: None,
            walk: WalkSettings::default(),
            grammars,
            threads,
            disk: Arc::new(FileSystem),
            path_only: None,
        }
    }
}

/// The folder is not read as a project.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} holds more than a project and is no git work tree", .root.display())]
pub struct Refused {
    /// The folder.
    pub root: PathBuf,
}

/// A project. All of it may be used by several threads at once.
pub struct Project {
    root: PathBuf,
    settings: ProjectSettings,
    place: Option<Place>,
    version: OnceLock<u64>,
    state: Mutex<State>,
    /// Held while this copy of the project walks.
    walking: Mutex<()>,
    /// Held while this copy of the project indexes; the writer stays for what the disk did not take.
    writing: Mutex<Option<Kept>>,
    gate: Arc<Gate>,
    asking: AtomicUsize,
}

/// What is known at the moment.
struct State {
    snapshot: Arc<Snapshot>,
    reader: Reader,
    /// Counts the readers, since an index in memory does not count its own changes.
    published: u64,
    /// Whether the reader has what the cache folder has not, because that cannot be written.
    detached: bool,
    view: Option<Arc<View>>,
}

impl Project {
    /// Opens a project; nothing is read yet.
    ///
    /// # Errors
    ///
    /// When the root is `/`, the person's home directory or above it, and no git work tree: nobody means to have all of
    /// that read.
    pub fn open(root: &Path, settings: ProjectSettings) -> Result<Self, Refused> {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = canonical(root);
        let home = settings.walk.home.as_deref().map(canonical);
        let wide = root.parent().is_none() || home.is_some_and(|home| home.starts_with(&root));
        if wide && !walk::in_work_tree(&root) {
            return Err(Refused { root });
        }
        let place = settings.cache.as_deref().map(|cache| Place::new(cache, &root));
        let state = State {
            snapshot: Arc::default(),
            reader: Reader::empty(0),
            published: 0,
            detached: false,
            view: None,
        };
        let gate = Arc::new(Gate::new(Arc::clone(&settings.disk)));
        Ok(Self {
            root,
            gate,
            settings,
            place,
            version: OnceLock::new(),
            state: Mutex::new(state),
            walking: Mutex::default(),
            writing: Mutex::default(),
            asking: AtomicUsize::new(0),
        })
    }

    /// Gives the root, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Gives the project's own cache folder; it need not be there yet.
    pub fn folder(&self) -> Option<&Path> {
        self.place.as_ref().map(Place::folder)
    }

    /// Makes the project's own cache folder where it is not there yet, for a caller that keeps or locks something in it
    /// before anything was looked at. Without a cache nothing is made.
    ///
    /// # Errors
    ///
    /// With what the system said.
    pub fn make_folder(&self) -> std::io::Result<()> {
        self.place.as_ref().map_or(Ok(()), |place| place.make(&*self.settings.disk))
    }

    /// Gives the state of the last [`Project::sync`]; empty before the first.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.state().snapshot)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing but the path of a file is to be kept.
    fn is_path_only(&self, path: &str) -> bool {
        self.settings.path_only.is_some_and(|only| (only.holds)(path))
    }

    fn version(&self) -> u64 {
        *self.version.get_or_init(|| {
            version::of(&self.settings.grammars, self.settings.path_only.map(|only| only.rule))
        })
    }

    /// The folder of the index; `None` when everything is kept in memory.
    fn index_folder(&self) -> Option<PathBuf> {
        self.place.as_ref().map(|place| place.index(self.version()))
    }
}

#[cfg(test)]
mod tests;
