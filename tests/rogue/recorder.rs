//! A provider that writes down what it is asked, and does with its one tool whatever a test of the wire asks for.

#![allow(missing_docs, reason = "a library for tests")]

use std::{
    fs::OpenOptions,
    io::Write as _,
    path::PathBuf,
    process::{Child, Command as Process, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use ctxhost_sdk::{prelude::*, protocol::envelope::ResultPatch, serde_json::Value};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// A file that gets one line of JSON for each thing that happens.
    log: Option<PathBuf>,
    /// Text of the section of each prompt; none where it is empty.
    prompt: String,
    /// Text of a section of the conversation's start; none where it is empty.
    session: String,
    /// Text of a section for one call of the model; none where it is empty.
    call: String,
    /// Sizes in bytes of one more section of each prompt, the fullest first.
    sizes: Vec<usize>,
    /// How long a start takes, in milliseconds.
    start_ms: u64,
    /// What is done at a start, as by a tool.
    start_do: Vec<String>,
}

struct Recorder {
    settings: Settings,
    host: HostHandle,
    changes: AtomicU64,
    children: Mutex<Vec<Child>>,
    /// One line is written at a time.
    log: Mutex<()>,
}

impl Drop for Recorder {
    fn drop(&mut self) {
        for child in self.children.get_mut().unwrap_or_else(PoisonError::into_inner) {
            child.kill().ok();
            child.wait().ok();
        }
        self.record(&json!({"end": true}));
    }
}

impl Provider for Recorder {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let recorder = Self {
            settings,
            host: setup.host,
            changes: AtomicU64::new(0),
            children: Mutex::default(),
            log: Mutex::default(),
        };
        recorder.record(&json!({"create": true}));
        Ok(recorder)
    }

    fn manifest(head: Manifest) -> Manifest {
        let slash =
            Command { slash: Some("record".to_owned()), ..ctxhost_sdk::command("say", "Says its words") };
        Manifest {
            powers: ["block", "rewrite", "patch"].map(str::to_owned).to_vec(),
            commands: vec![slash],
            ..head
        }
    }

    fn tools(&self, _: &Cx<'_>) -> Result<Vec<Tool>> {
        let schema = json!({"type": "object", "properties": {"do": {"type": "string"}}});
        let mut act = ctxhost_sdk::tool("act", "Does what it is told.", schema);
        act.guidelines = vec!["Use act when something is to be done.".to_owned()];
        let added = (0..self.changes.load(Ordering::SeqCst).min(3)).map(|number| {
            ctxhost_sdk::tool(&format!("act_{number}"), "Came later.", json!({"type": "object"}))
        });
        Ok([act].into_iter().chain(added).collect())
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        self.record(&json!({
            "event": request.event, "data": request.data, "session": request.session, "agent": request.agent,
            "visible": request.visible,
        }));
        match request.event.as_str() {
            "session.start" => {
                for what in &self.settings.start_do {
                    self.act(cx, what)?;
                }
                thread::sleep(Duration::from_millis(self.settings.start_ms));
                let section = Section::session("start", Trust::Workspace).body(&self.settings.session);
                Ok(with([section]).status("recording", Some("writes everything down".to_owned())))
            }
            "prompt" => {
                let text = request.data["text"].as_str().unwrap_or_default();
                if let Some(what) = text.strip_prefix("do: ") {
                    self.act(cx, what)?;
                }
                let prompt = Section::prompt("prompt", Trust::Workspace).body(&self.settings.prompt);
                let call = Section { placement: Placement::Call, ..Section::prompt("call", Trust::Tool) };
                let sized = Section::prompt("sized", Trust::Workspace).priority(40);
                let sized = self.settings.sizes.iter().fold(sized, |section, size| {
                    let line = "a line that is größer als nötig\n";
                    section.body(format!("{size} bytes\n{}", line.repeat(size / line.len())))
                });
                Ok(with([prompt, call.body(&self.settings.call), sized]))
            }
            "tool.before" => {
                let input = request.data["input"].to_string();
                let decision = input.contains("do: block").then(|| Decision {
                    block: true,
                    reason: Some("the recorder forbids it".to_owned()),
                    guidance: None,
                });
                let guidance = input.contains("do: guide").then(|| Decision {
                    guidance: Some("the recorder would look first".to_owned()),
                    ..Decision::default()
                });
                Ok(Reply { decision: decision.or(guidance), ..Reply::new() })
            }
            "tool.after" => {
                let patch = request.data["input"].to_string().contains("do: patch");
                let result_patch = patch.then(|| ResultPatch {
                    content: Some(vec![json!({"type": "text", "text": "patched"})]),
                    ..ResultPatch::default()
                });
                Ok(Reply { result_patch, ..Reply::new() })
            }
            _ => Ok(Reply::new()),
        }
    }

    fn tool(&self, cx: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        self.record(&json!({"tool": request.name, "args": request.args, "call_id": request.call_id, "session": request.session}));
        let image = Content::Image { data: "aGVsbG8=".to_owned(), mime_type: "image/png".to_owned() };
        Ok(match request.args["do"].as_str().unwrap_or_default() {
            "image" => ToolReply { content: vec![image], ..ToolReply::text("") },
            "structured" => {
                ToolReply { content: vec![], structured: Some(json!({"answer": 42})), ..ToolReply::text("") }
            }
            "both" => ToolReply {
                details: Some(json!({"for": "the person"})),
                ..ToolReply::text("as text").structured(json!({"answer": 42}))
            },
            "error" => ToolReply::error("it did not work"),
            what => {
                self.act(cx, what)?;
                ToolReply::text(format!("did {what}"))
            }
        })
    }

    fn command(&self, cx: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        self.record(&json!({"command": request.name, "args": request.args, "session": request.session}));
        self.act(cx, request.args.first().map_or("", String::as_str))?;
        let choice = Choice { label: "again".to_owned(), detail: None, args: vec!["nothing".to_owned()] };
        let text = request.args.join(" ");
        Ok(CommandReply {
            text,
            data: Some(json!({"said": true})),
            choices: vec![choice],
            ..CommandReply::default()
        })
    }
}

