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

/// One question, with so many calls in its turn, each with a result of so many tokens.
fn long_turn(calls: usize, tokens: usize) -> Vec<Value> {
    let call = |number: usize| {
        let id = format!("call-{number}");
        [
            json!({"role": "assistant", "content": [{"type": "toolCall", "id": id, "name": "read"}]}),
            json!({"role": "toolResult", "toolCallId": id, "content": [{"type": "text", "text": "x".repeat(4 * tokens)}]}),
        ]
    };
    let question = json!({"role": "user", "content": "question"});
    [question].into_iter().chain((0..calls).flat_map(call)).collect()
}

#[test]
fn the_oldest_calls_of_a_long_turn_go_with_their_results() {
    let window = window(&conversation(json!(long_turn(200, 400))), 12, 30_000);
    assert!(window.tokens <= 30_000 && window.tokens > 29_000, "{}", window.tokens);
    assert_eq!((window.before, window.keep[0], window.keep.last()), (0, 0, Some(&400)));
    // What stays is the question and whole pairs in a row.
    let pairs = &window.keep[1..];
    assert!(pairs[0] % 2 == 1 && pairs.len().is_multiple_of(2));
    assert!(pairs.iter().zip(pairs[0]..).all(|(at, expected)| *at == expected));
}

#[test]
fn a_turn_before_a_long_one_leaves_only_the_first_question() {
    let messages = [turn(0, 40), turn(1, 40), long_turn(100, 400)].concat();
    let window = window(&conversation(json!(messages)), 12, 10_000);
    assert!(window.tokens <= 10_000 && window.tokens > 9_000, "{}", window.tokens);
    assert_eq!((&window.keep[..2], window.before), (&[0, 8][..], 8));
}

#[test]
fn the_last_call_stays_however_large_its_result_is() {
    let window = window(&conversation(json!(long_turn(3, 5_000))), 12, 100);
    assert_eq!(window.keep, [0, 5, 6]);
}

#[test]
fn calls_at_once_go_together_and_a_persons_words_between_them_stay() {
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "x".repeat(4_000)});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "read", "input": {}});
    let messages = json!([
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": [call("1"), call("2")]},
        {"role": "user", "content": [result("1"), result("2")]},
        {"role": "assistant", "content": [call("3")]},
        {"role": "user", "content": [result("3"), {"type": "text", "text": "not that one"}]},
        {"role": "assistant", "content": [call("4")]},
        {"role": "user", "content": [result("4")]},
    ]);
    assert_eq!(window(&conversation(messages), 12, 10).keep, [0, 3, 4, 5, 6]);
}

#[test]
fn a_long_first_question_counts() {
    let mut messages = turns(6, 400);
    messages[0].insert("content".to_owned(), json!("q".repeat(4_000)));
    let window = window(&messages, 12, 1_250);
    assert!(window.tokens <= 1_250 && window.before == 16, "{window:?}");
}
