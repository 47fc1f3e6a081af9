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

use std::path::PathBuf;

use ctxhost_sdk::prelude::*;

use crate::{
    settings::{Limits, Settings},
    source::{chosen::Chosen, code::Places, switches::Board},
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
            config_home: setup.env("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute()),
            grammars: grammar_places(&setup),
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
        absolute(&request.session.cwd)?;
        events::answer(self, cx, &request)
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        absolute(&request.session.cwd)?;
        tools::run(self, cx, &request)
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        absolute(&request.session.cwd)?;
        commands::run(self, cx, &request)
    }
}

fn absolute(cwd: &str) -> Result<()> {
    if cwd.starts_with('/') {
        return Ok(());
    }
    Err(Error::bad_input(format!("session.cwd: `{cwd}` is not an absolute path")))
}

/// Where grammars are: what the user says, then what the host knows, its own and the user's.
fn grammar_places(setup: &Setup) -> Vec<PathBuf> {
    let said = setup.env("CTXHOST_GRAMMARS").map(PathBuf::from).filter(|path| path.is_absolute());
    said.into_iter().chain(setup.grammar_dirs()).chain(setup.install_dir()).collect()
}
