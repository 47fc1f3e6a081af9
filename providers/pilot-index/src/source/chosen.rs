//! What was chosen last in each conversation of a project, for a person who asks in another process than the agent's.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use ctxhost_sdk::{fnv1a, serde_json};

use crate::select::choice::Choice;

/// How many conversations of a project are kept, and how many projects.
const SESSIONS: usize = 8;
const PROJECTS: usize = 64;

/// Twelve files with six definitions each are a third of it.
const LARGEST: u64 = 128 * 1024;

/// The choices, a folder a project and a file a conversation, so that processes never write to one file at once.
#[derive(Clone, Debug)]
pub(crate) struct Chosen(Option<PathBuf>);

impl Chosen {
    /// Choices below the provider's own folder; without one nothing is kept.
    pub(crate) fn below(state: Option<&Path>) -> Self {
        Self(state.map(|state| state.join("chosen")))
    }

    /// Keeps a choice in place of the conversation's last one; one that cannot be kept costs nothing else.
    pub(crate) fn keep(&self, project: &Path, choice: Choice) {
        let Some(folder) = self.folder(project) else { return };
        let file = folder.join(format!("{:016x}.json", fnv1a(&choice.session)));
        let Ok(bytes) = serde_json::to_vec(&choice.without_words()) else { return };
        if bytes.len() as u64 > LARGEST {
            return;
        }
        static WRITES: AtomicU64 = AtomicU64::new(0);
        let write = WRITES.fetch_add(1, Ordering::Relaxed);
        let new = file.with_extension(format!("{}-{write}.new", std::process::id()));
        if !folder.is_dir() {
            self.make_room();
        }
        let written = || -> io::Result<()> {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
            let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
            out.write_all(&bytes)?;
            fs::rename(&new, &file)
        };
        if written().is_err() {
            let _ = fs::remove_file(new);
        }
        // Files of writers that were killed go with the oldest.
        oldest(&folder, SESSIONS).iter().for_each(|path| drop(fs::remove_file(path)));
    }

    /// The last choices of a project, the newest first.
    pub(crate) fn read(&self, project: &Path) -> Vec<Choice> {
        let read = |path: PathBuf| -> Option<Choice> {
            let mut bytes = Vec::new();
            fs::File::open(path).ok()?.take(LARGEST).read_to_end(&mut bytes).ok()?;
            serde_json::from_slice(&bytes).ok()
        };
        let files = self.folder(project).and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
        let files = files.flatten().map(|entry| entry.path());
        let is_whole = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
        let mut found: Vec<Choice> = files.filter(is_whole).take(2 * SESSIONS).filter_map(read).collect();
        found.sort_by(|a, b| b.at.total_cmp(&a.at).then_with(|| a.session.cmp(&b.session)));
        found
    }

    /// Forgets what was chosen in a project.
    pub(crate) fn forget(&self, project: &Path) {
        if let Some(folder) = self.folder(project) {
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// Makes room for one more project.
    fn make_room(&self) {
        if let Some(all) = &self.0 {
            oldest(all, PROJECTS - 1).iter().for_each(|path| drop(fs::remove_dir_all(path)));
        }
    }

    fn folder(&self, project: &Path) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(format!("{:016x}", fnv1a(project.as_os_str().as_encoded_bytes()))))
    }
}

/// What a folder holds beyond this many, by the time of its last change.
fn oldest(folder: &Path, most: usize) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    entries.sort();
    let surplus = entries.len().saturating_sub(most);
    entries.into_iter().take(surplus).map(|(_, path)| path).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use ctxhost_sdk::protocol::pilot_index::{Contribution, Query, Recalled};

    use super::*;

    fn choice(session: &str, at: f64) -> Choice {
        let query = Query { words: vec!["hunter2".to_owned()], ..Query::default() };
        let episode = Recalled { id: "e".to_owned(), title: "hunter2".to_owned(), ..Recalled::default() };
        let said = Contribution { query: Some(query), memory: vec![episode], ..Contribution::default() };
        Choice { session: session.to_owned(), agent: "pi".to_owned(), at, said }
    }

    #[test]
    fn the_last_choice_of_each_conversation_is_kept_for_its_user_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let chosen = Chosen::below(Some(folder.path()));
        assert!(chosen.read(Path::new("/a")).is_empty());
        for (session, at) in [("s", 1.0), ("t", 2.0), ("s", 3.0)] {
            chosen.keep(Path::new("/a"), choice(session, at));
        }
        chosen.keep(Path::new("/b"), choice("u", 4.0));
        let read = chosen.read(Path::new("/a"));
        let kept: Vec<_> = read.iter().map(|choice| (choice.session.as_str(), choice.at)).collect();
        assert_eq!(kept, [("s", 3.0), ("t", 2.0)]);
        let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
        let project = chosen.folder(Path::new("/a")).expect("a folder");
        assert_eq!(mode(&project), 0o700);
        for file in fs::read_dir(&project).expect("files").flatten() {
            assert_eq!(mode(&file.path()), 0o600);
            let text = fs::read_to_string(file.path()).expect("a text");
            assert!(!text.contains("hunter2"), "{text}");
        }
        fs::write(project.join("x.json"), "{").expect("a file");
        assert_eq!(chosen.read(Path::new("/a")).len(), 2, "what is none is left out");
        chosen.forget(Path::new("/a"));
        assert_eq!((chosen.read(Path::new("/a")).len(), chosen.read(Path::new("/b")).len()), (0, 1));
        Chosen::below(None).keep(Path::new("/a"), choice("s", 1.0));
    }

    #[test]
    fn conversations_and_projects_are_bounded_however_many_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let chosen = Chosen::below(Some(folder.path()));
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let chosen = &chosen;
                scope.spawn(move || {
                    (0..20).for_each(|n| {
                        chosen.keep(Path::new("/a"), choice(&format!("{}", (n + thread) % 20), 1.0))
                    });
                });
            }
        });
        assert!(chosen.read(Path::new("/a")).len() <= SESSIONS);
        (0..PROJECTS + 5).for_each(|n| chosen.keep(Path::new(&format!("/{n}")), choice("s", 1.0)));
        let projects = fs::read_dir(folder.path().join("chosen")).expect("a folder").count();
        assert!(projects <= PROJECTS, "{projects}");
        let huge = Choice { agent: "x".repeat(LARGEST as usize), ..choice("huge", 1.0) };
        chosen.keep(Path::new("/0"), huge);
        assert!(chosen.read(Path::new("/0")).iter().all(|choice| choice.session != "huge"));
    }
}
