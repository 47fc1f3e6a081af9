//! One suite for all providers: what the boundary and the envelope ask of each.
//!
//! `ctxhost check` runs every test in a child process with a time limit; the testkit runs the same tests in-process.

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ctxhost_abi::{NO_DEADLINE, ProviderV1, Status};
use ctxhost_protocol::envelope::{
    self, Agent, Budget, Finding, Life, Manifest, PromptData, Request, Session,
};
use serde_json::{Value, json};

use crate::{
    Settings, Surroundings,
    ask::{Answer, REPLY_CAP},
    discover::{Candidate, Origin, State},
    finding::FindingExt,
    load::{self, Call, CallError, Ground, Loaded, SilentListener, preflight},
    validate::{Validators, unknown_fields},
};

/// What is tested.
#[derive(Clone)]
pub enum Subject {
    /// A library file, opened where it is.
    File {
        /// The file.
        path: PathBuf,
        /// The process's surroundings, whose state and cache folders the provider gets.
        surroundings: Surroundings,
    },
    /// A table inside this program.
    Table {
        /// The table.
        table: &'static ProviderV1,
        /// The provider's id.
        id: &'static str,
    },
}

/// One test.
pub struct Test {
    /// Its name.
    pub name: &'static str,
    /// What it holds, one line for a person.
    pub summary: &'static str,
    /// Runs it; the error says what is wrong.
    pub run: fn(&Subject) -> Result<(), String>,
}

/// The suite, in order.
pub const TESTS: &[Test] = &[
    Test {
        name: "preflight",
        summary: "the file is whole, for this machine, and has a note and a door",
        run: preflight_passes,
    },
    Test {
        name: "manifest",
        summary: "the manifest satisfies its schema and agrees with the note",
        run: manifest_is_valid,
    },
    Test { name: "create-twice", summary: "two instances live beside each other", run: two_instances },
    Test {
        name: "bad-settings",
        summary: "settings that are not JSON are refused with status 1",
        run: bad_settings,
    },
    Test {
        name: "bad-input",
        summary: "input that is empty, cut off, deep or not JSON is refused with status 1",
        run: bad_input,
    },
    Test { name: "unknown-op", summary: "an unknown op is refused with status 7", run: unknown_op },
    Test { name: "unknown-field", summary: "fields it does not know are ignored", run: unknown_field },
    Test {
        name: "reply",
        summary: "the reply to each event it asked for satisfies its spec",
        run: replies_are_valid,
    },
    Test { name: "deterministic", summary: "the same request gives the same sections", run: deterministic },
    Test {
        name: "cancelled",
        summary: "a cancelled call comes back within a second",
        run: cancelled_call_returns,
    },
    Test {
        name: "past-deadline",
        summary: "a call whose deadline has passed comes back within a second",
        run: past_deadline_returns,
    },
    Test {
        name: "small-sink",
        summary: "a sink that takes nothing is status 6, not a crash",
        run: small_sink,
    },
    Test { name: "threads", summary: "eight threads ask at once", run: eight_threads },
    Test {
        name: "commands",
        summary: "an unknown command and an unknown tool are refused and crash nothing",
        run: unknown_command,
    },
    Test {
        name: "destroy",
        summary: "instances can be made and destroyed many times, and leave no file open",
        run: destroy_many,
    },
];

/// The test of a name.
pub fn find(name: &str) -> Option<&'static Test> {
    TESTS.iter().find(|test| test.name == name)
}

fn preflight_passes(subject: &Subject) -> Result<(), String> {
    let Subject::File { path, .. } = subject else { return Ok(()) };
    preflight::read_note(path).map(|_| ()).map_err(|error| error.to_string())
}

fn manifest_is_valid(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    hold("manifest", &loaded.manifest_document)?;
    nothing_unknown(envelope::SPEC, "manifest", &loaded.manifest_document)?;
    // A spec without replies is no provider's, such as the one that agents speak with the host.
    let published = ctxhost_protocol::catalogue::find(&loaded.manifest.spec);
    let spec_is_known = published.is_some_and(|spec| spec.schema("reply").is_some());
    let spec_is_own = loaded.manifest.spec.split('/').next() == Some(&loaded.manifest.id);
    if spec_is_known || spec_is_own {
        Ok(())
    } else {
        Err(format!("its spec `{}` is neither published nor its own", loaded.manifest.spec))
    }
}

fn two_instances(subject: &Subject) -> Result<(), String> {
    let (first, second) = (start(subject)?, start(subject)?);
    ask_first_event(&first)?;
    ask_first_event(&second)?;
    Ok(())
}

fn bad_settings(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    for settings in ["", "{", "[]", "nonsense"] {
        match loaded.instance.create_beside(settings.as_bytes()) {
            Err(CallError::Status { status: Status::BadInput, .. }) => {}
            Err(other) => return Err(format!("settings `{settings}` gave: {other}")),
            Ok(()) => return Err(format!("settings `{settings}` were taken")),
        }
    }
    Ok(())
}

