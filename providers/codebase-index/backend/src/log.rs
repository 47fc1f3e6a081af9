//! What the backend tells whoever runs it: one JSON object a line, never code, questions, tokens or names of people.

use std::{
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{hex, surroundings::Clock};

/// Where lines go.
#[derive(Clone)]
pub struct Log {
    to: Arc<Mutex<Box<dyn Write + Send>>>,
    clock: Clock,
}

/// One answered request.
#[derive(Debug, Serialize)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The route as it was declared; what was really asked for may hold anything.
    pub route: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// How long it took.
    pub ms: u64,
    /// The bytes of the body that came.
    pub bytes_in: u64,
    /// The bytes of the body that went.
    pub bytes_out: u64,
    /// The organisation, as [`mark`] has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<String>,
}

impl Log {
    /// A log that goes there.
    #[must_use]
    pub fn new(to: Box<dyn Write + Send>, clock: Clock) -> Self {
        Self { to: Arc::new(Mutex::new(to)), clock }
    }

    /// A request was answered.
    pub fn request(&self, request: &Request) {
        if let Ok(Value::Object(fields)) = serde_json::to_value(request) {
            self.line("info", "request", fields);
        }
    }

    /// Something happened that is no request; `text` holds nothing that a client sent.
    pub fn note(&self, event: &str, text: &str) {
        self.line("info", event, Map::from_iter([("text".to_owned(), json!(text))]));
    }

    /// Something failed that someone should look at; `text` holds nothing that a client sent.
    pub fn fault(&self, event: &str, text: &str) {
        self.line("error", event, Map::from_iter([("text".to_owned(), json!(text))]));
    }

    fn line(&self, level: &str, event: &str, fields: Map<String, Value>) {
        let mut line = Map::from_iter([
            ("at".to_owned(), json!((self.clock)())),
            ("level".to_owned(), json!(level)),
            ("event".to_owned(), json!(event)),
        ]);
        line.extend(fields);
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody may be there to read; the service goes on.
        let _ = writeln!(to, "{}", Value::Object(line));
    }
}

/// A word that tells organisations apart in a log without naming them.
#[must_use]
pub fn mark(org: &str) -> String {
    hex::digits(&hex::hash(&[b"org", org.as_bytes()])[..4])
}
