//! What each agent reads, and where.

use std::path::{Path, PathBuf};

use ctxhost::Surroundings;

use super::{
    Content, Request, Target,
    entries::{NAME, Wanted, shell_quoted},
    json::{Json, quoted},
};
use crate::{
    args::{AgentName, HookForm},
    exit::{Code, Failure},
};

const CLAUDE_HOOKS: &str = include_str!("../../../agents/claude-code/hooks.json");
const CLAUDE_PROMPT: &str = include_str!("../../../agents/claude-code/prompt-by-mcp.json");
const CLAUDE_SERVER: &str = include_str!("../../../agents/claude-code/mcp.json");
const CODEX_HOOKS: &str = include_str!("../../../agents/codex/hooks.json");
const CODEX_PROMPT: &str = include_str!("../../../agents/codex/prompt-by-mcp.json");
const CODEX_SERVER: &str = include_str!("../../../agents/codex/config.toml");

/// The files of the Pi extension: their names and contents.
pub(crate) const PI_FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pi_files.rs"));

/// What a face must know of an agent to find and test it.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Its folder, for the user.
    pub(crate) dir: PathBuf,
    /// The program that people start.
    pub(crate) program: &'static str,
}

/// The agent's own folder and program.
///
/// # Errors
/// There is no home folder.
pub(crate) fn shape(agent: AgentName, surroundings: &Surroundings) -> Result<Shape, Failure> {
    let (variable, below_home, program) = match agent {
        AgentName::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude", "claude"),
        AgentName::Codex => ("CODEX_HOME", ".codex", "codex"),
        AgentName::Pi => ("PI_CODING_AGENT_DIR", ".pi/agent", "pi"),
    };
    let dir = match surroundings.var(variable) {
        Some(dir) => surroundings.expand(dir),
        None => home(surroundings)?.join(below_home),
    };
    if dir.is_absolute() {
        return Ok(Shape { dir, program });
    }
    Err(Failure::usage(format!("{variable}: {} is not an absolute path; set one", dir.display())))
}

fn home(surroundings: &Surroundings) -> Result<&Path, Failure> {
    surroundings.home.as_deref().ok_or_else(|| Failure::usage("HOME is not set to an absolute path; set it"))
}

/// The files of an agent, and what of ours belongs into each.
///
/// # Errors
/// There is no home folder.
pub(super) fn targets(request: &Request<'_>, program: String) -> Result<Vec<Target>, Failure> {
    let mut targets = match request.agent {
        AgentName::ClaudeCode => claude_code(request, &program),
        AgentName::Codex => codex(request, &program),
        AgentName::Pi => pi(request, program),
    }?;
    for target in targets.iter_mut().filter(|target| !target.private) {
        target.project = request.project.map(Path::to_owned);
    }
    Ok(targets)
}

fn claude_code(request: &Request<'_>, program: &str) -> Result<Vec<Target>, Failure> {
    let (settings, servers) = match request.project {
        Some(project) => (project.join(".claude/settings.json"), project.join(".mcp.json")),
        None => {
            let dir = shape(request.agent, request.surroundings)?.dir;
            let servers = if request.surroundings.var("CLAUDE_CONFIG_DIR").is_some() {
                dir.join(".claude.json")
            } else {
                home(request.surroundings)?.join(".claude.json")
            };
            // Its place in early versions still wins where it exists.
            let early = dir.join(".config.json");
            (dir.join("settings.json"), if early.exists() { early } else { servers })
        }
    };
    let server = Json::template(CLAUDE_SERVER);
    let server = server.get("mcpServers").and_then(|servers| servers.get(NAME));
    let mut server = server.cloned().unwrap_or(Json::Object(Vec::new()));
    name_program(&mut server, program);
    let private = request.project.is_none();
    Ok(vec![
        Target {
            path: settings,
            content: hooks(CLAUDE_HOOKS, CLAUDE_PROMPT, request, program),
            private,
            project: None,
        },
        Target { path: servers, content: Content::Json(Wanted::Server(server)), private, project: None },
    ])
}

