//! Claude Code as its users run it, without a screen.

use std::process::Command;

use serde_json::{Value, json};

use super::{model::Model, process::command, program};
use crate::harness::Place;

/// One prompt, in the newest conversation of the folder or in a new one.
pub(super) fn prompt(place: &Place, model: &Model, text: &str, continues: bool) -> Command {
    let mut command = command(place, &program("claude"));
    command
        .args(["-p", text, "--allowedTools", "Bash,Write,mcp__ctxhost"])
        .args(continues.then_some("--continue"))
        .env("ANTHROPIC_BASE_URL", model.url())
        .env("ANTHROPIC_API_KEY", "none")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1");
    command
}

/// A call that runs a line of shell.
pub(super) fn shell(line: &str) -> (&'static str, Value) {
    ("Bash", json!({"command": line}))
}