fn bad_input(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    let deep = "[".repeat(100_000);
    let large = format!("{{\"v\":1,\"event\":\"{}\"", "x".repeat(1_000_000));
    for input in ["", "{", "null", "[]", "{}", "\u{0}", deep.as_str(), large.as_str()] {
        for op in ["event", "tool", "command"] {
            match call(&loaded, op, input.as_bytes()) {
                Err(CallError::Status { status: Status::BadInput, .. }) => {}
                Err(CallError::Status { status: Status::UnknownOp, .. }) if op != "event" => {}
                Err(other) => {
                    return Err(format!("`{op}` with {} bytes of bad input gave: {other}", input.len()));
                }
                Ok(_) => return Err(format!("`{op}` took {} bytes of bad input", input.len())),
            }
        }
    }
    Ok(())
}

fn unknown_op(subject: &Subject) -> Result<(), String> {
    match call(&start(subject)?, "no-such-op", b"{}") {
        Err(CallError::Status { status: Status::UnknownOp, .. }) => Ok(()),
        other => Err(format!("gave {}", shown(other))),
    }
}

fn unknown_field(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    for event in &loaded.manifest.events {
        let mut document = serde_json::to_value(request(event)).map_err(|error| error.to_string())?;
        document["x_unknown"] = json!({"a": [1, 2, 3]});
        document["session"]["x_unknown"] = json!("text");
        let answer = call(&loaded, "event", document.to_string().as_bytes());
        if let Err(CallError::Status { status: Status::BadInput, message }) = answer {
            return Err(format!("`{event}` with fields from later was refused: {message}"));
        }
    }
    Ok(())
}

fn replies_are_valid(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    for event in loaded.manifest.events.clone() {
        let bytes = call(&loaded, "event", &input(&event)).map_err(|error| format!("`{event}`: {error}"))?;
        let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        valid_reply(&loaded, bytes).map_err(|why| format!("`{event}`: {why}"))?;
        nothing_unknown(envelope::SPEC, "reply", &document).map_err(|why| format!("`{event}`: {why}"))?;
    }
    Ok(())
}

fn deterministic(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    for event in loaded.manifest.events.clone() {
        let ask = || -> Result<Value, String> {
            let bytes =
                call(&loaded, "event", &input(&event)).map_err(|error| format!("`{event}`: {error}"))?;
            let reply: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
            Ok(reply.get("sections").cloned().unwrap_or_default())
        };
        let (first, second) = (ask()?, ask()?);
        if first != second {
            return Err(format!("two identical `{event}` requests gave different sections"));
        }
    }
    Ok(())
}

fn cancelled_call_returns(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    let cancelled = Arc::new(Call::until(NO_DEADLINE));
    cancelled.cancel();
    returns_soon(&loaded, cancelled)
}

fn past_deadline_returns(subject: &Subject) -> Result<(), String> {
    returns_soon(&start(subject)?, Arc::new(Call::until(0)))
}

/// A call that nobody waits for must not take long; a second is far more than any deadline leaves.
fn returns_soon(loaded: &Loaded, call: Arc<Call>) -> Result<(), String> {
    let started = Instant::now();
    let answer = loaded.instance.call("event", &first_input(&loaded.manifest), call, REPLY_CAP);
    if started.elapsed() > Duration::from_secs(1) {
        return Err(format!("came back after {} ms", started.elapsed().as_millis()));
    }
    match answer {
        Ok(_) | Err(CallError::Status { status: Status::Deadline | Status::Cancelled, .. }) => Ok(()),
        Err(other) => Err(other.to_string()),
    }
}

fn small_sink(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    let answer =
        loaded.instance.call("event", &first_input(&loaded.manifest), Arc::new(Call::until(NO_DEADLINE)), 1);
    match answer {
        Err(CallError::Status { status: Status::TooLarge, .. }) => {}
        other => return Err(format!("gave {}", shown(other))),
    }
    ask_first_event(&loaded).map_err(|why| format!("the next call failed: {why}"))
}

