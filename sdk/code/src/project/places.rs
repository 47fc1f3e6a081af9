//! What a provider is told of its surroundings, as settings of a project.

use std::path::PathBuf;

use super::{ProjectSettings, SECRET_FILES};
use crate::{grammar::Grammars, walk::WalkSettings};

/// Where a provider may keep and find things, the same for every project that it opens.
///
/// Each field is what a method of the SDK's `Setup` gives, named behind it.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (root, cache) = (folder.path().join("project"), folder.path().join("cache"));
/// # std::fs::create_dir(&root)?;
/// use ctxhost_code::project::{Places, Project};
///
/// let places = Places { cache: Some(cache), max_files: 200_000, ..Places::default() };
/// let project = Project::open(&root, places.project())?;
/// # assert!(project.folder().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The cache that all providers share, `code_cache_dir`; without it everything is kept in memory.
    pub cache: Option<PathBuf>,
    /// The person's home folder, `home_dir`.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, `config_dir`; without it `.config` in the home folder.
    pub config_home: Option<PathBuf>,
    /// Folders with grammars, the first place first, `grammar_dirs`.
    pub grammars: Vec<PathBuf>,
    /// How many files of a project are looked at; the deepest are left out.
    pub max_files: usize,
}

impl Default for Places {
    /// No place at all, and as many files as a walk keeps.
    fn default() -> Self {
        Self {
            cache: None,
            home: None,
            config_home: None,
            grammars: Vec::new(),
            max_files: WalkSettings::default().most_files,
        }
    }
}

impl Places {
    /// Gives how to walk.
    pub fn walk(&self) -> WalkSettings {
        WalkSettings {
            home: self.home.clone(),
            config_home: self.config_home.clone(),
            most_files: self.max_files,
            ..WalkSettings::default()
        }
    }

    /// Gives what a project is opened with.
    ///
    /// Files that hold secrets are found by their path alone ([`SECRET_FILES`]): what they hold would lie in a cache that
    /// others read too, and providers that have one rule share one index.
    pub fn project(&self) -> ProjectSettings {
        ProjectSettings {
            cache: self.cache.clone(),
            walk: self.walk(),
            path_only: Some(SECRET_FILES),
            ..ProjectSettings::new(Grammars::new(self.grammars.clone()))
        }
    }
}
