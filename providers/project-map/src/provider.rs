//! The provider: what each question is answered with.

mod clock;
mod commands;
mod context;
mod events;
mod guard;
mod inject;
mod manifest;
mod pages;
mod projects;
mod sessions;
mod told;
mod writing;

use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ctxhost_sdk::{prelude::*, protocol::envelope::Session};

use crate::{
    settings::{Config, Settings},
    source::{
        project_file,
        root::{self, Root},
        turns::Turns,
        workspace::Places,
    },
};
use clock::Clock;
use commands::On;
use events::Asked;
use projects::Projects;
use sessions::Sessions;

/// The provider `project-map`.
pub struct ProjectMap {
    settings: Settings,
    projects: Projects,
    sessions: Sessions,
}

impl Provider for ProjectMap {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let places = Places {
            cache: setup.code_cache_dir(),
            home: setup.home_dir(),
            config_home: setup.env("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute()),
            grammars: grammar_places(&setup),
            max_files: Config::resolve(&settings, None, false).0.max_files,
        };
        let sessions = Sessions::new(Turns::below(setup.state_dir().as_deref()));
        Ok(Self { settings, projects: Projects::new(places), sessions })
    }

    fn manifest(head: Manifest) -> Manifest {
        manifest::complete(head)
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        cx.check()?;
        let clock = Clock::new(cx);
        let reply = self.on(cx, &request.session, request.now, |on, findings| {
            let On { root, from, workspace, config, .. } = *on;
            let asked = Asked { provider: self, cx, request: &request, root, from, workspace, config, clock };
            events::answer(&asked, findings)
        })?;
        reply.unwrap_or_else(|refused| events::refused(&refused))
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        let reply = self.on(cx, &request.session, request.now, |on, findings| {
            commands::call(on, &request.name, &request.args, findings)
        })?;
        reply.unwrap_or_else(|refused| Ok(ToolReply::error(refused)))
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        let reply = self.on(cx, &request.session, request.now, |on, findings| {
            commands::run(on, &request.name, &request.args, findings)
        })?;
        reply.unwrap_or_else(|refused| Ok(commands::refused(&refused)))
    }
}

impl ProjectMap {
    /// Does something in the project of a session; the inner error says why there is none.
    fn on<T>(
        &self,
        cx: &Cx<'_>,
        session: &Session,
        now: f64,
        act: impl FnOnce(&On<'_>, &[Finding]) -> T,
    ) -> Result<Result<T, String>> {
        if !session.cwd.starts_with('/') {
            return Err(Error::bad_input(format!("session.cwd: `{}` is not an absolute path", session.cwd)));
        }
        // Where maps lie is for the user to say before a project's file is found.
        let places = Config::resolve(&self.settings, None, session.trusted).0;
        let Root { path: root, from } = root::of(Path::new(&session.cwd), &places);
        let (root, from) = (root.as_path(), from.as_str());
        let workspace = match self.projects.of(root) {
            Ok(workspace) => workspace,
            Err(refused) => return Ok(Err(refused)),
        };
        let (file, mut findings) = project_file::read(root);
        let (config, resolved) = Config::resolve(&self.settings, file.as_ref(), session.trusted);
        findings.extend(resolved);
        let (now, trusted) = (time(now), session.trusted);
        let on = On { cx, root, from, workspace: &workspace, config: &config, now, trusted };
        Ok(Ok(act(&on, &findings)))
    }
}

/// The host's time; one that is none is 1970, which only means more reading.
fn time(unix: f64) -> SystemTime {
    Duration::try_from_secs_f64(unix).map_or(UNIX_EPOCH, |since| UNIX_EPOCH + since)
}

/// Where grammars are: what the user says, then what the host knows, its own and the user's.
fn grammar_places(setup: &Setup) -> Vec<PathBuf> {
    let said = setup.env("CTXHOST_GRAMMARS").map(PathBuf::from).filter(|path| path.is_absolute());
    said.into_iter().chain(setup.grammar_dirs()).chain(setup.install_dir()).collect()
}
