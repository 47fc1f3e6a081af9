//! A well-behaved provider, whose section must arrive whatever the others do.

#![allow(missing_docs, reason = "a library for tests")]

use ctxhost_sdk::prelude::*;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// How many bytes the section has.
    bytes: usize,
    text: String,
}

struct Good(Settings);

impl Provider for Good {
    type Settings = Settings;

    fn new(_: Setup, settings: Settings) -> Result<Self> {
        Ok(Good(settings))
    }

    fn manifest(head: Manifest) -> Manifest {
        let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
        Manifest {
            tools: vec![ctxhost_sdk::tool("good_echo", "Says what it is told.", schema)],
            commands: vec![ctxhost_sdk::command("pick", "Shows a picker")],
            settings_schema: Some(json!({"properties": {
                "text": {"type": "string", "x-ctxhost-project": "always"},
                "bytes": {"type": "integer"},
            }})),
            ..head
        }
    }

    fn event(&self, _: &Cx<'_>, request: Request) -> Result<Reply> {
        let text = if self.0.text.is_empty() { "the good section" } else { &self.0.text };
        let body = format!("{text}\n{}", "x".repeat(self.0.bytes));
        let mut reply =
            Reply::new().section(Section::prompt("good", Trust::Tool).body(body)).status("good", None);
        if request.explain {
            reply.explanation = vec!["it \u{1b}[2Jalways says so".to_owned()];
        }
        Ok(reply)
    }

    fn tool(&self, _: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        match request.args.get("text").and_then(ctxhost_sdk::serde_json::Value::as_str) {
            Some(text) => Ok(ToolReply::text(text)),
            None => Ok(ToolReply::error("`text` is missing")),
        }
    }

    fn command(&self, _: &Cx<'_>, request: CommandRequest) -> Result<CommandReply> {
        let choice = Choice { label: "first".to_owned(), detail: None, args: vec!["1".to_owned()] };
        Ok(CommandReply {
            text: format!("args {:?}", request.args),
            choices: vec![choice],
            ..CommandReply::default()
        })
    }
}

export_provider!(Good, id = "good", title = "Good", spec = "envelope/v1", events = ["prompt"]);
