//! Which files of a repository are sent.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use ctxhost_code::{
    finding::{Findings, Problem},
    walk::{Entry, Tracked, TrackedKind, Walker, WorkTree},
};
use ctxhost_sdk::{
    prelude::{Finding, Level},
    protocol::codebase_index::{FileHash, SearchHit},
};

use super::{beneath, hashes, limits::Limits, stop::Stop, workspace::Repo};
use crate::{
    error::SourceError,
    select::{
        filter::{LeftOut, by_path},
        root::{hex, root},
    },
};

/// The files of a repository as they are now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listing {
    /// Those that are sent, sorted by the bytes of their paths.
    pub(crate) files: Vec<FileHash>,
    /// Those that are not, sorted, each with the reason.
    pub(crate) left_out: Vec<(String, LeftOut)>,
    /// The digest over the files.
    pub(crate) root_hash: String,
    /// What a person should know.
    pub(crate) findings: Vec<Finding>,
}

/// Lists the files of a repository: what git tracks, and with the setting what is new and not ignored. Files of repositories
/// inside are theirs.
///
/// # Errors
///
/// When it is no work tree any more, cannot be read, or somebody asked to stop.
pub(crate) fn list(
    repo: &Repo,
    limits: &Limits,
    cache: Option<&Path>,
    stop: &Stop,
) -> Result<Listing, SourceError> {
    let tree = WorkTree::open(&repo.root).ok_or_else(|| SourceError::NoWorkTree(repo.root.clone()))?;
    let (tracked, mut problems) = tree.tracked();
    let walked = Walker::new(&repo.root, limits.walk.clone()).walk_until(0, &|| stop.is_stopped());
    if let Some(problem) = walked.findings.of(Problem::Root) {
        return Err(SourceError::Unreadable { root: repo.root.clone(), why: problem.detail.clone() });
    }
    if stop.is_stopped() || walked.findings.of(Problem::Unfinished).is_some() {
        return Err(SourceError::Stopped);
    }
    problems.extend(walked.findings);

    let mut left_out = unseen(&repo.root, &tracked, &walked.files);
    let mut inside = Inside::new(&repo.root, &tracked);
    let mut entries = Vec::new();
    for entry in walked.files {
        let is_ours = match tracked.get(entry.path.as_bytes()) {
            Some(_) => true,
            None => limits.untracked && !inside.another(&entry.path),
        };
        match is_ours.then(|| {
            by_path(&entry.path, entry.stat.size, [&limits.include, &limits.include_too], &limits.exclude)
        }) {
            Some(None) => entries.push(entry),
            Some(Some(reason)) => left_out.push((entry.path, reason)),
            None => {}
        }
    }

    let hashed = hashes::hash(&repo.root, &entries, cache, limits.threads, limits.now, stop)?;
    problems.extend(hashed.findings);
    left_out.extend(hashed.left_out);
    left_out.sort_unstable();
    let file = |(path, hash): (String, [u8; 32])| FileHash { path, hash: hex(&hash) };
    let mut files: Vec<_> = hashed.files.into_iter().map(file).collect();
    files.sort_unstable();
    let root_hash = root(&files);
    let findings = findings(repo, &problems, &left_out);
    Ok(Listing { files, left_out, root_hash, findings })
}

/// Whether a hit's file is another now than the one that was indexed, or is gone.
pub(crate) fn stale(repo: &Repo, hit: &SearchHit) -> bool {
    let Ok(text) = beneath::read(&repo.root, &hit.path) else { return true };
    match &hit.file_hash {
        Some(hash) => !hash.eq_ignore_ascii_case(&hex(&text.hash)),
        // A backend that knows only the document says no hash; the code itself tells.
        None => {
            let now = String::from_utf8_lossy(&text.bytes).replace("\r\n", "\n");
            !now.contains(hit.snippet.replace("\r\n", "\n").trim())
        }
    }
}

