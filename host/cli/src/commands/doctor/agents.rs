//! The part of `ctxhost doctor` that is about agents: whether the hook fires, what it would inject now, and what stops
//! it.

use std::{collections::BTreeSet, path::Path};

use ctxhost::Surroundings;
use serde_json::{Value, json};

use super::{
    hindrances,
    permit::{self, CHANGES, Server},
    proof::{self, Prompted},
};
use crate::{
    args::AgentName,
    install::{
        self, Content, Looked, Request, Target,
        entries::{self, Wanted},
        json::Json,
        toml,
    },
};

/// How many lines of an injection are shown.
const SHOWN_LINES: usize = 12;

/// What is known of one agent.
pub(super) struct Report {
    /// Which one.
    pub(super) agent: AgentName,
    /// What a person reads.
    pub(super) lines: Vec<String>,
    /// What keeps context from arriving.
    pub(super) stops: Vec<String>,
    /// The context that arrives now, where it does.
    context: Option<String>,
    /// Whether anything of ours is in its settings.
    installed: bool,
}

/// The settings of an agent for the user, or for a project.
pub(super) struct Scope {
    /// Whether they are a project's.
    pub(super) project: bool,
    /// Its files.
    pub(super) files: Vec<(Target, Looked)>,
    /// The handlers of ours, with their events.
    pub(super) handlers: Vec<(String, Json)>,
    /// The MCP server.
    pub(super) server: Option<Server>,
    /// The folder of the extension, and the program that it starts.
    pub(super) package: Option<String>,
    /// The program that the extension starts.
    pub(super) command: Option<String>,
}

/// An agent, its settings, and where it stands.
pub(super) struct Scene<'a> {
    /// Which one.
    pub(super) agent: AgentName,
    /// Environment, home and program.
    pub(super) surroundings: &'a Surroundings,
    /// The working directory.
    pub(super) cwd: &'a Path,
}

/// A report for each agent that is there.
pub(super) fn reports(surroundings: &Surroundings, cwd: &Path) -> Vec<Report> {
    AgentName::ALL.into_iter().filter_map(|agent| report(&Scene { agent, surroundings, cwd })).collect()
}

impl Report {
    /// As a document.
    pub(super) fn document(&self) -> Value {
        json!({
            "installed": self.installed, "arrives": self.context.is_some(), "context": self.context,
            "stops": self.stops, "lines": self.lines,
        })
    }

    fn prompted(&mut self, how: &str, result: Result<Prompted, String>) {
        match result {
            Ok(Prompted { context, took }) => {
                let ms = took.as_millis();
                if context.is_empty() {
                    self.lines.push(format!(
                        "a prompt reaches {how}, which answers in {ms} ms: nothing is injected now"
                    ));
                } else {
                    let count = context.chars().count();
                    self.lines.push(format!(
                        "a prompt reaches {how}, which answers in {ms} ms and injects {count} characters now:"
                    ));
                    let all: Vec<&str> = context.lines().collect();
                    self.lines.extend(all.iter().take(SHOWN_LINES).map(|line| format!("  | {line}")));
                    if let Some(rest) = all.len().checked_sub(SHOWN_LINES).filter(|rest| *rest > 0) {
                        self.lines.push(format!("  | … {rest} more lines; `ctxhost doctor --json` has them"));
                    }
                }
                self.context.get_or_insert(context);
            }
            Err(why) => self.stops.push(format!(
                "a prompt does not reach {how}: {why}; `ctxhost install {}` writes the entry anew",
                self.agent.name()
            )),
        }
    }
}

