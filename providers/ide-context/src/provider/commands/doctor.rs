//! What was found in every place that is looked at, and what follows from it.

use ctxhost_sdk::prelude::*;

use super::list::Rows;
use crate::{
    provider::{IdeContext, world::World},
    select::{connect::Connected, ignore::List, snapshot::Snapshot},
    settings::Origin,
    shape::{
        document::document,
        explain,
        glyphs::display_name,
        list::{self, Row, reason},
        status::rule,
        words::{age, clipped, counted, plain},
    },
    source::{
        Editor, Standing, StateFile,
        connection::{Choice, Scope},
    },
};

/// How many state files are described one by one.
const MOST_FILES: usize = 200;

pub(super) fn doctor(provider: &IdeContext, world: &World<'_>) -> Result<CommandReply> {
    let scored = world.scored();
    let (connected, candidates) = world.connected(&scored);
    let snapshot = match &connected {
        Connected::To { scored, .. } => Some(world.snapshot(scored.editor, false)),
        _ => None,
    };
    let mut text = vec![format!("this directory: {}", plain(&world.project.path))];
    if let Some(real) = world.project.real.as_ref().filter(|real| **real != world.project.path) {
        text.push(format!("  really {}", plain(real)));
    }
    text.push(directory(provider, world));
    // The dead ones say the least, so they are the first to be left out.
    let mut files: Vec<&StateFile> = world.look.files.iter().collect();
    files.sort_by_key(|file| matches!(file.standing, Standing::Dead(_)));
    let rows = Rows::of(world);
    for file in files.iter().take(MOST_FILES) {
        text.extend(state_file(world, file, &rows));
    }
    if files.len() > MOST_FILES {
        text.push(format!("  … and {} more", files.len() - MOST_FILES));
    }
    text.extend(ignore_lists(provider, world));
    text.push(format!("your choice: {}", choice(world)));
    text.push(explain::connection(&connected, candidates));
    text.push(snapshot.as_ref().map_or_else(|| "nothing is injected".to_owned(), explain::outcome));
    let is_injected = snapshot.as_ref().is_some_and(Snapshot::is_injected);
    let data = json!({
        "state_directory": provider.places.states.path,
        "files": files.iter().take(MOST_FILES).map(|file| state_file_json(world, file, &rows)).collect::<Vec<_>>(),
        "injected": is_injected,
        "contribution": document(&connected, candidates, snapshot.as_ref(), false)?,
        "findings": world.findings(provider, snapshot.as_ref()),
    });
    let exit = if is_injected { exit::OK } else { exit::FINDINGS };
    Ok(CommandReply::said(exit, text.join("\n")).structured(data))
}

fn directory(provider: &IdeContext, world: &World<'_>) -> String {
    let place = &provider.places.states;
    let origin = match place.origin {
        Origin::Setting => "setting `state_dir`",
        Origin::Runtime => "XDG_RUNTIME_DIR",
        Origin::Fallback => "XDG_RUNTIME_DIR is not set",
    };
    let found = match &world.look.refused {
        Some(problem) => format!("is not read, because it {problem}"),
        None if !world.look.directory_exists => "does not exist, so no editor has written a state".to_owned(),
        None if world.look.files.is_empty() => "holds no state file".to_owned(),
        None => format!("holds {}", counted(world.look.files.len() as u64, "state file")),
    };
    let cut = if world.look.cut { "; some were left out for lack of time" } else { "" };
    format!("state directory: {} ({origin}) {found}{cut}", place.path.display())
}

fn state_file(world: &World<'_>, file: &StateFile, rows: &Rows<'_>) -> Vec<String> {
    let path = file.path.display();
    let editor = match &file.standing {
        Standing::Dead(why) => return vec![format!("  {path}: dead, {}", explain::death(*why))],
        Standing::Unreadable(problem) => return vec![format!("  {path}: {problem}")],
        Standing::OffSpec(off_spec) => {
            let pointer = if off_spec.pointer.is_empty() { "/" } else { &off_spec.pointer };
            return vec![format!("  {path}: off its spec at {pointer}: {off_spec}")];
        }
        Standing::Live(editor) => editor,
    };
    let snapshot = world.snapshot(editor, false);
    vec![
        format!("  {path}: {}, alive, written {}", display_name(&editor.state), written(world, editor)),
        format!("    {}", rows.find(file.pid).map(tier).unwrap_or_default()),
        format!("    {}", explain::shows(&snapshot)),
        format!("    selection: {}", explain::selection(&snapshot)),
    ]
}

