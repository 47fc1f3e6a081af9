//! Does what an agent does with a prompt, and holds the answer against what the agent takes.

use std::{path::Path, time::Duration};

use serde_json::{Map, Value, json};

use super::{super::install, agents::Scene, permit::Permitted, probe::Start};
use crate::{
    args::AgentName,
    install::{entries, json::Json},
};

/// The prompt that is asked about.
const PROMPT: &str = "ctxhost doctor: does context arrive?";

/// How long a prompt may take, where the entry does not say: what `install` writes.
const LIMIT: Duration = Duration::from_secs(25);

/// More than this an agent puts into a file, or cuts: code units of UTF-16 in Claude Code, bytes in Codex.
const LARGEST: usize = 10_000;

/// What Codex knows at the top of a hook's answer; anything else makes the hook fail.
const CODEX_KNOWS: [&str; 7] =
    ["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"];

/// What Codex gives each MCP server of its own environment.
const CODEX_GIVES: [&str; 8] = ["HOME", "PATH", "PWD", "LANG", "USER", "SHELL", "TERM", "TMPDIR"];

/// The answer to a prompt.
pub(super) struct Prompted {
    /// The context that the agent gets; empty when there is nothing to say.
    pub(super) context: String,
    /// How long it took.
    pub(super) took: Duration,
}

/// The version that a program says it has.
pub(super) fn version(scene: &Scene<'_>, program: &str) -> Result<String, String> {
    let state = state()?;
    let words = vec![program.to_owned(), "--version".to_owned()];
    let answer = start(scene, words, state.path(), Duration::from_secs(5))?.hook(&Value::Null)?;
    match answer.text.trim().split_once(' ') {
        Some((name, version)) if name == entries::NAME => Ok(version.to_owned()),
        _ => Err("it does not say that it is ctxhost".to_owned()),
    }
}

/// Runs a command hook.
pub(super) fn by_command(scene: &Scene<'_>, handler: &Json, command: Permitted) -> Result<Prompted, String> {
    let state = state()?;
    let start = start(scene, command.into_words(), state.path(), limit(handler))?;
    let answer = start.hook(&event(scene))?;
    let context = context(scene.agent, &answer.text)?;
    Ok(Prompted { context, took: answer.took })
}

/// Starts the MCP server and calls its tool, as an `mcp_tool` hook does.
pub(super) fn by_tool(
    scene: &Scene<'_>,
    handler: &Json,
    command: Permitted,
    passed: Option<&[String]>,
) -> Result<Prompted, String> {
    let state = state()?;
    let mut start = start(scene, command.into_words(), state.path(), limit(handler))?;
    if scene.agent == AgentName::Codex {
        let passed = passed.unwrap_or_default();
        start.env.retain(|(name, _)| {
            CODEX_GIVES.contains(&name.as_str()) || name.starts_with("LC_") || passed.contains(name)
        });
    }
    let arguments = arguments(scene, handler)?;
    let mut server = start.server()?;
    let client = json!({"name": "ctxhost-doctor", "version": env!("CARGO_PKG_VERSION")});
    server.ask(
        "initialize",
        &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
    )?;
    server.tell("notifications/initialized")?;
    let tools = server.ask("tools/list", &json!({}))?;
    let tool = handler.get("tool").and_then(Json::text).unwrap_or_default();
    let has = tools["tools"].as_array().is_some_and(|tools| tools.iter().any(|found| found["name"] == tool));
    if !has {
        return Err(format!("it has no tool {tool}"));
    }
    let result = server.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
    let took = server.end()?;
    if result["isError"] == true {
        return Err(format!(
            "the tool fails: {}",
            result["content"][0]["text"].as_str().unwrap_or("no reason")
        ));
    }
    let text = match result["content"].as_array().map(Vec::as_slice) {
        Some([only]) if only["type"] == "text" => only["text"].as_str().unwrap_or_default(),
        _ => return Err("its result is not one text, which is all that the agent takes".to_owned()),
    };
    Ok(Prompted { context: context(scene.agent, text)?, took })
}

