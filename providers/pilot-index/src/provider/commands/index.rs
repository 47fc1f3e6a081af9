//! Commands about the index.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use ctxhost_code::project::{Outcome, Pace};
use ctxhost_sdk::prelude::*;

use super::Asked;
use crate::{shape::status::without_grammar, source::code::Code};

/// How many names of changed files are said.
const NAMED: usize = 10;

/// How long a person waits for another process that indexes: the largest projects take minutes.
const PATIENCE: Duration = Duration::from_secs(300);
const NAP: Duration = Duration::from_millis(20);

type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl Asked<'_> {
    fn code(&self) -> Result<&Arc<Code>, CommandReply> {
        self.workspace.code.as_ref().map_err(|refused| CommandReply::said(exit::FINDINGS, refused.clone()))
    }

    /// Makes the index anew, with progress.
    pub(super) fn reindex(&self) -> CommandReply {
        let code = match self.code() {
            Ok(code) => code,
            Err(refused) => return refused,
        };
        code.look(&|_| self.cx.check().is_err());
        let outcome = self.in_turn(|stop, progress| code.rebuild(stop, progress));
        self.done(code, outcome, "indexed anew")
    }

    /// Does it when whoever indexes the project at the moment is done.
    fn in_turn(&self, work: impl Fn(Stop<'_>, &mut dyn FnMut(usize, usize)) -> Outcome) -> Outcome {
        let start = Instant::now();
        loop {
            let outcome = work(&|| self.cx.check().is_err(), &mut |done, total| {
                self.cx.progress(done as u64, Some(total as u64), "indexing");
            });
            if outcome != Outcome::Elsewhere || start.elapsed() >= PATIENCE || self.cx.check().is_err() {
                return outcome;
            }
            thread::sleep(NAP);
        }
    }

    fn done(&self, code: &Code, outcome: Outcome, what: &str) -> CommandReply {
        let view = code.view();
        let index = code.index(&view);
        let counts = format!("{} files, {} definitions", index.files, index.symbols);
        let (exit, text) = match outcome {
            Outcome::Complete => (exit::OK, format!("{what}: {counts}")),
            Outcome::Stopped => (exit::FINDINGS, format!("stopped: {counts} so far")),
            Outcome::Elsewhere => {
                (exit::OK, format!("another process is indexing this project: {counts} so far"))
            }
        };
        let lines = code.problems(&view).into_iter().map(|trouble| trouble.message);
        let text = std::iter::once(text).chain(lines).collect::<Vec<_>>().join("\n");
        CommandReply { data: ctxhost_sdk::serde_json::to_value(index).ok(), ..CommandReply::said(exit, text) }
    }

    /// Files, symbols, kinds, languages.
    pub(super) fn stats(&self) -> Result<CommandReply> {
        let code = match self.code() {
            Ok(code) => code,
            Err(refused) => return Ok(refused),
        };
        code.look(&|_| self.cx.check().is_err());
        let view = code.view();
        let index = code.index(&view);
        let mut lines = vec![format!("files: {} of {}", index.indexed, index.total)];
        lines.push(format!("definitions: {}", index.symbols));
        let mut kinds: Vec<_> =
            view.reader.totals().kinds.iter().filter(|(_, number)| **number > 0).collect();
        kinds.sort_by_key(|(kind, number)| (std::cmp::Reverse(**number), **kind));
        lines.extend(kinds.iter().map(|(kind, number)| format!("  {}: {number}", kind.word())));
        let mut languages = index.languages.clone();
        languages.sort_by(|a, b| (b.files, &a.id).cmp(&(a.files, &b.id)));
        lines.push(format!("languages: {}", languages.len()));
        lines.extend(
            languages
                .iter()
                .take(20)
                .map(|l| format!("  {}: {} files, {} definitions", l.id, l.files, l.symbols)),
        );
        lines.extend(without_grammar(&index));
        if !index.complete {
            lines.push("the index is not complete; watcher-sync completes it".to_owned());
        }
        lines.extend(code.problems(&view).into_iter().map(|trouble| trouble.message));
        Ok(CommandReply::said(exit::OK, lines.join("\n"))
            .structured(ctxhost_sdk::serde_json::to_value(index)?))
    }

    /// Looks for changed files, and indexes them.
    pub(super) fn sync(&self) -> CommandReply {
        let code = match self.code() {
            Ok(code) => code,
            Err(refused) => return refused,
        };
        let changes = code.look(&|_| self.cx.check().is_err());
        let outcome = self.in_turn(|stop, progress| code.update(Pace::Now, stop, progress));
        let named = |what: &str, files: &[String]| {
            let names: Vec<&str> = files.iter().take(NAMED).map(String::as_str).collect();
            let more = if files.len() > NAMED { ", …" } else { "" };
            let names =
                if names.is_empty() { String::new() } else { format!(" ({}{more})", names.join(", ")) };
            format!("{} {what}{names}", files.len())
        };
        let what = [
            named("added", &changes.added),
            named("modified", &changes.modified),
            named("deleted", &changes.deleted),
        ];
        self.done(code, outcome, &what.join(", "))
    }

    /// The snapshot: files and root hash.
    pub(super) fn snapshot(&self) -> Result<CommandReply> {
        let code = match self.code() {
            Ok(code) => code,
            Err(refused) => return Ok(refused),
        };
        code.look(&|_| self.cx.check().is_err());
        let index = code.index(&code.view());
        let folders = code.project.snapshot().folders().len();
        let root = index.root_hash.clone().unwrap_or_default();
        let text = format!(
            "files: {}\nfolders: {folders}\nroot hash: {root}\nindexed: {} of {}",
            index.total, index.indexed, index.total
        );
        Ok(CommandReply::said(exit::OK, text).structured(ctxhost_sdk::serde_json::to_value(index)?))
    }
}