fn eight_threads(subject: &Subject) -> Result<(), String> {
    const ROUNDS: usize = 50;
    let loaded = start(subject)?;
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    if let Err(why) = ask_first_event(&loaded) {
                        failures.lock().unwrap_or_else(PoisonError::into_inner).push(why);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures
        .first()
        .map_or(Ok(()), |why| Err(format!("{} of {} calls failed: {why}", failures.len(), 8 * ROUNDS)))
}

fn unknown_command(subject: &Subject) -> Result<(), String> {
    let loaded = start(subject)?;
    let session = session();
    let command = json!({"name": "no-such-command", "args": ["\u{0}", "x"], "session": session});
    let tool = json!({"name": "no-such-tool", "args": {}, "call_id": "1", "session": session, "agent": {}});
    for (op, document) in [("command", command), ("tool", tool)] {
        let answer = call(&loaded, op, document.to_string().as_bytes());
        if let Err(error @ CallError::Status { status: Status::Panic, .. }) = answer {
            return Err(format!("`{op}`: {error}"));
        }
    }
    ask_first_event(&loaded)
}

fn destroy_many(subject: &Subject) -> Result<(), String> {
    let open = || std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    drop(start(subject)?);
    let before = open();
    for _ in 0..100 {
        let loaded = start(subject)?;
        ask_first_event(&loaded)?;
    }
    let after = open();
    // Somebody else's file may be open at the moment of counting; a leak would show a hundred times.
    if after > before + 20 {
        Err(format!("{before} files were open before, {after} after 100 instances"))
    } else {
        Ok(())
    }
}

/// The schemas, compiled once for all tests.
static VALIDATORS: LazyLock<Validators> = LazyLock::new(Validators::default);

/// What a subject under test says unasked is not heard.
fn ground() -> Ground {
    Ground { clock: Surroundings::empty().clock, listener: Arc::new(SilentListener) }
}

fn start(subject: &Subject) -> Result<Loaded, String> {
    let (loaded, _) = match subject {
        Subject::File { path, surroundings } => {
            let note = preflight::read_note(path).map_err(|error| error.to_string())?;
            let candidate =
                Candidate { path: path.clone(), note, origin: Origin::Bundled, state: State::Ready };
            load::load(&candidate, surroundings, &Settings::default(), &ground())
        }
        Subject::Table { table, .. } => {
            load::start(table, None, None, true, &Surroundings::empty(), &Settings::default(), &ground())
        }
    };
    loaded.map_err(|finding: Finding| finding.line())
}

fn session() -> Session {
    Session { id: None, cwd: "/".to_owned(), trusted: false, life: Life::Once }
}

fn request(event: &str) -> Request {
    let data = match event {
        "prompt" => serde_json::to_value(PromptData {
            text: "hello".to_owned(),
            source: "user".to_owned(),
            first: true,
        }),
        "session.start" | "session.end" => Ok(json!({"reason": "startup"})),
        "model_call" => Ok(json!({"messages": [], "request_no": 1})),
        "compact" => Ok(json!({"phase": "after", "reason": "manual"})),
        "tool.before" => Ok(json!({"id": "1", "name": "read", "kind": "read", "paths": [], "input": {}})),
        "tool.after" => Ok(
            json!({"id": "1", "name": "read", "kind": "read", "paths": [], "input": {}, "content": [], "is_error": false}),
        ),
        "turn.end" => Ok(json!({"assistant_text": "", "usage": null})),
        "mcp.result" => Ok(json!({"name": "x", "ok": true, "reason": null})),
        _ => Ok(json!({})),
    };
    Request {
        v: envelope::VERSION,
        event: event.to_owned(),
        session: session(),
        agent: Agent { name: "check".to_owned(), ..Agent::default() },
        now: 1_700_000_000.0,
        budget: Budget { tokens: 10_000 },
        visible: Vec::new(),
        explain: false,
        data: data.unwrap_or_default(),
    }
}

fn input(event: &str) -> Vec<u8> {
    serde_json::to_vec(&request(event)).unwrap_or_default()
}

fn first_input(manifest: &Manifest) -> Vec<u8> {
    input(manifest.events.first().map_or("prompt", String::as_str))
}

fn call(loaded: &Loaded, op: &str, input: &[u8]) -> Result<Vec<u8>, CallError> {
    loaded.instance.call(op, input, Arc::new(Call::until(NO_DEADLINE)), REPLY_CAP)
}

fn ask_first_event(loaded: &Loaded) -> Result<(), String> {
    if loaded.manifest.events.is_empty() {
        return Ok(());
    }
    let bytes = call(loaded, "event", &first_input(&loaded.manifest)).map_err(|error| error.to_string())?;
    valid_reply(loaded, bytes)
}

fn valid_reply(loaded: &Loaded, bytes: Vec<u8>) -> Result<(), String> {
    let answer = Answer {
        provider: loaded.manifest.id.clone(),
        reply: Ok(bytes),
        findings: Vec::new(),
        elapsed: Duration::ZERO,
    };
    let (contribution, findings) = VALIDATORS.validate(answer, loaded);
    match contribution {
        Some(_) => Ok(()),
        None => Err(findings.last().map(|finding| finding.message.clone()).unwrap_or_default()),
    }
}

/// A host ignores what it does not know, so a misspelt field is lost without a word; here it is told.
fn nothing_unknown(spec: &str, schema: &str, document: &Value) -> Result<(), String> {
    match unknown_fields(spec, schema, document).first() {
        None => Ok(()),
        Some(pointer) => {
            Err(format!("the field {pointer} is not one of {spec} {schema}, so every host ignores it"))
        }
    }
}

fn hold(schema: &str, document: &Value) -> Result<(), String> {
    match VALIDATORS.faults(envelope::SPEC, schema, document) {
        Some(Ok(faults)) => {
            faults.first().map_or(Ok(()), |fault| Err(format!("at {}: {}", fault.pointer, fault.message)))
        }
        Some(Err(error)) => Err(error.to_string()),
        None => Err(format!("there is no schema `{schema}`")),
    }
}

fn shown(answer: Result<Vec<u8>, CallError>) -> String {
    answer.map_or_else(|error| error.to_string(), |bytes| format!("{} bytes", bytes.len()))
}
