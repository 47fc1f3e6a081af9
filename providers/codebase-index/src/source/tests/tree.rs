//! Work trees for tests, made by git itself.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use ctxhost_code::{grammar::Grammars, walk::WalkSettings};
use tempfile::TempDir;

use crate::source::{
    engine::Places,
    files::{self, Listing},
    limits::Limits,
    stop::Stop,
    workspace::{self, Repo},
};

/// A folder with a home, a cache and a state beside it.
pub(crate) struct Workspace(TempDir);

impl Workspace {
    pub(crate) fn new() -> Self {
        let workspace = Self(TempDir::new().unwrap());
        fs::create_dir(workspace.path("home")).unwrap();
        fs::create_dir(workspace.path("work")).unwrap();
        workspace
    }

    /// A workspace that is one repository, with these files tracked.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        workspace.git("work", &["init", "-q"]);
        files.iter().for_each(|(name, text)| workspace.write(&format!("work/{name}"), text));
        workspace.git("work", &["add", "-A"]);
        workspace
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Runs git without anybody's own configuration.
    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) -> String {
        let run = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"])
            .args(arguments)
            .current_dir(self.path(folder))
            .env("HOME", self.path("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .env_remove("GIT_INDEX_FILE")
            .output()
            .unwrap();
        assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8_lossy(&run.stdout).into_owned()
    }

    pub(crate) fn commit(&self, folder: &str) {
        self.git(folder, &["add", "-A"]);
        self.git(folder, &["commit", "-qm", "a change"]);
    }

    pub(crate) fn limits(&self) -> Limits {
        let walk = WalkSettings { home: Some(self.path("home")), ..WalkSettings::default() };
        Limits { walk, threads: 2, ..Limits::default() }
    }

    pub(crate) fn places(&self) -> Places {
        Places { cache: Some(self.path("cache")), grammars: grammars() }
    }

    pub(crate) fn repos(&self, folder: &str) -> Vec<Repo> {
        workspace::repos(&self.path(folder), &self.limits(), Some(&self.path("state"))).0
    }

    pub(crate) fn repo(&self) -> Repo {
        self.repos("work").remove(0)
    }

    pub(crate) fn list(&self, limits: &Limits) -> Listing {
        files::list(&self.repo(), limits, Some(&self.path("cache")), &Stop::default()).unwrap()
    }
}

/// The library of grammars is built beside the test.
pub(crate) fn grammars() -> Grammars {
    let beside: &Path = &std::env::current_exe().unwrap();
    Grammars::new(vec![beside.parent().unwrap().to_owned()])
}
