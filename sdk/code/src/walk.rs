//! The files of a project as git would show them: what is tracked, and what is new and not ignored.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    thread,
};

use crate::finding::{Findings, Problem};

mod config;
mod glob;
mod kind;
mod patterns;
mod repository;
mod rules;
mod scope;
mod tracked;
mod tree;
mod work_tree;

pub use kind::{FileKind, HEAD, is_test, kind_of};
pub use patterns::Patterns;
pub(crate) use repository::Repository;
pub use tracked::{Tracked, TrackedKind};
pub use work_tree::WorkTree;

/// How to walk. Environment and home are the caller's to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkSettings {
    /// The person's home directory, for `~/.gitconfig` and its `core.excludesFile`; without it there is none.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`; without it `.config` in the home directory.
    pub config_home: Option<PathBuf>,
    /// How many threads walk, at most 16: as many as there are cores unless set, and no more than four, since more only
    /// wait for the disk.
    pub threads: usize,
    /// How many files are kept; the deepest are left out. The Linux kernel has some 90,000; 200,000 keep a snapshot
    /// below 40 MB.
    pub most_files: usize,
}

impl Default for WalkSettings {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(4);
        Self { home: None, config_home: None, threads, most_files: 200_000 }
    }
}

/// What the system says of a file. Two equal ones mean the same content, but for changes within a tick of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// Its length in bytes.
    pub size: u64,
    /// When its content changed, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Its number on the disk.
    pub inode: u64,
    /// When anything about it changed, in nanoseconds since 1970; unlike `mtime_ns`, programs cannot set it.
    pub ctime_ns: i64,
    /// Its type and permissions.
    pub mode: u32,
}

impl Stat {
    /// Takes over what the system said.
    pub fn of(metadata: &Metadata) -> Self {
        let nanoseconds =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            size: metadata.len(),
            mtime_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            inode: metadata.ino(),
            ctime_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            mode: metadata.mode(),
        }
    }
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the root, with `/`.
    pub path: String,
    /// What the system says of it.
    pub stat: Stat,
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The files, sorted by path.
    pub files: Vec<Entry>,
    /// What was left out and should not have been.
    pub findings: Findings,
}

/// Walks a project.
///
/// Shown is what `git ls-files --cached --others --exclude-standard` shows: nested `.gitignore` files, those above the
/// root in the same work tree, `info/exclude`, the person's global file, and tracked files whatever the rules say. Further:
///
/// - `.ignore` files have the same form, win over git's, and leave out or bring back tracked files too.
/// - Without a repository the ignore files hold all the same.
/// - Submodules and other repositories inside are walked by their own rules; another work tree of the same repository
///   is not walked, since it would show every file twice.
/// - Links are not followed; sockets, pipes and devices are left out.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join(".gitignore"), "*.log\n")?;
/// std::fs::write(folder.path().join("main.rs"), "fn main() {}\n")?;
/// std::fs::write(folder.path().join("debug.log"), "…")?;
///
/// use ctxhost_code::walk::{WalkSettings, Walker};
/// let walked = Walker::new(folder.path(), WalkSettings::default()).walk();
/// let paths: Vec<_> = walked.files.iter().map(|file| file.path.as_str()).collect();
/// assert_eq!(paths, [".gitignore", "main.rs"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walker {
    root: PathBuf,
    settings: WalkSettings,
}

impl Walker {
    /// Prepares a walk; nothing is read yet.
    pub fn new(root: impl Into<PathBuf>, settings: WalkSettings) -> Self {
        Self { root: root.into(), settings }
    }

    /// Walks. What goes wrong is a finding; a root that is not there gives no files and [`Problem::Root`].
    pub fn walk(&self) -> Walked {
        self.walk_until(0, &|| false)
    }

