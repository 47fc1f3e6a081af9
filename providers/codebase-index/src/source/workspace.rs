//! Which repositories a workspace has.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

use ctxhost_code::walk::{TrackedKind, WorkTree};
use ctxhost_sdk::prelude::{Finding, Level};

use super::{checkout, limits::Limits};
use crate::select::root::short;

mod name;

/// More names than this are no workspace's folder.
const MOST_NAMES: usize = 10_000;

/// A repository of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repo {
    /// Its name at the backend: `owner/name` of where it came from, or else the folder's.
    pub(crate) name: String,
    /// The folder that its work tree begins at, without links.
    pub(crate) root: PathBuf,
    /// The id of this checkout.
    pub(crate) reference: String,
}

/// Finds the repositories of a working directory: the work tree that it lies in, or else the work trees among the folders in
/// it, hidden ones not; each with the submodules that are checked out, as repositories of their own.
///
/// A work tree around the directory counts when it tracks anything in there: a home directory under version control says
/// nothing about the projects below.
pub(crate) fn repos(cwd: &Path, limits: &Limits, state: Option<&Path>) -> (Vec<Repo>, Vec<Finding>) {
    let mut findings = Vec::new();
    let Ok(cwd) = cwd.canonicalize() else { return (Vec::new(), findings) };
    let trees = match around(&cwd) {
        Some(tree) => vec![tree],
        None if is_wide(&cwd, limits) => {
            findings.push(Finding {
                level: Level::Warning,
                code: "workspace-too-wide".into(),
                message: format!(
                    "{} holds more than a workspace, so its folders are not indexed",
                    cwd.display()
                ),
                hint: Some("start in a project's folder, or in one that holds only projects".into()),
                ..Finding::default()
            });
            Vec::new()
        }
        None => below(&cwd),
    };
    let mut trees = with_submodules(trees, limits);
    if trees.len() > limits.most_repos {
        findings.push(Finding {
            level: Level::Warning,
            code: "too-many-repositories".into(),
            message: format!(
                "{} holds {} repositories or more; the first {} are indexed",
                cwd.display(),
                trees.len(),
                limits.most_repos
            ),
            hint: Some("start in the folder of one project".into()),
            ..Finding::default()
        });
        trees.truncate(limits.most_repos);
    }
    (named(trees, state), findings)
}

fn around(cwd: &Path) -> Option<WorkTree> {
    let tree = WorkTree::around(cwd)?;
    let inside = cwd.strip_prefix(tree.top()).ok()?.as_os_str().as_encoded_bytes().to_vec();
    let counts = inside.is_empty() || tree.tracked().0.has_below(&inside);
    counts.then_some(tree)
}

/// Nobody means all that is in the home directory, or above it.
fn is_wide(cwd: &Path, limits: &Limits) -> bool {
    let home = limits.walk.home.as_deref().and_then(|home| home.canonicalize().ok());
    cwd.parent().is_none() || home.is_some_and(|home| home.starts_with(cwd))
}

fn below(cwd: &Path) -> Vec<WorkTree> {
    let Ok(entries) = fs::read_dir(cwd) else { return Vec::new() };
    // A link may lead anywhere.
    let folders =
        entries.take(MOST_NAMES).flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let shown = folders.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    let mut paths: Vec<_> = shown.map(|entry| entry.path()).collect();
    paths.sort_unstable();
    paths.iter().filter_map(|path| WorkTree::open(path)).collect()
}

/// Adds the submodules, at most one more than there may be repositories.
fn with_submodules(trees: Vec<WorkTree>, limits: &Limits) -> Vec<WorkTree> {
    let mut waiting: VecDeque<_> = trees.into();
    let mut seen: BTreeSet<PathBuf> = waiting.iter().map(|tree| tree.top().to_owned()).collect();
    let mut found = Vec::new();
    while let Some(tree) = waiting.pop_front() {
        let (tracked, _) = tree.tracked();
        let inside = tracked.iter().filter(|(_, kind)| *kind == TrackedKind::Repository);
        for (path, _) in inside {
            let Ok(path) = std::str::from_utf8(path) else { continue };
            let wanted = !limits.exclude.hold(&format!("{path}/")) && !limits.exclude.hold(path);
            let top = tree.top().join(path);
            // What is not checked out is none, and one behind a link begins elsewhere.
            let Some(inner) = wanted.then(|| WorkTree::open(&top)).flatten() else { continue };
            if inner.top() == top && seen.insert(top) && found.len() + waiting.len() <= limits.most_repos {
                waiting.push_back(inner);
            }
        }
        found.push(tree);
    }
    found
}

/// Gives each its name. Of several with one name, the first keeps it, a linked work tree never before its main one.
fn named(trees: Vec<WorkTree>, state: Option<&Path>) -> Vec<Repo> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let names: Vec<String> = trees.iter().map(name::of).collect();
    for (place, name) in names.iter().enumerate() {
        by_name.entry(name.to_lowercase()).or_default().push(place);
    }
    let keeps = |place: usize| {
        let same = &by_name[&names[place].to_lowercase()];
        same.iter().min_by_key(|place| (trees[**place].is_linked(), **place)) == Some(&place)
    };
    let repo = |(place, tree): (usize, &WorkTree)| {
        let root = tree.top().to_owned();
        let suffix = short(root.as_os_str().as_encoded_bytes(), 8);
        let name = if keeps(place) { names[place].clone() } else { format!("{}-{suffix}", names[place]) };
        Repo { name, reference: checkout::reference(state, &root), root }
    };
    trees.iter().enumerate().map(repo).collect()
}

#[cfg(test)]
mod tests;
