//! The conversation rewritten around code.

use ctxhost_sdk::{prelude::*, serde_json::Value};

use crate::support::{Place, Talk, body, keys, said};

/// A conversation in Pi's shape: so many turns, the last one asking something.
fn conversation(turns: usize, length: usize, last: &str) -> Value {
    let turn = |number: usize| {
        let id = format!("call-{number}");
        let question = if number + 1 == turns { last.to_owned() } else { format!("step {number}") };
        vec![
            json!({"role": "user", "content": [{"type": "text", "text": question}]}),
            json!({"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read", "arguments": {}}]}),
            json!({"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": "x".repeat(length)}]}),
        ]
    };
    json!({"messages": (0..turns).flat_map(turn).collect::<Vec<_>>(), "request_no": 1})
}

fn rewriting(place: &Place, more: Value) -> ctxhost_testkit::Harness<pilot_index::PilotIndex> {
    let mut settings = json!({"mode": "reconstruct"});
    for (key, value) in more.as_object().expect("an object") {
        settings[key] = value.clone();
    }
    place.harness_with(settings)
}

#[test]
fn the_last_twelve_turns_stay_behind_the_code() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    assert!(
        talk.prompt("Why does add_name return False?").sections.is_empty(),
        "the code comes with the call"
    );
    let reply =
        talk.event("model_call", conversation(20, 40, "Why does add_name return False?")).expect("a reply");
    let messages = reply.messages.clone().expect("it is rewritten");
    assert_eq!(messages.keep.first(), Some(&0));
    assert_eq!(messages.keep[1..], (24..60).collect::<Vec<u64>>());
    assert!(messages.insert.iter().all(|insert| insert.before == 24));
    assert_eq!(messages.insert.len(), reply.sections.len());
    assert!(body(&reply, "file:src/registry.py").contains("if name in self.names:"));
    let budget = said(&reply).budget.expect("it is said");
    assert_eq!((budget.limit, budget.kept, budget.dropped), (60_000, 37, 23));
}

#[test]
fn the_memory_comes_before_the_code() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    talk.prompt("Make add_name return False for a known name");
    talk.edit("edit", "src/registry.py", json!({"newText": "return False"}), crate::support::REGISTRY);
    talk.turn_end("It returns False now.");
    let reply = talk.event("model_call", conversation(2, 4, "add_name again")).expect("a reply");
    let inserted: Vec<_> = reply.messages.clone().expect("it is rewritten").insert;
    assert_eq!(inserted[0].key, "memory");
    assert_eq!(keys(&reply)[..2], ["memory", "file:src/registry.py"]);
    assert!(body(&reply, "memory").starts_with("[Relevant Project Memory — 1 matches]\n"));
}

#[test]
fn the_tokens_are_held_and_the_memory_goes_first() {
    let place = Place::new();
    let harness = rewriting(&place, json!({"maxTotalTokens": 2_000, "maxRetrievedTokens": 1_000}));
    let talk = Talk::new(&place, &harness);
    talk.prompt("Make add_name return False");
    talk.edit("edit", "src/registry.py", json!({"newText": "return False"}), crate::support::REGISTRY);
    // Each turn has about 200 tokens, so five fit beside the code.
    let reply = talk.event("model_call", conversation(20, 800, "add_name")).expect("a reply");
    let budget = said(&reply).budget.expect("it is said");
    assert!(budget.window <= 1_000 && budget.retrieved <= 1_000, "{budget:?}");
    assert!(budget.window + budget.retrieved + budget.memory <= 2_000, "{budget:?}");
    assert!(budget.retrieved > 0);
    // A current turn that nearly fills the room costs the memory first, then the code.
    let room = |length: u64| {
        let last = "add_name ".to_owned() + &"y".repeat((length * 4) as usize);
        let reply = talk.event("model_call", conversation(1, 4, &last)).expect("a reply");
        said(&reply).budget.expect("it is said")
    };
    let all: Vec<_> = (0..2_000).step_by(50).map(room).collect();
    for budget in &all {
        assert!(budget.window + budget.retrieved + budget.memory <= 2_000, "{budget:?}");
        assert!(budget.memory == 0 || budget.retrieved > 0, "{budget:?}");
    }
    assert!(all[0].memory > 0 && all.iter().any(|budget| budget.memory == 0 && budget.retrieved > 0));
    let full = room(2_500);
    assert_eq!((full.memory, full.retrieved), (0, 0), "{full:?}");
}

