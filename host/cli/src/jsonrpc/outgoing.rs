//! What waits to be written to the client, in bounded memory however little the client reads.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    time::{Duration, Instant},
};

use ctxhost::protocol::serve::Message;

use super::in_flight::Place;

/// How many notifications wait for a client that does not read; beyond that they are left out.
const NOTICES: usize = 1_000;

/// How many bytes they have together; a provider may put 64 KiB into one.
const NOTICE_BYTES: usize = 8 * 1024 * 1024;

/// How many errors about lines that are no request wait; beyond that no further line is read. A client that asks and
/// reads on one thread comes nowhere near.
const REFUSALS: usize = 4_096;

/// How long a client with so many of them is waited for before it is told of no further one.
const DEAF: Duration = Duration::from_secs(5);

/// A line on its way out.
enum Out {
    /// The answer to a request, whose place becomes free when its turn to be written has come.
    Answer(Vec<u8>, Place),
    /// The answer to a line that never had a place.
    Refusal(Vec<u8>),
    /// A notification of this many bytes.
    Notice(Vec<u8>),
    /// A notification of which only the newest is of use; its text is kept under the name of the matter.
    Latest(String),
    /// Nothing follows.
    End,
}

/// The way out, for whoever has something to tell the client.
#[derive(Clone)]
pub(crate) struct Outgoing {
    sender: mpsc::Sender<Out>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// What waits to be written.
#[derive(Default)]
struct Waiting {
    latest: BTreeMap<String, Vec<u8>>,
    latest_bytes: usize,
    notices: usize,
    notice_bytes: usize,
    refusals: usize,
    /// The client has read none of them for long.
    deaf: bool,
    /// Nothing is written any more.
    closed: bool,
}

impl Waiting {
    fn is_full(&self) -> bool {
        self.notices >= NOTICES || self.notice_bytes >= NOTICE_BYTES
    }
}

/// The other end of [`Outgoing`].
pub(crate) struct Lines(mpsc::Receiver<Out>);

impl Outgoing {
    pub(crate) fn new() -> (Self, Lines) {
        let (sender, receiver) = mpsc::channel();
        (Self { sender, shared: Arc::default() }, Lines(receiver))
    }

    /// Tells the client something; left out, and not even made, when it does not read what it was told before.
    pub(crate) fn notify(&self, message: impl FnOnce() -> Message) {
        if self.waiting().is_full() {
            return;
        }
        let line = line(&message());
        let mut waiting = self.waiting();
        if waiting.is_full() {
            return;
        }
        waiting.notices += 1;
        waiting.notice_bytes += line.len();
        self.send(Out::Notice(line));
    }

    /// Tells the client how a matter stands; what it has not read of the matter yet is replaced. Left out when it does
    /// not read what it was told before.
    pub(crate) fn notify_latest(&self, matter: String, message: &Message) {
        self.put(matter, message, NOTICES);
    }

    /// As [`notify_latest`](Self::notify_latest), and never left out; there are few such matters.
    pub(crate) fn notify_surely(&self, matter: String, message: &Message) {
        self.put(matter, message, usize::MAX);
    }

    fn put(&self, matter: String, message: &Message, most: usize) {
        let line = line(message);
        let mut waiting = self.waiting();
        let known = waiting.latest.get(&matter).map(Vec::len);
        let bytes = waiting.latest_bytes - known.unwrap_or(0) + line.len();
        let full = waiting.latest.len() >= most || bytes > NOTICE_BYTES;
        if most != usize::MAX && full && (known.is_none() || bytes > NOTICE_BYTES) {
            return;
        }
        waiting.latest_bytes = bytes;
        waiting.latest.insert(matter.clone(), line);
        if known.is_none() {
            // Under the lock: whoever finds the matter waiting counts on its standing before what they send next.
            self.send(Out::Latest(matter));
        }
    }

    /// Answers a request.
    pub(super) fn answer(&self, message: &Message, place: Place) {
        self.send(Out::Answer(line(message), place));
    }

    /// Answers a line that has no place; waits while the client reads too few of these answers, but not for ever, so
    /// that the end of its input is seen.
    pub(super) fn refuse(&self, message: &Message) {
        let waiting = self.waiting();
        let full = |waiting: &mut Waiting| waiting.refusals >= REFUSALS && !waiting.deaf && !waiting.closed;
        let changed = &self.shared.changed;
        let (mut waiting, _) =
            changed.wait_timeout_while(waiting, DEAF, full).unwrap_or_else(PoisonError::into_inner);
        if waiting.refusals >= REFUSALS {
            waiting.deaf = true;
            return;
        }
        waiting.refusals += 1;
        self.send(Out::Refusal(line(message)));
    }

