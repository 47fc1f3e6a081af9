//! `ctxhost serve --stdio`, spoken with over its pipes.

pub(crate) mod client;
mod flight;
mod framing;
pub(crate) mod fuzz;
mod lifetime;
mod methods;
mod unasked;

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::harness::{Place, example};

/// A place with the recorder, its settings in TOML, and the file that it writes into.
pub(crate) fn recorded(settings: &str) -> Place {
    let place = Place::with(&[example("recorder")]);
    configure(&place, settings);
    place
}

/// Unoptimized code on a busy machine is late for the usual ones, and these tests are not about that.
const DEADLINES: &str =
    "[deadlines]\nprompt = 10000\nmodel_call = 5000\n\"tool.before\" = 5000\n\"tool.after\" = 5000";

/// Gives the recorder other settings.
pub(crate) fn configure(place: &Place, settings: &str) {
    let log = place.path("log.jsonl");
    place.config(&format!(
        "[providers.recorder]\nlog = {:?}\npowers = [\"block\", \"patch\", \"rewrite\"]\n{settings}\n{DEADLINES}",
        log.to_str().expect("UTF-8")
    ));
}

/// What the recorder has written down.
pub(crate) fn record(place: &Place) -> Vec<Value> {
    let text = fs::read_to_string(place.path("log.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line is whole")).collect()
}

/// The events that it was asked about, in order.
pub(crate) fn events(place: &Place) -> Vec<String> {
    record(place).iter().filter_map(|line| Some(line["event"].as_str()?.to_owned())).collect()
}

/// A conversation in a place.
fn session(place: &Place) -> Value {
    session_in(&place.path("work"), "one")
}

fn session_in(cwd: &Path, id: &str) -> Value {
    json!({"id": id, "cwd": cwd, "trusted": false})
}

/// The parameters of a prompt.
fn prompt(session: &Value, text: &str) -> Value {
    json!({"event": "prompt", "session": session, "data": {"text": text, "source": "user"}})
}

/// The parameters of a call of the recorder's tool.
fn act(session: &Value, what: &str) -> Value {
    json!({"name": "act", "args": {"do": what}, "call_id": "c1", "session": session})
}
