//! The provider: what each question is answered with.

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

use ctxhost_code::project::Places;
use ctxhost_sdk::{Clock, prelude::*, protocol::envelope::Session, system_time};

use crate::{
    settings::{Config, Settings},
    source::{
        project_file,
        root::{self, Root},
    },
};
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
            config_home: setup.config_dir(),
            grammars: setup.grammar_dirs(),
            max_files: Config::resolve(&settings, None, false).0.max_files,
        };
        let sessions = sessions::below(setup.state_dir().as_deref());
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
        let cwd = session.folder()?;
        // Where maps lie is for the user to say before a project's file is found.
        let places = Config::resolve(&self.settings, None, session.trusted).0;
        let Root { path: root, from } = root::of(cwd, &places);
        let (root, from) = (root.as_path(), from.as_str());
        let workspace = match self.projects.of(root) {
            Ok(workspace) => workspace,
            Err(refused) => return Ok(Err(refused)),
        };
        let (file, mut findings) = project_file::read(root);
        let (config, resolved) = Config::resolve(&self.settings, file.as_ref(), session.trusted);
        findings.extend(resolved);
        let (now, trusted) = (system_time(now), session.trusted);
        let on = On { cx, root, from, workspace: &workspace, config: &config, now, trusted };
        Ok(Ok(act(&on, &findings)))
    }
}
