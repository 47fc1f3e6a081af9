//! Anthropic's messages, which Claude Code asks for.

use serde_json::{Value, json};

use super::{Asked, Event, Said, Turn, array, event, said, text, word};

/// How Claude Code's request for a summary begins; it offers its tools there too.
const SUMMARIZE: &str = "CRITICAL: Respond with TEXT ONLY.";

pub(super) fn read(body: &Value) -> Asked {
    let mut all = vec![said("system", text(&body["system"]))];
    for message in array(&body["messages"]) {
        read_message(word(&message["role"]), &message["content"], &mut all);
    }
    let is_summary = all.last().is_some_and(|last| last.text.starts_with(SUMMARIZE));
    let tools = array(&body["tools"]).iter().map(|tool| word(&tool["name"]).to_owned()).collect();
    Asked { body: String::new(), said: all, is_summary, tools }
}

fn read_message(role: &str, content: &Value, all: &mut Vec<Said>) {
    let Some(parts) = content.as_array() else {
        return all.push(said(role, text(content)));
    };
    for part in parts {
        all.push(match word(&part["type"]) {
            "tool_use" => said("call", format!("{} {}", word(&part["name"]), part["input"])),
            "tool_result" => said("tool", text(&part["content"])),
            _ => said(role, text(part)),
        });
    }
}

pub(super) fn write(turn: &Turn, number: usize) -> Vec<Event> {
    let mut events = vec![event(
        "message_start",
        json!({"message": {
            "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "test", "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": turn.tokens, "output_tokens": 1},
        }}),
    )];
    let mut blocks = Vec::new();
    if !turn.text.is_empty() {
        blocks.push((json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": turn.text})));
    }
    for (index, (name, arguments)) in turn.calls.iter().enumerate() {
        let id = format!("toolu_{number}_{index}");
        let start = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        blocks.push((start, json!({"type": "input_json_delta", "partial_json": arguments.to_string()})));
    }
    for (index, (start, delta)) in blocks.into_iter().enumerate() {
        events.push(event("content_block_start", json!({"index": index, "content_block": start})));
        events.push(event("content_block_delta", json!({"index": index, "delta": delta})));
        events.push(event("content_block_stop", json!({"index": index})));
    }
    let reason = if turn.calls.is_empty() { "end_turn" } else { "tool_use" };
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    events.push(event("message_delta", json!({"delta": delta, "usage": {"output_tokens": 5}})));
    events.push(event("message_stop", json!({})));
    events
}
