//! A model on the loopback that says what a test has it say, and remembers what it was asked.
//!
//! It speaks the three protocols of the real agents; what differs between them is in a file each.

mod chat;
mod messages;
mod responses;

use std::{
    fmt::Write as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tiny_http::{Header, Request, Response, Server};

/// What the model says when an agent has it summarize a conversation.
pub(crate) const SUMMARY: &str = "the summary of what was said before";

/// What the model says in one turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turn {
    text: String,
    calls: Vec<(String, Value)>,
    /// How large the conversation was, in the model's own count.
    tokens: u64,
    wait: Duration,
}

impl Turn {
    /// A turn of text, which ends the agent's run.
    pub(crate) fn text(text: &str) -> Self {
        Self { text: text.to_owned(), tokens: 100, ..Self::default() }
    }

    /// Adds the call of a tool.
    pub(crate) fn call(mut self, name: &str, arguments: Value) -> Self {
        self.calls.push((name.to_owned(), arguments));
        self
    }

    /// Claims that the conversation has this many tokens, so that the agent compacts it.
    pub(crate) fn tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// Takes some time to think.
    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }
}

/// One message of a conversation, whichever protocol it came by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    /// `system`, `developer`, `user`, `assistant`, `tool`, or `call` for a call of a tool.
    pub(crate) role: String,
    /// All its text.
    pub(crate) text: String,
}

/// What the model was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The request's body, as it came.
    pub(crate) body: String,
    /// The conversation in it, in order.
    pub(crate) said: Vec<Said>,
    /// The names of the tools in it; those of an MCP server as `mcp__<server>__<tool>`.
    pub(crate) tools: Vec<String>,
    /// Whether the agent asks for a summary.
    pub(crate) is_summary: bool,
}

impl Asked {
    /// The conversation's bytes, without the bracket that ends it.
    #[track_caller]
    pub(crate) fn history(&self) -> &str {
        let names = ["\"messages\":[", "\"input\":["];
        let start = names.iter().filter_map(|name| Some(self.body.find(name)? + name.len() - 1)).min();
        let start = start.expect("the request has a conversation");
        let mut values = serde_json::Deserializer::from_str(&self.body[start..]).into_iter::<Value>();
        assert!(values.next().is_some_and(|value| value.is_ok()), "the request is JSON");
        &self.body[start..start + values.byte_offset() - 1]
    }

    /// How often this text is in the conversation.
    pub(crate) fn count(&self, text: &str) -> usize {
        self.said.iter().map(|said| said.text.matches(text).count()).sum()
    }

    /// The role and place of the only message with this text.
    #[track_caller]
    pub(crate) fn only(&self, text: &str) -> (usize, &Said) {
        let mut with = self.said.iter().enumerate().filter(|(_, said)| said.text.contains(text));
        match (with.next(), with.next()) {
            (Some(only), None) => only,
            (first, _) => panic!(
                "{text:?} is in {}\n{self}",
                if first.is_some() { "several messages" } else { "no message" }
            ),
        }
    }
}

impl std::fmt::Display for Asked {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for said in &self.said {
            let shown: String = said.text.chars().take(400).collect();
            writeln!(to, "  {}: {shown}", said.role)?;
        }
        write!(to, "  tools: {:?}", self.tools)
    }
}

type Script = Box<dyn FnMut(&Asked) -> Turn + Send>;

struct Shared {
    asked: Mutex<Vec<Asked>>,
    strange: Mutex<Vec<String>>,
    script: Mutex<Script>,
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The model's server; it ends with its value.
pub(crate) struct Model {
    server: Arc<Server>,
    shared: Arc<Shared>,
    port: u16,
    thread: Option<JoinHandle<()>>,
}

impl Model {
    /// A model that says these turns one after the other, and then only `done`.
    pub(crate) fn saying(turns: impl IntoIterator<Item = Turn>) -> Self {
        let mut turns = turns.into_iter().collect::<Vec<_>>().into_iter();
        Self::answering(move |_| turns.next().unwrap_or_else(|| Turn::text("done")))
    }