fn state_file_json(world: &World<'_>, file: &StateFile, rows: &Rows<'_>) -> serde_json::Value {
    let (standing, why, pointer) = match &file.standing {
        Standing::Dead(why) => ("dead", Some(explain::death(*why)), None),
        Standing::Unreadable(problem) => ("unreadable", Some(problem.to_string()), None),
        Standing::OffSpec(off_spec) => {
            ("off-spec", Some(off_spec.to_string()), Some(off_spec.pointer.clone()))
        }
        Standing::Live(_) => ("alive", None, None),
    };
    let mut json =
        json!({ "pid": file.pid, "path": file.path, "standing": standing, "why": why, "pointer": pointer });
    if let Standing::Live(editor) = &file.standing {
        let snapshot = world.snapshot(editor, false);
        json["editor"] = rows.find(file.pid).map(list::json).into();
        json["shows"] = explain::shows(&snapshot).into();
        json["excluded"] = snapshot.verdict.excluded.as_ref().map(rule).into();
        json["selection"] = explain::selection(&snapshot).into();
    }
    json
}

fn written(world: &World<'_>, editor: &Editor) -> String {
    age(world.asked.now - editor.state.timestamp)
}

/// The tier and the evidence for it, or why the editor is not offered.
fn tier(row: &Row<'_>) -> String {
    let belonging = row.scored.belonging.as_ref();
    let tier = row.not_offered.as_ref().map_or(belonging.map(|belonging| belonging.tier), |not| not.tier);
    let tier = tier.map_or_else(|| "no tier".to_owned(), |tier| format!("tier {tier}"));
    format!("{tier}: {}", reason(row))
}

fn ignore_lists(provider: &IdeContext, world: &World<'_>) -> Vec<String> {
    let lists = match world.lists() {
        Err(unreadable) => {
            return vec![format!("ignore list: {} {}", unreadable.path.display(), unreadable.problem)];
        }
        Ok(lists) => lists,
    };
    let described = |list: &List| {
        let broken: Vec<String> = list.broken.iter().take(10).map(u64::to_string).collect();
        let broken = if broken.is_empty() {
            String::new()
        } else {
            format!(", no valid pattern in line {}", broken.join(", "))
        };
        let dropped = match list.dropped.len() as u64 {
            0 => String::new(),
            number => format!(", and {} left out without trust", counted(number, "line with `!`")),
        };
        format!("{}{dropped}{broken}", counted(list.len() as u64, "rule"))
    };
    let file = |list: &Option<List>, path: &std::path::Path| {
        let found = list.as_ref().map_or_else(|| "does not exist".to_owned(), described);
        format!("ignore list: {}: {found}", path.display())
    };
    let global = world.list_places.global.as_deref();
    let mut text = vec![explain::secret_rules(provider.secret_rules)];
    text.push(
        global.map_or_else(
            || "ignore list: the agent has no folder".to_owned(),
            |path| file(&lists.global, path),
        ),
    );
    text.push(file(&lists.project, &world.list_places.project));
    text
}

fn choice(world: &World<'_>) -> String {
    let Some((scope, choice)) = &world.choice else {
        return "none, so the automatic rule applies".to_owned();
    };
    let whose = match scope {
        Scope::Session(_) => "for this session",
        Scope::Directory(_) => "for this directory",
    };
    match choice {
        Choice::Editor { pid, app, .. } => format!("{} {pid}, {whose}", clipped(&plain(app), 40)),
        Choice::Nothing => format!("no editor, {whose}"),
        Choice::Automatic => format!("the automatic rule, {whose}"),
    }
}
