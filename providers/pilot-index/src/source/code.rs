//! The project's code: one index, looked at afresh for every question, and filled in the background.

mod problems;
mod worker;

use std::{
    fs::File,
    io::Read,
    path::{Component, Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use ctxhost_code::{
    finding::{Findings, Problem},
    grammar::Grammars,
    language::{self, Language},
    project::{Outcome, Pace, Places, Project, Refused, Updated, View},
    snapshot::Changes,
    symbols::{Extracted, Extractor},
};
use ctxhost_sdk::{
    protocol::pilot_index::{self as spec, Index, LanguageState},
    system_time,
};

pub(crate) use problems::Trouble;
pub(crate) use worker::Worker;

/// The largest file that is read for a snippet; what is larger has no snippet a person wrote.
const LARGEST: u64 = 8 * 1024 * 1024;

/// The part of a look's time in which folders are listed; then the files that were found are read.
const WALK: f64 = 0.6;

/// A project's code.
pub(crate) struct Code {
    pub(crate) project: Project,
    pub(crate) grammars: Grammars,
    /// What is wrong, from the last looks.
    problems: Mutex<Findings>,
    clock: Mutex<Clock>,
}

/// The time of the last question, and when that was by a clock that only goes forward.
#[derive(Clone, Copy)]
struct Clock {
    asked: SystemTime,
    at: Instant,
}

impl Code {
    /// Opens a project's index; nothing is read yet.
    pub(crate) fn open(root: &Path, places: &Places) -> Result<Self, Refused> {
        let settings = places.project();
        let grammars = settings.grammars.clone();
        let clock = Clock { asked: UNIX_EPOCH, at: Instant::now() };
        Ok(Self {
            project: Project::open(root, settings)?,
            grammars,
            problems: Mutex::default(),
            clock: Mutex::new(clock),
        })
    }

    /// Takes over the time of a question; what runs in the background counts on from it.
    pub(crate) fn asked_at(&self, unix: f64) {
        *lock(&self.clock) = Clock { asked: system_time(unix), at: Instant::now() };
    }

    fn now(&self) -> SystemTime {
        let clock = *lock(&self.clock);
        clock.asked.checked_add(clock.at.elapsed()).unwrap_or(clock.asked)
    }

    /// Looks at the files as long as there is time; gives what differs from the look before. `over` says whether so large a
    /// part of the time is over, between 0 and 1.
    pub(crate) fn look(&self, over: &(dyn Fn(f64) -> bool + Sync)) -> Changes {
        let changes = self.project.sync_until(self.now(), &|| over(WALK), &|| over(1.0)).changes;
        // Each look says anew what it met.
        *lock(&self.problems) = changes.findings.clone();
        changes
    }

    /// Whether the last look saw all files.
    pub(crate) fn is_looked_through(&self) -> bool {
        lock(&self.problems).of(Problem::Unfinished).is_none()
    }

    /// Indexes what is not, or not in its present state.
    pub(crate) fn update(
        &self,
        pace: Pace,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Outcome {
        self.note(self.project.update(pace, stop, progress))
    }

    /// Makes the index anew.
    pub(crate) fn rebuild(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Outcome {
        self.note(self.project.rebuild(Pace::Now, stop, progress))
    }

    fn note(&self, updated: Updated) -> Outcome {
        lock(&self.problems).extend(updated.findings);
        updated.outcome
    }

    pub(crate) fn view(&self) -> Arc<View> {
        self.project.view()
    }

    /// A path of a call as the index has it; `None` for what lies outside of the project.
    pub(crate) fn relative(&self, cwd: &Path, path: &str) -> Option<String> {
        let path = cwd.join(path);
        let mut whole = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => drop(whole.pop()),
                Component::CurDir => {}
                part => whole.push(part),
            }
        }
        let inside = |root: &Path, path: &Path| {
            let below = path.strip_prefix(root).ok()?;
            let parts: Vec<&str> = below.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
            (!parts.is_empty()).then(|| parts.join("/"))
        };
        inside(self.project.root(), &whole).or_else(|| inside(cwd, &whole)).or_else(|| {
            // Another way to the same folder.
            let folder = whole.parent()?.canonicalize().ok()?;
            inside(self.project.root(), &folder.join(whole.file_name()?))
        })
    }

    /// Reads a file as it is now; `None` for what is gone, no file or too large.
    pub(crate) fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let whole = self.project.root().join(path);
        // A link was not indexed either, and could lead anywhere.
        if !whole.symlink_metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        File::open(whole).ok()?.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= LARGEST).then_some(bytes)
    }

    /// The same as text.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.bytes(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A file's text when it still is what a view knows of it: what was found in another text lies elsewhere in this one.
    pub(crate) fn text_as_known(&self, view: &View, path: &str) -> Option<String> {
        let bytes = self.bytes(path).filter(|bytes| view.has_text(path, bytes))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The definitions of a text, parsed now.
    pub(crate) fn extract(&self, path: &str, text: &str) -> (Option<Language>, Extracted) {
        let language = language::detect(path, &text.as_bytes()[..text.len().min(4_096)]);
        (language, Extractor::new(&self.grammars).extract(language, text.as_bytes()))
    }

    /// How things stand.
    pub(crate) fn index(&self, view: &View) -> Index {
        let totals = view.reader.totals();
        let looked = view.snapshot.looks() > 0 && view.snapshot.unread() == 0;
        let known = view.snapshot.len() as u64;
        let root: String = view.snapshot.root().iter().map(|byte| format!("{byte:02x}")).collect();
        let languages = totals.languages.iter().filter_map(|(language, of)| {
            Some(LanguageState {
                id: (*language)?.id().to_owned(),
                files: u64::from(of.files),
                symbols: of.symbols,
                method: if of.by_grammar > 0 {
                    spec::Method::Grammar
                } else if of.by_family > 0 {
                    spec::Method::Family
                } else {
                    spec::Method::None
                },
            })
        });
        let mut languages: Vec<LanguageState> = languages.collect();
        languages.sort_by(|a, b| a.id.cmp(&b.id));
        Index {
            files: u64::from(totals.files),
            symbols: totals.symbols,
            indexed: known - (view.pending().len() as u64).min(known),
            total: known + view.snapshot.left_out() as u64,
            root_hash: looked.then_some(root),
            complete: looked && self.is_looked_through() && view.is_complete(),
            languages,
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
