//! An MCP server: the tools of all providers, and a warm process for hooks.
//!
//! It answers `initialize`, `ping`, `tools/list` and `tools/call`, and tells when the list of tools has changed.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, Once, PoisonError},
    thread,
};

use ctxhost::{
    Cancel, Event, Host, Opening, Session,
    compose::neutralize::plain,
    flow::{OfferedTool, RunError},
    load::HostListener,
    protocol::{
        envelope::{self, Agent, Content, Level, Life, Notify, SessionStartData, ToolReply},
        serve::{ErrorObject, Id, Message, code},
    },
};
use serde_json::{Map, Value, json};

use crate::{
    hook::{self, Fields, HookAgent},
    jsonrpc::{Outgoing, Service, error, read_id},
    sessions::Sessions,
};

/// The versions of the protocol whose messages are the ones spoken here, the newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The longest instructions, in characters; they are in every conversation.
const INSTRUCTIONS_CAP: usize = 2_000;

/// The tool that hooks call.
const INJECT: &str = "ctxhost_inject";

/// Answers an MCP client.
pub(crate) struct Server {
    host: Host,
    /// The conversation of this process itself, in which tools run.
    session: Session,
    cwd: PathBuf,
    /// The conversations that hooks name.
    sessions: Sessions,
    client: Mutex<String>,
    /// Lets providers begin once, however often the client says that it has begun.
    started: Once,
}

impl Server {
    /// `session` is the conversation's name where the agent has told it beforehand.
    pub(crate) fn new(host: Host, cwd: PathBuf, session: Option<String>) -> Self {
        let session = host.session(Opening {
            id: session,
            cwd: cwd.clone(),
            trusted: false,
            life: Life::Long,
            agent: agent("mcp", None),
        });
        Self {
            host,
            session,
            cwd,
            sessions: Sessions::default(),
            client: Mutex::default(),
            started: Once::new(),
        }
    }

    fn initialize(&self, params: &Value, cancel: &Cancel) -> Value {
        let client = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or("mcp");
        let version = params.pointer("/clientInfo/version").and_then(Value::as_str);
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = client.to_owned();
        self.session.set_agent(agent(client, version));
        let asked = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
        let spoken = VERSIONS.iter().find(|known| **known == asked).unwrap_or(&VERSIONS[0]);
        let (offered, _) = self.session.tools(cancel);
        json!({
            "protocolVersion": spoken,
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "ctxhost", "title": "ctxhost", "version": env!("CARGO_PKG_VERSION")},
            "instructions": instructions(&offered.tools),
        })
    }

    fn tools(&self, cancel: &Cancel) -> Value {
        let (offered, _) = self.session.tools(cancel);
        let own = offered.tools.into_iter().filter(|tool| tool.active).map(|tool| {
            let schema = if tool.schema.is_object() { tool.schema } else { json!({"type": "object"}) };
            json!({"name": tool.name, "description": tool.description, "inputSchema": schema})
        });
        json!({ "tools": own.chain([inject_tool()]).collect::<Vec<_>>() })
    }

    fn call_tool(&self, params: &Value, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
        if name == INJECT {
            return Ok(self.inject(&arguments));
        }
        let call_id = ["/_meta/claudecode~1toolUseId", "/_meta/callId"];
        let call_id = call_id.iter().find_map(|pointer| params.pointer(pointer).and_then(Value::as_str));
        match self.session.tool(name, arguments, call_id.unwrap_or("mcp"), cancel) {
            Ok(reply) => Ok(tool_result(reply)),
            Err(RunError::NotFound(why)) => Err(error(code::INVALID_PARAMS, why)),
            // The model is to read it and go on.
            Err(why) => {
                Ok(json!({"content": [{"type": "text", "text": plain(&why.to_string())}], "isError": true}))
            }
        }
    }

    /// The context of a prompt: for a hook in the hook's own form, for a model as text.
    fn inject(&self, arguments: &Value) -> Value {
        let empty = Map::new();
        let fields = Fields(arguments.as_object().unwrap_or(&empty));
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let hooks = if client.contains("codex") { HookAgent::Codex } else { HookAgent::ClaudeCode };
        let text = if fields.text("hook_event_name").is_some() {
            let session = self.sessions.get(
                &self.host,
                &envelope::Session {
                    id: fields.text("session_id").map(str::to_owned),
                    cwd: self.folder(fields.cwd()),
                    trusted: false,
                    life: Life::Long,
                },
                None,
                hooks.describe(self.host.surroundings(), fields.text("model")),
            );
            let answer = hook::answer(hooks, &fields, &session);
            let text = answer.document.to_string();
            answer.delivered();
            text
        } else {
            let prompt = fields.text("prompt").unwrap_or_default().to_owned();
            let text = self.session.event(Event::prompt(prompt)).injection.text;
            if text.is_empty() {
                "Nothing new: the providers have no context for this prompt.".to_owned()
            } else {
                text
            }
        };
        json!({"content": [{"type": "text", "text": text}]})
    }

    /// Where a hook takes place: where it really lies, as the command line has it.
    fn folder(&self, cwd: Option<&Path>) -> String {
        let real = cwd.and_then(|cwd| cwd.canonicalize().ok()).filter(|cwd| cwd.is_dir());
        let real = real.unwrap_or_else(|| self.cwd.clone());
        real.to_str().map(str::to_owned).unwrap_or_else(|| self.cwd.to_string_lossy().into_owned())
    }

    /// Lets providers begin what takes time: nobody else raises this in an agent that has only hooks.
    fn start(&self) {
        let session = self.session.clone();
        let start = move || {
            session.event(Event::SessionStart(SessionStartData { reason: "startup".to_owned() }));
        };
        // Without a thread there is no background work, and tools and prompts do without.
        let _ = thread::Builder::new().name("session start".to_owned()).spawn(start);
    }
}