fn codex(request: &Request<'_>, program: &str) -> Result<Vec<Target>, Failure> {
    let dir = match request.project {
        Some(project) => project.join(".codex"),
        None => shape(request.agent, request.surroundings)?.dir,
    };
    let private = request.project.is_none();
    let lines = CODEX_SERVER.lines().filter_map(|line| line.split_once(" = ")).map(|(name, value)| {
        let value = if name == "command" { quoted(program) } else { value.to_owned() };
        (name, value)
    });
    Ok(vec![
        Target {
            path: dir.join("hooks.json"),
            content: hooks(CODEX_HOOKS, CODEX_PROMPT, request, program),
            private,
            project: None,
        },
        Target {
            path: dir.join("config.toml"),
            content: Content::Toml(lines.collect()),
            private,
            project: None,
        },
    ])
}

fn pi(request: &Request<'_>, program: String) -> Result<Vec<Target>, Failure> {
    let data = request.surroundings.data_dir();
    let data = data
        .ok_or_else(|| Failure::usage("there is no folder for the extension; set HOME or XDG_DATA_HOME"))?;
    if PI_FILES.is_empty() {
        return Err(Failure::new(
            Code::Internal,
            "this program was built without the extension; build it in a whole tree, which has host/agents/pi",
        ));
    }
    let package = data.join("agents/pi");
    let mut targets: Vec<Target> = PI_FILES
        .iter()
        .map(|(name, content)| Target {
            path: package.join(name),
            content: Content::Whole(content),
            private: true,
            project: None,
        })
        .collect();
    targets.extend(outdated(&package));
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| {
            Failure::usage(format!("{}: not UTF-8; set XDG_DATA_HOME to another folder", path.display()))
        })
    };
    match request.project {
        Some(project) => {
            let below = package.strip_prefix(home(request.surroundings)?).map_err(|_| {
                Failure::usage(format!(
                    "{}: lies outside the home folder, so a project's file cannot name it for everybody; install without --project",
                    package.display()
                ))
            })?;
            targets.push(Target {
                path: project.join(".pi/settings.json"),
                content: Content::Json(Wanted::Package(format!("~/{}", text(below)?))),
                private: false,
                project: None,
            });
        }
        None => {
            let dir = shape(request.agent, request.surroundings)?.dir;
            let named = Content::Json(Wanted::Program(program));
            targets.push(Target {
                path: dir.join("ctxhost.json"),
                content: named,
                private: true,
                project: None,
            });
            let content = Content::Json(Wanted::Package(text(&package)?));
            targets.push(Target { path: dir.join("settings.json"), content, private: true, project: None });
        }
    }
    Ok(targets)
}

/// Sources of another version of the extension.
fn outdated(package: &Path) -> Vec<Target> {
    let folder = package.join("src");
    let is_known = |path: &Path| PI_FILES.iter().any(|(name, _)| package.join(name) == path);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "ts") && !is_known(path))
        .map(|path| Target { path, content: Content::Gone, private: true, project: None })
        .collect()
}

/// The handlers of a template, one for each event.
fn hooks(template: &str, prompt: &str, request: &Request<'_>, program: &str) -> Content {
    let template = Json::template(template);
    let form = request.hook.unwrap_or(match request.project {
        Some(_) => HookForm::Command,
        None => HookForm::McpTool,
    });
    let events = template.get("hooks").map(Json::members).unwrap_or_default();
    let handler = |(event, groups): &(String, Json)| {
        let handler = groups.elements().first()?.get("hooks")?.elements().first()?;
        let mut handler = handler.clone();
        if event == "UserPromptSubmit" && form == HookForm::McpTool {
            handler = Json::template(prompt);
        }
        name_program(&mut handler, program);
        Some((event.clone(), handler))
    };
    Content::Json(Wanted::Hooks(events.iter().filter_map(handler).collect()))
}

/// Puts the program in the place of its plain name.
fn name_program(entry: &mut Json, program: &str) {
    let exec_form = entry.get("args").is_some();
    if let Some(Json::Text(command)) = entry.get_mut("command") {
        let rest = command.strip_prefix(NAME).unwrap_or_default();
        *command = if exec_form { program.to_owned() } else { format!("{}{rest}", shell_quoted(program)) };
    }
}
