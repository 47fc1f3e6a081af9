//! JSON-RPC 2.0 over two pipes, one message a line: what `serve` and `mcp` have in common.
//!
//! The calling thread writes, one thread reads, and each request runs on a thread of its own, so that a slow one holds up
//! nobody. Garbage gets an error and the stream goes on; the end of the input ends everything.

mod frames;
mod in_flight;

use std::{
    collections::BTreeSet,
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Duration,
};

use ctxhost::{
    Cancel,
    protocol::serve::{ErrorObject, Id, JSONRPC, MAX_FRAME_BYTES, Message, code},
};
use serde_json::{Value, json};

use frames::{Frame, Frames};
use in_flight::{InFlight, Place};

/// How long requests in flight may still be answered when the input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// What answers requests.
pub(crate) trait Service: Send + Sync + 'static {
    /// Whether a method is answered before anything later is read; such a method must be quick.
    fn is_immediate(&self, method: &str) -> bool;

    /// The request that a message takes back.
    fn takes_back(&self, method: &str, params: &Value) -> Option<Id>;

    /// Answers a request.
    ///
    /// # Errors
    /// What the client is told instead of a result.
    fn call(&self, method: &str, params: Value, cancel: &Cancel) -> Result<Value, ErrorObject>;

    /// What a request that was taken back is answered with; `None` for no answer at all.
    fn cancelled(&self) -> Option<ErrorObject>;
}

/// An error with its sentence.
pub(crate) fn error(code: i64, message: impl Into<String>) -> ErrorObject {
    ErrorObject { code, message: message.into(), data: None }
}

/// A line on its way out.
enum Out {
    /// A message, and the request it answers, whose place becomes free when it is written.
    Line(Vec<u8>, Option<Place>),
    /// A notification that is of use once: a second one before it is written says nothing new.
    Once(String, Vec<u8>),
    /// Nothing follows.
    End,
}

/// The way out, for whoever has something to tell the client.
#[derive(Clone)]
pub(crate) struct Outgoing {
    sender: mpsc::Sender<Out>,
    /// The notifications that wait to be written.
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    once: BTreeSet<String>,
    lines: usize,
}

/// How many notifications wait for a client that does not read; beyond that they are left out.
const WAITING: usize = 1_000;

/// The other end of [`Outgoing`].
pub(crate) struct Lines(mpsc::Receiver<Out>);

impl Outgoing {
    pub(crate) fn new() -> (Self, Lines) {
        let (sender, receiver) = mpsc::channel();
        (Self { sender, waiting: Arc::default() }, Lines(receiver))
    }

    /// Tells the client something; left out when it does not read what it was told before.
    pub(crate) fn notify(&self, message: &Message) {
        {
            let mut waiting = self.waiting();
            if waiting.lines >= WAITING {
                return;
            }
            waiting.lines += 1;
        }
        // Whoever wrote may be gone; then nobody is told.
        let _ = self.sender.send(Out::Line(line(message), None));
    }

    /// Tells the client something that it need not be told twice before it has read it, by the name of the matter.
    pub(crate) fn notify_once(&self, matter: String, message: &Message) {
        {
            let mut waiting = self.waiting();
            if waiting.once.len() >= WAITING || !waiting.once.insert(matter.clone()) {
                return;
            }
        }
        let _ = self.sender.send(Out::Once(matter, line(message)));
    }

    fn answer(&self, message: &Message, place: Option<Place>) {
        let _ = self.sender.send(Out::Line(line(message), place));
    }

    fn end(&self) {
        let _ = self.sender.send(Out::End);
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self, out: Out) {
        match out {
            Out::Line(_, None) => {
                let mut waiting = self.waiting();
                waiting.lines = waiting.lines.saturating_sub(1);
            }
            Out::Once(matter, _) => {
                self.waiting().once.remove(&matter);
            }
            Out::Line(_, Some(_)) | Out::End => {}
        }
    }
}

