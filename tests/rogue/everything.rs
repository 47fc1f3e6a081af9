//! A provider that does whatever a provider may do, as its settings and the texts it is shown ask for it.
//!
//! A word such as `everything:block` in a prompt, in a tool's input or in a message switches on what its name says.

#![allow(missing_docs, reason = "a library for tests")]

use std::{
    fs::OpenOptions,
    io::Write as _,
    path::PathBuf,
    process::Command as Process,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use ctxhost_sdk::{
    prelude::*,
    protocol::envelope::{Entry, Insert, McpServer, Messages, Ready, ResultPatch},
    serde_json::Value,
};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// Text of a section of the conversation's start; none where it is empty.
    session: String,
    /// Text of the section that stands with each prompt; one of its own where it is empty, none where it is `-`.
    prompt: String,
    /// Whether the section of each prompt is another one each time.
    counter: bool,
    /// Text of a section for one call of the model; none where it is empty.
    call: String,
    /// The program of an MCP server to register at the start of a conversation, and its arguments.
    mcp_server: Vec<String>,
    /// A file that gets one line of JSON for each request.
    log: Option<PathBuf>,
}

struct Everything {
    settings: Settings,
    prompts: AtomicU64,
    found: AtomicBool,
    passed: AtomicBool,
    /// One line is written at a time.
    log: Mutex<()>,
}

/// A large section's sizes in bytes, the fullest one first.
const LARGE: [usize; 4] = [60_000, 6_000, 2_000, 400];

impl Provider for Everything {
    type Settings = Settings;

    fn new(_: Setup, settings: Settings) -> Result<Self> {
        Ok(Self {
            settings,
            prompts: AtomicU64::new(0),
            found: AtomicBool::new(false),
            passed: AtomicBool::new(false),
            log: Mutex::new(()),
        })
    }

    fn manifest(head: Manifest) -> Manifest {
        let slash = Command {
            slash: Some("everything".to_owned()),
            ..ctxhost_sdk::command("colour", "Asks for a colour and says which it was")
        };
        Manifest {
            summary: "Everything that a provider may do, for tests.".to_owned(),
            powers: ["block", "rewrite", "patch", "mcp_server"].map(str::to_owned).to_vec(),
            needs: Needs { files: true, process: true, network: false },
            alias: Some("everything".to_owned()),
            tools: tools(false, false),
            commands: vec![slash],
            ..head
        }
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        self.write_log(&request)?;
        match request.event.as_str() {
            "session.start" => Ok(self.session_start()),
            "prompt" => self.prompt(cx, &request.data_as::<PromptData>()?.text),
            "model_call" => Ok(self.model_call(&request.data)),
            "tool.before" => Ok(tool_before(&request.data)),
            "tool.after" => Ok(tool_after(&request.data)),
            "mcp.result" => Ok(Reply::new().status(format!("mcp {}", request.data["ok"]), None)),
            _ => Ok(Reply::new()),
        }
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        let text = request.args["text"].as_str().unwrap_or_default();
        Ok(match request.name.as_str() {
            "everything_echo" => ToolReply {
                details: Some(json!({"shown": text, "call": request.call_id})),
                ..ToolReply::text(format!("echo: {text}")).structured(json!({"echo": text}))
            },
            "everything_search" => {
                self.found.store(true, Ordering::SeqCst);
                cx.host().notify(&Notify::ToolsChanged);
                ToolReply::text("found one more tool: everything_found")
            }
            "everything_found" if self.found.load(Ordering::SeqCst) => {
                ToolReply::text("the found tool answers")
            }
            "everything_passing" if !self.passed.swap(true, Ordering::SeqCst) => {
                cx.host().notify(&Notify::ToolsChanged);
                ToolReply::text("this was the last time")
            }
            other => ToolReply::error(format!("there is no tool {other} now")),
        })
    }

