//! What the model wrote before a tool call, from the tail of the agent's own record of the conversation.

use std::{
    fs,
    io::{ErrorKind, Read as _, Seek as _, SeekFrom},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use ctxhost::files::open_regular;
use serde_json::Value;

/// How much of a record is read, in bytes. Between the texts stand lines of tens of kilobytes with whole prompts, so it is
/// much more than a turn's text; a file of any length costs the same.
const TAIL: u64 = 1024 * 1024;

/// The longest text that is handed on, in bytes.
const TEXT_CAP: usize = 64 * 1024;

/// How long a call is looked for. We are asked before the agent has written it down, so quick are we (seen in one run of
/// two of Claude Code), and with the first call of a conversation before there is a file at all; a process of Python's
/// came 20 ms later and always found it.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often it is looked for.
const AGAIN: Duration = Duration::from_millis(5);

/// The text of the message that a call stands in: Claude Code writes one line for each block of a message, all with the
/// message's id.
pub(super) fn of_claude_code(path: &Path, call: &str) -> Option<String> {
    claude_code(&tail_with(path, call)?, call)
}

/// The text since the last result of a tool or the last word of the user: what Codex's model wrote before the calls that
/// are made now.
pub(super) fn of_codex(path: &Path, call: &str) -> Option<String> {
    codex(&tail_with(path, call)?)
}

/// The tail of a record once a call is in it, or whatever it is when the time is over.
fn tail_with(path: &Path, call: &str) -> Option<Vec<u8>> {
    let until = Instant::now() + PATIENCE;
    while fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) && Instant::now() < until
    {
        thread::sleep(AGAIN);
    }
    let (mut read, mut length) = tail(path)?;
    // Only what has come since is looked through again.
    let mut fresh = read.len();
    loop {
        let new = &read[read.len().saturating_sub(fresh.saturating_add(call.len()))..];
        let is_there = new.windows(call.len().max(1)).rev().any(|window| window == call.as_bytes());
        if is_there || Instant::now() >= until {
            return Some(read);
        }
        thread::sleep(AGAIN);
        fresh = 0;
        if fs::metadata(path).is_ok_and(|now| now.len() > length) {
            let before = length;
            (read, length) = tail(path)?;
            fresh = usize::try_from(length.saturating_sub(before)).unwrap_or(usize::MAX);
        }
    }
}

