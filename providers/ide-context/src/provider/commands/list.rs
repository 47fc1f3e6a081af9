//! Listing the editors, and offering them as a choice.

use std::path::Path;

use ctxhost_sdk::prelude::*;

use super::are;
use crate::{
    provider::{IdeContext, world::World},
    select::{
        connect::{Connected, Scored, best_tier},
        offer::not_offered,
    },
    shape::{
        findings,
        list::{Reading, Row, json as row_json, lines, reason, sort, table},
        words::{counted, plain},
    },
    source::{Standing, worktree::worktree},
};

/// How many editors a list or a picker shows.
const MOST_ROWS: usize = 200;

pub(super) fn list(provider: &IdeContext, world: &World<'_>, all: bool) -> CommandReply {
    let Rows { mut shown, others } = Rows::of(world);
    let hidden = if all { 0 } else { others.len() };
    if all {
        shown.extend(others.iter().cloned());
        sort(&mut shown);
    }
    let dead = world.look.files.iter().filter(|file| matches!(file.standing, Standing::Dead(_))).count();
    let mut text = if shown.is_empty() {
        nothing(provider, world, &others)
    } else {
        table(&shown[..shown.len().min(MOST_ROWS)], reading(provider, world), all)
    };
    if shown.len() > MOST_ROWS {
        text.push(format!("… and {} more", shown.len() - MOST_ROWS));
    }
    if hidden > 0 && !shown.is_empty() {
        text.push(format!("{} not offered here; `list --all` says why", are(hidden, "other editor")));
    }
    if all && dead > 0 {
        text.push(format!("{} left behind by an editor that is gone", are(dead, "state file")));
    }
    let data = json!({
        "directory": provider.places.states.path,
        "editors": shown.iter().take(MOST_ROWS).map(row_json).collect::<Vec<_>>(),
        "not_offered": hidden,
        "dead": dead,
    });
    let exit = if shown.is_empty() { exit::NOTHING } else { exit::OK };
    CommandReply::said(exit, text.join("\n")).structured(data)
}

/// The editors to choose from, with the way to the others and out.
pub(super) fn picker(provider: &IdeContext, world: &World<'_>, all: bool) -> CommandReply {
    let Rows { mut shown, others } = Rows::of(world);
    let hidden = if all { 0 } else { others.len() };
    if all {
        shown.extend(others.iter().cloned());
        sort(&mut shown);
    }
    shown.truncate(MOST_ROWS);
    let is_connected = shown.iter().any(|row| row.connected);
    let labels = lines(&shown, reading(provider, world), false);
    let mut choices: Vec<Choice> = shown
        .iter()
        .zip(labels)
        .map(|(row, label)| choice(label, Some(reason(row)), &row.scored.editor.pid.to_string()))
        .collect();
    if hidden > 0 {
        choices.push(choice(format!("Show {}", counted(hidden as u64, "more editor")), None, "--all"));
    }
    if is_connected {
        choices.push(choice("✕ Disconnect".to_owned(), None, "off"));
    }
    if choices.is_empty() {
        return CommandReply::said(exit::NOTHING, nothing(provider, world, &others).join("\n"));
    }
    let text = match shown.len() {
        0 => nothing(provider, world, &others).join("\n"),
        number => counted(number as u64, "editor"),
    };
    CommandReply { choices, ..CommandReply::said(exit::OK, text) }
}

fn choice(label: String, detail: Option<String>, arg: &str) -> Choice {
    Choice { label, detail: detail.filter(|detail| !detail.is_empty()), args: vec![arg.to_owned()] }
}

/// The editors of a session's directory, and the others.
pub(super) struct Rows<'a> {
    /// Those in the best tier, and the connected one wherever it is.
    shown: Vec<Row<'a>>,
    others: Vec<Row<'a>>,
}

impl<'a> Rows<'a> {
    /// The row of one editor.
    pub(super) fn find(&self, pid: u32) -> Option<&Row<'a>> {
        self.shown.iter().chain(&self.others).find(|row| row.scored.editor.pid == pid)
    }

    pub(super) fn of(world: &'a World<'_>) -> Self {
        let scored = world.scored();
        let best = best_tier(&scored);
        let connected = match world.connected(&scored).0 {
            Connected::To { scored, .. } => Some(scored.editor.pid),
            _ => None,
        };
        let here = world.project.real.as_deref().and_then(|path| worktree(Path::new(path)));
        let row = |scored: Scored<'a>| {
            let cwd = scored.editor.paths.cwd.real.as_deref();
            let there = cwd.filter(|_| scored.belonging.is_none()).and_then(|path| worktree(Path::new(path)));
            let not_offered =
                not_offered(&scored, best, &world.project.path, (here.as_ref(), there.as_ref()));
            Row { connected: Some(scored.editor.pid) == connected, not_offered, scored }
        };
        let mut rows: Vec<Row<'a>> = scored.into_iter().map(row).collect();
        sort(&mut rows);
        let (shown, others) = rows.into_iter().partition(|row| row.connected || row.not_offered.is_none());
        Self { shown, others }
    }
}

/// Says that nothing belongs here, what was looked at, and what there is elsewhere.
fn nothing(provider: &IdeContext, world: &World<'_>, others: &[Row<'_>]) -> Vec<String> {
    let mut text = vec![format!("no editor belongs to {}", plain(&world.asked.session.cwd))];
    text.extend(
        findings::of_look(&world.look, &provider.places.states).into_iter().map(|finding| finding.message),
    );
    if !world.look.directory_exists {
        text.push(format!("no editor has written to {} yet", provider.places.states.path.display()));
    }
    if !others.is_empty() {
        text.push("elsewhere:".to_owned());
        let others = &others[..others.len().min(MOST_ROWS)];
        text.extend(lines(others, reading(provider, world), true));
    }
    text
}

fn reading<'a>(provider: &'a IdeContext, world: &World<'_>) -> Reading<'a> {
    Reading { home: provider.places.home.as_ref().and_then(|home| home.to_str()), now: world.asked.now }
}