fn report(scene: &Scene<'_>) -> Option<Report> {
    let agent = scene.agent;
    let shape = install::shape(agent, scene.surroundings).ok()?;
    let mut report = Report { agent, lines: Vec::new(), stops: Vec::new(), context: None, installed: false };
    let user = look(scene, None, &mut report.stops);
    let mut project = look(scene, Some(scene.cwd), &mut report.stops);
    if let Some(project) = &mut project {
        project.command = user.as_ref().and_then(|user| user.command.clone());
    }
    let scopes: Vec<Scope> = [user, project].into_iter().flatten().filter(Scope::is_installed).collect();
    report.installed = !scopes.is_empty();
    if !report.installed {
        if !shape.dir.is_dir() {
            return None;
        }
        // An agent that was never asked to is not hindered by what else is wrong with its files.
        report.lines.append(&mut report.stops);
        report.lines.push(format!("not installed; `ctxhost install {}` does it", agent.name()));
        return Some(report);
    }
    if scopes.len() > 1 {
        report.lines.push("installed for the user and for this project; one is enough".to_owned());
    }
    if !super::super::install::on_path(shape.program, scene.surroundings) {
        report.lines.push(format!("no program `{}` is on the PATH", shape.program));
    }
    for scope in &scopes {
        files(scene, scope, &mut report);
        let hindrances = hindrances::of(scene, scope);
        report.stops.extend(hindrances.stops);
        report.lines.extend(hindrances.notes);
        programs(scene, scope, &mut report);
        prompt(scene, scope, &mut report);
    }
    Some(report)
}

fn look(scene: &Scene<'_>, project: Option<&Path>, stops: &mut Vec<String>) -> Option<Scope> {
    let request = Request { agent: scene.agent, project, hook: None, surroundings: scene.surroundings };
    let mut scope = Scope {
        project: project.is_some(),
        files: Vec::new(),
        handlers: Vec::new(),
        server: None,
        package: None,
        command: None,
    };
    for (target, looked) in install::look(&request).ok()? {
        match looked {
            Ok(looked) => {
                scope.read(&target, &looked);
                scope.files.push((target, looked));
            }
            Err(failure) => stops.push(failure.message),
        }
    }
    Some(scope)
}

impl Scope {
    fn is_installed(&self) -> bool {
        !self.handlers.is_empty() || self.server.is_some() || self.package.is_some()
    }

    fn read(&mut self, target: &Target, looked: &Looked) {
        let text = looked.text.as_deref().unwrap_or_default();
        match &target.content {
            Content::Json(wanted) => {
                for found in wanted.found(text).unwrap_or_default() {
                    match wanted {
                        Wanted::Hooks(_) => {
                            self.handlers.push((found.event.unwrap_or_default(), found.json));
                        }
                        Wanted::Server(_) => {
                            let changes = CHANGES.into_iter().filter(|name| found.json.get(name).is_some());
                            let changes = changes.collect();
                            let words = entries::command(&found.json);
                            self.server = words.map(|words| Server { words, passed: None, changes });
                        }
                        Wanted::Package(_) => {
                            self.package = entries::package(&found.json).map(str::to_owned);
                        }
                        Wanted::Program(_) => self.command = found.json.text().map(str::to_owned),
                    }
                }
            }
            Content::Toml(_) => {
                let words = toml::command(text).ok().flatten();
                let passed = toml::list(text, "env_vars");
                let changes = CHANGES.into_iter().filter(|name| toml::has(text, name)).collect();
                self.server = words.map(|words| Server { words, passed, changes });
            }
            Content::Whole(_) | Content::Gone => {}
        }
    }
}

