//! Choosing an editor, none, or the automatic rule.

use ctxhost_sdk::prelude::*;

use crate::{
    provider::{
        IdeContext,
        world::{World, scope},
    },
    select::{
        connect::{Connected, best, decide},
        tier::belonging,
    },
    shape::{
        explain,
        glyphs::display_name,
        quote::buffer_name,
        words::{clipped, directory},
    },
    source::{
        Standing,
        connection::{Choice, Scope},
    },
};

/// How much of the name of an editor's kind is kept with a choice.
const LONGEST_APP: usize = 64;

pub(super) fn connect(provider: &IdeContext, world: &World<'_>, pid: u32) -> CommandReply {
    let Some(file) = world.look.files.iter().find(|file| file.pid == pid) else {
        return CommandReply::said(
            exit::NOTHING,
            format!("no editor has the process id {pid}; `list --all` shows those there are"),
        );
    };
    let editor = match &file.standing {
        Standing::Live(editor) => editor,
        Standing::Dead(death) => {
            return CommandReply::said(
                exit::NOTHING,
                format!("the editor {pid} is gone: {}", explain::death(*death)),
            );
        }
        Standing::Unreadable(problem) => {
            return CommandReply::said(
                exit::NOTHING,
                format!("the editor {pid} cannot be used: {} {problem}", file.path.display()),
            );
        }
        Standing::OffSpec(off_spec) => {
            let message = format!(
                "the editor {pid} cannot be used: {} is off its spec: {off_spec}",
                file.path.display()
            );
            return CommandReply::said(exit::NOTHING, message);
        }
    };
    // Counted in bytes that end a character, because what is kept is compared as a beginning.
    let app: String = editor.state.app.chars().take(LONGEST_APP).collect();
    if let Err(reply) = keep(provider, world, &Choice::Editor { pid, start: editor.start, app }) {
        return reply;
    }
    let home = provider.places.home.as_ref().and_then(|home| home.to_str());
    let place = directory(&editor.state.cwd, home);
    let why = match belonging(editor, &world.project) {
        Some(belonging) => belonging.evidence,
        None => "it is outside of this directory, and is connected because you chose it".to_owned(),
    };
    let name = clipped(&buffer_name(&editor.state), 80);
    let text = format!("{} {pid} is connected ({name} in {place}): {why}", display_name(&editor.state));
    CommandReply::said(exit::OK, text).structured(json!({ "connected": pid }))
}

pub(super) fn disconnect(provider: &IdeContext, world: &World<'_>) -> CommandReply {
    let (connected, _) = world.connected(&world.scored());
    let text = match &connected {
        Connected::To { scored, .. } => {
            format!("{} {} is disconnected", display_name(&scored.editor.state), scored.editor.pid)
        }
        _ => "no editor is connected".to_owned(),
    };
    match keep(provider, world, &Choice::Nothing) {
        Err(reply) => reply,
        Ok(()) => {
            let text = format!("{text}; {} stays without one until you connect one", whose(world));
            CommandReply::said(exit::OK, text).structured(json!({ "connected": null }))
        }
    }
}

pub(super) fn automatic(provider: &IdeContext, world: &World<'_>) -> CommandReply {
    if let Err(reply) = keep(provider, world, &Choice::Automatic) {
        return reply;
    }
    let scored = world.scored();
    let connected = decide(&scored, None);
    let pid = match &connected {
        Connected::To { scored, .. } => Some(scored.editor.pid),
        _ => None,
    };
    let text =
        format!("the automatic rule applies: {}", explain::connection(&connected, best(&scored).count()));
    CommandReply::said(exit::OK, text).structured(json!({ "connected": pid }))
}

fn keep(provider: &IdeContext, world: &World<'_>, choice: &Choice) -> Result<(), CommandReply> {
    let scope = scope(world.asked.session, &world.project);
    provider
        .choices
        .keep(&scope, choice)
        .map_err(|error| CommandReply::said(exit::FINDINGS, format!("the choice cannot be kept: {error}")))
}

fn whose(world: &World<'_>) -> &'static str {
    match scope(world.asked.session, &world.project) {
        Scope::Session(_) => "this session",
        Scope::Directory(_) => "this directory",
    }
}
