//! Pi itself, as `pi -p` and as a process that is driven over its RPC mode.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    agents::{
        model::Model,
        process::{NothingLeft, command},
        program,
    },
    harness::{Place, Ran, root},
};

/// How long Pi may take for anything: it loads TypeScript on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// Both ends of what is supported: the newest that runs on node 20, and the newest.
const VERSIONS: [&str; 2] = ["pi-node20", "pi-node22"];

/// Does the same with each version of Pi, in a place of its own.
pub(crate) fn each(place: impl Fn() -> Place, test: impl Fn(&Pi<'_>)) {
    for version in VERSIONS {
        eprintln!("with {version}:");
        let place = place();
        test(&Pi::new(version, &place));
    }
}

/// Does it with the newest Pi alone.
pub(crate) fn newest(place: impl Fn() -> Place, test: impl Fn(&Pi<'_>)) {
    let place = place();
    test(&Pi::new(VERSIONS[1], &place));
}

/// One version of Pi in a place.
pub(crate) struct Pi<'a> {
    pub(crate) place: &'a Place,
    pub(crate) left: NothingLeft,
    version: &'static str,
    /// The program that the extension starts.
    host: PathBuf,
}

impl<'a> Pi<'a> {
    fn new(version: &'static str, place: &'a Place) -> Self {
        let host = PathBuf::from(env!("CARGO_BIN_EXE_ctxhost-under-test"));
        Self { place, left: NothingLeft::of(place), version, host }
    }

    /// The same with another program as host.
    pub(crate) fn with_host(&self, host: impl Into<PathBuf>) -> Pi<'a> {
        Pi { place: self.place, left: NothingLeft::of(self.place), version: self.version, host: host.into() }
    }

    /// Whether this is the newest Pi, which takes a new tool in the middle of a run.
    pub(crate) fn is_newest(&self) -> bool {
        self.version == VERSIONS[1]
    }

    /// The folder of Pi's own settings.
    pub(crate) fn folder(&self) -> PathBuf {
        self.place.path("home/.pi/agent")
    }

    /// The extension in this tree.
    pub(crate) fn extension() -> PathBuf {
        root().join("host/agents/pi")
    }

    /// Pi itself, in this place.
    pub(crate) fn program(&self) -> Command {
        let mut command = command(self.place, &program(self.version));
        command
            .env("PI_CODING_AGENT_DIR", self.folder())
            .env("PI_OFFLINE", "1")
            .env("PI_TELEMETRY", "0")
            .env("CTXHOST_BIN", &self.host)
            .stdin(Stdio::null());
        command
    }

    /// Pi with the model as the only one.
    pub(crate) fn command(&self, model: &Model, arguments: &[&str]) -> Command {
        let models = json!({"providers": {"test": {
            "baseUrl": format!("{}/v1", model.url()), "api": "openai-completions", "apiKey": "none",
            "models": [{"id": "test-model", "contextWindow": 200_000}],
        }}});
        self.place.write("home/.pi/agent/models.json", models.to_string());
        if !self.folder().join("settings.json").is_file() {
            // All that can be compacted is compacted, however short it is.
            let settings = json!({"compaction": {"enabled": true, "keepRecentTokens": 1}});
            self.place.write("home/.pi/agent/settings.json", settings.to_string());
        }
        let mut command = self.program();
        command.args(["--provider", "test", "--model", "test-model"]).args(arguments);
        command
    }

    /// Runs `pi -p` with the extension.
    #[track_caller]
    pub(crate) fn print(&self, model: &Model, prompt: &str, more: &[&str]) -> Ran {
        let extension = Self::extension();
        let mut arguments = vec!["-e", extension.to_str().expect("UTF-8"), "-p", prompt];
        arguments.extend(more);
        Ran::of(&mut self.command(model, &arguments), None).ends(0)
    }

    /// The entries of the only session, in order.
    #[track_caller]
    pub(crate) fn session_entries(&self) -> Vec<Value> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder().join("sessions")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("sessions are kept").flatten() {
                if entry.path().is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
            }
        }
        assert_eq!(files.len(), 1, "{files:?}");
        let text = fs::read_to_string(&files[0]).expect("a session");
        text.lines().map(|line| serde_json::from_str(line).expect("each line is an entry")).collect()
    }

    /// The only host that runs here; one that was told to end may take a moment.
    #[track_caller]
    pub(crate) fn only_host(&self) -> i32 {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let hosts = self.left.with("serve --stdio");
            if let [host] = hosts[..] {
                return host;
            }
            assert!(Instant::now() < deadline, "{} hosts: {:#?}", hosts.len(), self.left.processes());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Starts Pi's RPC mode with the extension.
    pub(crate) fn rpc(&self, model: &Model, more: &[&str]) -> Rpc {
        let extension = Self::extension();
        let mut arguments = vec!["-e", extension.to_str().expect("UTF-8"), "--mode", "rpc"];
        arguments.extend(more);
        Rpc::start(&mut self.command(model, &arguments), &self.place.path("pi-stderr.txt"))
    }
}

