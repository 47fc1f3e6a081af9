//! How it ends: with its input, with its client, by a signal.

use std::{
    process::Command,
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    act,
    client::{Client, LIMIT},
    configure, prompt, record, recorded, session,
};
use crate::harness::{Place, example};

/// A greeted client whose recorder has a child process and is at the work that is named.
#[track_caller]
fn at_work(place: &Place, what: &str) -> (Client, Value) {
    let mut client = Client::serve(place);
    let session = session(place);
    client.call("tool", act(&session, "child"));
    let id = client.request("tool", act(&session, what));
    let until = Instant::now() + LIMIT;
    while !record(place).iter().any(|line| line["args"]["do"] == what) {
        assert!(Instant::now() < until, "it was never asked");
        thread::sleep(Duration::from_millis(2));
    }
    (client, id)
}

fn has_ended(place: &Place) -> bool {
    record(place).iter().any(|line| line["end"] == true)
}

#[test]
fn the_end_of_its_input_ends_everything() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tool", act(&session, "child"));
    let ended = client.end().well();
    assert!(has_ended(&place), "the provider came to its own end");
    assert_eq!(ended.err, "");
}

#[test]
fn an_end_without_a_word_is_an_end() {
    let place = recorded("");
    assert!(Client::silent(&place).end().well().said.is_empty());
}

#[test]
fn what_is_in_flight_at_the_end_is_still_answered() {
    let place = recorded("");
    let (client, id) = at_work(&place, "sleep 400");
    let ended = client.end().well();
    assert_eq!(ended.said.len(), 1, "{:?}", ended.said);
    assert_eq!((&ended.said[0]["id"], &ended.said[0]["result"]["is_error"]), (&id, &json!(false)));
    assert!(has_ended(&place));
}

#[test]
fn a_provider_that_waits_is_told_at_the_end() {
    let place = recorded("");
    let (client, id) = at_work(&place, "wait");
    let ended = client.end().well();
    assert_eq!(ended.said[0]["id"], id);
    assert_eq!(ended.said[0]["error"]["code"], -32800, "{:?}", ended.said);
    assert!(record(&place).iter().any(|line| line["cancelled"] == true), "it was told");
}

#[test]
fn a_provider_that_hangs_does_not_keep_the_process() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.request("tool", act(&session, "hang"));
    client.request("event", prompt(&session, "do: hang"));
    let params = json!({"provider": "recorder", "name": "say", "args": ["hang"], "session": session});
    client.request("command", params);
    // What hangs does so for longer than the client waits.
    client.end().well();
}

#[test]
fn a_provider_that_was_late_is_asked_again_when_it_is_done_and_given_up_after_three_times() {
    let place = recorded("");
    // Longer than loading takes, which is not what is to be late.
    place.config(&format!(
        "[providers.recorder]\nlog = {:?}\n[deadlines]\nprompt = 1000\n",
        place.path("log.jsonl").to_str().expect("UTF-8")
    ));
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tool", act(&session, "nothing"));
    // Each text is another one, so that what is written down tells whether it was asked.
    let mut asked = |text: &str| {
        client.call("event", prompt(&session, text));
        record(&place).iter().any(|line| line["data"]["text"] == text)
    };
    for time in 1..=2 {
        assert!(asked(&format!("do: sleep {}", 2000 + time)));
        assert!(!asked(&format!("at once {time}")), "it is still at work");
        let until = Instant::now() + LIMIT;
        let mut count = 0;
        while !asked(&format!("again {time} {count}")) {
            assert!(Instant::now() < until, "it is asked again after time {time}");
            count += 1;
            thread::sleep(Duration::from_millis(20));
        }
    }
    assert!(asked("do: sleep 1500"));
    thread::sleep(Duration::from_millis(1000));
    assert!(!asked("once more"), "it was late three times");
    client.end().well();
}

#[test]
fn a_provider_that_hangs_while_it_starts_or_ends_does_not_keep_the_process() {
    for behaviour in ["hang-in-create", "hang-in-destroy"] {
        let place = Place::with(&[example("good"), example("rogue")]);
        place
            .config(&format!("[providers.rogue]\nbehaviour = \"{behaviour}\"\n[deadlines]\nprompt = 1000\n"));
        let mut client = Client::serve(&place);
        let session = session(&place);
        let outcome = client.call("event", prompt(&session, "x"));
        assert_eq!(outcome["injection"]["sections"][0]["provider"], "good");
        client.request("tools", json!({"session": session}));
        client.end().well();
    }
}

#[test]
fn a_client_that_hears_nothing_any_more_ends_it_too() {
    let place = recorded("");
    let mut client = Client::deaf(&place);
    let session = session(&place);
    client.request("tool", act(&session, "child"));
    client.request("tool", act(&session, "wait"));
    let until = Instant::now() + LIMIT;
    while !record(&place).iter().any(|line| line["args"]["do"] == "wait") {
        assert!(Instant::now() < until, "it was never asked");
        thread::sleep(Duration::from_millis(2));
    }
    client.close_stdout();
    // Its input stays open; the next word finds nobody.
    client.request("hello", json!({"v": 1, "agent": {}}));
    let ended = client.ends();
    assert!(ended.left.is_empty(), "{:?}", ended.left);
    assert_eq!(ended.status.code(), Some(0));
    assert!(has_ended(&place), "the provider came to its own end");
}

#[test]
fn a_signal_ends_it_at_once() {
    let place = recorded("");
    let client = Client::serve(&place);
    let killed = Command::new("kill").args(["-TERM", &client.pid().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let ended = client.ends();
    assert!(ended.left.is_empty(), "{:?}", ended.left);
}

#[test]
fn a_provider_that_ends_the_process_ends_it_for_the_client_to_see() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let id = client.request("tool", act(&session, "abort"));
    let ended = client.ends();
    assert!(!ended.status.success(), "{:?}", ended.status);
    assert!(!ended.said.iter().any(|message| message["id"] == id), "{:?}", ended.said);
    // A new one goes on where the old one was.
    configure(&place, "prompt = \"again\"");
    let mut client = Client::serve(&place);
    assert_eq!(client.call("event", prompt(&session, "x"))["injection"]["sections"][0]["key"], "prompt");
    client.end().well();
}
