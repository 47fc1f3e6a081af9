//! The provider: what each question is answered with.

mod commands;
mod events;
mod fresh;
mod manifest;
mod pick;
mod remember;
mod reply;
mod sessions;
mod tools;
mod workspaces;

use ctxhost_code::project::Places;
use ctxhost_sdk::prelude::*;

use crate::{
    settings::{Limits, Settings},
    source::{chosen::Chosen, switches::Board},
};
use sessions::Sessions;
use workspaces::Workspaces;

/// The provider `pilot-index`.
pub struct PilotIndex {
    limits: Limits,
    workspaces: Workspaces,
    sessions: Sessions,
    board: Board,
    chosen: Chosen,
}

impl Provider for PilotIndex {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let limits = Limits::of(&settings);
        let state = setup.state_dir();
        let places = Places {
            cache: setup.code_cache_dir(),
            home: setup.home_dir(),
            config_home: setup.config_dir(),
            grammars: setup.grammar_dirs(),
            max_files: limits.max_files,
        };
        Ok(Self {
            workspaces: Workspaces::new(places, limits.watch),
            limits,
            sessions: sessions::below(state.as_deref()),
            board: Board::below(state.as_deref()),
            chosen: Chosen::below(state.as_deref()),
        })
    }

    fn manifest(head: Manifest) -> Manifest {
        manifest::complete(head)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        request.session.folder()?;
        events::answer(self, cx, &request)
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        request.session.folder()?;
        tools::run(self, cx, &request)
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        request.session.folder()?;
        commands::run(self, cx, &request)
    }
}