impl Service for Server {
    fn is_immediate(&self, method: &str) -> bool {
        // Whoever asks for tools next is to find the agent known.
        matches!(method, "initialize" | "ping" | "notifications/initialized")
    }

    fn takes_back(&self, method: &str, params: &Value) -> Option<Id> {
        let id = || read_id(params.get("requestId")?.clone());
        (method == "notifications/cancelled").then(id).flatten()
    }

    fn call(&self, method: &str, params: Value, cancel: &Cancel) -> Result<Value, ErrorObject> {
        match method {
            "initialize" => Ok(self.initialize(&params, cancel)),
            "notifications/initialized" => {
                self.started.call_once(|| self.start());
                Ok(Value::Null)
            }
            "ping" => Ok(json!({})),
            "tools/list" => Ok(self.tools(cancel)),
            "tools/call" => self.call_tool(&params, cancel),
            _ => {
                let method: String = method.chars().take(80).collect();
                Err(error(
                    code::UNKNOWN_METHOD,
                    format!("there is no method `{method}`; this server has tools only"),
                ))
            }
        }
    }

    fn cancelled(&self) -> Option<ErrorObject> {
        // The protocol wants no answer to a request that was taken back.
        None
    }
}

fn agent(name: &str, version: Option<&str>) -> Agent {
    let can = ["inject.prompt", "tools"];
    Agent {
        name: plain(name),
        version: version.map(plain),
        can: can.map(str::to_owned).to_vec(),
        ..Agent::default()
    }
}

/// What the model is told of the tools, each sentence once and within the cap.
fn instructions(tools: &[OfferedTool]) -> String {
    let mut text =
        "Tools of the context providers on the user's machine. What they return is data and may be stale."
            .to_owned();
    let mut said: Vec<&str> = Vec::new();
    for guideline in tools.iter().filter(|tool| tool.active).flat_map(|tool| &tool.guidelines) {
        let fits = text.chars().count() + guideline.chars().count() < INSTRUCTIONS_CAP;
        if fits && !said.contains(&guideline.as_str()) {
            said.push(guideline);
            text.push('\n');
            text.push_str(&plain(guideline));
        }
    }
    text
}

fn inject_tool() -> Value {
    let text = |description: &str| json!({"type": "string", "description": description});
    json!({
        "name": INJECT,
        "description": "Returns the context that the installed providers have for a prompt. Hooks call it; call it yourself only when no <ctxhost> block came with the user's message.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "prompt": text("the user's prompt"),
                "hook_event_name": text("set by hooks: the event; the answer is then the hook's JSON"),
                "session_id": text("set by hooks"),
                "cwd": text("set by hooks"),
                "transcript_path": text("set by hooks"),
                "prompt_id": text("set by hooks"),
                "turn_id": text("set by hooks"),
                "model": text("set by hooks"),
            },
        },
    })
}

/// A tool's answer as MCP has it. Both Claude Code and Codex show a model `structuredContent` in place of the text, so
/// the document goes along only where there is no text; details are for a UI and never for the model.
fn tool_result(reply: ToolReply) -> Value {
    let piece = |content: &Content| match content {
        Content::Text { text } => json!({"type": "text", "text": text}),
        Content::Image { data, mime_type } => json!({"type": "image", "data": data, "mimeType": mime_type}),
    };
    let mut content: Vec<Value> = reply.content.iter().map(piece).collect();
    if let (true, Some(structured)) = (content.is_empty(), &reply.structured) {
        content.push(json!({"type": "text", "text": structured.to_string()}));
    }
    let mut result = json!({"content": content, "isError": reply.is_error});
    if let Some(details) = reply.details {
        result["_meta"] = json!({"ctxhost/details": details});
    }
    result
}

/// Tells the client when the tools have changed.
pub(crate) struct Client {
    pub(crate) outgoing: Outgoing,
    pub(crate) verbose: bool,
}

impl HostListener for Client {
    fn log(&self, provider: &str, _level: Level, text: &str) {
        if self.verbose {
            crate::output::log_line(provider, text);
        }
    }

    fn notify(&self, provider: &str, message: Notify) {
        match message {
            Notify::ToolsChanged => {
                let told = Message::notification("notifications/tools/list_changed", json!({}));
                self.outgoing.notify_surely("tools_changed".to_owned(), &told);
            }
            Notify::Message { level, text } | Notify::Log { level, text } => self.log(provider, level, &text),
            _ => {}
        }
    }
}
