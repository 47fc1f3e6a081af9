//! Requests that are in flight together, and taking one back.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    act,
    client::{Client, LIMIT},
    prompt, record, recorded, session,
};
use crate::harness::{Place, example};

/// Waits until the recorder has written a line that is wanted.
#[track_caller]
fn recorded_line(place: &Place, wanted: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + LIMIT;
    loop {
        if let Some(line) = record(place).into_iter().find(&wanted) {
            return line;
        }
        assert!(Instant::now() < until, "no such line in {:#?}", record(place));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_slow_request_holds_up_no_fast_one() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tools", json!({"session": session}));
    // None of these ends by itself.
    let slow: Vec<Value> = (0..8).map(|_| client.request("tool", act(&session, "wait"))).collect();
    client.call("tool", act(&session, "nothing"));
    client.call("event", prompt(&session, "x"));
    client.hello(json!({}));
    assert_eq!(client.forget(), 0, "no slow one was answered before them");
    let until = Instant::now() + LIMIT;
    let waiting = || record(&place).iter().filter(|line| line["args"]["do"] == "wait").count();
    while waiting() < slow.len() {
        assert!(Instant::now() < until, "only {} of them were begun", waiting());
        thread::sleep(Duration::from_millis(5));
    }
    for id in slow {
        assert_eq!(client.call("cancel", json!({"id": id}))["cancelled"], true);
        assert_eq!(client.error_of(&id)["code"], -32800);
    }
}

#[test]
fn a_start_goes_on_beside_everything_but_the_first_prompt() {
    let place = recorded("prompt = \"here\"\nsession = \"from the start\"\nstart_ms = 1500");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let start = client.request(
        "event",
        json!({"event": "session.start", "session": session, "data": {"reason": "startup"}}),
    );
    recorded_line(&place, |line| line["event"] == "session.start");
    client.call("tool", act(&session, "nothing"));
    assert_eq!(client.forget(), 0, "the tool is answered before the start is");
    let outcome = client.call("event", prompt(&session, "x"));
    let text = outcome["injection"]["text"].as_str().expect("a text");
    assert!(text.contains("from the start") && text.contains("here"), "{text}");
    assert!(client.answer(&start)["result"].is_object());
}

#[test]
fn a_prompt_overtakes_no_start_that_was_sent_before_it() {
    let place = recorded("prompt = \"here\"\nsession = \"from the start\"\nstart_ms = 30");
    let mut client = Client::serve(&place);
    for number in 0..20 {
        let session = json!({"id": format!("s{number}"), "cwd": place.path("work")});
        let start = json!({"event": "session.start", "session": session, "data": {"reason": "startup"}});
        let start = client.request("event", start);
        let outcome = client.call("event", prompt(&session, "x"));
        let text = outcome["injection"]["text"].as_str().expect("a text");
        assert!(text.contains("from the start"), "session {number}: {text}");
        client.answer(&start);
    }
}

#[test]
fn the_sixty_fifth_in_flight_is_refused() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tools", json!({"session": session}));
    let waiting: Vec<Value> = (0..64).map(|_| client.request("tool", act(&session, "wait"))).collect();
    let error = client.error("tool", act(&session, "nothing"));
    assert_eq!(error["code"], -32002, "{error}");
    assert_eq!(client.error("hello", json!({"v": 1, "agent": {}}))["code"], -32002, "of any kind");
    // Taking back needs no place.
    for id in &waiting {
        assert_eq!(client.call("cancel", json!({"id": id}))["cancelled"], true);
        assert_eq!(client.error_of(id)["code"], -32800);
    }
    assert_eq!(client.call("tool", act(&session, "nothing"))["is_error"], false, "there is room again");
    client.end().well();
}

#[test]
fn an_id_in_flight_is_not_used_again() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let id = json!("twice");
    client.request_as(&id, "tool", act(&session, "sleep 400"));
    client.request_as(&id, "tool", act(&session, "nothing"));
    assert_eq!(client.error_of(&id)["code"], -32600);
    assert_eq!(client.answer(&id)["result"]["content"][0]["text"], "did sleep 400", "the first goes on");
    client.request_as(&id, "tool", act(&session, "nothing"));
    assert_eq!(client.answer(&id)["result"]["content"][0]["text"], "did nothing", "now it is free");
}

#[test]
fn a_request_that_is_taken_back_is_answered_at_once_and_the_provider_is_told() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tools", json!({"session": session}));
    // None of these ends while the client waits.
    for (what, notified) in [("wait", false), ("wait", true), ("sleep 3600000", false), ("hang", true)] {
        let id = client.request("tool", act(&session, what));
        recorded_line(&place, |line| line["args"]["do"] == what);
        if notified {
            client.notify("cancel", json!({"id": id}));
        } else {
            assert_eq!(client.call("cancel", json!({"id": id}))["cancelled"], true);
        }
        assert_eq!(client.error_of(&id)["code"], -32800, "{what}");
    }
    recorded_line(&place, |line| line["cancelled"] == true);
    assert_eq!(client.call("cancel", json!({"id": "never sent"}))["cancelled"], false);
    assert_eq!(client.call("tool", act(&session, "nothing"))["is_error"], false, "it is still asked");
    client.end().well();
}

#[test]
fn an_event_that_is_taken_back_counts_as_never_delivered() {
    let place = recorded("prompt = \"always the same\"");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let id = client.request("event", prompt(&session, "do: wait"));
    recorded_line(&place, |line| line["event"] == "prompt");
    client.notify("cancel", json!({"id": id}));
    assert_eq!(client.error_of(&id)["code"], -32800);
    let outcome = client.call("event", prompt(&session, "x"));
    assert_eq!(outcome["injection"]["sections"][0]["key"], "prompt", "{outcome:#}");
}

#[test]
fn a_command_without_a_deadline_can_be_taken_back() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let params = json!({"provider": "recorder", "name": "say", "args": ["wait"], "session": session});
    let id = client.request("command", params);
    recorded_line(&place, |line| line["command"] == "say");
    assert_eq!(client.call("cancel", json!({"id": id}))["cancelled"], true);
    assert_eq!(client.error_of(&id)["code"], -32800);
}

#[test]
fn a_provider_that_breaks_the_rules_costs_only_its_own_part() {
    let place = Place::with(&[example("good"), example("rogue"), example("raw_rogue")]);
    for (rogue, raw, codes) in [
        ("panic", "non-json", ["not-json", "panic"]),
        ("large", "two-mib", ["too-large", "too-large"]),
        ("fail", "invalid-utf8", ["not-json", "failed"]),
    ] {
        place.config(&format!(
            "[providers.rogue]\nbehaviour = \"{rogue}\"\n[providers.raw-rogue]\nbehaviour = \"{raw}\"\n"
        ));
        let mut client = Client::serve(&place);
        let session = super::session_in(&place.path("work"), rogue);
        let outcome = client.call("event", prompt(&session, "x"));
        assert_eq!(outcome["injection"]["sections"][0]["provider"], "good", "{outcome:#}");
        let mut found: Vec<&str> = outcome["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .filter_map(|f| f["code"].as_str())
            .collect();
        found.sort_unstable();
        let mut codes = codes.to_vec();
        codes.sort_unstable();
        assert_eq!(found, codes, "{rogue}, {raw}");
        let again = client.call("event", prompt(&session, "y"));
        assert_eq!(again["findings"], json!([]), "each kind is told once in a session");
        client.end().well();
    }
}
