//! What stays of conversations in the shapes of several agents.

use ctxhost_sdk::prelude::json;

use super::*;

fn conversation(messages: Value) -> Vec<Map<String, Value>> {
    serde_json::from_value(messages).expect("they are objects")
}

/// A turn in Pi's shape: a question, a call, its result, an answer.
fn turn(number: usize, length: usize) -> Vec<Value> {
    let id = format!("call-{number}");
    vec![
        json!({"role": "user", "content": [{"type": "text", "text": format!("question {number}")}]}),
        json!({"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read", "arguments": {"path": "a"}}]}),
        json!({"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": "x".repeat(length)}]}),
        json!({"role": "assistant", "content": [{"type": "text", "text": "answer"}]}),
    ]
}

fn turns(number: usize, length: usize) -> Vec<Map<String, Value>> {
    conversation((0..number).flat_map(|number| turn(number, length)).collect())
}

#[test]
fn the_first_question_and_the_last_turns_stay() {
    let window = window(&turns(20, 40), 12, 30_000);
    assert_eq!(window.keep[..2], [0, 32]);
    assert_eq!((window.keep.len(), window.before, window.dropped), (49, 32, 31));
    assert_eq!(window.asked.len(), 13);
    assert_eq!((window.asked[0].as_str(), window.asked[12].as_str()), ("question 19", "question 0"));
}

#[test]
fn a_short_conversation_stays_whole() {
    let window = window(&turns(12, 40), 12, 30_000);
    assert_eq!((window.keep.len(), window.before, window.dropped), (48, 0, 0));
}

#[test]
fn the_oldest_turns_go_when_the_tokens_are_short_and_the_newest_never() {
    // A turn has 1,000 tokens of result and few others.
    let kept = |tokens: u64| window(&turns(10, 4_000), 12, tokens);
    assert_eq!(kept(3_100).before, 28);
    assert!(kept(3_100).tokens <= 3_100);
    assert_eq!(kept(10).keep, [0, 36, 37, 38, 39]);
    assert_eq!(kept(0).keep, [0, 36, 37, 38, 39]);
}

#[test]
fn a_result_in_a_later_turn_keeps_its_call() {
    let mut messages = turns(14, 4);
    messages.insert(
        56,
        conversation(json!([{"role": "toolResult", "toolCallId": "late", "content": []}])).remove(0),
    );
    messages[5] = conversation(json!([{"role": "assistant", "content": [{"type": "toolCall", "id": "late"}, {"type": "toolCall", "id": "call-1"}]}])).remove(0);
    let window = window(&messages, 2, 30_000);
    for at in [5, 6, 56] {
        assert!(window.keep.contains(&at), "{:?}", window.keep);
    }
}

#[test]
fn other_agents_shapes_are_read() {
    let results = json!([
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "read", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "text"}]},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "second"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "2", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "2", "content": "x"},
        {"role": "user", "content": "third"},
    ]);
    let window = window(&conversation(results), 2, 30_000);
    assert_eq!(window.keep, [0, 4, 5, 6, 7]);
    assert_eq!(window.asked, ["third", "second", "first"]);
}

#[test]
fn the_hosts_own_messages_count_and_begin_no_turn() {
    let mut messages = turns(3, 4);
    let own = json!([{"role": "custom", "customType": "ctxhost", "content": "y".repeat(400)}]);
    messages.insert(2, conversation(own).remove(0));
    let window = window(&messages, 1, 30_000);
    assert_eq!(window.keep, [0, 2, 9, 10, 11, 12]);
    assert!(window.tokens >= 100);
}

#[test]
fn what_is_no_conversation_stays_as_it_is() {
    for messages in [
        json!([]),
        json!([{}, {"role": 7}, {"role": "assistant", "content": {"deep": [[[[[[[[[["x"]]]]]]]]]]}}]),
        json!([{"role": "assistant", "content": "hello"}, {"role": "toolResult", "toolCallId": "gone"}]),
    ] {
        let messages = conversation(messages);
        let window = window(&messages, 1, 0);
        assert_eq!((window.keep.len(), window.dropped), (messages.len(), 0));
    }
}

#[test]
fn pictures_weigh_nothing() {
    let picture = json!([{"role": "user", "content": [{"type": "image", "data": "A".repeat(400_000)}, {"type": "text", "text": "look"}]}]);
    assert_eq!(window(&conversation(picture), 1, 0).tokens, 1);
}
