//! What the repository of a work tree says of it, without running git.

use std::path::Path;

use super::{Repository, tracked::Tracked};
use crate::finding::{Findings, Problem};

/// The work tree of a git repository.
///
/// A [`super::Walker`] shows what git tracks and what is new and not ignored; this tells one from the other.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let git = |arguments: &[&str]| std::process::Command::new("git").args(arguments).current_dir(folder.path()).status();
/// # git(&["init", "-q"])?;
/// std::fs::write(folder.path().join("old.rs"), "")?;
/// std::fs::write(folder.path().join("new.rs"), "")?;
/// # git(&["add", "old.rs"])?;
///
/// use ctxhost_code::walk::{TrackedKind, WorkTree};
/// let tree = WorkTree::open(folder.path()).expect("a work tree");
/// let (tracked, findings) = tree.tracked();
/// assert_eq!(tracked.get(b"old.rs"), Some(TrackedKind::File));
/// assert!(!tracked.has(b"new.rs") && findings.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WorkTree(Repository);

impl WorkTree {
    /// Opens the work tree that begins at a folder; what only looks like one is none. A `.git` that is a file, as linked
    /// work trees and submodules have it, is followed.
    pub fn open(top: &Path) -> Option<Self> {
        Repository::open(&top.canonicalize().ok()?).map(Self)
    }

    /// Finds the work tree that a folder lies in.
    pub fn around(folder: &Path) -> Option<Self> {
        Repository::around(&folder.canonicalize().ok()?).map(Self)
    }

    /// Gives the folder that it begins at, without links.
    pub fn top(&self) -> &Path {
        &self.0.top
    }

    /// Gives the folder of the repository; all work trees of one repository have the same.
    pub fn repository(&self) -> &Path {
        &self.0.common_folder
    }

    /// Whether it is a linked work tree, as `git worktree add` makes them.
    pub fn is_linked(&self) -> bool {
        self.0.is_linked()
    }

    /// Gives the address of a remote, such as `origin`, as the repository's own configuration has it.
    pub fn remote(&self, name: &str) -> Option<String> {
        self.0.remote(name)
    }

    /// Reads what git tracks here. What could not be read is a finding beside what could.
    pub fn tracked(&self) -> (Tracked, Findings) {
        let mut findings = Findings::default();
        let (tracked, problem) = self.0.tracked();
        if let Some(problem) = problem {
            findings.add(Problem::Tracked, self.0.top.to_string_lossy(), problem);
        }
        (tracked, findings)
    }
}

#[cfg(test)]
mod tests;