    /// Says that nothing follows.
    pub(super) fn end(&self) {
        self.send(Out::End);
    }

    /// Waits until nothing is written any more; false when that takes too long.
    pub(super) fn closes_within(&self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        let mut waiting = self.waiting();
        while !waiting.closed {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            waiting =
                self.shared.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Writes what comes until nothing follows.
    ///
    /// # Errors
    /// It can no longer be written.
    pub(super) fn write(&self, lines: Lines, stdout: &mut dyn Write) -> io::Result<()> {
        let written = self.write_lines(&lines, stdout);
        self.waiting().closed = true;
        self.shared.changed.notify_all();
        written
    }

    fn write_lines(&self, lines: &Lines, stdout: &mut dyn Write) -> io::Result<()> {
        while let Ok(out) = lines.0.recv() {
            match out {
                Out::Answer(bytes, place) => {
                    // Before it is written: whoever reads the answer may use the id and the place again.
                    drop(place);
                    put(stdout, &bytes)?;
                }
                Out::Refusal(bytes) => {
                    put(stdout, &bytes)?;
                    let mut waiting = self.waiting();
                    waiting.refusals -= 1;
                    waiting.deaf = false;
                    drop(waiting);
                    self.shared.changed.notify_all();
                }
                Out::Notice(bytes) => {
                    put(stdout, &bytes)?;
                    let mut waiting = self.waiting();
                    waiting.notices -= 1;
                    waiting.notice_bytes -= bytes.len();
                }
                Out::Latest(matter) => {
                    // Taken before it is written: what is said while it is being written must be said again.
                    let bytes = {
                        let mut waiting = self.waiting();
                        let bytes = waiting.latest.remove(&matter).unwrap_or_default();
                        waiting.latest_bytes -= bytes.len();
                        bytes
                    };
                    put(stdout, &bytes)?;
                }
                Out::End => break,
            }
        }
        Ok(())
    }

    fn send(&self, out: Out) {
        // Whoever wrote may be gone; then nobody is told.
        let _ = self.sender.send(out);
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn put(stdout: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    stdout.write_all(bytes)?;
    stdout.flush()
}

fn line(message: &Message) -> Vec<u8> {
    // Every key of a message is a text, so writing it cannot fail.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(outgoing: &Outgoing, lines: Lines) -> String {
        outgoing.end();
        let mut text = Vec::new();
        outgoing.write(lines, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn told(text: &str) -> Message {
        Message::notification("told", json!({ "text": text }))
    }

    #[test]
    fn of_one_matter_only_the_newest_is_written_where_the_first_stood() {
        let (outgoing, lines) = Outgoing::new();
        outgoing.notify_latest("a".to_owned(), &told("old"));
        outgoing.notify(|| told("between"));
        outgoing.notify_latest("a".to_owned(), &told("new"));
        let text = written(&outgoing, lines);
        assert!(!text.contains("\"old\""), "{text}");
        assert!(text.find("new") < text.find("between"), "{text}");
    }

    #[test]
    fn what_waits_is_bounded_in_number_and_in_bytes() {
        let (outgoing, lines) = Outgoing::new();
        for number in 0..10 * NOTICES {
            outgoing.notify(|| told("small"));
            outgoing.notify_latest(number.to_string(), &told("small"));
        }
        let (large, more) = Outgoing::new();
        let text = "x".repeat(60_000);
        for number in 0..1_000 {
            large.notify(|| told(&text));
            large.notify_latest(number.to_string(), &told(&text));
            large.notify_latest("one matter".to_owned(), &told(&text));
        }
        outgoing.notify_surely("sure".to_owned(), &told("sure"));
        large.notify_surely("sure".to_owned(), &told("sure"));
        let text = written(&outgoing, lines);
        assert_eq!(text.lines().count(), 2 * NOTICES + 1);
        assert!(text.ends_with("\"sure\"}}\n"), "it is never left out");
        let text = written(&large, more);
        assert!(text.len() < 2 * NOTICE_BYTES + 100_000, "{}", text.len());
        assert!(text.ends_with("\"sure\"}}\n"), "it is never left out");
    }
}