impl Recorder {
    fn act(&self, cx: &Cx<'_>, what: &str) -> Result<()> {
        let (what, number) = what.split_once(' ').unwrap_or((what, ""));
        let number = number.parse::<u64>().unwrap_or(0);
        match what {
            "sleep" => thread::sleep(Duration::from_millis(number)),
            // Looks whether it is still wanted, and writes down when it no longer is.
            "wait" => loop {
                thread::sleep(Duration::from_millis(2));
                if let Err(error) = cx.check() {
                    self.record(&json!({"cancelled": true}));
                    return Err(error);
                }
            },
            "hang" => loop {
                thread::sleep(Duration::from_secs(3600));
            },
            "panic" => panic!("the recorder panics as asked"),
            "abort" => std::process::abort(),
            "fail" => return Err(Error::failed("the recorder fails as asked")),
            "change" => {
                self.changes.fetch_add(1, Ordering::SeqCst);
                self.host.notify(&Notify::ToolsChanged);
            }
            "tell" => self.tell(cx, 1, "told"),
            "flood" => self.tell(cx, number, "flooded"),
            "flood-large" => self.tell(cx, number, &"a flood of large notifications ".repeat(1_900)),
            "child" => {
                let mut sleep = Process::new("sleep");
                sleep.arg("1000").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                self.children.lock().unwrap_or_else(PoisonError::into_inner).push(sleep.spawn()?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Says everything that can be said unasked, as often as wanted.
    fn tell(&self, cx: &Cx<'_>, times: u64, text: &str) {
        for number in 0..times {
            let key = format!("{number} {text}");
            let status = Status { text: format!("{number}"), detail: Some(text.to_owned()) };
            self.host.notify(&Notify::Status { status });
            self.host.notify(&Notify::Message { level: Level::Warning, text: text.to_owned() });
            self.host.notify(&Notify::Invalidate { key });
            self.host.notify(&Notify::ToolsChanged);
            cx.progress(number, Some(times), text);
        }
        self.record(&json!({"told": times}));
    }

    fn record(&self, line: &Value) {
        let Some(file) = &self.settings.log else { return };
        let _one = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = OpenOptions::new().create(true).append(true).open(file);
        opened
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .expect("the log can be written");
    }
}

/// A reply of those sections that have a text.
fn with(sections: impl IntoIterator<Item = Section>) -> Reply {
    let sections = sections.into_iter().filter(|section| !section.variants.is_empty());
    Reply { sections: sections.collect(), ..Reply::new() }
}

export_provider!(
    Recorder,
    id = "recorder",
    title = "Recorder",
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
