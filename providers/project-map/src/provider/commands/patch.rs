//! `patch`: the maps that some changed files make others.

use std::{
    collections::BTreeSet,
    path::{Component, Path, PathBuf},
};

use ctxhost_sdk::{prelude::*, protocol::project_map::PROJECT_FILE};

use super::{On, elsewhere};
use crate::{
    provider::writing::carry_out,
    select::{
        pair::Kind,
        standing::{Reach, Standing},
    },
    source::{
        artifacts::{OnDisk, Store},
        git::{self, GitProblem},
        workspace::Followed,
    },
};

/// The host's own file of a project's settings, whose `narrow` goes before the project file's.
const HOST_FILE: &str = ".ctxhost.toml";

impl On<'_> {
    /// Follows what git says has changed.
    pub(super) fn patch_git(&self) -> CommandReply {
        match git::changed(self.root, &|| self.stopped()) {
            Ok(paths) => self.patched(&paths),
            Err(problem @ GitProblem::NoRepository) => {
                CommandReply::said(exit::USAGE, format!("{problem}: name the files, as in `patch FILE...`"))
            }
            Err(problem) => CommandReply::said(exit::FINDINGS, format!("{problem}; nothing was written")),
        }
    }

    /// Follows changes of these files: added, changed, deleted, or renamed, where both names are given.
    pub(super) fn patch(&self, files: &[&str]) -> CommandReply {
        let mut paths = Vec::new();
        for file in files {
            match self.below(file) {
                Some(path) => paths.push(path),
                None => {
                    let text = format!("`{file}` is not below the project at {}", self.root.display());
                    return CommandReply::said(exit::USAGE, text);
                }
            }
        }
        self.patched(&paths)
    }

    fn patched(&self, paths: &[String]) -> CommandReply {
        let store = self.store();
        if Kind::BOTH.iter().all(|kind| matches!(store.read("", *kind), Ok(None))) {
            return CommandReply::said(exit::NOTHING, "there are no maps yet: `init` makes them");
        }
        let _alone = self.alone();
        let whole = paths.iter().any(|path| decides(path));
        let followed = if whole { None } else { self.workspace.look_at(self.config, paths) };
        let (look, before) = match followed {
            Some(Followed { look, before }) => (look, before),
            // Only what was once seen as a whole can be followed.
            None => {
                let known = self.workspace.known(self.config);
                let before = known.iter().flat_map(|look| look.pairs.iter().map(|pair| pair.dir.clone()));
                let before = before.collect();
                match self.look() {
                    Ok(look) => (look, before),
                    Err(incomplete) => return incomplete,
                }
            }
        };
        let pairs = look.pairs.iter().map(|pair| pair.dir.as_str());
        let mut dirs: BTreeSet<&str> = pairs.chain(before.iter().map(String::as_str)).collect();
        // A directory that was moved has taken its maps along, and one that is gone may have left them.
        dirs.extend(paths.iter().flat_map(|path| above(path)));
        let dirs: Vec<&str> = dirs.into_iter().collect();
        // By other settings other directories had pairs, and nothing that is known says which.
        let (mut disk, unread) = if whole { read_all(&store, &dirs) } else { read(&store, &dirs) };
        store.with_bases(&mut disk);
        let stood = look.stood(&disk);
        let mut progress = |done, total| self.progress(done, total, "writing maps");
        let done = carry_out(&store, &stood, Reach::Ours, &|| self.stopped(), &mut progress);
        let edited = stood.iter().filter(|stood| stood.standing == Standing::Edited);
        let mut more: Vec<String> = edited
            .filter_map(|stood| stood.disk)
            .map(|disk| {
                format!("`{}` was changed by hand outside of its notes and stays as it is", disk.path)
            })
            .collect();
        more.extend(elsewhere(&store, &stood));
        more.extend(unread);
        self.made("patched", &look, &stood, &done, more)
    }

    /// A path as the project has it; `None` for one that lies elsewhere.
    fn below(&self, file: &str) -> Option<String> {
        // As the person calls it, who may stand below the root.
        let full = plain(&self.root.join(self.from).join(file))?;
        let canonical = self.root.canonicalize().ok();
        let roots = [Some(self.root.to_owned()), canonical];
        let below =
            roots.into_iter().flatten().find_map(|root| Some(full.strip_prefix(root).ok()?.to_owned()))?;
        below.to_str().map(str::to_owned)
    }
}

/// Whether a file says which others are mapped, or how.
fn decides(path: &str) -> bool {
    const ANYWHERE: [&str; 2] = [".gitignore", ".ignore"];
    let name = path.rsplit('/').next().unwrap_or(path);
    ANYWHERE.contains(&name) || [PROJECT_FILE, HOST_FILE].contains(&path)
}

/// The path without `.` and `..`, by its words alone: the file may be gone.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if !plain.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// The directories above a path, and the path itself, which may be one.
fn above(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end])
}

/// Reads all artifacts, and says what could not be read.
fn read_all(store: &Store, dirs: &[&str]) -> (Vec<OnDisk>, Vec<String>) {
    let found = store.read_with(dirs);
    let unread = found.unread.iter().map(|(path, problem)| format!("`{path}` {problem}"));
    (found.artifacts, unread.collect())
}

/// Reads the artifacts of these directories, and says what could not be read.
fn read(store: &Store, dirs: &[&str]) -> (Vec<OnDisk>, Vec<String>) {
    let (mut disk, mut unread) = (Vec::new(), Vec::new());
    for dir in dirs {
        for kind in Kind::BOTH {
            match store.read(dir, kind) {
                Ok(found) => disk.extend(found),
                // A file's own path is no directory.
                Err(crate::error::DiskProblem::WrongKind("no folder")) => {}
                Err(problem) => unread.push(format!("`{}` {problem}", store.path(dir, kind))),
            }
        }
    }
    (disk, unread)
}
