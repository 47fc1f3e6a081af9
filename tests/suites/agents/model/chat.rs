//! OpenAI's chat completions, which Pi asks for.

use serde_json::{Value, json};

use super::{Asked, Event, Turn, array, said, text, word};

pub(super) fn read(body: &Value) -> Asked {
    let mut all = Vec::new();
    for message in array(&body["messages"]) {
        all.push(said(word(&message["role"]), text(&message["content"])));
        for call in array(&message["tool_calls"]) {
            let function = &call["function"];
            all.push(said("call", format!("{} {}", word(&function["name"]), word(&function["arguments"]))));
        }
    }
    let tools: Vec<String> =
        array(&body["tools"]).iter().map(|tool| word(&tool["function"]["name"]).to_owned()).collect();
    // Pi offers its tools in every turn, and none to a summarizer.
    Asked { body: String::new(), said: all, is_summary: tools.is_empty(), tools }
}

pub(super) fn write(turn: &Turn, number: usize) -> Vec<Event> {
    let chunk = |delta: Value, reason: Value| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        json!({"id": format!("chat-{number}"), "object": "chat.completion.chunk", "created": 1, "model": "test", "choices": [choice]})
    };
    let mut chunks = Vec::new();
    if !turn.text.is_empty() {
        chunks.push(chunk(json!({"role": "assistant", "content": turn.text}), Value::Null));
    }
    for (index, (name, arguments)) in turn.calls.iter().enumerate() {
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let call = json!({"index": index, "id": format!("call_{number}_{index}"), "type": "function", "function": function});
        chunks.push(chunk(json!({"tool_calls": [call]}), Value::Null));
    }
    let reason = if turn.calls.is_empty() { "stop" } else { "tool_calls" };
    let mut last = chunk(json!({}), json!(reason));
    last["usage"] =
        json!({"prompt_tokens": turn.tokens, "completion_tokens": 5, "total_tokens": turn.tokens + 5});
    chunks.push(last);
    let mut events: Vec<Event> = chunks.iter().map(|chunk| (None, chunk.to_string())).collect();
    events.push((None, "[DONE]".to_owned()));
    events
}
