//! `ctxhost install`: writes ctxhost into an agent's settings, next to what is there.

use std::path::{Path, PathBuf};

use ctxhost::Surroundings;
use rustix::fs::{Access, access};
use serde_json::{Value, json};
use similar::TextDiff;

use crate::{
    args::{AgentName, HookForm, InstallArgs, InstallPlace},
    exit::{Code, Failure},
    install::{self, Plan, Request, file::Change},
    output::Output,
};

pub(crate) fn run(args: &InstallArgs, output: &mut Output<'_>) -> Result<Code, Failure> {
    if args.hook.is_some() && args.place.agent == AgentName::Pi {
        return Err(Failure::usage("--hook: pi has an extension and no hooks; leave it out"));
    }
    let surroundings = Surroundings::of_process(None);
    let plan = of_place(&args.place, args.hook, &surroundings, install::install)?;
    let words = Words { done: "installed in", nothing: "already installed", next: next(&args.place) };
    let mut notes = absent(&args.place, &surroundings);
    notes.extend(reach(&args.place, &surroundings));
    notes.extend(plan.changes().filter_map(unread));
    carry_out(plan, &args.place, &words, &notes, output)
}

/// What the report of a command says.
pub(super) struct Words {
    pub(super) done: &'static str,
    pub(super) nothing: &'static str,
    pub(super) next: &'static str,
}

/// Plans for the place that was named.
pub(super) fn of_place(
    place: &InstallPlace,
    hook: Option<HookForm>,
    surroundings: &Surroundings,
    plan: impl Fn(&Request<'_>) -> Result<Plan, Failure>,
) -> Result<Plan, Failure> {
    let project = if place.project { Some(super::working_directory(place.cwd.as_deref())?) } else { None };
    plan(&Request { agent: place.agent, project: project.as_deref(), hook, surroundings })
}

/// Carries a plan out, or shows it, and says so.
pub(super) fn carry_out(
    plan: Plan,
    place: &InstallPlace,
    words: &Words,
    notes: &[String],
    output: &mut Output<'_>,
) -> Result<Code, Failure> {
    let agent = place.agent.name();
    let files: Vec<Change> = plan.changes().cloned().collect();
    let is_any = !files.is_empty();
    if !place.dry_run {
        plan.carry_out()?;
    }
    if place.json {
        let files: Vec<Value> = files
            .iter()
            .map(|change| json!({"file": change.file.path, "change": kind(change), "diff": diff(change)}))
            .collect();
        let next = (is_any && !place.dry_run).then_some(words.next);
        output.json(&json!({
            "v": 1, "agent": agent, "project": place.project, "dry_run": place.dry_run, "files": files,
            "next": next, "notes": notes,
        }));
        return Ok(Code::Ok);
    }
    if !is_any {
        output.text(&format!("{agent}: {}", words.nothing));
    }
    for change in &files {
        let path = change.file.path.display();
        if place.dry_run {
            show(change, output);
        } else {
            match kind(change) {
                "delete" => output.foreign(&format!("{agent}: removed {path}")),
                _ => output.foreign(&format!("{agent}: {} {path}", words.done)),
            }
        }
    }
    for note in notes {
        output.foreign(note);
    }
    if is_any && !place.dry_run {
        output.text(words.next);
    }
    Ok(Code::Ok)
}

fn show(change: &Change, output: &mut Output<'_>) {
    let path = change.file.path.display();
    match diff(change) {
        // The exact bytes are for programs; a terminal must not be commanded by what others wrote.
        Some(diff) if !output.terminal => output.text(&diff),
        Some(diff) => output.foreign(&diff),
        None => output.foreign(&format!("{path}: a file of ctxhost's own ({})", kind(change))),
    }
}

fn kind(change: &Change) -> &'static str {
    match (&change.file.bytes, &change.after) {
        (None, _) => "create",
        (_, None) => "delete",
        _ => "edit",
    }
}

/// The exact change of a file that others write too.
fn diff(change: &Change) -> Option<String> {
    if change.own {
        return None;
    }
    let text = |bytes: &Option<Vec<u8>>| {
        bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned()
    };
    let (before, after) = (text(&change.file.bytes), text(&change.after));
    let path = change.file.path.display().to_string();
    let name = |bytes: &Option<Vec<u8>>| if bytes.is_some() { path.clone() } else { "/dev/null".to_owned() };
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    unified.context_radius(2).header(&name(&change.file.bytes), &name(&change.after));
    Some(unified.to_string())
}

/// What to do for the agent to notice.
fn next(place: &InstallPlace) -> &'static str {
    match (place.agent, place.project) {
        (AgentName::ClaudeCode, false) => {
            "next: start Claude Code anew; `ctxhost doctor` proves that context arrives"
        }
        (AgentName::ClaudeCode, true) => {
            "next: start Claude Code anew in this folder and approve its MCP server `ctxhost`; `ctxhost doctor` proves that context arrives"
        }
        (AgentName::Codex, false) => {
            "next: type /hooks in Codex and trust the hooks of ctxhost, which it skips until then; `ctxhost doctor` proves that context arrives"
        }
        (AgentName::Codex, true) => {
            "next: trust this project in Codex, type /hooks there and trust the hooks of ctxhost, which it skips until then; `ctxhost doctor` proves that context arrives"
        }
        (AgentName::Pi, _) => {
            "next: type /reload in Pi, or start it; `ctxhost doctor` proves that context arrives"
        }
    }
}

/// Says when the agent itself is not here.
fn absent(place: &InstallPlace, surroundings: &Surroundings) -> Vec<String> {
    let Ok(shape) = install::shape(place.agent, surroundings) else { return Vec::new() };
    let found =
        on_path(shape.program, surroundings) || (!place.dry_run && place.project && shape.dir.is_dir());
    if found {
        return Vec::new();
    }
    vec![format!(
        "note: no program `{}` is on the PATH; what is written takes effect once {} is installed",
        shape.program,
        place.agent.name()
    )]
}

/// Says when the agent cannot read the file that it is to find its entries in.
fn unread(change: &Change) -> Option<String> {
    let path = &change.file.path;
    let is_json = !change.own && path.extension().is_some_and(|extension| extension == "json");
    let text = std::str::from_utf8(change.after.as_deref()?).ok().filter(|_| is_json)?;
    let error = install::strict(text.trim_start_matches('\u{feff}')).err()?;
    Some(format!(
        "note: {}: agents read strict JSON only, without comments and trailing commas: {error}; take them out",
        path.display()
    ))
}

/// Says when a project's files name a program that is not found.
fn reach(place: &InstallPlace, surroundings: &Surroundings) -> Vec<String> {
    if !place.project || place.agent == AgentName::Pi || on_path(install::entries::NAME, surroundings) {
        return Vec::new();
    }
    vec!["note: the project's files say `ctxhost`, which is not on the PATH; put it there, for everybody who works here".to_owned()]
}

/// Whether a program is found by its name.
pub(super) fn on_path(program: &str, surroundings: &Surroundings) -> bool {
    find(program, surroundings).is_some()
}

/// Where a program is that is named without a path; a relative folder of the `PATH` is one of whatever project it is
/// looked at from, and does not count.
pub(super) fn find(program: &str, surroundings: &Surroundings) -> Option<PathBuf> {
    let path = surroundings.var("PATH").unwrap_or_default();
    let folders = path.split(':').map(Path::new).filter(|folder| folder.is_absolute());
    let mut places = folders.map(|folder| folder.join(program));
    places.find(|place| place.is_file() && access(place, Access::EXEC_OK).is_ok())
}
