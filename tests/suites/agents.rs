//! The injection in real agents: Pi, Claude Code and Codex as their users install them, against a model of our own.
//!
//! `.ci/agents` installs the programs; nothing here reaches another machine.

mod claude;
mod codex;
mod hooks;
mod maps;
mod model;
mod pi;
mod pilot;
mod process;

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf, time::SystemTime};

use serde_json::{Value, json};

use crate::harness::{Place, root};

/// Settings for the test provider: all powers, these lines, and time enough on a busy machine.
fn everything(lines: &str) -> String {
    let powers = "powers = [\"block\", \"rewrite\", \"patch\", \"mcp_server\"]";
    let events = ["prompt", "model_call", "\"tool.before\"", "\"tool.after\""];
    let deadlines: String = events.iter().map(|event| format!("{event} = 10000\n")).collect();
    format!("[deadlines]\n{deadlines}\n[providers.everything]\n{powers}\n{lines}\n")
}

/// A program that `.ci/agents` has installed.
pub(crate) fn program(name: &str) -> PathBuf {
    let program = root().join("target/agents/bin").join(name);
    assert!(program.is_file(), "{} is not there; run `.ci/agents`", program.display());
    program
}

/// Writes a program of shell.
fn script(place: &Place, name: &str, lines: &str) -> PathBuf {
    let program = place.write(name, format!("#!/bin/sh\n{lines}\n"));
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    program
}

/// Opens an editor with the file `opened.rs` in a place.
pub(crate) fn editor(place: &Place) {
    editor_with(place, "opened.rs");
}

/// Opens an editor with a file, or goes to that file in the one that is open.
fn editor_with(place: &Place, name: &str) {
    place.write(format!("work/{name}"), "fn main() {}\n");
    let work = place.path("work").canonicalize().expect("the folder is there");
    let now = SystemTime::UNIX_EPOCH.elapsed().expect("the clock is right").as_secs();
    let state = json!({
        "pid": std::process::id(), "cwd": work, "timestamp": now, "app": "nvim",
        "active_buffer": {"file": work.join(name), "name": name, "language": "rust", "cursor": {"line": 1, "column": 1}},
    });
    place.editor_state(std::process::id(), &state.to_string());
}

/// What the test provider was asked, where it was told to write that into the place's `log`.
fn log(place: &Place) -> Vec<Value> {
    let text = fs::read_to_string(place.path("log")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("each line is a request")).collect()
}

/// A request in a few words: the event, and what tells it from others of its kind.
fn brief(request: &Value) -> String {
    let data = &request["data"];
    let word = ["reason", "phase", "first", "name"].iter().find_map(|name| match &data[*name] {
        Value::String(word) => Some(word.clone()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    });
    let event = request["event"].as_str().unwrap_or_default();
    match event {
        "compact" => format!("compact {}", data["phase"].as_str().unwrap_or_default()),
        _ => format!("{event} {}", word.unwrap_or_default()).trim_end().to_owned(),
    }
}
