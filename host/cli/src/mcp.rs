//! An MCP server: the tools of all providers, and a warm process for hooks.
//!
//! It answers `initialize`, `ping`, `tools/list` and `tools/call`, and tells when the list of tools has changed.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, Once, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ctxhost::{
    Asking, Cancel, Event, Host, Opening, Session,
    compose::neutralize::plain,
    flow::{Offered, OfferedTool, RunError},
    load::HostListener,
    protocol::{
        envelope::{self, Agent, AgentTools, Content, Level, Life, Notify, SessionStartData, ToolReply},
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
    /// The process's own conversation under the name that hooks have for it.
    named: Mutex<Named>,
    /// The other conversations that hooks name.
    sessions: Sessions,
    client: Mutex<String>,
    /// Lets providers begin once, however often the client says that it has begun.
    started: Once,
    starts: Mutex<Vec<Start>>,
}

/// What is known of the name of the process's own conversation.
enum Named {
    /// Nothing: the first that a hook names is it.
    Unknown,
    /// The agent has told it beforehand.
    Told(String),
    /// A hook has named it.
    Hooked(String, Session),
}

/// A start of a conversation that runs beside everything else.
struct Start {
    cancel: Cancel,
    thread: thread::JoinHandle<()>,
}

/// How long starts that were told to stop are waited for at the end.
const PARTING: Duration = Duration::from_millis(300);

