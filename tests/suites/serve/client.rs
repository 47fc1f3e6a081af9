//! A client of the program's servers: one line out, one line in, and a limit to all waiting.

use std::{
    collections::VecDeque,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::process::{CommandExt as _, ExitStatusExt as _},
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Arc, LazyLock, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use ctxhost::validate::Validators;
use serde_json::{Value, json};

use crate::harness::Place;

/// How long anything may take. Unoptimized code on a busy machine is slow; a hang is to fail its test.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// The published schemas, compiled once for all tests.
static SCHEMAS: LazyLock<Validators> = LazyLock::new(Validators::default);

/// Holds a document against a schema of `serve/v1`.
#[track_caller]
pub(crate) fn satisfies(schema: &str, document: &Value) {
    let faults = SCHEMAS.faults("serve/v1", schema, document);
    let faults = faults.unwrap_or_else(|| panic!("serve/v1 has no schema {schema}")).expect("it compiles");
    assert!(faults.is_empty(), "{schema}: {faults:?} in {document:#}");
}

/// What a method is answered with.
fn result_schema(method: &str) -> String {
    if method == "event" { "outcome".to_owned() } else { format!("{method}-result") }
}

/// A running server and the way to it; it is killed with all its children when this is dropped.
pub(crate) struct Client {
    child: Child,
    to: Option<mpsc::Sender<Vec<u8>>>,
    stdout: Option<ChildStdout>,
    from: mpsc::Receiver<String>,
    lines: Option<mpsc::Sender<String>>,
    err: Arc<Mutex<Vec<u8>>>,
    next: i64,
    /// What came while something else was waited for.
    aside: VecDeque<Value>,
    /// Whether messages are held against the schemas of `serve/v1`.
    is_serve: bool,
}

/// How a server ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// What it said at last.
    pub(crate) said: Vec<Value>,
    pub(crate) err: String,
    /// Processes of its group that are left.
    pub(crate) left: Vec<String>,
}

impl Client {
    /// `ctxhost serve --stdio` in a place, greeted.
    #[track_caller]
    pub(crate) fn serve(place: &Place) -> Self {
        let mut client = Self::silent(place);
        client.hello(json!({}));
        client
    }

    /// `ctxhost serve --stdio` in a place, not greeted yet.
    #[track_caller]
    pub(crate) fn silent(place: &Place) -> Self {
        let mut client = Self::start(place.command(&["serve", "--stdio"]));
        client.is_serve = true;
        client
    }

