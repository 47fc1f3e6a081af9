//! OpenAI's responses, which Codex asks for.

use serde_json::{Value, json};

use super::{Asked, Event, Turn, array, event, said, text, word};

pub(super) fn read(body: &Value) -> Asked {
    let mut all = Vec::new();
    for item in array(&body["input"]) {
        all.push(match word(&item["type"]) {
            "function_call" => said("call", format!("{} {}", word(&item["name"]), word(&item["arguments"]))),
            "function_call_output" => said("tool", text(&item["output"])),
            _ => said(word(&item["role"]), text(&item["content"])),
        });
    }
    let mut tools = Vec::new();
    for tool in array(&body["tools"]) {
        // The tools of an MCP server stand in a namespace.
        let inner = array(&tool["tools"]);
        let name = word(&tool["name"]);
        if inner.is_empty() {
            tools.push(name.to_owned());
        }
        tools.extend(inner.iter().map(|tool| format!("{name}__{}", word(&tool["name"]))));
    }
    // Codex offers its tools in every turn, and none to a summarizer.
    Asked { body: String::new(), said: all, is_summary: tools.is_empty(), tools }
}

pub(super) fn write(turn: &Turn, number: usize) -> Vec<Event> {
    let response = format!("resp_{number}");
    let mut items = Vec::new();
    if !turn.text.is_empty() {
        let content = json!([{"type": "output_text", "text": turn.text, "annotations": []}]);
        items.push(json!({
            "type": "message", "id": format!("msg_{number}"), "role": "assistant", "status": "completed", "content": content,
        }));
    }
    for (index, (name, arguments)) in turn.calls.iter().enumerate() {
        // A tool whose input is one text is called another way.
        if let Value::String(input) = arguments {
            items.push(json!({
                "type": "custom_tool_call", "id": format!("ctc_{number}_{index}"), "status": "completed",
                "call_id": format!("call_{number}_{index}"), "name": name, "input": input,
            }));
            continue;
        }
        let mut call = json!({
            "type": "function_call", "id": format!("fc_{number}_{index}"), "call_id": format!("call_{number}_{index}"),
            "name": name, "arguments": arguments.to_string(),
        });
        // `mcp__<server>__<tool>` is called by the server's namespace and the tool's own name.
        let space = name.strip_prefix("mcp__").and_then(|rest| rest.find("__")).map(|at| at + "mcp__".len());
        if let Some((space, tool)) = space.map(|at| (&name[..at], &name[at + 2..])) {
            call["namespace"] = json!(space);
            call["name"] = json!(tool);
        }
        items.push(call);
    }
    let mut events = vec![event("response.created", json!({"response": {"id": response}}))];
    for (index, item) in items.iter().enumerate() {
        events.push(event("response.output_item.added", json!({"output_index": index, "item": item})));
        events.push(event("response.output_item.done", json!({"output_index": index, "item": item})));
    }
    let usage = json!({
        "input_tokens": turn.tokens, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": turn.tokens + 5,
    });
    let whole = json!({"response": {"id": response, "output": items, "usage": usage}});
    events.push(event("response.completed", whole));
    events
}