impl Drop for Server {
    /// A start has the providers in its hands: only when it has let go of them do they end, with their children.
    fn drop(&mut self) {
        let starts = std::mem::take(self.starts.get_mut().unwrap_or_else(PoisonError::into_inner));
        starts.iter().for_each(|start| start.cancel.cancel());
        let until = Instant::now() + PARTING;
        while starts.iter().any(|start| !start.thread.is_finished()) && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Server {
    /// `session` is the conversation's name where the agent has told it beforehand.
    pub(crate) fn new(host: Host, cwd: PathBuf, session: Option<String>) -> Self {
        let named = session.clone().map_or(Named::Unknown, Named::Told);
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
            named: Mutex::new(named),
            sessions: Sessions::default(),
            client: Mutex::default(),
            started: Once::new(),
            starts: Mutex::default(),
        }
    }

    fn initialize(&self, params: &Value, cancel: &Cancel) -> Value {
        let client = params.pointer("/clientInfo/name").and_then(Value::as_str).unwrap_or("mcp");
        let version = params.pointer("/clientInfo/version").and_then(Value::as_str);
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = client.to_owned();
        self.session.set_agent(agent(client, version));
        let asked = params.get("protocolVersion").and_then(Value::as_str).unwrap_or_default();
        let spoken = VERSIONS.iter().find(|known| **known == asked).unwrap_or(&VERSIONS[0]);
        let offered = self.offered(cancel);
        json!({
            "protocolVersion": spoken,
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": "ctxhost", "title": "ctxhost", "version": env!("CARGO_PKG_VERSION")},
            "instructions": instructions(&offered.tools),
        })
    }

    /// The tools; what is to be told of them is told with the next prompt.
    fn offered(&self, cancel: &Cancel) -> Offered {
        let (offered, findings) = self.session.tools(cancel);
        self.session.tell_later(findings);
        offered
    }

    fn tools(&self, cancel: &Cancel) -> Value {
        let offered = self.offered(cancel);
        let own = offered.tools.into_iter().filter(|tool| tool.active).map(|tool| {
            let schema = if tool.schema.is_object() { tool.schema } else { json!({"type": "object"}) };
            json!({"name": tool.name, "description": plain(&tool.description), "inputSchema": schema})
        });
        json!({ "tools": own.chain([inject_tool()]).collect::<Vec<_>>() })
    }

    fn call_tool(&self, params: &Value, cancel: &Cancel) -> Result<Value, ErrorObject> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
        if name == INJECT {
            return Ok(self.inject(&arguments, cancel));
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
    fn inject(&self, arguments: &Value, cancel: &Cancel) -> Value {
        let empty = Map::new();
        let fields = Fields(arguments.as_object().unwrap_or(&empty));
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let hooks = if client.contains("codex") { HookAgent::Codex } else { HookAgent::ClaudeCode };
        let text = if fields.text("hook_event_name").is_some() {
            let session = self.hooked(&fields, hooks);
            let answer = hook::answer(hooks, &fields, &session, cancel);
            let text = answer.document.to_string();
            if !cancel.is_cancelled() {
                answer.delivered();
            }
            text
        } else {
            let prompt = Event::prompt(fields.text("prompt").unwrap_or_default());
            let asking = Asking { cancel: cancel.clone(), ..Asking::default() };
            let prepared = self.session.prepare(prompt, &asking);
            if cancel.is_cancelled() {
                return Value::Null;
            }
            let outcome = prepared.deliver();
            let mut text = outcome.injection.text.clone();
            if text.is_empty() {
                text.push_str("Nothing new: the providers have no context for this prompt.\n");
            }
            if let Some(warnings) = hook::warnings(&outcome) {
                text.push_str(&warnings);
            }
            text
        };
        json!({"content": [{"type": "text", "text": text}]})
    }

    /// The conversation that a hook is about; one that is new begins now, unless it is the process's own.
    fn hooked(&self, fields: &Fields<'_>, hooks: HookAgent) -> Session {
        let mut agent = hooks.describe(self.host.surroundings(), fields.text("model"));
        // A start that this process raises itself has nobody to hand its text to: it comes with the next prompt.
        agent.can.retain(|can| can != "inject.session");
        let (id, cwd) = (fields.text("session_id"), self.folder(fields.cwd()));
        if let Some(id) = id.filter(|_| Path::new(&cwd) == self.cwd) {
            let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
            let own = match &*named {
                Named::Unknown => true,
                Named::Told(told) => told == id,
                Named::Hooked(known, session) if known == id => return session.clone(),
                Named::Hooked(..) => false,
            };
            if own {
                let session = self.session.under(Some(id.to_owned()), agent);
                *named = Named::Hooked(id.to_owned(), session.clone());
                return session;
            }
        }
        let wanted = envelope::Session { id: id.map(str::to_owned), cwd, trusted: false, life: Life::Long };
        let is_new = id.is_some() && self.sessions.last(&wanted).is_none();
        let session = self.sessions.get(&self.host, &wanted, None, agent);
        if is_new {
            self.start(&session);
        }
        session
    }

    /// Where a hook takes place: where it really lies, as the command line has it.
    fn folder(&self, cwd: Option<&Path>) -> String {
        let real = cwd.and_then(|cwd| cwd.canonicalize().ok()).filter(|cwd| cwd.is_dir());
        let real = real.unwrap_or_else(|| self.cwd.clone());
        real.to_str().map(str::to_owned).unwrap_or_else(|| self.cwd.to_string_lossy().into_owned())
    }

    /// Lets providers begin what takes time: nobody else raises this in an agent that has only hooks.
    fn start(&self, session: &Session) {
        let session = session.clone();
        let cancel = Cancel::default();
        let asking = Asking { tell_later: true, cancel: cancel.clone(), ..Asking::default() };
        // A prompt that comes before the thread runs waits for it all the same.
        let starting = session.begin_start();
        let start = move || {
            let event = Event::SessionStart(SessionStartData { reason: "startup".to_owned() });
            session.prepare(event, &asking).delivered();
            drop(starting);
        };
        let mut starts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        starts.retain(|start| !start.thread.is_finished());
        // Without a thread there is no background work, and tools and prompts do without.
        if let Ok(thread) = thread::Builder::new().name("session start".to_owned()).spawn(start) {
            starts.push(Start { cancel, thread });
        }
    }
}

impl Service for Server {
    fn is_immediate(&self, method: &str) -> bool {
        // Others load providers, and whoever takes a request back or ends the input is to be heard meanwhile.
        matches!(method, "ping" | "notifications/initialized")
    }

    fn takes_back(&self, method: &str, params: &Value) -> Option<Id> {
        let id = || read_id(params.get("requestId")?.clone());
        (method == "notifications/cancelled").then(id).flatten()
    }

    fn call(&self, method: &str, params: Value, cancel: &Cancel) -> Result<Value, ErrorObject> {
        match method {
            "initialize" => Ok(self.initialize(&params, cancel)),
            "notifications/initialized" => {
                self.started.call_once(|| self.start(&self.session));
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
        // The name of our own tool is not free.
        tools: AgentTools { guarded: vec![INJECT.to_owned()], ..AgentTools::default() },
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
