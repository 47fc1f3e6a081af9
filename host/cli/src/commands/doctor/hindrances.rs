//! What in an agent's own settings keeps its hooks from firing.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use ctxhost::files::read_regular;
use serde_json::{Value, json};

use super::{
    agents::{Scene, Scope},
    probe::Start,
};
use crate::{
    args::AgentName,
    install::{
        self, Content, entries,
        file::FILE_CAP,
        json::{Json, parse},
        toml,
    },
};

/// Where the settings of Claude Code lie that an organisation gives its machines.
const MANAGED: &str = "/etc/claude-code/managed-settings.json";

/// How long Codex may take to say which hooks it trusts; 0.3 s were seen.
const CODEX_LIMIT: Duration = Duration::from_secs(10);

/// What was found.
#[derive(Default)]
pub(super) struct Hindrances {
    /// What keeps context from arriving.
    pub(super) stops: Vec<String>,
    /// What a person may want to know.
    pub(super) notes: Vec<String>,
}

/// What keeps the entries of this scope from taking effect.
pub(super) fn of(scene: &Scene<'_>, scope: &Scope) -> Hindrances {
    let mut found = Hindrances::default();
    match scene.agent {
        AgentName::ClaudeCode => claude_code(scene, scope, &mut found),
        AgentName::Codex => codex(scene, scope, &mut found),
        AgentName::Pi => pi(scene, scope, &mut found),
    }
    found
}

/// A JSON file of the agent's, as far as it can be read; one that cannot is told of elsewhere.
fn read(path: &Path) -> Option<Json> {
    let bytes = read_regular(path, FILE_CAP).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let value = parse(text.trim_start_matches('\u{feff}')).ok()??;
    Some(Json::of(&value))
}

fn is_true(json: &Json, name: &str) -> bool {
    json.get(name).is_some_and(|value| value.value() == true)
}

fn names_us(json: &Json, name: &str) -> bool {
    json.get(name).is_some_and(|list| list.elements().iter().any(|item| item.text() == Some(entries::NAME)))
}

fn claude_code(scene: &Scene<'_>, scope: &Scope, found: &mut Hindrances) {
    let Ok(shape) = install::shape(scene.agent, scene.surroundings) else { return };
    strict_json(scope, "Claude Code", found);
    let settings = [
        PathBuf::from(MANAGED),
        scene.cwd.join(".claude/settings.local.json"),
        scene.cwd.join(".claude/settings.json"),
        shape.dir.join("settings.json"),
    ];
    let read: Vec<(PathBuf, Json)> =
        settings.into_iter().filter_map(|path| read(&path).map(|json| (path, json))).collect();
    // The first that says anything is right: managed, local, project, user.
    let off = read.iter().find(|(_, json)| json.get("disableAllHooks").is_some());
    if let Some((path, _)) = off.filter(|(_, json)| is_true(json, "disableAllHooks")) {
        found.stops.push(format!("{}: disableAllHooks is true; take it out", path.display()));
    }
    for (path, json) in &read {
        if path == Path::new(MANAGED) && is_true(json, "allowManagedHooksOnly") {
            found.stops.push(format!(
                "{}: allowManagedHooksOnly is true, so your own hooks do not run; ask whoever manages this machine",
                path.display()
            ));
        }
    }
    let rejected = read.iter().find(|(_, json)| names_us(json, "disabledMcpjsonServers"));
    let approved = |(_, json): &(PathBuf, Json)| {
        is_true(json, "enableAllProjectMcpServers") || names_us(json, "enabledMcpjsonServers")
    };
    let by_tool = scope.handlers.iter().any(|(_, handler)| handler.get("tool").is_some());
    if scope.project && scope.server.is_some() {
        let why = match rejected {
            Some((path, _)) => Some(format!(
                "{}: disabledMcpjsonServers names ctxhost; take it out, and approve the server",
                path.display()
            )),
            None if read.iter().any(approved) => None,
            None => Some(
                "the project's MCP server is not approved yet; start Claude Code here and approve it"
                    .to_owned(),
            ),
        };
        if by_tool { &mut found.stops } else { &mut found.notes }.extend(why);
    }
}

