//! A message in the agent's own shape: Pi's, Anthropic's and OpenAI's are read.

use ctxhost_sdk::protocol::tokens;
use serde_json::{Map, Value};

/// Text of a question that is kept for retrieval; a longer one is a paste, whose beginning says enough.
const LONGEST: usize = 20_000;

/// How deep contents are looked into: a result holds blocks, which hold texts.
const DEEPEST: usize = 8;

/// What matters of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Message {
    /// Whether a user's own words begin a turn here.
    pub(super) starts_turn: bool,
    /// Whether it is the host's.
    pub(super) ours: bool,
    /// Whether a user's words stand beside results of tools.
    pub(super) interjects: bool,
    /// A user's words.
    pub(super) text: String,
    /// The calls of tools in it, by id.
    pub(super) calls: Vec<String>,
    /// The calls that it answers.
    pub(super) answers: Vec<String>,
    pub(super) tokens: u64,
}

impl Message {
    pub(super) fn read(message: &Map<String, Value>) -> Self {
        let text = |key: &str| message.get(key).and_then(Value::as_str);
        let content = message.get("content").unwrap_or(&Value::Null);
        let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
        let of_type = |kind: &[&str], key: &str| {
            parts
                .iter()
                .filter(|part| part["type"].as_str().is_some_and(|found| kind.contains(&found)))
                .filter_map(|part| part[key].as_str().map(str::to_owned))
                .collect::<Vec<String>>()
        };
        let mut calls = of_type(&["toolCall", "tool_use"], "id");
        let open = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
        calls.extend(open.filter_map(|call| call["id"].as_str().map(str::to_owned)));
        let mut answers = of_type(&["tool_result"], "tool_use_id");
        answers.extend(["toolCallId", "tool_call_id"].iter().filter_map(|key| text(key)).map(str::to_owned));
        let said = content.as_str().map_or_else(|| of_type(&["text"], "text").join("\n"), str::to_owned);
        let interjects = text("role") == Some("user") && !answers.is_empty() && !said.is_empty();
        // A result of a tool comes as a user's message from some agents.
        let starts_turn = text("role") == Some("user") && answers.is_empty() && text("customType").is_none();
        let whole = estimate(content, 0) + message.get("tool_calls").map_or(0, |calls| estimate(calls, 0));
        Self {
            starts_turn,
            interjects,
            ours: text("customType").is_some_and(|kind| kind.starts_with("ctxhost")),
            text: if starts_turn { said.chars().take(LONGEST).collect() } else { String::new() },
            calls,
            answers,
            tokens: whole,
        }
    }
}

/// The estimated tokens of all texts in a content; the bytes of pictures are none.
fn estimate(value: &Value, depth: usize) -> u64 {
    match value {
        Value::String(text) => tokens::estimate(text),
        Value::Array(items) if depth < DEEPEST => items.iter().map(|item| estimate(item, depth + 1)).sum(),
        Value::Object(fields) if depth < DEEPEST => fields
            .iter()
            .filter(|(name, _)| !["data", "type", "id", "signature"].contains(&name.as_str()))
            .map(|(_, value)| estimate(value, depth + 1))
            .sum(),
        _ => 0,
    }
}
