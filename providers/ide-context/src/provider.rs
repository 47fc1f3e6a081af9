//! The provider: one fresh look for each question, then what it means, then how it is said.

mod commands;
mod manifest;
mod world;

use ctxhost_sdk::prelude::*;

use crate::{
    select::{
        connect::Connected,
        snapshot::{Shows, Snapshot},
    },
    settings::{Glyphs, Places, Settings},
    shape::{block::file_block, database::table_block, document::document, quote, status::status},
    source::{connection::Choices, sightings::Sightings},
};
use world::{Asked, World};

/// The provider `ide-context`.
///
/// It keeps no state of editors: each question is answered from the files as they are then.
pub struct IdeContext {
    places: Places,
    glyphs: Glyphs,
    secret_rules: bool,
    choices: Choices,
    sightings: Sightings,
}

impl Provider for IdeContext {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let places = Places::new(&setup, &settings)?;
        Ok(Self {
            choices: Choices::new(places.kept.as_deref()),
            sightings: Sightings::new(places.kept.as_deref()),
            glyphs: settings.glyphs,
            secret_rules: settings.secret_rules.unwrap_or(true),
            places,
        })
    }

    fn manifest(head: Manifest) -> Manifest {
        manifest::complete(head)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let asked = Asked { session: &request.session, agent: &request.agent, now: request.now };
        let world = World::look(self, cx, &asked)?;
        let scored = world.scored();
        let (connected, candidates) = world.connected(&scored);
        // Only a prompt is what a selection can be meant for.
        let is_prompt = request.event == "prompt";
        let snapshot = match &connected {
            Connected::To { scored, .. } => Some(world.snapshot(scored.editor, is_prompt)),
            _ => None,
        };
        let (text, detail) = status(&connected, candidates, snapshot.as_ref(), self.glyphs);
        let mut reply = Reply::new()
            .data(document(&connected, candidates, snapshot.as_ref(), is_prompt)?)?
            .status(text, Some(detail));
        reply.findings = world.findings(self, snapshot.as_ref());
        world.forget_gone(&self.choices);
        if is_prompt {
            reply.sections.extend(snapshot.as_ref().and_then(section));
        }
        Ok(reply)
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        let asked = Asked { session: &request.session, agent: &request.agent, now: request.now };
        commands::run(self, &World::look(self, cx, &asked)?, &request.name, &request.args)
    }
}

/// The section about an accepted snapshot; `None` when nothing is injected.
fn section(snapshot: &Snapshot<'_>) -> Option<Section> {
    if !snapshot.is_injected() {
        return None;
    }
    let state = &snapshot.editor.state;
    let selection = snapshot.fresh_selection();
    let bodies = match snapshot.shows {
        Shows::File(file) => file_block(&file.path, state, selection),
        Shows::Table(database) => table_block(database),
        Shows::Nothing(_) => return None,
    };
    // No `sources`: the block says where the user is, not what a file holds. With them the host could take it for a
    // part of a file that another section shows whole, and put a reference in place of the cursor.
    let section = Section::prompt("editor", Trust::Editor).title("What the editor shows").priority(90);
    let mut section = bodies.into_iter().fold(section, |section, body| section.body(body));
    section.person = selection.and_then(|selection| quote::person(state, selection));
    Some(section)
}