fn codex(scene: &Scene<'_>, scope: &Scope, found: &mut Hindrances) {
    let Ok(shape) = install::shape(scene.agent, scene.surroundings) else { return };
    strict_json(scope, "Codex", found);
    let config = shape.dir.join("config.toml");
    let text = read_regular(&config, FILE_CAP).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.unwrap_or_default();
    let document = toml::parse(text.trim_start_matches('\u{feff}')).ok();
    let item = |way: [&str; 2]| document.as_ref().and_then(|document| document.get(way[0])?.get(way[1]));
    // Its name in earlier versions still counts.
    for feature in ["hooks", "codex_hooks"] {
        if item(["features", feature]).and_then(toml_edit::Item::as_bool) == Some(false) {
            found.stops.push(format!("{}: features.{feature} is false; take it out", config.display()));
        }
    }
    if scope.handlers.is_empty() {
        return;
    }
    let path = scope.files.iter().find(|(target, _)| matches!(target.content, Content::Json(_)));
    let path = path.map(|(target, _)| target.path.clone()).unwrap_or_default();
    match trusted(scene, &path) {
        Ok(hooks) if hooks.is_empty() => found.stops.push(format!(
            "{}: Codex does not read it; trust this project in Codex, or mend the file",
            path.display()
        )),
        Ok(hooks) => {
            let untrusted: Vec<&str> = hooks
                .iter()
                .filter(|(_, state)| *state != Trust::Trusted)
                .map(|(event, _)| event.as_str())
                .collect();
            if !untrusted.is_empty() {
                found.stops.push(format!(
                    "{}: Codex skips the hooks of {}, which you have not trusted; type /hooks in Codex and trust them",
                    path.display(),
                    untrusted.join(", ")
                ));
            }
        }
        Err(why) => {
            // Without Codex itself, its memory of what was trusted is all there is.
            let states = item(["hooks", "state"]).and_then(toml_edit::Item::as_table_like);
            let begin = format!("{}:user_prompt_submit:", path.display());
            let known = states.is_some_and(|states| states.iter().any(|(key, _)| key.starts_with(&begin)));
            if known {
                found.notes.push(format!("whether Codex still trusts the hooks is not known: {why}"));
            } else {
                found.stops.push(format!(
                    "{}: its hooks are not trusted; type /hooks in Codex and trust them",
                    path.display()
                ));
            }
        }
    }
}

/// What Codex makes of a hook.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Trusted,
    Skipped,
}

/// Asks Codex which hooks of a file it knows, and whether it runs them.
fn trusted(scene: &Scene<'_>, file: &Path) -> Result<Vec<(String, Trust)>, String> {
    let env = scene.surroundings.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let codex = super::super::install::find("codex", scene.surroundings);
    let codex = codex.as_deref().and_then(Path::to_str).ok_or("no program `codex` is on the PATH")?;
    let words = [codex, "app-server"].map(str::to_owned).to_vec();
    let mut server = Start { words, cwd: scene.cwd, env, limit: CODEX_LIMIT }.server()?;
    let client = json!({"name": "ctxhost", "version": env!("CARGO_PKG_VERSION")});
    server.ask("initialize", &json!({"clientInfo": client}))?;
    server.tell("initialized")?;
    let listed = server.ask("hooks/list", &json!({"cwds": [scene.cwd.to_string_lossy()]}))?;
    let hooks = listed["data"][0]["hooks"].as_array().ok_or("its list of hooks has another form")?;
    let of_file = |hook: &&Value| hook["sourcePath"].as_str().is_some_and(|path| Path::new(path) == file);
    let ours = |hook: &&Value| {
        hook["server"] == entries::NAME
            || hook["command"].as_str().is_some_and(|command| {
                let handler = Json::Object(vec![
                    ("type".to_owned(), Json::Text("command".to_owned())),
                    ("command".to_owned(), Json::Text(command.to_owned())),
                ]);
                entries::is_handler(&handler)
            })
    };
    let state = |hook: &Value| {
        let runs =
            hook["enabled"] != false && matches!(hook["trustStatus"].as_str(), Some("trusted" | "managed"));
        let event = hook["eventName"].as_str().unwrap_or_default().to_owned();
        (event, if runs { Trust::Trusted } else { Trust::Skipped })
    };
    Ok(hooks.iter().filter(of_file).filter(ours).map(state).collect())
}

fn pi(scene: &Scene<'_>, scope: &Scope, found: &mut Hindrances) {
    strict_json(scope, "Pi", found);
    if let Some(package) = &scope.package {
        let folder = scene.surroundings.expand(package);
        if !folder.join("package.json").is_file() {
            found.stops.push(format!(
                "{}: the extension is not there; `ctxhost install pi` writes it",
                folder.display()
            ));
        }
    }
    if !super::super::install::on_path("node", scene.surroundings) {
        found.notes.push("no program `node` is on the PATH; Pi needs one".to_owned());
    }
    if scope.project {
        found.notes.push("Pi reads a project's settings only once you trust the project".to_owned());
    }
}

/// Says when an agent cannot read what our own parser can.
fn strict_json(scope: &Scope, agent: &str, found: &mut Hindrances) {
    for (target, looked) in &scope.files {
        let Some(text) = looked.text.as_deref().filter(|_| matches!(target.content, Content::Json(_))) else {
            continue;
        };
        if looked.is_marked && agent == "Codex" {
            found.stops.push(format!(
                "{}: Codex does not read a file that begins with a byte order mark; save it without",
                target.path.display()
            ));
        }
        if let Err(error) = install::strict(text) {
            found.stops.push(format!(
                "{}: {agent} reads strict JSON only, without comments and trailing commas: {error}; take them out",
                target.path.display()
            ));
        }
    }
}