    fn tools(&self, _: &Cx<'_>) -> Result<Vec<Tool>> {
        Ok(tools(self.found.load(Ordering::SeqCst), self.passed.load(Ordering::SeqCst)))
    }

    fn command(&self, _: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        let choice = |colour: &str| Choice {
            label: format!("the colour {colour}"),
            detail: Some(format!("as {colour} as can be")),
            args: vec![colour.to_owned()],
        };
        Ok(match request.args.first() {
            Some(colour) => CommandReply { text: format!("it is {colour}"), ..CommandReply::default() },
            None => CommandReply {
                text: "which colour?".to_owned(),
                choices: vec![choice("red"), choice("green")],
                ..CommandReply::default()
            },
        })
    }
}

impl Everything {
    fn session_start(&self) -> Reply {
        let start = Section::session("start", Trust::Workspace).body(&self.settings.session);
        let server = |(command, arguments): (&String, &[String])| McpServer {
            name: "more".to_owned(),
            command: Some(command.clone()),
            args: arguments.to_vec(),
            exposure: Some("direct".to_owned()),
            timeout_s: Some(60.0),
            ready: Some(Ready { tool_prefix: "mcp__more__".to_owned(), wait_ms: 10_000 }),
            ..McpServer::default()
        };
        Reply { mcp_server: self.settings.mcp_server.split_first().map(server), ..with(start) }
            .status("everything", Some("does everything".to_owned()))
    }

    fn prompt(&self, cx: &Cx<'_>, text: &str) -> Result<Reply> {
        misbehave(cx, text)?;
        let number = self.prompts.fetch_add(1, Ordering::SeqCst) + 1;
        let body = match self.settings.prompt.as_str() {
            "-" => String::new(),
            "" => "everything is as it should be".to_owned(),
            other => other.to_owned(),
        };
        let body = if self.settings.counter { format!("{body} (prompt {number})") } else { body };
        let mut section = Section::prompt("state", Trust::Editor).title("State").body(body);
        if text.contains("everything:quote") {
            section.person = Some(Person {
                show: true,
                quote: Some("quoted by everything".to_owned()),
                entry: Some(Entry { kind: "everything.seen".to_owned(), data: json!({"prompt": number}) }),
            });
        }
        let call = Section { placement: Placement::Call, ..Section::prompt("call", Trust::Tool) };
        let mut reply = with(section);
        reply.sections.extend(with(call.body(&self.settings.call)).sections);
        if text.contains("everything:large") {
            reply.sections.push(large("a line of a large section, as long as the others are\n"));
        }
        if text.contains("everything:wide") {
            // Four bytes, two UTF-16 units and one character each: agents count differently.
            reply.sections.push(large("😀😀😀😀😀😀😀😀😀😀😀😀\n"));
        }
        if text.contains("everything:finding") {
            reply = reply.finding(Level::Warning, "everything-found", "everything has something to tell");
        }
        if text.contains("everything:notify") {
            let text = "everything says so".to_owned();
            cx.host().notify(&Notify::Message { level: Level::Warning, text });
        }
        Ok(reply.status(format!("everything {number}"), None))
    }

