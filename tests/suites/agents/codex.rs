//! Codex as its users run it, without a screen.

use std::{fs, process::Command};

use serde_json::{Value, json};

use super::{model::Model, process::command, program};
use crate::harness::Place;

/// Tokens from which on a conversation is compacted.
pub(super) const FULL: u64 = 40_000;

/// A model that Codex knows, and offers its `apply_patch` to.
pub(super) const PATCHING: &str = "gpt-5.5";

/// What a user has written before anything is installed.
pub(super) fn configure(place: &Place) {
    configure_for(place, "test-model");
}

/// The same with another model's name; what answers is ours all the same.
pub(super) fn configure_for(place: &Place, model: &str) {
    place.write(
        "home/.codex/config.toml",
        format!(
            "# of the user\nmodel = \"{model}\"\nmodel_provider = \"test\"\napproval_policy = \"never\"\n\
             sandbox_mode = \"danger-full-access\"\nmodel_context_window = 50000\n\
             model_auto_compact_token_limit = {FULL}\n"
        ),
    );
}

/// One prompt, in the newest conversation or in a new one.
pub(super) fn prompt(place: &Place, model: &Model, text: &str, continues: bool) -> Command {
    let home = place.path("home/.codex");
    fs::create_dir_all(&home).expect("a folder");
    let provider = format!(
        "model_providers.test={{name=\"test\", base_url=\"{}/v1\", wire_api=\"responses\"}}",
        model.url()
    );
    let mut command = command(place, &program("codex"));
    // A user would be asked to trust new hooks; this says so for one run.
    command.args(["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-c", &provider]);
    command.args(if continues { &["resume", "--last"][..] } else { &[] }).arg(text).env("CODEX_HOME", home);
    command
}

/// A call that runs a line of shell.
pub(super) fn shell(line: &str) -> (&'static str, Value) {
    ("exec_command", json!({"cmd": line}))
}
