//! What was found in every place that is looked at, and what follows from it.

use ctxhost_sdk::prelude::*;

use super::{exit, say};
use crate::{
    provider::{IdeContext, world::World},
    select::{
        connect::{Connected, Scored},
        freshness::Freshness,
        ignore::List,
        snapshot::{Shows, Snapshot},
        tier::belonging,
    },
    settings::Origin,
    shape::{
        block::lines,
        database::table_name,
        document::document,
        glyphs::display_name,
        status::rule,
        words::{age, clipped, counted, plain},
    },
    source::{
        Editor, StateFile, Standing,
        connection::{Choice, Scope},
        liveness::Death,
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
    for file in files.iter().take(MOST_FILES) {
        text.extend(state_file(world, file));
    }
    if files.len() > MOST_FILES {
        text.push(format!("  … and {} more", files.len() - MOST_FILES));
    }
    text.extend(ignore_lists(provider, world));
    text.push(format!("your choice: {}", choice(world)));
    text.push(connection(&connected, candidates));
    text.push(snapshot.as_ref().map_or_else(|| "nothing is injected".to_owned(), outcome));
    let is_injected = snapshot.as_ref().is_some_and(Snapshot::is_injected);
    let data = json!({
        "state_directory": provider.places.states.path,
        "files": files.iter().take(MOST_FILES).map(|file| state_file_json(world, file)).collect::<Vec<_>>(),
        "injected": is_injected,
        "contribution": document(&connected, candidates, snapshot.as_ref(), false)?,
        "findings": world.findings(provider, snapshot.as_ref()),
    });
    let exit = if is_injected { 0 } else { exit::FINDINGS };
    Ok(CommandReply { data: Some(data), ..say(exit, text.join("\n")) })
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

fn state_file(world: &World<'_>, file: &StateFile) -> Vec<String> {
    let path = file.path.display();
    let editor = match &file.standing {
        Standing::Dead(why) => return vec![format!("  {path}: dead, {}", death(*why))],
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
        format!("    {}", tier(world, editor)),
        format!("    {}", shows(&snapshot)),
        format!("    selection: {}", selection(&snapshot)),
    ]
}

fn state_file_json(world: &World<'_>, file: &StateFile) -> serde_json::Value {
    let (standing, why, pointer) = match &file.standing {
        Standing::Dead(why) => ("dead", Some(death(*why)), None),
        Standing::Unreadable(problem) => ("unreadable", Some(problem.to_string()), None),
        Standing::OffSpec(off_spec) => ("off-spec", Some(off_spec.to_string()), Some(off_spec.pointer.clone())),
        Standing::Live(_) => ("alive", None, None),
    };
    let mut json = json!({ "pid": file.pid, "path": file.path, "standing": standing, "why": why, "pointer": pointer });
    if let Standing::Live(editor) = &file.standing {
        let snapshot = world.snapshot(editor, false);
        let belonging = belonging(editor, &world.project);
        json["tier"] = belonging.as_ref().map(|belonging| belonging.tier).into();
        json["evidence"] = belonging.map(|belonging| belonging.evidence).into();
        json["shows"] = shows(&snapshot).into();
        json["excluded"] = snapshot.verdict.excluded.as_ref().map(rule).into();
        json["selection"] = selection(&snapshot).into();
    }
    json
}

fn written(world: &World<'_>, editor: &Editor) -> String {
    age(world.asked.now - editor.state.timestamp)
}

fn tier(world: &World<'_>, editor: &Editor) -> String {
    match belonging(editor, &world.project) {
        Some(belonging) => format!("tier {}: {}", belonging.tier, belonging.evidence),
        None => format!("no tier: nothing of it is inside, its directory is {}", clipped(&plain(&editor.state.cwd), 200)),
    }
}

/// What an editor shows, and which rule keeps it out.
fn shows(snapshot: &Snapshot<'_>) -> String {
    let what = match snapshot.shows {
        Shows::Nothing(why) => return format!("nothing to inject: its buffer {why}"),
        Shows::File(file) => format!("file {}", clipped(&plain(&file.path), 200)),
        Shows::Table(database) => format!("table {}", table_name(database)),
    };
    match &snapshot.verdict.excluded {
        Some(hit) => format!("{what}, kept out by {}", rule(hit)),
        None if !snapshot.rules_known => format!("{what}, kept out because an ignore list cannot be read"),
        None => format!("{what}, which no rule keeps out"),
    }
}

/// What became of a selection, and why.
pub(super) fn selection(snapshot: &Snapshot<'_>) -> String {
    let selection = snapshot.editor.state.active_buffer.selection.as_ref();
    let place = selection.and_then(lines).map(|(start, end)| format!("lines {start}-{end}, ")).unwrap_or_default();
    let what = match snapshot.freshness {
        Freshness::None => return "none".to_owned(),
        Freshness::Undated => "stale: the editor does not know when it was made".to_owned(),
        Freshness::Future { seconds } => format!("stale: it claims to be made in {seconds:.0} s, so its time means nothing"),
        Freshness::Stale { age } => format!("stale: made {age:.1} s ago, and 60 s is the limit"),
        Freshness::Borrowed => "stale: its time is that of a selection in another file".to_owned(),
        Freshness::Fresh { age } => format!("fresh: made {age:.1} s ago"),
    };
    format!("{place}{what}")
}

fn ignore_lists(provider: &IdeContext, world: &World<'_>) -> Vec<String> {
    let lists = match &world.lists {
        Err(unreadable) => return vec![format!("ignore list: {} {}", unreadable.path.display(), unreadable.problem)],
        Ok(lists) => lists,
    };
    let described = |list: &List| {
        let broken: Vec<String> = list.broken.iter().take(10).map(u64::to_string).collect();
        let broken = if broken.is_empty() { String::new() } else { format!(", no valid pattern in line {}", broken.join(", ")) };
        format!("{}{broken}", counted(list.len() as u64, "rule"))
    };
    let file = |list: &Option<List>, path: &std::path::Path| {
        let found = list.as_ref().map_or_else(|| "does not exist".to_owned(), described);
        format!("ignore list: {}: {found}", path.display())
    };
    let global = world.list_places.global.as_deref();
    let mut text = vec![secret_rules(provider.secret_rules)];
    text.push(global.map_or_else(|| "ignore list: the agent has no folder".to_owned(), |path| file(&lists.global, path)));
    text.push(file(&lists.project, &world.list_places.project));
    text
}

pub(super) fn secret_rules(are_on: bool) -> String {
    match are_on {
        true => "built-in secret rules: on (an extension of the protocol; setting `secret_rules`)".to_owned(),
        false => "built-in secret rules: off (setting `secret_rules`)".to_owned(),
    }
}

fn choice(world: &World<'_>) -> String {
    let Some((scope, choice)) = &world.choice else { return "none, so the automatic rule applies".to_owned() };
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

/// How the session is connected, and why.
pub(super) fn connection(connected: &Connected<'_>, candidates: usize) -> String {
    match connected {
        Connected::No => "no editor belongs to this directory; `list --all` shows the others".to_owned(),
        Connected::Waiting => "the editor you chose is there, and its state cannot be read at the moment".to_owned(),
        Connected::Several => {
            format!("{} belong to this directory equally; `connect PID` chooses one", counted(candidates as u64, "editor"))
        }
        Connected::Unwanted => "disconnected, as you chose; `connect` connects again".to_owned(),
        Connected::To { scored: Scored { editor, belonging }, chosen } => {
            let evidence = belonging.as_ref().map(|belonging| belonging.evidence.as_str());
            let why = match (evidence, chosen) {
                (Some(evidence), false) => format!("it is the only one here, and {evidence}"),
                (Some(evidence), true) => format!("you chose it, and {evidence}"),
                (None, _) => "you chose it, though it is outside of this directory".to_owned(),
            };
            format!("{} {} is connected: {why}", display_name(&editor.state), editor.pid)
        }
    }
}

/// Whether anything reaches the agent, and why not.
pub(super) fn outcome(snapshot: &Snapshot<'_>) -> String {
    if snapshot.is_injected() {
        let selection = if snapshot.fresh_selection().is_some() { " with its selection" } else { "" };
        return format!("injected: yes{selection}");
    }
    let why = match (snapshot.shows, &snapshot.verdict.excluded) {
        (Shows::Nothing(why), _) => format!("its buffer {why}"),
        (_, Some(hit)) => format!("{} keeps it out", rule(hit)),
        (_, None) => "an ignore list cannot be read".to_owned(),
    };
    format!("injected: no, because {why}")
}

/// Why an editor counts as dead.
pub(super) fn death(death: Death) -> String {
    match death {
        Death::NoProcess => "no process has this id".to_owned(),
        Death::Ended => "its process has ended".to_owned(),
        Death::Reused { seconds_later } => {
            format!("another process has this id since {} later", counted(seconds_later as u64, "second"))
        }
    }
}

pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}
