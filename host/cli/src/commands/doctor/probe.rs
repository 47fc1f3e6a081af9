//! Starting what stands in an agent's settings, as the agent would, with a time limit.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// The longest line or answer that is read from a child, in bytes: what an agent would not take is no answer.
const ANSWER_CAP: u64 = 16 * 1024 * 1024;

/// How long a child may take to end once its standard input has.
const LEAVE: Duration = Duration::from_secs(2);

/// A command of an agent's settings, and where it is started.
#[derive(Clone, Debug)]
pub(super) struct Start<'a> {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// The working directory.
    pub(super) cwd: &'a Path,
    /// The whole environment.
    pub(super) env: Vec<(String, String)>,
    /// How long all of it may take.
    pub(super) limit: Duration,
}

/// What came back, and how long it took.
#[derive(Debug)]
pub(super) struct Answer {
    /// The text, as the agent gets it.
    pub(super) text: String,
    /// The time from start to answer.
    pub(super) took: Duration,
}

/// A child of ours, which ends with us and takes its own children along.
struct Running {
    child: Child,
    started: Instant,
}

impl Start<'_> {
    fn spawn(&self) -> Result<(Running, ChildStdin), String> {
        let (program, args) = self.words.split_first().ok_or("no command stands there")?;
        let mut child = Command::new(program)
            .args(args)
            .current_dir(self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("{program} does not start: {error}"))?;
        let stdin = child.stdin.take().ok_or("it has no standard input")?;
        Ok((Running { child, started: Instant::now() }, stdin))
    }

    /// Runs it as a hook: one document in, one out.
    pub(super) fn hook(&self, event: &Value) -> Result<Answer, String> {
        let (mut running, mut stdin) = self.spawn()?;
        let stdout = running.child.stdout.take().ok_or("it has no standard output")?;
        let (sender, receiver) = mpsc::channel();
        let event = event.to_string();
        thread::spawn(move || {
            // A hook that does not read its event may still answer.
            let _ = stdin.write_all(event.as_bytes());
            drop(stdin);
            let mut bytes = Vec::new();
            let read = stdout.take(ANSWER_CAP).read_to_end(&mut bytes);
            // Nobody waits any more once the time is over.
            let _ = sender.send(read.map(|_| bytes));
        });
        let bytes = match receiver.recv_timeout(self.limit) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return Err(format!("its answer cannot be read: {error}")),
            Err(_) => return Err(format!("it does not answer within {} s", self.limit.as_secs())),
        };
        let took = running.started.elapsed();
        let text = String::from_utf8(bytes).map_err(|_| "its answer is not UTF-8")?;
        match running.end_by(LEAVE) {
            Some(0) => Ok(Answer { text, took }),
            Some(code) => Err(format!("it ends with code {code}")),
            None => Err("it answers and does not end".to_owned()),
        }
    }

    /// Starts it as a server that speaks JSON-RPC, one message a line.
    pub(super) fn server(&self) -> Result<Server, String> {
        let (mut running, stdin) = self.spawn()?;
        let stdout = running.child.stdout.take().ok_or("it has no standard output")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout.take(ANSWER_CAP));
            let mut line = String::new();
            while let Ok(1..) = stdout.read_line(&mut line) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        let deadline = running.started + self.limit;
        Ok(Server { running, stdin: Some(stdin), lines, deadline, next: 1 })
    }
}

impl Running {
    fn end_by(&mut self, limit: Duration) -> Option<i32> {
        let deadline = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.code().unwrap_or(-1)),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Ok(None) = self.child.try_wait() else { return };
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            // It may have ended in this very moment; then there is nobody to kill.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A server that was started, and the conversation with it.
pub(super) struct Server {
    running: Running,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    deadline: Instant,
    next: u64,
}

impl Server {
    /// Asks, and waits for the answer; what else is said meanwhile is not for us.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(format!("it does not answer {method} in time")),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("it ends before it answers {method}"));
                }
            };
            let message: Value = serde_json::from_str(&line)
                .map_err(|error| format!("it prints what is no message: {error}"))?;
            if message["id"] != json!(id) {
                continue;
            }
            if let Some(error) = message.get("error") {
                let why = error["message"].as_str().unwrap_or("no reason");
                return Err(format!("it refuses {method}: {why}"));
            }
            return message
                .get("result")
                .cloned()
                .ok_or_else(|| format!("its answer to {method} has no result"));
        }
    }

    /// Says what has no answer.
    pub(super) fn tell(&mut self, method: &str) -> Result<(), String> {
        self.say(&json!({"jsonrpc": "2.0", "method": method}))
    }

    fn say(&mut self, message: &Value) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("it listens no more")?;
        let line = format!("{message}\n");
        stdin.write_all(line.as_bytes()).map_err(|error| format!("it listens no more: {error}"))
    }

    /// Ends it as agents do, and tells how long all of it took.
    pub(super) fn end(mut self) -> Result<Duration, String> {
        let took = self.running.started.elapsed();
        self.stdin = None;
        match self.running.end_by(LEAVE) {
            Some(_) => Ok(took),
            None => Err(format!("it does not end within {} s of its input's end", LEAVE.as_secs())),
        }
    }
}