fn claude_code(tail: &[u8], call: &str) -> Option<String> {
    let mut message: Option<String> = None;
    let mut texts: Vec<String> = Vec::new();
    for line in records(tail, "\"assistant\"") {
        if line.get("type").and_then(Value::as_str) != Some("assistant") {
            continue;
        }
        let Some(id) = line.pointer("/message/id").and_then(Value::as_str) else { continue };
        let blocks =
            line.pointer("/message/content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let kind = |block: &Value| block.get("type").and_then(Value::as_str).map(str::to_owned);
        if message.is_none() {
            let calls = |block: &Value| block.get("id").and_then(Value::as_str) == Some(call);
            if !blocks.iter().any(|block| kind(block).as_deref() == Some("tool_use") && calls(block)) {
                continue;
            }
            message = Some(id.to_owned());
        }
        if message.as_deref() != Some(id) {
            break;
        }
        let text = |block: &Value| block.get("text").and_then(Value::as_str).map(str::to_owned);
        texts.extend(
            blocks.iter().rev().filter(|block| kind(block).as_deref() == Some("text")).filter_map(text),
        );
    }
    joined(texts)
}

fn codex(tail: &[u8]) -> Option<String> {
    let mut texts: Vec<String> = Vec::new();
    for line in records(tail, "\"response_item\"") {
        let payload = line.get("payload").unwrap_or(&Value::Null);
        let is = |key: &str, wanted: &str| payload.get(key).and_then(Value::as_str) == Some(wanted);
        if line.get("type").and_then(Value::as_str) != Some("response_item") {
            continue;
        }
        let is_result =
            payload.get("type").and_then(Value::as_str).is_some_and(|kind| kind.ends_with("_output"));
        if is_result || (is("type", "message") && is("role", "user")) {
            break;
        }
        if is("type", "message") && is("role", "assistant") {
            let pieces =
                payload.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let text = |piece: &Value| piece.get("text").and_then(Value::as_str).map(str::to_owned);
            texts.extend(pieces.iter().rev().filter_map(text));
        }
    }
    joined(texts)
}

/// Texts that were collected backwards.
fn joined(mut texts: Vec<String>) -> Option<String> {
    texts.reverse();
    let mut text = texts.join("\n");
    if text.len() > TEXT_CAP {
        let from = text.len() - TEXT_CAP;
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        text.drain(..from);
    }
    (!text.is_empty()).then_some(text)
}

/// The records of a tail, last first: whole lines of JSON that hold a word.
fn records<'a>(tail: &'a [u8], word: &'static str) -> impl Iterator<Item = Value> + 'a {
    let has = move |line: &&[u8]| line.windows(word.len()).any(|window| window == word.as_bytes());
    tail.rsplit(|byte| *byte == b'\n').filter(has).filter_map(|line| serde_json::from_slice(line).ok())
}

/// The last bytes of a regular file, and its length.
fn tail(path: &Path) -> Option<(Vec<u8>, u64)> {
    let mut file = open_regular(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    Some((bytes, length))
}

#[cfg(test)]
mod tests {
    use std::{fs::OpenOptions, io::Write as _};

    use serde_json::json;

    use super::*;

    fn record(lines: &[Value]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for line in lines {
            writeln!(file, "{line}").unwrap();
        }
        file
    }

    fn block(id: &str, block: Value) -> Value {
        json!({"type": "assistant", "message": {"id": id, "role": "assistant", "content": [block]}})
    }

    #[test]
    fn claude_codes_text_is_that_of_the_calls_own_message() {
        let file = record(&[
            block("m1", json!({"type": "text", "text": "earlier"})),
            block("m1", json!({"type": "tool_use", "id": "t0"})),
            json!({"type": "user", "message": {"role": "user", "content": "\"assistant\""}}),
            block("m2", json!({"type": "text", "text": "first"})),
            json!({"type": "api-request-blob", "huge": "x".repeat(300_000), "of": "assistant"}),
            block("m2", json!({"type": "text", "text": "second"})),
            block("m2", json!({"type": "tool_use", "id": "t1"})),
            block("m2", json!({"type": "tool_use", "id": "t2"})),
        ]);
        let text = |call: &str| of_claude_code(file.path(), call);
        assert_eq!(text("t1").as_deref(), Some("first\nsecond"));
        assert_eq!(text("t2").as_deref(), Some("first\nsecond"));
        assert_eq!(text("t0").as_deref(), Some("earlier"));
        assert_eq!(text("t9"), None);
    }

    #[test]
    fn codexs_text_is_what_stands_after_the_last_result() {
        let item = |payload: Value| json!({"type": "response_item", "payload": payload});
        let says = |text: &str| {
            item(
                json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
            )
        };
        let file = record(&[
            item(
                json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "do"}]}),
            ),
            says("earlier"),
            item(json!({"type": "function_call", "call_id": "c1"})),
            item(json!({"type": "function_call_output", "call_id": "c1"})),
            json!({"type": "event_msg", "payload": {"of": "response_item"}}),
            says("now"),
            item(json!({"type": "function_call", "call_id": "c2"})),
        ]);
        assert_eq!(of_codex(file.path(), "c2").as_deref(), Some("now"));
        let none = record(&[item(json!({"type": "message", "role": "user", "content": []}))]);
        assert_eq!(of_codex(none.path(), "c2"), None);
    }

    #[test]
    fn a_call_that_is_written_a_moment_later_is_found() {
        let file = record(&[block("m", json!({"type": "text", "text": "about to"}))]);
        let path = file.path().to_owned();
        let writer = thread::spawn(move || {
            thread::sleep(PATIENCE / 5);
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            writeln!(file, "{}", block("m", json!({"type": "tool_use", "id": "late"}))).unwrap();
        });
        assert_eq!(of_claude_code(file.path(), "late").as_deref(), Some("about to"));
        writer.join().unwrap();
    }

    #[test]
    fn a_record_that_is_begun_a_moment_later_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.jsonl");
        let begun = path.clone();
        let writer = thread::spawn(move || {
            thread::sleep(PATIENCE / 5);
            let lines = [
                block("m", json!({"type": "text", "text": "at first"})),
                block("m", json!({"type": "tool_use", "id": "first"})),
            ];
            let whole = begun.with_extension("part");
            fs::write(&whole, lines.map(|line| format!("{line}\n")).concat()).unwrap();
            fs::rename(whole, begun).unwrap();
        });
        assert_eq!(of_claude_code(&path, "first").as_deref(), Some("at first"));
        writer.join().unwrap();
    }

    #[test]
    fn whatever_is_no_record_has_no_text() {
        assert_eq!(of_codex(Path::new("/no/such/file"), "c"), None);
        assert_eq!(of_codex(Path::new("/"), "c"), None);
        assert_eq!(of_claude_code(Path::new("/dev/null"), "t"), None);
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"\"assistant\" {broken\n\xff\xfe\"response_item\"\n[\"assistant\"]\n").unwrap();
        assert_eq!(of_claude_code(file.path(), "t"), None);
        assert_eq!(of_codex(file.path(), "t"), None);
    }

    #[test]
    fn only_the_tail_of_a_long_record_is_read() {
        let padding = json!({"type": "assistant", "x": "y".repeat(2 * 1024 * 1024)});
        let file = record(&[
            padding,
            block("m", json!({"type": "text", "text": "near"})),
            block("m", json!({"type": "tool_use", "id": "t"})),
        ]);
        assert_eq!(of_claude_code(file.path(), "t").as_deref(), Some("near"));
        let long = "ä".repeat(TEXT_CAP);
        let file = record(&[
            block("m", json!({"type": "text", "text": long})),
            block("m", json!({"type": "tool_use", "id": "t"})),
        ]);
        assert!(of_claude_code(file.path(), "t").unwrap().len() <= TEXT_CAP);
    }
}