fn line(message: &Message) -> Vec<u8> {
    // Every key of a message is a text, so writing it cannot fail.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Answers requests until the input ends, and writes on this thread.
///
/// # Errors
/// What is to be said can no longer be written.
pub(crate) fn run(
    service: Arc<impl Service>,
    outgoing: &Outgoing,
    lines: Lines,
    stdin: Box<dyn Read + Send>,
    stdout: &mut dyn Write,
) -> io::Result<()> {
    let reader = Reader { service, outgoing: outgoing.clone(), in_flight: Arc::new(InFlight::default()) };
    let reading = thread::Builder::new().name("read".to_owned()).spawn(move || reader.read(stdin))?;
    while let Ok(out) = lines.0.recv() {
        match &out {
            Out::Line(bytes, _) | Out::Once(_, bytes) => {
                stdout.write_all(bytes)?;
                stdout.flush()?;
            }
            Out::End => break,
        }
        outgoing.written(out);
    }
    // It has read to the end, so it ends now; then the service is let go of on this thread, with all it holds.
    let _ = reading.join();
    Ok(())
}

struct Reader<S> {
    service: Arc<S>,
    outgoing: Outgoing,
    in_flight: Arc<InFlight>,
}

impl<S: Service> Reader<S> {
    fn read(self, stdin: Box<dyn Read + Send>) {
        let mut frames = Frames::new(stdin, usize::try_from(MAX_FRAME_BYTES).unwrap_or(usize::MAX));
        while let Some(frame) = frames.next() {
            match frame {
                Frame::Line(line) => self.take(line),
                Frame::TooLong => {
                    let why = format!(
                        "a line has more than {MAX_FRAME_BYTES} bytes and was skipped; send less at once"
                    );
                    self.refuse(Id::Null, error(code::FRAME_TOO_LONG, why));
                }
            }
        }
        self.in_flight.finish(GRACE);
        self.outgoing.end();
    }

    fn refuse(&self, id: Id, why: ErrorObject) {
        self.outgoing.answer(&Message::failure(id, why), None);
    }

    fn take(&self, line: &[u8]) {
        let request = match Request::read(line) {
            Ok(request) => request,
            Err((id, why)) => return self.refuse(id, why),
        };
        if let Some(taken_back) = self.service.takes_back(&request.method, &request.params) {
            let cancelled = self.in_flight.cancel(&taken_back);
            if let Some(id) = request.id {
                self.outgoing.answer(&Message::result(id, json!({ "cancelled": cancelled })), None);
            }
            return;
        }
        let place = match self.in_flight.enter(request.id.as_ref(), line.len()) {
            Ok(place) => place,
            Err(why) => return request.id.map_or((), |id| self.refuse(id, why)),
        };
        let work =
            Work { service: Arc::clone(&self.service), outgoing: self.outgoing.clone(), request, place };
        if self.service.is_immediate(&work.request.method) {
            return work.run();
        }
        let id = work.request.id.clone();
        let spawned = thread::Builder::new().name("request".to_owned()).spawn(move || work.run());
        if let (Err(why), Some(id)) = (spawned, id) {
            self.refuse(
                id,
                error(code::OUR_FAULT, format!("no thread could be started: {why}; try again later")),
            );
        }
    }
}

struct Request {
    /// `None` for a notification.
    id: Option<Id>,
    method: String,
    params: Value,
}

impl Request {
    fn read(line: &[u8]) -> Result<Self, (Id, ErrorObject)> {
        let mut message: Value = serde_json::from_slice(line).map_err(|why| {
            (Id::Null, error(code::NOT_JSON, format!("a line is not JSON: {why}; send one message a line")))
        })?;
        let no_request = |id: &Option<Id>, why: &str| {
            (
                id.clone().unwrap_or(Id::Null),
                error(code::NO_REQUEST, format!("{why}; send a JSON-RPC 2.0 request")),
            )
        };
        let Some(fields) = message.as_object_mut() else {
            let why = if message.is_array() { "batches are not taken" } else { "a message is no object" };
            return Err(no_request(&None, why));
        };
        let id = match fields.remove("id") {
            None => None,
            Some(Value::String(text)) => Some(Id::Text(text)),
            Some(Value::Number(number)) if number.as_i64().is_some() => number.as_i64().map(Id::Number),
            Some(_) => return Err(no_request(&None, "an id is neither a text nor a whole number")),
        };
        if fields.get("jsonrpc").and_then(Value::as_str) != Some(JSONRPC) {
            return Err(no_request(&id, "`jsonrpc` is not \"2.0\""));
        }
        let Some(Value::String(method)) = fields.remove("method") else {
            return Err(no_request(&id, "a message has no method"));
        };
        Ok(Self { id, method, params: fields.remove("params").unwrap_or(Value::Null) })
    }
}

struct Work<S> {
    service: Arc<S>,
    outgoing: Outgoing,
    request: Request,
    place: Place,
}

impl<S: Service> Work<S> {
    fn run(self) {
        let Self { service, outgoing, request: Request { id, method, params }, place } = self;
        let cancel = place.cancel().clone();
        let answered = catch_unwind(AssertUnwindSafe(|| service.call(&method, params, &cancel)));
        let Some(id) = id else { return };
        let answered = answered.unwrap_or_else(|_| {
            Err(error(
                code::OUR_FAULT,
                format!("`{method}` failed inside the host; report it with what was sent"),
            ))
        });
        let message = match (cancel.is_cancelled(), answered) {
            (true, _) => match service.cancelled() {
                Some(why) => Message::failure(id, why),
                None => return,
            },
            (false, Ok(result)) => Message::result(id, result),
            (false, Err(why)) => Message::failure(id, why),
        };
        outgoing.answer(&message, Some(place));
    }
}