/// Pi over its RPC mode.
pub(crate) struct Rpc {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    /// Everything it has said so far.
    pub(crate) seen: Vec<Value>,
    requests: usize,
    errors: PathBuf,
}

impl Rpc {
    fn start(command: &mut Command, errors: &Path) -> Self {
        let stderr = fs::File::create(errors).expect("a file");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let mut child = command.spawn().expect("Pi starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                // Whatever is no JSON is no record; the test may have given up.
                if serde_json::from_slice(&line).is_ok_and(|record| sender.send(record).is_err()) {
                    break;
                }
            }
        });
        Self { child, input, lines, seen: Vec::new(), requests: 0, errors: errors.to_owned() }
    }

    /// Sends a record.
    pub(crate) fn send(&mut self, record: &Value) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{record}").expect("Pi reads");
    }

    /// Waits for a record, from here on.
    #[track_caller]
    pub(crate) fn wait(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + LIMIT;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(record) => {
                    self.seen.push(record.clone());
                    if is(&record) {
                        return record;
                    }
                }
                Err(error) => {
                    let why = if error == RecvTimeoutError::Timeout { "in time" } else { "before Pi ended" };
                    let said = fs::read_to_string(&self.errors).unwrap_or_default();
                    let last = &self.seen[self.seen.len().saturating_sub(10)..];
                    panic!("no {what} {why}; last: {last:#?}\n{said}");
                }
            }
        }
    }

    /// Sends a request and returns the data of its response.
    #[track_caller]
    pub(crate) fn request(&mut self, mut request: Value) -> Value {
        self.requests += 1;
        let id = format!("test-{}", self.requests);
        request["id"] = json!(id);
        self.send(&request);
        let mut response = self.wait(&format!("response to {request}"), |record| {
            record["type"] == "response" && record["id"] == id.as_str()
        });
        assert_eq!(response["success"], true, "{request}: {response}");
        response["data"].take()
    }

    /// Sends a prompt and waits for the end of its run.
    #[track_caller]
    pub(crate) fn prompt(&mut self, text: &str) {
        self.request(json!({"type": "prompt", "message": text}));
        // The end of the run may have come before the response.
        let from = self.seen.iter().rposition(|record| record["type"] == "agent_start").unwrap_or(0);
        if !self.seen[from..].iter().any(|record| record["type"] == "agent_end") {
            self.wait("end of the run", |record| record["type"] == "agent_end");
        }
        self.settle();
    }

    /// Waits until Pi has nothing to do.
    #[track_caller]
    pub(crate) fn settle(&mut self) {
        let deadline = Instant::now() + LIMIT;
        loop {
            let state = self.request(json!({"type": "get_state"}));
            if state["isStreaming"] == false && state["isCompacting"] == false {
                return;
            }
            assert!(Instant::now() < deadline, "Pi does not settle: {state}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What people were shown by one of the methods of Pi's user interface, in order.
    pub(crate) fn shown(&self, method: &str) -> Vec<&Value> {
        let records = self.seen.iter();
        records.filter(|one| one["type"] == "extension_ui_request" && one["method"] == method).collect()
    }

    /// The warnings and errors that people were shown.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let shown = self.shown("notify").into_iter().filter(|one| one["notifyType"] != "info");
        shown.map(|one| one["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Ends Pi as a client does that has gone, and waits for it.
    #[track_caller]
    pub(crate) fn close(mut self) {
        self.input = None;
        let deadline = Instant::now() + LIMIT;
        while self.child.try_wait().expect("Pi can be waited for").is_none() {
            assert!(Instant::now() < deadline, "Pi does not end with its input");
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Rpc {
    fn drop(&mut self) {
        // It has ended where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