/// Starts the host as the Pi extension does, and asks it about a prompt.
pub(super) fn by_serve(scene: &Scene<'_>, program: String) -> Result<Prompted, String> {
    let state = state()?;
    let words = vec![program, "serve".to_owned(), "--stdio".to_owned()];
    let mut server = start(scene, words, state.path(), LIMIT)?.server()?;
    let agent = json!({
        "name": "pi", "version": "0", "config_dir": null, "model": null, "usage_tokens": null,
        "can": ["inject.prompt"], "tools": {"guarded": [], "taken": []},
    });
    server.ask("hello", &json!({"v": 1, "agent": agent}))?;
    let cwd = scene.cwd.to_string_lossy();
    let session = json!({"id": "doctor", "cwd": cwd, "trusted": false});
    let data = json!({"text": PROMPT, "source": "interactive"});
    let outcome =
        server.ask("event", &json!({"event": "prompt", "session": session, "visible": [], "data": data}))?;
    let took = server.end()?;
    let context = outcome["injection"]["text"].as_str().unwrap_or_default().to_owned();
    Ok(Prompted { context, took })
}

/// A folder of its own for what a prompt leaves behind: the conversation of a test is none.
fn state() -> Result<tempfile::TempDir, String> {
    tempfile::tempdir().map_err(|error| format!("there is no room for a temporary folder: {error}"))
}

fn start<'a>(
    scene: &Scene<'a>,
    mut words: Vec<String>,
    state: &Path,
    limit: Duration,
) -> Result<Start<'a>, String> {
    if let Some(program) = words.first_mut().filter(|program| !program.contains('/')) {
        let found = install::find(program, scene.surroundings);
        let found = found.as_deref().and_then(Path::to_str);
        *program =
            found.ok_or_else(|| format!("{program} does not start: it is not on the PATH"))?.to_owned();
    }
    let mut env: Vec<(String, String)> =
        scene.surroundings.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    env.retain(|(name, _)| name != "XDG_STATE_HOME");
    env.push(("XDG_STATE_HOME".to_owned(), state.to_string_lossy().into_owned()));
    Ok(Start { words, cwd: scene.cwd, env, limit })
}

fn limit(handler: &Json) -> Duration {
    let seconds = handler.get("timeout").and_then(|timeout| timeout.value().as_u64());
    // Minutes of waiting would prove nothing more.
    seconds.map_or(LIMIT, |seconds| Duration::from_secs(seconds.clamp(1, 60)))
}

/// What the agent says of a prompt.
fn event(scene: &Scene<'_>) -> Value {
    let mut event = json!({
        "session_id": "ctxhost-doctor", "transcript_path": "", "cwd": scene.cwd.to_string_lossy(),
        "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": PROMPT,
    });
    match scene.agent {
        AgentName::Codex => {
            event["turn_id"] = json!("doctor");
            event["model"] = json!("unknown");
        }
        _ => event["prompt_id"] = json!("doctor"),
    }
    event
}

/// The arguments of the tool, with the agent's values in their places.
fn arguments(scene: &Scene<'_>, handler: &Json) -> Result<Value, String> {
    let event = event(scene);
    let mut arguments = Map::new();
    for (name, value) in handler.get("input").map(Json::members).unwrap_or_default() {
        let value = value.value();
        let place = value.as_str().and_then(|text| text.strip_prefix("${")?.strip_suffix('}'));
        let value = match place {
            None => value,
            Some(place) => match event.get(place) {
                Some(value) => value.clone(),
                None if scene.agent == AgentName::Codex => {
                    return Err(format!("its input names `{place}`, which Codex does not have"));
                }
                None => json!(""),
            },
        };
        arguments.insert(name.clone(), value);
    }
    Ok(Value::Object(arguments))
}

/// The context in an answer, if the agent takes it.
fn context(agent: AgentName, text: &str) -> Result<String, String> {
    let answer: Value =
        serde_json::from_str(text.trim()).map_err(|error| format!("its answer is not JSON: {error}"))?;
    let Some(members) = answer.as_object() else {
        return Err("its answer is not an object".to_owned());
    };
    if agent == AgentName::Codex
        && let Some(unknown) = members.keys().find(|name| !CODEX_KNOWS.contains(&name.as_str()))
    {
        return Err(format!("its answer has `{unknown}`, which Codex does not take"));
    }
    let Some(output) = members.get("hookSpecificOutput") else { return Ok(String::new()) };
    if output["hookEventName"] != "UserPromptSubmit" {
        return Err("its answer is for another event".to_owned());
    }
    let context = output["additionalContext"].as_str().unwrap_or_default();
    let size = if agent == AgentName::Codex { context.len() } else { context.encode_utf16().count() };
    if size > LARGEST {
        return Err(format!(
            "its context has {size} characters, and the agent cuts off what is above {LARGEST}"
        ));
    }
    Ok(context.to_owned())
}
