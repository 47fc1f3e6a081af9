//! JSON-RPC 2.0 over two pipes, one message a line: what `serve` and `mcp` have in common.
//!
//! The calling thread writes, one thread reads, and each request runs on a thread of its own, so that a slow one holds up
//! nobody. Garbage gets an error and the stream goes on; the end of the input ends everything.

mod frames;
mod in_flight;
mod outgoing;

use std::{
    io::{self, Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
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
use outgoing::Lines;
pub(crate) use outgoing::Outgoing;

/// How long requests in flight may still be answered when the input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// How long requests that were taken back, and a client that does not read, are waited for after that.
const PARTING: Duration = Duration::from_millis(500);

/// What answers requests.
pub(crate) trait Service: Send + Sync + 'static {
    /// Whether a method is answered before anything later is read; such a method must be quick.
    fn is_immediate(&self, method: &str) -> bool;

    /// The request that a message takes back.
    fn takes_back(&self, method: &str, params: &Value) -> Option<Id>;

    /// Takes note of a request in the order of arrival, before it runs beside others; must be quick. What is returned is
    /// kept until the request is answered.
    fn arrives(&self, _method: &str, _params: &Value) -> Option<Box<dyn Send>> {
        None
    }

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
    let served = Served(Arc::new(Mutex::new(Some(service))));
    let in_flight = Arc::new(InFlight::default());
    let reader =
        Reader { served: served.clone(), outgoing: outgoing.clone(), in_flight: Arc::clone(&in_flight) };
    let reading = thread::Builder::new().name("read".to_owned()).spawn(move || reader.read(stdin))?;
    let written = outgoing.write(lines, stdout);
    match &written {
        // It has read to the end, so it ends now.
        Ok(()) => drop(reading.join()),
        // Nobody hears the answers; the input may stay open for ever.
        Err(_) => in_flight.finish(Duration::ZERO, PARTING),
    }
    // The service is let go of on this thread, with all it holds.
    served.close();
    written
}

/// The service, until it is over: whoever answers a request has it for as long as that takes.
struct Served<S>(Arc<Mutex<Option<Arc<S>>>>);

impl<S> Clone for Served<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> Served<S> {
    fn get(&self) -> Option<Arc<S>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn close(&self) {
        let service = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Outside the lock: providers take their time to end.
        drop(service);
    }
}

struct Reader<S> {
    served: Served<S>,
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
        self.in_flight.finish(GRACE, PARTING);
        self.outgoing.end();
        if !self.outgoing.closes_within(PARTING) {
            // The client holds its end open and reads nothing, so the thread that writes never comes to the end.
            self.served.close();
            ctxhost::load::leave_process(0);
        }
    }

    fn refuse(&self, id: Id, why: ErrorObject) {
        self.outgoing.refuse(&Message::failure(id, why));
    }

    fn take(&self, line: &[u8]) {
        // Without it the client is gone as well.
        let Some(service) = self.served.get() else { return };
        let request = match Request::read(line) {
            Ok(request) => request,
            Err((id, why)) => return self.refuse(id, why),
        };
        if let Some(taken_back) = service.takes_back(&request.method, &request.params) {
            let cancelled = self.in_flight.cancel(&taken_back);
            if let Some(id) = request.id {
                self.outgoing.refuse(&Message::result(id, json!({ "cancelled": cancelled })));
            }
            return;
        }
        let place = match self.in_flight.enter(request.id.as_ref(), line.len()) {
            Ok(place) => place,
            Err(why) => return request.id.map_or((), |id| self.refuse(id, why)),
        };
        let immediate = service.is_immediate(&request.method);
        // Whatever goes wrong here goes wrong again, and is told, where the request is answered.
        let noted = catch_unwind(AssertUnwindSafe(|| service.arrives(&request.method, &request.params)));
        let noted = noted.unwrap_or_default();
        let work = Work { service, outgoing: self.outgoing.clone(), request, place, noted };
        if immediate {
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

/// An id that can be one: text, or a whole number, which may be written with an empty fraction.
pub(crate) fn read_id(id: Value) -> Option<Id> {
    /// Beyond it some programs no longer tell two numbers apart, so that an answer could come back under another.
    const LARGEST: i64 = 9_007_199_254_740_991;
    match id {
        Value::String(text) => Some(Id::Text(text)),
        Value::Number(number) => {
            let from_fraction = || {
                let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
                (number.abs() <= LARGEST as f64).then_some(number as i64)
            };
            let whole = number.as_i64().or_else(from_fraction);
            whole.filter(|whole| (-LARGEST..=LARGEST).contains(whole)).map(Id::Number)
        }
        _ => None,
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
            Some(id) => match read_id(id) {
                None => {
                    return Err(no_request(
                        &None,
                        "an id is neither a text nor a whole number of up to 2^53 - 1",
                    ));
                }
                id => id,
            },
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
    noted: Option<Box<dyn Send>>,
}

impl<S: Service> Work<S> {
    fn run(self) {
        let Self { service, outgoing, request: Request { id, method, params }, place, noted } = self;
        let cancel = place.cancel().clone();
        let answered = catch_unwind(AssertUnwindSafe(|| service.call(&method, params, &cancel)));
        // Let go of before the answer is there, so that the service's end is not left to this thread.
        let cancelled = cancel.is_cancelled().then(|| service.cancelled());
        drop(noted);
        drop(service);
        let Some(id) = id else { return };
        let answered = answered.unwrap_or_else(|_| {
            Err(error(
                code::OUR_FAULT,
                format!("`{method}` failed inside the host; report it with what was sent"),
            ))
        });
        let message = match (cancelled, answered) {
            (Some(Some(why)), _) => Message::failure(id, why),
            (Some(None), _) => return,
            (None, Ok(result)) => Message::result(id, result),
            (None, Err(why)) => Message::failure(id, why),
        };
        outgoing.answer(&message, place);
    }
}