/// Says of each tracked path that the walk did not show why that is.
fn unseen(root: &Path, tracked: &Tracked, walked: &[Entry]) -> Vec<(String, LeftOut)> {
    let shown: BTreeSet<&[u8]> = walked.iter().map(|entry| entry.path.as_bytes()).collect();
    let missing =
        tracked.iter().filter(|(path, kind)| *kind != TrackedKind::Repository && !shown.contains(path));
    missing
        .filter_map(|(bytes, _)| match std::str::from_utf8(bytes) {
            Err(_) => Some((String::from_utf8_lossy(bytes).into_owned(), LeftOut::NotUtf8)),
            Ok(path) => Some((path.to_owned(), why_unseen(root, path)?)),
        })
        .collect()
}

/// `None` when nothing is there.
fn why_unseen(root: &Path, path: &str) -> Option<LeftOut> {
    let mut at = root.to_owned();
    for step in path.split('/') {
        at.push(step);
        let kind = at.symlink_metadata().ok()?.file_type();
        if kind.is_symlink() {
            return Some(LeftOut::Link);
        }
        if !kind.is_dir() {
            return Some(if kind.is_file() { LeftOut::Ignored } else { LeftOut::NoFile });
        }
    }
    None
}

/// Tells which paths lie in another repository inside this one.
struct Inside<'a> {
    root: &'a Path,
    tracked: &'a Tracked,
    known: BTreeMap<String, bool>,
}

impl<'a> Inside<'a> {
    fn new(root: &'a Path, tracked: &'a Tracked) -> Self {
        Self { root, tracked, known: BTreeMap::new() }
    }

    fn another(&mut self, path: &str) -> bool {
        let Some((folder, _)) = path.rsplit_once('/') else { return false };
        if let Some(known) = self.known.get(folder) {
            return *known;
        }
        let is_module = self.tracked.get(folder.as_bytes()) == Some(TrackedKind::Repository);
        let is_top = || self.root.join(folder).join(".git").symlink_metadata().is_ok();
        let another = is_module || is_top() || self.another(folder);
        self.known.insert(folder.to_owned(), another);
        another
    }
}

/// What the person should know of what was met, one finding for each kind.
fn findings(repo: &Repo, problems: &Findings, left_out: &[(String, LeftOut)]) -> Vec<Finding> {
    let name = &repo.name;
    let finding = |code: &str, message: String, hint: &str| Finding {
        level: Level::Warning,
        code: code.into(),
        pointer: Some(repo.root.to_string_lossy().into_owned()),
        message,
        hint: Some(hint.into()),
        ..Finding::default()
    };
    let unnamed: Vec<_> =
        left_out.iter().filter(|(_, why)| matches!(why, LeftOut::NotUtf8 | LeftOut::LineBreak)).collect();
    let mut found = Vec::new();
    if let Some((first, _)) = unnamed.first() {
        let message = format!(
            "{} files of {name} are not indexed, since their paths are not UTF-8 or have a line break: {first:?} is the first",
            unnamed.len()
        );
        found.push(finding("path-unusable", message, "rename them"));
    }
    for problem in problems.iter() {
        // Paths that are not UTF-8 are counted above, where tracked ones are told from others.
        let (code, hint) = match problem.problem {
            Problem::Name => continue,
            Problem::Tracked => (
                "tracked-files-unclear",
                "run `git update-index --refresh`, or `git sparse-checkout reapply --no-sparse-index`",
            ),
            Problem::TooMany => ("too-many-files", "leave folders out with an `.ignore` file"),
            Problem::Cache => {
                ("cache-unwritable", "check the cache folder; every file is read again each time")
            }
            _ => ("file-unreadable", "check its permissions"),
        };
        found.push(finding(code, format!("{name}: {}", told(problem)), hint));
    }
    found
}

fn told(problem: &ctxhost_code::finding::Finding) -> String {
    let place = if problem.place.is_empty() { String::new() } else { format!("{}: ", problem.place) };
    let more = if problem.count > 1 { format!(" (and {} more)", problem.count - 1) } else { String::new() };
    format!("{place}{}{more}", problem.detail)
}

#[cfg(test)]
mod tests;
