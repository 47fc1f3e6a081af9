//! The commands, for people.

mod index;
mod memory;

use std::path::Path;

use ctxhost_sdk::prelude::*;

use super::{PilotIndex, workspaces::Workspace};

/// A command on its way.
struct Asked<'a> {
    provider: &'a PilotIndex,
    cx: &'a Cx<'a>,
    request: &'a CommandRequest,
    workspace: Workspace,
}

/// Runs a command.
pub(super) fn run(provider: &PilotIndex, cx: &Cx<'_>, request: &CommandRequest) -> Result<CommandReply> {
    let workspace = provider.workspaces.of(&request.session, request.now);
    let asked = Asked { provider, cx, request, workspace };
    let args: Vec<&str> = request.args.iter().map(String::as_str).collect();
    match (request.name.as_str(), &args[..]) {
        ("reindex", []) => Ok(asked.reindex()),
        ("index-stats", []) => asked.stats(),
        ("index-status", []) => Ok(asked.switch_retrieval(None)),
        ("index-status", ["on"]) => Ok(asked.switch_retrieval(Some(true))),
        ("index-status", ["off"]) => Ok(asked.switch_retrieval(Some(false))),
        ("index-status", _) => Ok(CommandReply::usage("index-status [on | off]")),
        ("watcher-sync", []) => Ok(asked.sync()),
        ("watcher-status", []) => asked.snapshot(),
        ("memory-stats", []) => Ok(asked.memory_stats()),
        ("memory-status", []) => Ok(asked.switch_memory(None)),
        ("memory-status", ["on"]) => Ok(asked.switch_memory(Some(true))),
        ("memory-status", ["off"]) => Ok(asked.switch_memory(Some(false))),
        ("memory-status", _) => Ok(CommandReply::usage("memory-status [on | off]")),
        ("memory-clear", []) => Ok(asked.memory_clear()),
        ("context-debug", []) => Ok(asked.debug()),
        (
            "reindex" | "index-stats" | "watcher-sync" | "watcher-status" | "memory-stats" | "memory-clear"
            | "context-debug",
            _,
        ) => Ok(CommandReply::usage(&request.name)),
        (name, _) => Err(Error::unknown("command", name)),
    }
}

impl Asked<'_> {
    /// Turns one of the project's switches, and says how it stands now.
    fn switch(
        &self,
        what: &str,
        turn: impl FnOnce(&mut crate::source::switches::Switches) -> bool,
    ) -> CommandReply {
        let project = Path::new(&self.request.session.cwd);
        let mut switches = self.provider.board.read(project);
        let on = turn(&mut switches);
        match self.provider.board.keep(project, switches) {
            Ok(()) => {
                self.workspace.forget_standing();
                CommandReply::said(
                    exit::OK,
                    format!("{what} is {} for this project", if on { "on" } else { "off" }),
                )
            }
            Err(error) => CommandReply::said(exit::FINDINGS, format!("{what} stays as it was: {error}")),
        }
    }

    fn switch_retrieval(&self, to: Option<bool>) -> CommandReply {
        let reply = self.switch("retrieval", |switches| {
            switches.retrieval = to.unwrap_or(!switches.retrieval);
            switches.retrieval
        });
        let project = Path::new(&self.request.session.cwd);
        if !self.provider.board.read(project).retrieval {
            self.provider.chosen.forget(project);
        }
        reply
    }

    fn switch_memory(&self, to: Option<bool>) -> CommandReply {
        self.switch("the memory", |switches| {
            switches.memory = to.unwrap_or(!switches.memory);
            switches.memory
        })
    }

    /// What was chosen last in this process, and in each conversation of the project, and why.
    fn debug(&self) -> CommandReply {
        let last = crate::source::code::lock(&self.workspace.last).clone();
        let mut choices = self.provider.chosen.read(Path::new(&self.request.session.cwd));
        // What this process still knows says more than what is kept of it.
        choices.retain(|choice| last.as_ref().is_none_or(|last| last.session != choice.session));
        choices.splice(0..0, last);
        if choices.is_empty() {
            return CommandReply::said(
                exit::NOTHING,
                "nothing was chosen yet in a conversation in this folder",
            );
        }
        CommandReply {
            text: crate::shape::debug::choices(&choices, self.request.now),
            data: Some(json!({ "choices": choices })),
            ..CommandReply::default()
        }
    }
}