/// Where our entries stand, and what of them is missing or of another version.
fn files(scene: &Scene<'_>, scope: &Scope, report: &mut Report) {
    let whose = if scope.project { "this project" } else { "the user" };
    let again = format!(
        "`ctxhost install {}{}` brings it up to date",
        scene.agent.name(),
        if scope.project { " --project" } else { "" }
    );
    let shared: Vec<&(Target, Looked)> = scope
        .files
        .iter()
        .filter(|(target, _)| matches!(target.content, Content::Json(_) | Content::Toml(_)))
        .collect();
    let names: Vec<String> = shared
        .iter()
        .filter(|(_, looked)| looked.is_ours)
        .map(|(target, _)| target.path.display().to_string())
        .collect();
    report.lines.push(format!("installed for {whose} in {}", names.join(" and ")));
    for (target, looked) in &shared {
        if !looked.is_ours {
            report.stops.push(format!("{}: nothing of ctxhost's is there; {again}", target.path.display()));
        } else if !looked.is_current && !scope.project {
            report.lines.push(format!(
                "{}: its entries differ from what this program writes; {again}",
                target.path.display()
            ));
        }
    }
    let own =
        scope.files.iter().filter(|(target, _)| matches!(target.content, Content::Whole(_) | Content::Gone));
    let (mut missing, mut other) = (0, 0);
    for (_, looked) in own {
        match &looked.text {
            None => missing += 1,
            Some(_) if !looked.is_current => other += 1,
            Some(_) => {}
        }
    }
    if missing > 0 {
        report.stops.push(format!("{missing} files of the extension are missing; {again}"));
    }
    if other > 0 {
        report.lines.push(format!(
            "{other} files of the extension are of another version than this program; {again}"
        ));
    }
}

/// Whether each program that our entries name is there, and of this version; what may not be started is told of.
fn programs(scene: &Scene<'_>, scope: &Scope, report: &mut Report) {
    let commands = scope.handlers.iter().filter(|(_, handler)| entries::command(handler).is_some());
    let hooks = commands.map(|(_, handler)| permit::hook(scene, scope, handler));
    let servers = scope.server.iter().map(|server| permit::server(scene, scope, server));
    let (mut named, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for permitted in hooks.chain(servers) {
        match permitted {
            Ok(permitted) => drop(named.insert(permitted.program().to_owned())),
            Err(why) => drop(refused.insert(why)),
        }
    }
    named.extend(scope.command.clone());
    report.stops.extend(refused);
    for program in named {
        match proof::version(scene, &program) {
            Ok(version) if version == env!("CARGO_PKG_VERSION") => {}
            Ok(version) => report
                .lines
                .push(format!("{program} is version {version}, and this is {}", env!("CARGO_PKG_VERSION"))),
            Err(why) => report.stops.push(format!(
                "{program}: {why}; `ctxhost install {}` names this program instead",
                scene.agent.name()
            )),
        }
    }
}

/// Does with a prompt what the agent does with each.
fn prompt(scene: &Scene<'_>, scope: &Scope, report: &mut Report) {
    if scene.agent == AgentName::Pi {
        // The extension's own order: the variable, the user's settings, the `PATH`.
        let named =
            scene.surroundings.var("CTXHOST_BIN").map(str::to_owned).or_else(|| scope.command.clone());
        let program = named.unwrap_or_else(|| entries::NAME.to_owned());
        let program = scene.surroundings.expand(&program).to_string_lossy().into_owned();
        let how = format!("the extension's host `{program} serve --stdio`");
        return report.prompted(&how, proof::by_serve(scene, program));
    }
    let mut handlers = scope.handlers.iter().filter(|(event, _)| event == "UserPromptSubmit").peekable();
    if handlers.peek().is_none() {
        report.stops.push(format!(
            "no hook of ctxhost's is there for UserPromptSubmit; `ctxhost install {}` writes it",
            scene.agent.name()
        ));
    }
    for (_, handler) in handlers {
        if entries::command(handler).is_some() {
            // What may not be started has been told of.
            let Ok(command) = permit::hook(scene, scope, handler) else { continue };
            let how = format!("the hook `{}`", command.shown());
            report.prompted(&how, proof::by_command(scene, handler, command));
            continue;
        }
        let Some(server) = &scope.server else {
            report.stops.push(format!(
                "the hook calls the MCP server `{}`, which is not set up; `ctxhost install {}` does it",
                entries::NAME,
                scene.agent.name()
            ));
            continue;
        };
        match permit::tool(scene, scope, server, handler) {
            Ok(command) => {
                let how = format!("the tool {} of `{}`", entries::INJECT, command.shown());
                report.prompted(&how, proof::by_tool(scene, handler, command, server.passed.as_deref()));
            }
            Err(why) if report.stops.contains(&why) => {}
            Err(why) => report.stops.push(why),
        }
    }
}