    /// A server of any kind.
    #[track_caller]
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().expect("the program starts");
        let (to, lines) = mpsc::channel::<Vec<u8>>();
        let mut stdin = child.stdin.take().expect("a pipe");
        thread::spawn(move || {
            // The server may end, or be slow to read; neither may hold up the test.
            while let Ok(line) = lines.recv()
                && stdin.write_all(&line).and_then(|()| stdin.flush()).is_ok()
            {}
        });
        let err = Arc::new(Mutex::new(Vec::new()));
        let (mut pipe, said) = (child.stderr.take().expect("a pipe"), Arc::clone(&err));
        thread::spawn(move || {
            let mut part = [0; 16 * 1024];
            while let Ok(length @ 1..) = pipe.read(&mut part) {
                said.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&part[..length]);
            }
        });
        let (lines, from) = mpsc::channel();
        let stdout = child.stdout.take();
        let mut client = Self {
            child,
            to: Some(to),
            stdout,
            from,
            lines: Some(lines),
            err,
            next: 1,
            aside: VecDeque::new(),
            is_serve: false,
        };
        client.read();
        client
    }

    /// As [`serve`](Self::serve), of a client that reads nothing until it [reads](Self::read).
    pub(crate) fn deaf(place: &Place) -> Self {
        let mut client = Self::start_deaf(place.command(&["serve", "--stdio"]));
        client.is_serve = true;
        client.request("hello", json!({"v": 1, "agent": agent(&json!({}))}));
        client
    }

    fn start_deaf(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().expect("the program starts");
        let (to, sent) = mpsc::channel::<Vec<u8>>();
        let mut stdin = child.stdin.take().expect("a pipe");
        thread::spawn(move || while sent.recv().is_ok_and(|line| stdin.write_all(&line).is_ok()) {});
        let (lines, from) = mpsc::channel();
        let stdout = child.stdout.take();
        Self {
            child,
            to: Some(to),
            stdout,
            from,
            lines: Some(lines),
            err: Arc::default(),
            next: 1,
            aside: VecDeque::new(),
            is_serve: false,
        }
    }

    /// Begins to read.
    pub(crate) fn read(&mut self) {
        let (Some(stdout), Some(lines)) = (self.stdout.take(), self.lines.take()) else { return };
        thread::spawn(move || {
            let whole = BufReader::new(stdout).lines().map_while(Result::ok);
            // The test may have given up.
            whole.map(|line| lines.send(line)).take_while(Result::is_ok).for_each(drop);
        });
    }

    /// Closes the pipe that the server writes into, of a client that has not begun to read.
    pub(crate) fn close_stdout(&mut self) {
        assert!(self.stdout.take().is_some(), "somebody reads it already");
    }

    /// Leaves the schemas aside, where the number of messages is what matters.
    pub(crate) fn hold_against_nothing(&mut self) {
        self.is_serve = false;
    }

    /// Closes the server's input.
    pub(crate) fn close_stdin(&mut self) {
        self.to = None;
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Its resident memory in kB.
    pub(crate) fn memory_kb(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Says hello as an agent that can do everything, with changes.
    #[track_caller]
    pub(crate) fn hello(&mut self, changes: Value) -> Value {
        self.call("hello", json!({"v": 1, "agent": agent(&changes)}))
    }

    /// Writes bytes as they are, and a line's end.
    pub(crate) fn write(&mut self, line: impl AsRef<[u8]>) {
        let line = [line.as_ref(), b"\n"].concat();
        // A server that has ended shows in what is waited for.
        self.to.as_ref().map(|to| to.send(line));
    }

    /// Sends a request and returns its id.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = json!(self.next);
        self.next += 1;
        self.request_as(&id, method, params);
        id
    }

    /// Sends a request under an id.
    pub(crate) fn request_as(&mut self, id: &Value, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.write(json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// The next message within a time, whatever it is.
    #[track_caller]
    pub(crate) fn next_within(&mut self, limit: Duration) -> Option<Value> {
        self.aside.pop_front().or_else(|| self.receive(limit))
    }

    #[track_caller]
    fn receive(&self, limit: Duration) -> Option<Value> {
        let line = self.from.recv_timeout(limit).ok()?;
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|why| panic!("{why} in {line:?}"));
        if self.is_serve {
            satisfies("message", &message);
            if let Some(error) = message.get("error") {
                satisfies("error", error);
            }
            if let Some(method) = message["method"].as_str() {
                satisfies(&method.replace('_', "-"), &message["params"]);
            }
        }
        Some(message)
    }

    /// Forgets what was put aside; how much it was.
    pub(crate) fn forget(&mut self) -> usize {
        self.aside.drain(..).count()
    }

    /// The answer to a request; what else comes is put aside.
    #[track_caller]
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        let is = |message: &Value| message.get("method").is_none() && message["id"] == *id;
        if let Some(index) = self.aside.iter().position(is) {
            return self.aside.remove(index).expect("it is there");
        }
        let until = Instant::now() + LIMIT;
        loop {
            let Some(message) = self.receive(until.saturating_duration_since(Instant::now())) else {
                panic!("no answer to {id}; aside {:?}; stderr {:?}", self.aside, self.err());
            };
            if is(&message) {
                return message;
            }
            self.aside.push_back(message);
        }
    }

    /// Sends a request and returns its result, which satisfies its schema.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        if self.is_serve {
            satisfies(method, &params);
        }
        let id = self.request(method, params);
        let mut message = self.answer(&id);
        assert!(message.get("error").is_none(), "{method}: {message:#}");
        let result = message["result"].take();
        if self.is_serve {
            satisfies(&result_schema(method), &result);
        }
        result
    }

    /// Sends a request and returns its error.
    #[track_caller]
    pub(crate) fn error(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.error_of(&id)
    }

    /// The error that a request is answered with.
    #[track_caller]
    pub(crate) fn error_of(&mut self, id: &Value) -> Value {
        let mut message = self.answer(id);
        assert!(message["error"].is_object(), "{message:#}");
        message["error"].take()
    }

    /// The next notification of a method; what else comes before it is put aside.
    #[track_caller]
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        let is = |message: &Value| message["method"] == *method;
        if let Some(index) = self.aside.iter().position(is) {
            return self.aside.remove(index).expect("it is there")["params"].take();
        }
        let until = Instant::now() + LIMIT;
        loop {
            let Some(mut message) = self.receive(until.saturating_duration_since(Instant::now())) else {
                panic!("no {method}; aside {:?}; stderr {:?}", self.aside, self.err());
            };
            if is(&message) {
                return message["params"].take();
            }
            self.aside.push_back(message);
        }
    }

    /// What it has written for people so far.
    pub(crate) fn err(&self) -> String {
        String::from_utf8_lossy(&self.err.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    /// Closes its input and waits for its end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ended {
        self.close_stdin();
        self.ends()
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn ends(mut self) -> Ended {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            assert!(started.elapsed() < LIMIT, "it does not end; stderr {:?}", self.err());
            thread::sleep(Duration::from_millis(2));
        };
        let ended = Instant::now();
        // What a dying process leaves behind dies with it or not at all; a moment for those that are dying.
        let mut left = group(self.pid());
        while !left.is_empty() && ended.elapsed() < Duration::from_secs(2) {
            thread::sleep(Duration::from_millis(10));
            left = group(self.pid());
        }
        let mut said: Vec<Value> = std::mem::take(&mut self.aside).into();
        if self.stdout.is_none() {
            while let Some(message) = self.receive(Duration::from_secs(5)) {
                said.push(message);
            }
        }
        Ended { status, said, err: self.err(), left }
    }
}

impl Ended {
    /// Holds that it ended by itself, with nothing left and nothing to complain about.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!((self.status.code(), self.status.signal()), (Some(0), None), "{}", self.err);
        assert!(self.left.is_empty(), "processes are left: {:?}", self.left);
        self
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended already; its children are in its group.
        let group = format!("-{}", self.pid());
        let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processes of a group, by their command lines.
fn group(leader: u32) -> Vec<String> {
    let leader = leader.to_string();
    let processes = fs::read_dir("/proc").expect("there is /proc").flatten();
    let of_group = |stat: &String| {
        // The name in brackets may hold anything; the state, the parent and the group follow it.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        fields.get(2) == Some(&leader.as_str()) && fields.first() != Some(&"Z")
    };
    processes
        .filter_map(|process| fs::read_to_string(process.path().join("stat")).ok())
        .filter(of_group)
        .collect()
}

/// An agent that can do everything, with changes.
pub(crate) fn agent(changes: &Value) -> Value {
    let mut agent = json!({
        "name": "test", "version": "1",
        "can": ["inject.prompt", "inject.call", "tools", "block", "patch", "rewrite", "notify", "status"],
    });
    for (key, value) in changes.as_object().into_iter().flatten() {
        agent[key] = value.clone();
    }
    agent
}
