//! The mirrors of `serve/v1` with all their fields filled in.

use std::collections::BTreeMap;

use ctxhost_protocol::envelope::{Level, Placement, Trust, Visible};
use ctxhost_protocol::serve::{
    CallDocument, CancelParams, CancelResult, Capabilities, CommandParams, DecisionDocument, DroppedDocument,
    ErrorObject, EventParams, FoundProvider, Hello, HelloResult, HostInfo, Id, InjectionDocument,
    InsertDocument, InvalidParams, McpServerDocument, Message, MessagesDocument, Notification,
    OfferedCommand, OfferedTool, OutcomeDocument, SectionDocument, ToolParams, ToolsParams, ToolsResult,
    code,
};
use serde::Serialize;
use serde_json::Value;

use super::{agent, command_reply, finding, json, prompt, reply, session, status, text, tool_reply};

/// The place in the schemas that each of them stands for.
pub(super) fn mirrors() -> Vec<(&'static str, &'static str, &'static str, Vec<Value>)> {
    fn serve(
        schema: &'static str,
        value: impl Serialize,
    ) -> (&'static str, &'static str, &'static str, Vec<Value>) {
        ("serve/v1", schema, "", vec![json(value)])
    }
    let mut mirrors = vec![
        ("serve/v1", "message", "", messages().into_iter().map(json).collect()),
        serve("error", error()),
        ("serve/v1", "error", "/$defs/invalid_params", vec![json(InvalidParams { pointer: "/v".into() })]),
        serve("hello", Hello { v: 1, agent: agent() }),
        serve("hello-result", hello_result()),
        serve("event", event()),
        serve("outcome", outcome()),
        serve("tool", tool()),
        serve("tool-result", tool_reply()),
        serve("command", command()),
        serve("command-result", command_reply()),
        serve("tools", ToolsParams { session: session(), agent: Some(agent()) }),
        serve("tools-result", tools_result()),
        serve("cancel", CancelParams { id: Id::Number(1) }),
        serve("cancel-result", CancelResult { cancelled: true }),
    ];
    mirrors.extend(notifications().into_iter().map(|notification| {
        let written = json(notification);
        let method = written["method"].as_str().expect("a notification has a method");
        let schema = ctxhost_protocol::catalogue::find("serve/v1")
            .and_then(|spec| spec.schema(&method.replace('_', "-")))
            .unwrap_or_else(|| panic!("{method} has no schema"));
        ("serve/v1", schema.short_name(), "", vec![written["params"].clone()])
    }));
    mirrors
}

/// Every notification.
fn notifications() -> Vec<Notification> {
    let provider = || "weather".to_owned();
    vec![
        Notification::ToolsChanged { provider: provider() },
        Notification::Status { provider: provider(), status: status() },
        Notification::Notify { provider: provider(), level: Level::Info, text: "Rain.".into() },
        Notification::Invalidate { provider: provider(), key: "now".into() },
        Notification::Progress { provider: provider(), done: 1, total: Some(2), text: "a".into() },
    ]
}

fn messages() -> Vec<Message> {
    vec![
        Message::request(Id::Text("a".into()), "tools", json!({})),
        Message::notification("status", json!({})),
        Message::result(Id::Number(1), json!({})),
        Message::failure(Id::Null, error()),
    ]
}

fn error() -> ErrorObject {
    ErrorObject { code: code::PROVIDER_FAILED, message: "It failed.".into(), data: Some(json(finding())) }
}

fn hello_result() -> HelloResult {
    HelloResult {
        v: 1,
        host: HostInfo { name: "ctxhost".into(), version: "1".into() },
        capabilities: Capabilities {
            methods: vec!["hello".into()],
            events: vec!["prompt".into()],
            notifications: vec!["status".into()],
            max_frame_bytes: 1,
            max_in_flight: 1,
        },
        providers: vec![FoundProvider {
            id: "weather".into(),
            version: "1".into(),
            title: "Weather".into(),
            spec: "weather/v1".into(),
        }],
        findings: vec![finding()],
    }
}

fn event() -> EventParams {
    EventParams {
        event: "prompt".into(),
        session: session(),
        agent: Some(agent()),
        visible: Some(vec![visible()]),
        data: json(prompt()),
        max_characters: Some(9500),
        max_bytes: Some(9500),
        pinned: Some(vec![0]),
        together: Some(vec![vec![1, 2]]),
    }
}

fn outcome() -> OutcomeDocument {
    let reply = reply(Value::Null);
    OutcomeDocument {
        v: 1,
        injection: Some(InjectionDocument {
            text: "Rain.".into(),
            tokens: 2,
            sections: vec![section()],
            dropped: vec![DroppedDocument {
                provider: "weather".into(),
                key: "tomorrow".into(),
                reason: "no room".into(),
            }],
        }),
        call: Some(CallDocument { text: "Rain.".into(), tokens: 2, sections: vec![section()] }),
        decision: Some(DecisionDocument {
            guidance: text("ask"),
            ..DecisionDocument::block("weather", "it rains")
        }),
        messages: Some(MessagesDocument {
            keep: vec![0],
            insert: vec![InsertDocument { before: 0, text: "Rain.".into(), sections: vec![visible()] }],
        }),
        result_patch: reply.result_patch,
        mcp_servers: reply
            .mcp_server
            .into_iter()
            .map(|server| McpServerDocument { provider: "weather".into(), server })
            .collect(),
        status: BTreeMap::from([("weather".into(), status())]),
        findings: vec![finding()],
    }
}

fn section() -> SectionDocument {
    SectionDocument {
        provider: "weather".into(),
        key: "now".into(),
        title: text("Now"),
        placement: Placement::Prompt,
        trust: Trust::Remote,
        tokens: 2,
        body: "Rain.".into(),
        id: "1".into(),
        supersedes: text("0"),
        person: super::section().person,
    }
}

fn visible() -> Visible {
    Visible { provider: "weather".into(), key: "now".into(), id: "1".into() }
}

fn tool() -> ToolParams {
    ToolParams {
        name: "ask".into(),
        args: json!({"place": "here"}),
        call_id: "1".into(),
        session: session(),
        agent: Some(agent()),
    }
}

fn command() -> CommandParams {
    CommandParams {
        provider: "weather".into(),
        name: "ask".into(),
        args: vec!["here".into()],
        session: session(),
        agent: Some(agent()),
    }
}

fn tools_result() -> ToolsResult {
    ToolsResult {
        revision: 1,
        tools: vec![OfferedTool {
            name: "weather_ask".into(),
            provider: "weather".into(),
            tool: "ask".into(),
            description: "Asks.".into(),
            schema: json!({"type": "object"}),
            guidelines: vec!["Ask before you go out.".into()],
            active: true,
        }],
        commands: vec![OfferedCommand {
            provider: "weather".into(),
            name: "ask".into(),
            slash: text("weather"),
            summary: "Asks.".into(),
        }],
        deadlines_ms: BTreeMap::from([("prompt".into(), 300)]),
        findings: vec![finding()],
    }
}
