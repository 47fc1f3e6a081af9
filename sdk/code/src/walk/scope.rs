//! Which rules hold in a folder, and what they say of the names in it.

use std::{
    fs::DirEntry,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use super::{
    WalkSettings,
    repository::{self, Repository},
    rules::{Rules, Verdict},
    tracked::Tracked,
};
use crate::finding::{Findings, Problem};

/// Folders in which other version control systems keep their copies; git would show them, nobody wants them read.
const OTHER_SYSTEMS: [&[u8]; 3] = [b".hg", b".svn", b".jj"];

/// Which of the names that matter are in a folder.
#[derive(Default)]
pub(super) struct Names {
    git: bool,
    git_ignore: bool,
    ignore: bool,
}

impl Names {
    pub(super) fn of(entries: &[DirEntry]) -> Self {
        let mut names = Self::default();
        for entry in entries {
            match entry.file_name().as_bytes() {
                b".git" => names.git = true,
                b".gitignore" => names.git_ignore = true,
                b".ignore" => names.ignore = true,
                _ => {}
            }
        }
        names
    }

    /// As [`Names::of`], without listing the folder.
    pub(super) fn at(folder: &Path) -> Self {
        let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
        Self { git: has(".git"), git_ignore: has(".gitignore"), ignore: has(".ignore") }
    }
}

/// What a name is to the walk.
pub(super) enum Next {
    File,
    Folder(Scope),
}

/// The rules that hold in a folder. Paths are below the top: that of the outermost repository, or else the root.
#[derive(Clone)]
pub(super) struct Scope {
    inside: Arc<Inside>,
    git: Option<Arc<Node>>,
    /// The chain of `.ignore` files. They are the person's word to tools, so they reach into repositories further down
    /// and win over what git says.
    tools: Option<Arc<Node>>,
    /// The folder's path with a slash behind it; empty for the top.
    path: Vec<u8>,
    /// How much of a path is above the walk's root.
    above: usize,
    /// Whether git ignores the folder, so that only tracked files count.
    only_tracked: bool,
}

/// The rules of one folder, and those of the folders above it.
struct Node {
    rules: Rules,
    base: usize,
    above: Option<Arc<Node>>,
}

/// A repository, or the lack of one.
struct Inside {
    repository: Option<Repository>,
    base: usize,
    excluded: Rules,
    global: Rules,
    tracked: OnceLock<Tracked>,
    /// The folders that the repositories around keep their history in.
    histories: Vec<PathBuf>,
}

impl Scope {
    /// Gives the rules that hold above a root, which must be absolute and free of links.
    pub(super) fn above(root: &Path, settings: &WalkSettings, findings: &mut Findings) -> Self {
        let repository = Repository::around(root);
        let below = repository.as_ref().and_then(|found| root.strip_prefix(&found.top).ok());
        let below = below.unwrap_or(Path::new("")).to_owned();
        let inside = Arc::new(Inside::new(repository, 0, Vec::new(), settings, findings));
        let mut scope =
            Self { inside, git: None, tools: None, path: Vec::new(), above: 0, only_tracked: false };
        let mut folder = scope.inside.top().unwrap_or(root).to_owned();
        for step in &below {
            scope.read_rules(&folder, &Names { git: false, git_ignore: true, ignore: true }, findings);
            // Whoever starts in an ignored folder wants to see what is in it.
            let shut = !matches!(scope.next(step.as_bytes(), true, findings), Some(Next::Folder(next)) if !next.only_tracked);
            if shut {
                (scope.git, scope.tools) = (None, None);
            }
            folder.push(step);
            scope.path = [&scope.path, step.as_bytes(), b"/"].concat();
        }
        scope.above = scope.path.len();
        scope
    }

    /// Gives the rules inside the folder itself; `None` when it is not to be read.
    pub(super) fn entered(
        &self,
        folder: &Path,
        names: &Names,
        settings: &WalkSettings,
        findings: &mut Findings,
    ) -> Option<Self> {
        let mut scope = self.clone();
        let other = names.git && self.path.len() != self.inside.base;
        if let Some(repository) = other.then(|| Repository::open(folder)).flatten() {
            // Another work tree of the same repository holds the same files a second time.
            if self.inside.histories.contains(&repository.common_folder) {
                return None;
            }
            let histories = self.inside.histories.clone();
            let inside = Inside::new(Some(repository), self.path.len(), histories, settings, findings);
            (scope.inside, scope.git, scope.only_tracked) = (Arc::new(inside), None, false);
        }
        scope.read_rules(folder, names, findings);
        Some(scope)
    }

    /// Says what a name in this folder is to the walk; `None` when it is left out.
    pub(super) fn next(&self, name: &[u8], folder: bool, findings: &mut Findings) -> Option<Next> {
        if name == b".git" || folder && OTHER_SYSTEMS.contains(&name) {
            return None;
        }
        let path = [&self.path, name].concat();
        let said = verdict(self.tools.as_ref(), &path, folder);
        let ignored = match said {
            Some(Verdict::Ignored) => return None,
            Some(Verdict::Kept) => false,
            None => self.only_tracked || self.ignored_by_git(&path, folder),
        };
        if !folder {
            return (!ignored || self.inside.tracked(findings).has(&path[self.inside.base..]))
                .then_some(Next::File);
        }
        if ignored {
            let tracked = self.inside.tracked(findings);
            let below = &path[self.inside.base..];
            // A submodule is tracked itself.
            if !tracked.has(below) && !tracked.has_below(below) {
                return None;
            }
        }
        let path = [path.as_slice(), b"/"].concat();
        Some(Next::Folder(Self { path, only_tracked: ignored, ..self.clone() }))
    }

    /// Gives the path of a name in this folder as the walk shows it.
    pub(super) fn shown(&self, name: &str) -> String {
        let folder = String::from_utf8_lossy(&self.path[self.above..]);
        [&folder, name].concat()
    }

    fn ignored_by_git(&self, path: &[u8], folder: bool) -> bool {
        let below = &path[self.inside.base..];
        verdict(self.git.as_ref(), path, folder)
            .or_else(|| self.inside.excluded.verdict(below, folder))
            .or_else(|| self.inside.global.verdict(below, folder))
            == Some(Verdict::Ignored)
    }

    fn read_rules(&mut self, folder: &Path, names: &Names, findings: &mut Findings) {
        if names.git_ignore && !self.only_tracked {
            // Git follows no link there.
            let above = self.git.take();
            self.git = self.node(above, &folder.join(".gitignore"), false, findings);
        }
        if names.ignore {
            let above = self.tools.take();
            self.tools = self.node(above, &folder.join(".ignore"), true, findings);
        }
    }

    fn node(
        &self,
        above: Option<Arc<Node>>,
        file: &Path,
        follow: bool,
        findings: &mut Findings,
    ) -> Option<Arc<Node>> {
        let (rules, problem) = Rules::read(file, follow);
        if let Some(problem) = problem {
            findings.add(Problem::Rules, file.to_string_lossy(), problem);
        }
        if rules.is_empty() {
            return above;
        }
        Some(Arc::new(Node { rules, base: self.path.len(), above }))
    }
}

impl Inside {
    fn new(
        repository: Option<Repository>,
        base: usize,
        mut histories: Vec<PathBuf>,
        settings: &WalkSettings,
        findings: &mut Findings,
    ) -> Self {
        let (excluded, global) = match &repository {
            Some(found) => (found.excluded(findings), found.global(settings, findings)),
            None => (Rules::default(), repository::global_rules(settings, findings)),
        };
        histories.extend(repository.as_ref().map(|found| found.common_folder.clone()));
        Self { repository, base, excluded, global, tracked: OnceLock::new(), histories }
    }

    fn top(&self) -> Option<&Path> {
        self.repository.as_ref().map(|found| found.top.as_path())
    }

    /// Reads the list of tracked files when it is first needed: where nothing is ignored it never is.
    fn tracked(&self, findings: &mut Findings) -> &Tracked {
        self.tracked.get_or_init(|| {
            let Some(repository) = &self.repository else { return Tracked::default() };
            let (tracked, problem) = repository.tracked();
            if let Some(problem) = problem {
                findings.add(Problem::Tracked, repository.top.to_string_lossy(), problem);
            }
            tracked
        })
    }
}

/// The nearest folder that says something decides.
fn verdict(mut node: Option<&Arc<Node>>, path: &[u8], folder: bool) -> Option<Verdict> {
    while let Some(here) = node {
        if let Some(verdict) = here.rules.verdict(&path[here.base..], folder) {
            return Some(verdict);
        }
        node = here.above.as_ref();
    }
    None
}