    /// As [`Walker::walk`], until `stop` says so: then there is [`Problem::Unfinished`], and which files were found by then
    /// says nothing about the others. `turn` chooses where it begins, so that walks that are all stopped see other folders.
    pub fn walk_until(&self, turn: u64, stop: &(dyn Fn() -> bool + Sync)) -> Walked {
        let mut findings = Findings::default();
        let root = match self.root.canonicalize() {
            Ok(root) if root.is_dir() => root,
            Ok(_) => return self.rootless("is no folder"),
            Err(error) => return self.rootless(&error.to_string()),
        };
        let scope = scope::Scope::above(&root, &self.settings, &mut findings);
        let (files, met) = tree::files(&root, &scope, &self.settings, turn, stop);
        findings.extend(met);
        Walked { files, findings }
    }

    /// Gives what a walk would find at a path below the root: the file itself, or the files in a folder. Paths are from the
    /// root, with `/`; nothing is found at one that is not there, is left out, or leads elsewhere.
    pub fn below(&self, path: &str) -> Walked {
        let mut findings = Findings::default();
        let Ok(root) = self.root.canonicalize() else { return Walked::default() };
        let mut scope = scope::Scope::above(&root, &self.settings, &mut findings);
        let mut at = root;
        let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
        for (place, step) in steps.iter().enumerate() {
            let Some(inside) = scope.entered(&at, &scope::Names::at(&at), &self.settings, &mut findings)
            else {
                return Walked { files: Vec::new(), findings };
            };
            at.push(step);
            let stat = if matches!(*step, "." | "..") { None } else { at.symlink_metadata().ok() };
            let folder = stat.as_ref().is_some_and(Metadata::is_dir);
            match (inside.next(step.as_bytes(), folder, &mut findings), stat) {
                (Some(scope::Next::Folder(next)), Some(_)) => scope = next,
                (Some(scope::Next::File), Some(stat)) if stat.is_file() && place + 1 == steps.len() => {
                    let file = Entry { path: steps.join("/"), stat: Stat::of(&stat) };
                    return Walked { files: vec![file], findings };
                }
                _ => return Walked { files: Vec::new(), findings },
            }
        }
        let (files, met) = tree::files(&at, &scope, &self.settings, 0, &|| false);
        findings.extend(met);
        Walked { files, findings }
    }

    /// Whether a walk would show what is at a path below the root, or would be if somebody wrote it there: a folder where
    /// there is one, and else a file.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join(".gitignore"), "*.log\ntarget/\n")?;
    ///
    /// use ctxhost_code::walk::{WalkSettings, Walker};
    /// let walker = Walker::new(folder.path(), WalkSettings::default());
    /// assert!(walker.would_show("src/new.rs"));
    /// assert!(!walker.would_show("build.log") && !walker.would_show("target/new.rs"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn would_show(&self, path: &str) -> bool {
        let mut findings = Findings::default();
        let Ok(mut at) = self.root.canonicalize() else { return false };
        let mut scope = scope::Scope::above(&at, &self.settings, &mut findings);
        let mut steps = path.split('/').filter(|step| !step.is_empty()).peekable();
        while let Some(step) = steps.next() {
            let Some(inside) = scope.entered(&at, &scope::Names::at(&at), &self.settings, &mut findings)
            else {
                return false;
            };
            at.push(step);
            let folder = steps.peek().is_some() || at.is_dir();
            match inside.next(step.as_bytes(), folder, &mut findings) {
                Some(scope::Next::Folder(next)) => scope = next,
                Some(scope::Next::File) => return steps.peek().is_none(),
                None => return false,
            }
        }
        true
    }

    fn rootless(&self, detail: &str) -> Walked {
        let mut findings = Findings::default();
        findings.add(Problem::Root, self.root.to_string_lossy(), detail);
        Walked { files: Vec::new(), findings }
    }
}

/// Whether a folder lies in the work tree of a git repository.
pub fn in_work_tree(folder: &Path) -> bool {
    work_tree(folder).is_some()
}

/// The work tree of the git repository that a folder lies in, without links.
pub fn work_tree(folder: &Path) -> Option<PathBuf> {
    Repository::around(&folder.canonicalize().ok()?).map(|repository| repository.top)
}

#[cfg(test)]
pub(crate) mod tests;
