//! Episodes: what is recalled for a prompt, and what is recorded of a turn.

use std::{path::Path, time::Duration};

use ctxhost_code::exclude;
use ctxhost_sdk::{
    prelude::*,
    protocol::{
        envelope::{Session, ToolAfterData, ToolKind},
        pilot_index,
    },
};

use super::{PilotIndex, sessions::Known};
use crate::{
    error::MemoryProblem,
    select::memory::{
        self,
        keep::{Caps, fresh, upsert},
        touched::{self, Change, Place},
    },
    shape,
    source::{code::Code, memory::Store, switches::Switches},
};

/// How long another writer is waited for: a write takes a few milliseconds.
const PATIENCE: Duration = Duration::from_millis(300);

/// What was recalled.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    /// The block in its sizes.
    pub(super) blocks: Vec<String>,
    pub(super) documents: Vec<pilot_index::Recalled>,
    pub(super) findings: Vec<Finding>,
    /// How many episodes there are, where the memory was looked at.
    pub(super) episodes: Option<usize>,
}

impl PilotIndex {
    /// Why the memory is neither read nor written; `None` when it is.
    pub(super) fn memory_off(&self, session: &Session, switches: Switches) -> Option<&'static str> {
        if !self.limits.memory {
            Some("off by the setting `memoryEnabled`")
        } else if !switches.memory {
            Some("switched off; memory-status switches it on")
        } else if !session.trusted && !self.limits.memory_untrusted {
            // What a project's own file says is read only where the user trusts the project.
            Some("off, since this folder is not trusted")
        } else {
            None
        }
    }

    /// What the memory does, for the status.
    pub(super) fn memory_state(&self, session: &Session, switches: Switches, recalled: &Recalled) -> String {
        match (self.memory_off(session, switches), recalled.episodes) {
            (Some(off), _) => off.to_owned(),
            (None, Some(1)) => "1 episode".to_owned(),
            (None, Some(number)) => format!("{number} episodes"),
            (None, None) => "on".to_owned(),
        }
    }

    pub(super) fn caps(&self) -> Caps {
        Caps { episodes: self.limits.memory_episodes, days: self.limits.memory_days }
    }

    /// Recalls what has to do with a prompt.
    pub(super) fn recall(
        &self,
        session: &Session,
        switches: Switches,
        prompt: &str,
        recent: &[String],
        now: f64,
    ) -> Recalled {
        if self.memory_off(session, switches).is_some() || !switches.retrieval {
            return Recalled::default();
        }
        let store = Store::at(Path::new(&session.cwd));
        let kept = match store.read() {
            Ok(kept) => kept,
            Err(problem) => {
                return Recalled { findings: vec![unusable(&store, &problem)], ..Recalled::default() };
            }
        };
        let findings = corrupt(&store, kept.corrupt, "is skipped").into_iter().collect();
        let episodes = fresh(kept.episodes, self.caps(), now * 1_000.0);
        let recalls = memory::recall(&episodes, prompt, recent, now * 1_000.0);
        Recalled {
            blocks: shape::memory::blocks(&recalls),
            documents: shape::memory::recalled(&recalls),
            findings,
            episodes: Some(episodes.len()),
        }
    }

    /// Notes what a call touched, and records the turn so far.
    pub(super) fn touched(
        &self,
        session: &Session,
        switches: Switches,
        code: &Code,
        known: &mut Known,
        call: &ToolAfterData,
        now: f64,
    ) -> Vec<Finding> {
        if self.memory_off(session, switches).is_some() {
            return Vec::new();
        }
        let wrote = call.call.kind == ToolKind::Write;
        let cwd = Path::new(&session.cwd);
        for path in call.call.paths.iter().take(20).filter_map(|path| code.relative(cwd, path)) {
            // The memory is about the project, not about itself.
            if path.starts_with(".pilot/") {
                continue;
            }
            let symbols = code.text(&path).map(|text| {
                let (_, extracted) = code.extract(&path, &text);
                let place = |symbol: &ctxhost_code::symbols::Symbol| Place {
                    name: symbol.qualified(),
                    first: symbol.span.first_line,
                    last: symbol.span.last_line,
                };
                let places: Vec<Place> = extracted.symbols.iter().map(place).collect();
                let change = Change {
                    input: &call.call.input,
                    content: &call.content,
                    details: call.details.as_ref(),
                    wrote,
                };
                let is_same = |named: &str| code.relative(cwd, named).as_deref() == Some(path.as_str());
                touched::names(change, &text, &places, is_same)
            });
            known.turn.touched(&path, wrote, &symbols.unwrap_or_default());
        }
        self.record(session, known, now)
    }

    /// Adds what the model said at the end to what the turn has done.
    pub(super) fn turn_ended(
        &self,
        session: &Session,
        switches: Switches,
        known: &mut Known,
        text: Option<&str>,
        now: f64,
    ) -> Vec<Finding> {
        if self.memory_off(session, switches).is_some() || !known.turn.has_edits() {
            return Vec::new();
        }
        known.turn.ended(text.unwrap_or_default());
        self.record(session, known, now)
    }

    fn record(&self, session: &Session, known: &mut Known, now: f64) -> Vec<Finding> {
        if !known.turn.has_edits() {
            return Vec::new();
        }
        let now_ms = now * 1_000.0;
        let episode = known.turn.episode(session.id.as_deref().unwrap_or_default(), now_ms);
        let project = Path::new(&session.cwd);
        let store = Store::at(project);
        let mut findings = Vec::new();
        match store.change(self.caps(), PATIENCE, |episodes| upsert(episodes, episode)) {
            Ok(moved) => findings.extend(corrupt(&store, moved, "was moved to memories.jsonl.corrupt")),
            Err(problem) => return vec![unusable(&store, &problem)],
        }
        if let Err(error) = exclude::add(project, &[".pilot/"]) {
            let message = format!("`.pilot/` could not be kept out of git: {error}");
            let hint = "add the line `.pilot/` to your .gitignore";
            findings.push(warning("memory-not-excluded", &store, message, hint));
        }
        findings
    }

    /// Deletes the episodes.
    pub(super) fn forget(&self, session: &Session) -> std::result::Result<usize, MemoryProblem> {
        Store::at(Path::new(&session.cwd)).clear(PATIENCE)
    }

    /// Reads the episodes for a person.
    pub(super) fn episodes(
        &self,
        session: &Session,
        now: f64,
    ) -> std::result::Result<(usize, usize), MemoryProblem> {
        let kept = Store::at(Path::new(&session.cwd)).read()?;
        Ok((fresh(kept.episodes, self.caps(), now * 1_000.0).len(), kept.corrupt))
    }
}

fn corrupt(store: &Store, number: usize, fate: &str) -> Option<Finding> {
    let lines = if number == 1 { "1 line of the memory" } else { "some lines of the memory" };
    let message = format!("{lines} ({number}) is no episode and {fate}");
    (number > 0).then(|| {
        warning("memory-corrupt", store, message, "look into the file, or delete it with memory-clear")
    })
}

fn unusable(store: &Store, problem: &MemoryProblem) -> Finding {
    let message = format!("the memory is left out: {} {problem}", store.file().display());
    let hint = match problem {
        MemoryProblem::TooLarge(_) => "delete it with memory-clear, or move it away",
        MemoryProblem::Link | MemoryProblem::WrongKind(_) => {
            "make `.pilot` a plain folder of the project, or remove it"
        }
        _ => "see that `.pilot` in the project can be written, or switch the memory off with memory-status",
    };
    warning("memory-unusable", store, message, hint)
}

fn warning(code: &str, store: &Store, message: String, hint: &str) -> Finding {
    Finding {
        level: Level::Warning,
        code: code.to_owned(),
        pointer: Some(store.file().display().to_string()),
        message,
        hint: Some(hint.to_owned()),
        ..Finding::default()
    }
}
