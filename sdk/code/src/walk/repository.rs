//! Where a git repository keeps what a walk needs to know.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use super::{WalkSettings, config, rules::Rules, tracked::Tracked};
use crate::finding::{Findings, Problem};

/// Longer than any path, for the files that hold nothing but one.
const LONGEST_LINK: u64 = 8192;
/// A configuration is read up to here; one that is larger was not written by hand.
const LONGEST_CONFIG: u64 = 1 << 20;

/// A repository with a work tree.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The folder that holds `.git`.
    pub(crate) top: PathBuf,
    git_folder: PathBuf,
    /// The same as the git folder but in a linked work tree.
    pub(crate) common_folder: PathBuf,
    config: String,
}

impl Repository {
    /// Opens the repository whose work tree begins at a folder. What only looks like one is none, as to git.
    pub(super) fn open(top: &Path) -> Option<Self> {
        let dot = top.join(".git");
        let git_folder = if dot.is_dir() { dot } else { linked(top, &dot)? };
        let common_folder = match text(&git_folder.join("commondir"), LONGEST_LINK) {
            Some(common) => git_folder.join(common.trim_end_matches(['\n', '\r'])),
            None => git_folder.clone(),
        };
        // A head may be a link to a branch that has no commit yet, so that it need not lead anywhere.
        let head = fs::symlink_metadata(git_folder.join("HEAD")).is_ok();
        if !head || !common_folder.join("objects").is_dir() || !common_folder.join("refs").is_dir() {
            return None;
        }
        let common_folder = common_folder.canonicalize().ok()?;
        let config = text(&common_folder.join("config"), LONGEST_CONFIG).unwrap_or_default();
        Some(Self { top: top.to_owned(), git_folder, common_folder, config })
    }

    /// Finds the repository that a folder lies in.
    pub(crate) fn around(folder: &Path) -> Option<Self> {
        folder.ancestors().find_map(Self::open)
    }

    /// Gives the rules of `info/exclude`.
    pub(super) fn excluded(&self, findings: &mut Findings) -> Rules {
        read(&self.common_folder.join("info/exclude"), findings)
    }

    /// Gives the rules that a person has for all repositories, or for this one by its configuration.
    pub(super) fn global(&self, settings: &WalkSettings, findings: &mut Findings) -> Rules {
        match excludes_file(&self.config, settings) {
            Some(path) => read(&path, findings),
            None => Rules::default(),
        }
    }

    /// Gives the address of a remote, as the configuration of the repository itself has it.
    pub(super) fn remote(&self, name: &str) -> Option<String> {
        config::value_below(&self.config, "remote", name, "url")
    }

    /// Whether this is a work tree beside the one that holds the repository.
    pub(super) fn is_linked(&self) -> bool {
        self.git_folder.canonicalize().is_ok_and(|folder| folder != self.common_folder)
    }

    /// Reads the list of tracked files.
    pub(super) fn tracked(&self) -> (Tracked, Option<String>) {
        let sha256 = config::value(&self.config, "extensions", "objectformat");
        let hash = if sha256.is_some_and(|format| format.eq_ignore_ascii_case("sha256")) { 32 } else { 20 };
        Tracked::read(&self.git_folder, hash)
    }
}

/// Gives the rules that hold without a repository: the default file only, since git would read no other.
pub(super) fn global_rules(settings: &WalkSettings, findings: &mut Findings) -> Rules {
    excludes_file("", settings).map_or_else(Rules::default, |path| read(&path, findings))
}

fn read(path: &Path, findings: &mut Findings) -> Rules {
    let (rules, problem) = Rules::read(path, true);
    if let Some(problem) = problem {
        findings.add(Problem::Rules, path.to_string_lossy(), problem);
    }
    rules
}

/// The last configuration that names a file wins: the repository's, the home's, then the one beside the default file.
fn excludes_file(own: &str, settings: &WalkSettings) -> Option<PathBuf> {
    let home = settings.home.as_deref();
    let folder = settings.config_home.clone().or_else(|| Some(home?.join(".config")));
    let of_home = home.and_then(|home| text(&home.join(".gitconfig"), LONGEST_CONFIG));
    let of_folder = folder.as_ref().and_then(|folder| text(&folder.join("git/config"), LONGEST_CONFIG));
    let named = [Some(own), of_home.as_deref(), of_folder.as_deref()]
        .into_iter()
        .flatten()
        .find_map(|config| config::value(config, "core", "excludesfile"));
    match named {
        Some(named) => match named.strip_prefix("~/") {
            Some(below) => Some(home?.join(below)),
            None => Some(PathBuf::from(named)).filter(|path| path.is_absolute()),
        },
        None => folder.map(|folder| folder.join("git/ignore")),
    }
}

/// Follows a `.git` that is a file, as work trees and submodules have it.
fn linked(top: &Path, dot: &Path) -> Option<PathBuf> {
    let line = text(dot, LONGEST_LINK)?;
    let path = line.strip_prefix("gitdir:")?.trim_start_matches(' ').trim_end_matches(['\n', '\r']);
    Some(top.join(path))
}

fn text(path: &Path, most: u64) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