    /// Forgets each message with the word in it, and puts a section before the last message.
    fn model_call(&self, data: &Value) -> Reply {
        let messages = data["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has = |message: &Value, word: &str| message.to_string().contains(word);
        if !messages.iter().any(|message| has(message, "everything:rewrite")) {
            return Reply::new();
        }
        let numbered = (0_u64..).zip(messages);
        let keep = numbered.filter(|(_, message)| !has(message, "everything:forget")).map(|(index, _)| index);
        let before = (messages.len() as u64).saturating_sub(1);
        let call = Section { placement: Placement::Call, ..Section::prompt("retrieved", Trust::Workspace) };
        Reply {
            messages: Some(Messages {
                keep: keep.collect(),
                insert: vec![Insert { before, key: "retrieved".to_owned() }],
            }),
            ..with(call.body("everything remembers this instead"))
        }
    }

    fn write_log(&self, request: &Request) -> Result<()> {
        let Some(file) = &self.settings.log else { return Ok(()) };
        let _one = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let line = json!({
            "event": request.event, "session": request.session, "agent": request.agent, "visible": request.visible,
            "data": request.data, "process": std::process::id(),
        });
        Ok(writeln!(OpenOptions::new().create(true).append(true).open(file)?, "{line}")?)
    }
}

/// A reply of this section, or of none where it has no text.
fn with(section: Section) -> Reply {
    if section.variants.is_empty() { Reply::new() } else { Reply::new().section(section) }
}

/// A section that fits into no hook whole; each size says which one it is, and shows where it ends.
fn large(line: &str) -> Section {
    LARGE.iter().fold(Section::prompt("large", Trust::Workspace).priority(40), |section, size| {
        let head = format!("in {size} bytes\n");
        let tail = "the end of what is large\n";
        let lines = (size - head.len() - tail.len()) / line.len();
        section.body(format!("{head}{}{tail}", line.repeat(lines)))
    })
}

/// What goes wrong where a prompt asks for it.
fn misbehave(cx: &Cx<'_>, text: &str) -> Result<()> {
    let asks = |word: &str| text.contains(word);
    if asks("everything:slow") {
        thread::sleep(Duration::from_millis(700));
    }
    if asks("everything:hang") {
        thread::sleep(Duration::from_secs(3600));
    }
    if asks("everything:fail") {
        return Err(Error::failed("everything fails as asked"));
    }
    assert!(!asks("everything:panic"), "everything panics as asked");
    if asks("everything:abort") {
        std::process::abort();
    }
    if asks("everything:kill") {
        Process::new("kill").args(["-9", &std::process::id().to_string()]).status()?;
        thread::sleep(Duration::from_secs(3600));
    }
    cx.check()
}

fn tool_before(data: &Value) -> Reply {
    let input = data["input"].to_string();
    let decision = if input.contains("everything:block") {
        let reason = format!(
            "everything blocks {} {} after {}",
            data["kind"].as_str().unwrap_or("-"),
            data["paths"],
            data["assistant_text"]
        );
        Some(Decision { block: true, reason: Some(reason), guidance: None })
    } else if input.contains("everything:guide") {
        Some(Decision { guidance: Some("everything would look first".to_owned()), ..Decision::default() })
    } else {
        None
    };
    Reply { decision, ..Reply::new() }
}

fn tool_after(data: &Value) -> Reply {
    let patch = data["input"].to_string().contains("everything:patch").then(|| ResultPatch {
        content: Some(vec![json!({"type": "text", "text": "patched by everything"})]),
        details: Some(json!({"patched": true})),
        is_error: None,
    });
    Reply { result_patch: patch, ..Reply::new() }
}

/// The tools at one moment: a found one comes, a passing one goes.
fn tools(found: bool, passed: bool) -> Vec<Tool> {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let none = json!({"type": "object", "properties": {}});
    let mut echo = ctxhost_sdk::tool("everything_echo", "Says what it is told.", text);
    echo.guidelines = vec!["Use everything_echo when an echo is asked for.".to_owned()];
    let search = ctxhost_sdk::tool("everything_search", "Finds one more tool.", none.clone());
    let mut passing = ctxhost_sdk::tool("everything_passing", "Can be called once.", none.clone());
    passing.active = !passed;
    let mut tools = vec![echo, search, passing];
    if found {
        tools.push(ctxhost_sdk::tool("everything_found", "Was found by a search.", none));
    }
    tools
}

export_provider!(
    Everything,
    id = "everything",
    title = "Everything",
    spec = "envelope/v1",
    events = [
        "session.start",
        "prompt",
        "model_call",
        "tool.before",
        "tool.after",
        "compact",
        "model.change",
        "turn.end",
        "mcp.result",
        "session.end"
    ]
);
