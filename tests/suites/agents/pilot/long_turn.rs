//! One turn of very many calls, in a conversation that is rewritten.

use serde_json::{Value, json};

use super::{QUESTION, with_repository};
use crate::agents::{
    model::{Asked, Model, Turn},
    pi,
};

/// So often the model is asked, and calls so many tools at once.
const REQUESTS: usize = 50;
const AT_ONCE: usize = 4;

/// 60,000 tokens of four characters. The agent wraps each message in some more, for which there is room, since the code of
/// this question takes less than it may.
const MOST: usize = 60_000 * 4;

/// A file of this project, and how many lines of it each call reads: some 600 tokens.
const FILE: &str = "host/core/src/settings.rs";
const LINES: usize = 60;

fn reads(pi: &pi::run::Pi<'_>, request: usize) -> Turn {
    let path = pi.place.path("work").join(FILE);
    (0..AT_ONCE).fold(Turn::text(""), |turn, at| {
        let offset = 1 + (request * AT_ONCE + at) % 300;
        turn.call("read", json!({"path": path, "offset": offset, "limit": LINES}))
    })
}

/// The calls of a request and the results in it, by id and in order.
fn calls_and_results(asked: &Asked) -> (Vec<String>, Vec<String>) {
    let body: Value = serde_json::from_str(&asked.body).expect("a request is JSON");
    let messages = body["messages"].as_array().expect("messages");
    let id = |value: &Value| value.as_str().map(str::to_owned);
    let calls = messages.iter().flat_map(|one| one["tool_calls"].as_array().into_iter().flatten());
    let results = messages.iter().filter(|one| one["role"] == "tool");
    (
        calls.filter_map(|call| id(&call["id"])).collect(),
        results.filter_map(|one| id(&one["tool_call_id"])).collect(),
    )
}

#[test]
fn a_turn_of_two_hundred_calls_stays_within_the_limit_and_whole() {
    pi::run::newest(with_repository, |pi| {
        pi.place.config(
            "[deadlines]\nprompt = 10000\nmodel_call = 10000\n[providers.pilot-index]\nmode = \"reconstruct\"\npowers = [\"rewrite\"]\n",
        );
        pi.place.write("home/.pi/agent/settings.json", json!({"compaction": {"enabled": false}}).to_string());
        let model = Model::saying((0..REQUESTS).map(|request| reads(pi, request)));
        let mut rpc = pi.rpc(&model, &[]);
        rpc.prompt(QUESTION);
        assert_eq!(rpc.warnings(), Vec::<String>::new());
        rpc.close();
        let asked = model.asked();
        assert_eq!(asked.len(), REQUESTS + 1);
        for (number, one) in asked.iter().enumerate() {
            let (length, (calls, results)) = (one.history().len(), calls_and_results(one));
            assert!(length < MOST, "{length} bytes in request {number}");
            assert_eq!(calls, results, "in request {number}");
            // The model numbers the calls of its turns from one on.
            let newest = (0..if number == 0 { 0 } else { AT_ONCE }).map(|at| format!("call_{number}_{at}"));
            assert!(calls.ends_with(&newest.collect::<Vec<_>>()), "{calls:?} in request {number}");
            let prompts = one.said.iter().filter(|said| said.role == "user" && said.text.contains(QUESTION));
            assert_eq!(prompts.count(), 1, "in request {number}:\n{one}");
            assert!(
                one.count("<ctxhost-section provider=\"pilot-index\"") > 0,
                "in request {number}:\n{one}"
            );
        }
        let (kept, _) = calls_and_results(&asked[REQUESTS]);
        assert!(kept.len() < REQUESTS * AT_ONCE, "nothing had to go");
        // What stays is the newest part of the turn, without a gap.
        let all: Vec<String> =
            (1..=REQUESTS).flat_map(|turn| (0..AT_ONCE).map(move |at| format!("call_{turn}_{at}"))).collect();
        assert!(all.ends_with(&kept), "{kept:?}");
    });
}