    /// A model that decides by what it is asked; summaries are given before it comes to that.
    pub(crate) fn answering(script: impl FnMut(&Asked) -> Turn + Send + 'static) -> Self {
        let server = Arc::new(Server::http("127.0.0.1:0").expect("a port on the loopback"));
        let port = server.server_addr().to_ip().expect("an address with a port").port();
        let shared = Arc::new(Shared {
            asked: Mutex::default(),
            strange: Mutex::default(),
            script: Mutex::new(Box::new(script)),
        });
        let thread = thread::spawn({
            let (server, shared) = (Arc::clone(&server), Arc::clone(&shared));
            move || {
                // `unblock` ends it. Each request has a thread, since a turn may take time.
                for request in server.incoming_requests() {
                    let shared = Arc::clone(&shared);
                    thread::spawn(move || answer(request, &shared));
                }
            }
        });
        Self { server, shared, port, thread: Some(thread) }
    }

    /// Where it listens, without a path.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What it was asked so far, without the summaries.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        lock(&self.shared.asked).iter().filter(|asked| !asked.is_summary).cloned().collect()
    }

    /// How many summaries it was asked for.
    pub(crate) fn summaries(&self) -> usize {
        lock(&self.shared.asked).iter().filter(|asked| asked.is_summary).count()
    }

    /// What else came in: lines of method and path.
    pub(crate) fn strange(&self) -> Vec<String> {
        lock(&self.shared.strange).clone()
    }

    /// The last thing it was asked.
    #[track_caller]
    pub(crate) fn last(&self) -> Asked {
        let strange = self.strange();
        self.asked().pop().unwrap_or_else(|| panic!("the model was asked nothing, but: {strange:?}"))
    }

    /// Waits until it was asked so many times.
    #[track_caller]
    pub(crate) fn wait(&self, count: usize, limit: Duration) -> Vec<Asked> {
        let deadline = Instant::now() + limit;
        loop {
            let asked = self.asked();
            if asked.len() >= count {
                return asked;
            }
            assert!(Instant::now() < deadline, "{} of {count} requests within {limit:?}", asked.len());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            // A panic in it has failed no assertion of the test.
            let _ = thread.join();
        }
    }
}

fn answer(mut request: Request, shared: &Shared) {
    let path = request.url().split('?').next().unwrap_or_default().to_owned();
    let method = request.method().to_string();
    let mut body = Vec::new();
    let read = request.as_reader().read_to_end(&mut body);
    let text = String::from_utf8_lossy(&body).into_owned();
    let body = serde_json::from_str::<Value>(&text).ok().filter(|_| read.is_ok());
    let speaks = match path.as_str() {
        "/v1/chat/completions" => {
            Some((chat::read as fn(&Value) -> Asked, chat::write as fn(&Turn, usize) -> Vec<Event>))
        }
        "/v1/messages" => Some((messages::read as _, messages::write as _)),
        "/v1/responses" => Some((responses::read as _, responses::write as _)),
        _ => None,
    };
    let (Some((read, write)), Some(body)) = (speaks, body) else {
        lock(&shared.strange).push(format!("{method} {path}"));
        let nothing = Response::from_string("{}").with_status_code(404);
        // The agent may be gone.
        let _ = request.respond(nothing.with_header(content_type("application/json")));
        return;
    };
    let asked = Asked { body: text, ..read(&body) };
    let number = {
        let mut all = lock(&shared.asked);
        all.push(asked.clone());
        all.len()
    };
    let turn = if asked.is_summary { Turn::text(SUMMARY) } else { (lock(&shared.script))(&asked) };
    thread::sleep(turn.wait);
    let stream = write(&turn, number).into_iter().fold(String::new(), |mut stream, event| {
        if let Some(name) = event.0 {
            writeln!(stream, "event: {name}").expect("a text takes all");
        }
        write!(stream, "data: {}\n\n", event.1).expect("a text takes all");
        stream
    });
    let _ = request.respond(Response::from_string(stream).with_header(content_type("text/event-stream")));
}

/// One event of a stream: its name, where the protocol gives it one, and its data.
type Event = (Option<&'static str>, String);

fn content_type(value: &str) -> Header {
    Header::from_bytes("Content-Type", value).expect("plain ASCII")
}

/// The text in a message's content: a string, or parts with `text`, or a tool's result with parts of its own.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n"),
        Value::Object(part) => {
            let inner = ["text", "content", "output", "input"].iter().find_map(|name| part.get(*name));
            inner.map(text).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn said(role: &str, text: impl Into<String>) -> Said {
    Said { role: role.to_owned(), text: text.into() }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn event(name: &'static str, data: Value) -> Event {
    let mut data = data;
    data["type"] = json!(name);
    (Some(name), data.to_string())
}