#[test]
fn nothing_that_matches_changes_nothing() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    let reply = talk.event("model_call", conversation(1, 4, "zzz qqq")).expect("a reply");
    assert!(reply.messages.is_none() && reply.sections.is_empty());
    // What is too old goes all the same.
    let reply = talk.event("model_call", conversation(20, 4, "zzz qqq")).expect("a reply");
    assert!(reply.messages.expect("old turns go").insert.is_empty());
}

#[test]
fn every_call_of_a_turn_sees_the_same_code() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    let call =
        |length: usize| talk.event("model_call", conversation(3, length, "add_name")).expect("a reply");
    let (first, second) = (call(4), call(4_000));
    assert_eq!(first.sections, second.sections);
    place.write("project/src/registry.py", "def add_name():\n    return 'changed'\n");
    let third = call(4);
    assert!(body(&third, "file:src/registry.py").contains("'changed'"));
}

#[test]
fn an_agent_that_cannot_be_rewritten_gets_the_code_appended() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let mut talk = Talk::new(&place, &harness);
    talk.can = &["inject.prompt"];
    assert_eq!(keys(&talk.prompt("add_name"))[0], "file:src/registry.py");
    let reply = talk.event("model_call", conversation(20, 4, "add_name")).expect("a reply");
    assert!(reply.messages.is_none() && reply.sections.is_empty());
}

#[test]
fn a_project_can_take_the_rewriting_back_and_not_ask_for_it() {
    let place = Place::new();
    let harness = rewriting(&place, json!({"narrow": {"mode": "append"}}));
    let talk = Talk::new(&place, &harness);
    assert!(talk.event("model_call", conversation(20, 4, "add_name")).expect("a reply").messages.is_none());
    let harness = place.harness_with(json!({"narrow": {"mode": "reconstruct"}}));
    let talk = Talk::new(&place, &harness);
    assert!(talk.event("model_call", conversation(20, 4, "add_name")).expect("a reply").messages.is_none());
}

#[test]
fn garbage_is_no_conversation() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    let reply = talk.event("model_call", json!({"messages": [{}, {"role": 7, "content": {"a": [1]}}]}));
    assert!(reply.expect("a reply").messages.is_none());
    assert!(talk.event("model_call", json!({"messages": "none"})).is_err());
}

#[test]
fn a_turn_of_two_hundred_calls_leaves_room_for_code_and_memory() {
    let place = Place::new();
    let harness = rewriting(&place, json!({}));
    let talk = Talk::new(&place, &harness);
    talk.prompt("Make add_name return False");
    talk.edit("edit", "src/registry.py", json!({"newText": "return False"}), crate::support::REGISTRY);
    let mut messages = vec![json!({"role": "user", "content": "Why does add_name return False?"})];
    for number in 0..200 {
        let id = format!("call-{number}");
        messages
            .push(json!({"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read"}]}));
        let text = json!([{"type": "text", "text": "x".repeat(2_000)}]);
        messages.push(json!({"role": "toolResult", "toolCallId": id, "content": text}));
    }
    let reply = talk.event("model_call", json!({"messages": messages, "request_no": 200})).expect("a reply");
    let budget = said(&reply).budget.expect("it is said");
    assert!(budget.window <= 30_000 && budget.retrieved > 0 && budget.memory > 0, "{budget:?}");
    assert!(budget.window + budget.retrieved + budget.memory <= 60_000, "{budget:?}");
    assert_eq!(reply.messages.expect("it is rewritten").keep.last(), Some(&400));
}
