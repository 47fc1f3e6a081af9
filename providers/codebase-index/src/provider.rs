//! The provider: what each question is answered with.

mod commands;
mod connection;
mod events;
mod looking;
mod manifest;
mod searching;
mod syncing;
mod tools;
mod trouble;
mod workspaces;

use std::sync::Arc;

use ctxhost_code::grammar::Grammars;
use ctxhost_sdk::{prelude::*, system_time};

use crate::{
    settings::{Limits, Settings, Surroundings},
    source::{calendar::Calendar, engine::Places, limits::Limits as Reading, net::Net, stop::Stop},
};
use connection::Connections;
use workspaces::Workspaces;

/// The provider `codebase-index`.
pub struct CodebaseIndex {
    shared: Arc<Shared>,
    /// Apart from what its tasks share, so that it ends with the provider.
    net: Net,
}

/// What questions and the work behind them share.
struct Shared {
    host: HostHandle,
    limits: Limits,
    places: Places,
    calendar: Arc<Calendar>,
    connections: Connections,
    workspaces: Workspaces,
    /// Asked when the provider ends.
    stop: Stop,
    /// What `BROWSER` says.
    browser: Option<String>,
}

impl Shared {
    /// How files are read now.
    fn reading(&self) -> Reading {
        Reading { now: system_time(self.calendar.now()), ..self.limits.reading.clone() }
    }
}

impl Provider for CodebaseIndex {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let (home, config_home) = (setup.home_dir(), setup.config_dir());
        let around = Surroundings {
            url: setup.env(manifest::URL_VARIABLE),
            auth_provider: setup.env(manifest::AUTH_VARIABLE),
            home: home.as_deref(),
            config_home: config_home.as_deref(),
        };
        let limits = Limits::of(&settings, around).map_err(Error::bad_input)?;
        let net = Net::default();
        let host = setup.host.clone();
        let clock = host.clone();
        let calendar = Arc::new(Calendar::new(move || clock.now_ns()));
        let state = setup.state_dir();
        let shared = Shared {
            places: Places { cache: setup.cache_dir(), grammars: Grammars::new(setup.grammar_dirs()) },
            connections: Connections::new(state.clone(), Arc::clone(&calendar), net.renewing()),
            workspaces: Workspaces::below(state),
            stop: Stop::default(),
            browser: setup.env(manifest::BROWSER_VARIABLE).map(str::to_owned),
            host,
            limits,
            calendar,
        };
        Ok(Self { shared: Arc::new(shared), net })
    }

    fn manifest(head: Manifest) -> Manifest {
        manifest::complete(head)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        request.session.folder()?;
        self.shared.calendar.set(request.now);
        events::answer(self, cx, &request)
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        request.session.folder()?;
        self.shared.calendar.set(request.now);
        tools::run(self, cx, &request)
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        request.session.folder()?;
        self.shared.calendar.set(request.now);
        commands::run(self, cx, &request)
    }
}

impl Drop for CodebaseIndex {
    fn drop(&mut self) {
        self.shared.stop.stop();
    }
}
