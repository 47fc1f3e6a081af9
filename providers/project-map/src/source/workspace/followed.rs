//! A look at some files alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    io, panic,
    path::{Component, Path},
    sync::Arc,
    thread,
};

use ctxhost_code::{
    finding::{Findings, Problem},
    snapshot::{Disk, FileState, Source},
    walk::Walker,
};

use super::{Kept, Look, Workspace, mapped::is_artifact, told};
use crate::{
    select::{
        inventory::{FileFacts, Inventory},
        is_within,
    },
    settings::Config,
    source::facts::{self, Indexed, Task},
};

/// So few files are parsed while what was known is still being read. Of more it is asked first which have changed.
const FEW: usize = 4;

/// What a look at some files came to.
pub(crate) struct Followed {
    pub(crate) look: Look,
    /// The directories that had a pair before.
    pub(crate) before: Vec<String>,
}

/// What is now at the paths that are looked at, and below.
struct There {
    files: BTreeMap<String, FileState>,
    /// Their facts, when they are few.
    facts: Option<Vec<FileFacts>>,
    findings: Findings,
}

impl Workspace {
    /// As [`Workspace::look`] for files or directories alone; of all others what was last known is taken as it is. `None`
    /// when not all files were ever seen.
    pub(crate) fn look_at(&self, config: &Config, paths: &[String]) -> Option<Followed> {
        let paths: BTreeSet<String> = paths.iter().filter_map(|path| self.relative(path)).collect();
        let (there, known) = thread::scope(|scope| {
            // A process that parses its first file of a language needs as long for that as for all the rest.
            let finding = scope.spawn(|| self.there(&paths));
            let known = self.last().filter(|known| known.complete).map(|known| {
                let look = self.made(&known, config);
                let before: Vec<String> = look.pairs.iter().map(|pair| pair.dir.clone()).collect();
                (known, before)
            });
            (finding.join().unwrap_or_else(|panic| panic::resume_unwind(panic)), known)
        });
        let (known, before) = known?;
        let There { files, facts, mut findings } = there;
        let kept = self.patched(known, &paths, &files, facts);
        let look = self.keep_and_make(&kept, &kept, config, &mut findings);
        Some(Followed { look: Look { findings: told::all(&findings), ..look }, before })
    }

    fn there(&self, paths: &BTreeSet<String>) -> There {
        let walker = Walker::new(self.root(), self.walk.clone());
        let disk = Disk::new(self.root());
        let mut there = There { files: BTreeMap::new(), facts: None, findings: Findings::default() };
        for path in paths {
            let walked = walker.below(path);
            there.findings.extend(walked.findings);
            for entry in walked.files.into_iter().filter(|entry| !is_artifact(&entry.path)) {
                match disk.look(&entry.path) {
                    Ok(looked) => {
                        let state = FileState { stat: looked.before, hash: looked.hash };
                        there.files.insert(entry.path, state);
                    }
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => there.findings.add(Problem::File, entry.path, error.to_string()),
                }
            }
        }
        if there.files.len() <= FEW {
            there.facts = Some(self.facts_of(&there.files.iter().collect::<Vec<_>>()));
        }
        there
    }

    /// Takes out what is known at these paths and below, and puts in what is there now.
    fn patched(
        &self,
        known: Kept,
        paths: &BTreeSet<String>,
        there: &BTreeMap<String, FileState>,
        facts: Option<Vec<FileFacts>>,
    ) -> Kept {
        let is_known = |path: &str, state: &FileState| {
            let files = &known.inventory.files;
            let at = files.binary_search_by(|file| file.path.as_str().cmp(path));
            at.is_ok_and(|at| files[at].hash == state.hash)
        };
        let unknown: Vec<_> = there.iter().filter(|(path, state)| !is_known(path, state)).collect();
        let mut new = facts.unwrap_or_else(|| self.facts_of(&unknown));
        new.retain(|facts| unknown.iter().any(|(path, _)| **path == facts.path));
        let touched = |path: &str| paths.iter().any(|above| is_within(path, above));
        let gone =
            known.inventory.files.iter().any(|file| touched(&file.path) && !there.contains_key(&file.path));
        if new.is_empty() && !gone {
            return known;
        }
        let Kept { inventory, complete, .. } = known;
        {
            // So that what is known need not be copied, which takes as long as reading it.
            let mut state = self.state();
            (state.known, state.made) = (None, None);
        }
        let mut files = Arc::unwrap_or_clone(inventory).files;
        files.retain(|file| match there.get(&file.path) {
            Some(state) => state.hash == file.hash,
            None => !touched(&file.path),
        });
        files.extend(new);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Kept { inventory: Arc::new(Inventory { files }), complete, stamp: None }
    }

    /// The facts of files in these states, parsed now.
    fn facts_of(&self, files: &[(&String, &FileState)]) -> Vec<FileFacts> {
        let disk = Disk::new(self.root());
        let tasks: Vec<Task<'_>> = files.iter().map(|(path, state)| (path.as_str(), **state)).collect();
        let documents = self.project.documents_of(&tasks, &|| false);
        let mut documents: BTreeMap<String, _> =
            documents.into_iter().map(|document| (document.path.clone(), document)).collect();
        let mut of = |path: &str| {
            let document = documents.remove(path)?;
            let (language, lines, generated) = (document.language, document.lines, document.generated);
            Some(Indexed { language, lines, generated, extracted: document.extracted })
        };
        tasks.iter().filter_map(|(path, state)| facts::of(&disk, path, state, &mut of)).collect()
    }

    /// A path as the project has it; `None` for what lies outside. An empty one is the root.
    fn relative(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let path = if path.is_absolute() { path.strip_prefix(self.root()).ok()? } else { path };
        let mut parts: Vec<&str> = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(part) => parts.push(part.to_str()?),
                Component::ParentDir => drop(parts.pop()?),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(parts.join("/"))
    }
}
