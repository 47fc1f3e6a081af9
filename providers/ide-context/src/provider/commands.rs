//! The commands, for people.

mod connect;
mod doctor;
mod list;

use ctxhost_sdk::prelude::*;

use crate::{
    provider::{IdeContext, world::World},
    select::connect::Connected,
    shape::{document::document, explain, status::looks_at, words::counted},
};

/// Runs a command.
pub(super) fn run(
    provider: &IdeContext,
    world: &World<'_>,
    name: &str,
    args: &[String],
) -> Result<CommandReply> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    Ok(match (name, &args[..]) {
        ("list", []) => list::list(provider, world, false),
        ("list", ["--all"]) => list::list(provider, world, true),
        ("list", _) => CommandReply::usage("list [--all]"),
        ("connect", []) => list::picker(provider, world, false),
        ("connect", ["--all"]) => list::picker(provider, world, true),
        ("connect", ["off" | "disconnect"]) | ("disconnect", []) => connect::disconnect(provider, world),
        ("connect", ["auto"]) => connect::automatic(provider, world),
        ("connect", [pid]) => match pid.parse() {
            Ok(pid) => connect::connect(provider, world, pid),
            Err(_) => CommandReply::usage("connect [PID | auto | off | --all]"),
        },
        ("connect", _) => CommandReply::usage("connect [PID | auto | off | --all]"),
        ("disconnect", _) => CommandReply::usage("disconnect"),
        ("status", []) => status(provider, world)?,
        ("status", _) => CommandReply::usage("status"),
        ("doctor", []) => doctor::doctor(provider, world)?,
        ("doctor", _) => CommandReply::usage("doctor"),
        _ => return Err(Error::unknown("command", name)),
    })
}

/// What is connected and why, and what of it reaches the agent.
fn status(provider: &IdeContext, world: &World<'_>) -> Result<CommandReply> {
    let scored = world.scored();
    let (connected, candidates) = world.connected(&scored);
    let snapshot = match &connected {
        Connected::To { scored, .. } => Some(world.snapshot(scored.editor, false)),
        _ => None,
    };
    let mut lines = vec![explain::connection(&connected, candidates)];
    if let Some(snapshot) = &snapshot {
        lines.push(format!("it shows: {}", looks_at(snapshot)));
        lines.push(format!("selection: {}", explain::selection(snapshot)));
        lines.push(explain::outcome(snapshot));
    }
    lines.push(explain::secret_rules(provider.secret_rules));
    for finding in world.findings(provider, snapshot.as_ref()) {
        lines.push(format!("{}: {}", level(finding.level), finding.message));
    }
    let exit = if snapshot.is_some() { exit::OK } else { exit::NOTHING };
    Ok(CommandReply::said(exit, lines.join("\n")).structured(document(
        &connected,
        candidates,
        snapshot.as_ref(),
        false,
    )?))
}

/// `1 editor is`, `2 editors are`.
fn are(number: usize, thing: &str) -> String {
    format!("{} {}", counted(number as u64, thing), if number == 1 { "is" } else { "are" })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Info => "note",
    }
}
