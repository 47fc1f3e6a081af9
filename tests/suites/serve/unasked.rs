//! What providers say unasked.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    act,
    client::{Client, LIMIT},
    recorded, session,
};
use crate::harness::Place;

#[test]
fn everything_that_is_said_unasked_reaches_the_client() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tool", act(&session, "tell"));
    let status = client.notification("status");
    assert_eq!(status, json!({"provider": "recorder", "status": {"text": "0", "detail": "told"}}));
    assert_eq!(
        client.notification("notify"),
        json!({"provider": "recorder", "level": "warning", "text": "told"})
    );
    assert_eq!(client.notification("invalidate"), json!({"provider": "recorder", "key": "0 told"}));
    assert_eq!(client.notification("tools_changed"), json!({"provider": "recorder"}));
    assert_eq!(
        client.notification("progress"),
        json!({"provider": "recorder", "done": 0, "total": 1, "text": "told"})
    );
}

#[test]
fn tools_changed_is_written_before_the_answer_of_the_tool_that_changed_them() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let mut revision = client.call("tools", json!({"session": session}))["revision"].clone();
    for round in 1..=200 {
        let id = client.request("tool", act(&session, "change"));
        let first = client.next_within(LIMIT).expect("a message");
        assert_eq!(first["method"], "tools_changed", "round {round}: {first}");
        let second = client.next_within(LIMIT).expect("a message");
        assert_eq!(second["id"], id, "round {round}: {second}");
        if round % 50 == 1 {
            let listed = client.call("tools", json!({"session": session}));
            assert_ne!(listed["revision"], revision, "round {round}");
            revision = listed["revision"].clone();
            assert!(listed["tools"].as_array().is_some_and(|tools| tools.len() > 1), "{listed:#}");
        }
    }
    // The same while others change them as well.
    let ids: Vec<Value> = (0..20).map(|_| client.request("tool", act(&session, "change"))).collect();
    let mut seen = false;
    for _ in 0..60 {
        let Some(message) = client.next_within(Duration::from_secs(5)) else { break };
        seen |= message["method"] == "tools_changed";
        if ids.last() == Some(&message["id"]) {
            break;
        }
        assert!(seen, "an answer came first: {message}");
    }
    assert!(seen);
}

#[test]
fn a_flood_reaches_a_client_that_reads_and_its_answers_too() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    client.call("tools", json!({"session": session}));
    let id = client.request("tool", act(&session, "flood 2000"));
    client.hello(json!({}));
    assert_eq!(client.answer(&id)["result"]["is_error"], false);
    // However much of the flood was left out, the newest status is not.
    let until = Instant::now() + LIMIT;
    while client.notification("status")["status"]["text"] != "1999" {
        assert!(Instant::now() < until);
    }
    let memory = client.memory_kb();
    assert!(memory < 200 * 1024, "{memory} kB");
    client.end().well();
}

/// Lets a provider flood a client that reads nothing, and holds the server's memory.
#[track_caller]
fn flood_the_deaf(what: &str, limit_kb: u64) -> (Place, Client) {
    let place = recorded("");
    let mut client = Client::deaf(&place);
    let session = session(&place);
    client.request("tool", act(&session, what));
    let until = Instant::now() + LIMIT;
    let mut highest = 0;
    // The flood comes to its end although nobody reads.
    while !super::record(&place).iter().any(|line| line["told"].is_number()) {
        assert!(Instant::now() < until, "the flood does not end");
        highest = highest.max(client.memory_kb());
        thread::sleep(Duration::from_millis(10));
    }
    highest = highest.max(client.memory_kb());
    assert!(highest < limit_kb, "{what}: {highest} kB");
    (place, client)
}

/// A hundred thousand notifications, since each round says five things.
#[test]
fn a_flood_that_nobody_reads_takes_little_memory_and_is_over_when_somebody_does() {
    let (_place, mut client) = flood_the_deaf("flood 20000", 150 * 1024);
    client.read();
    let mut messages = 0;
    while client.next_within(Duration::from_secs(2)).is_some() {
        messages += 1;
    }
    assert!((1_000..10_000).contains(&messages), "{messages} messages");
    client.hello(json!({}));
    client.end().well();
}

#[test]
fn a_flood_of_large_notifications_that_nobody_reads_takes_little_memory() {
    let (_place, mut client) = flood_the_deaf("flood-large 600", 150 * 1024);
    // It never reads, and ends: the server must not wait for it for ever.
    client.close_stdin();
    let ended = client.ends();
    assert!(ended.left.is_empty(), "{:?}", ended.left);
    assert_eq!(ended.status.code(), Some(0));
}

#[test]
fn garbage_of_a_client_that_reads_nothing_takes_little_memory() {
    let place = recorded("");
    let mut client = Client::deaf(&place);
    // A client's own mistakes: the server stops reading instead of keeping millions of complaints.
    const LINES: usize = 120_000;
    client.hold_against_nothing();
    client.write("x\n".repeat(LINES - 1) + "x");
    let (mut memory, mut before) = (client.memory_kb(), 0);
    while memory > before {
        thread::sleep(Duration::from_millis(700));
        (memory, before) = (client.memory_kb(), memory);
    }
    assert!(memory < 40 * 1024, "{memory} kB");
    client.read();
    let mut answers = 0;
    while client.next_within(Duration::from_secs(10)).is_some() {
        answers += 1;
        if answers == LINES + 1 {
            break;
        }
    }
    assert_eq!(answers, LINES + 1, "each line was answered in the end, and the hello");
}

#[test]
fn a_client_that_sends_garbage_and_never_reads_ends_too() {
    let place = recorded("");
    let mut client = Client::deaf(&place);
    client.write("x\n".repeat(20_000));
    client.close_stdin();
    let ended = client.ends();
    assert_eq!(ended.status.code(), Some(0));
}
