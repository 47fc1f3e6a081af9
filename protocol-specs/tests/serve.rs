//! What the mirrors of `serve/v1` say in constants and in more than fields.

use std::collections::BTreeMap;

use ctxhost_protocol::catalogue;
use ctxhost_protocol::envelope::{Event, Level, Status};
use ctxhost_protocol::serve::{
    CancelParams, DecisionDocument, ErrorObject, EventParams, HelloResult, Id, JSONRPC, METHODS, Message,
    NOTIFICATIONS, Notification, OutcomeDocument, ToolsResult, code,
};
use serde_json::{Value, json};

fn schema(name: &str) -> Value {
    let document = catalogue::find("serve/v1").and_then(|spec| spec.schema(name));
    let document = document.unwrap_or_else(|| panic!("there is no schema {name}"));
    serde_json::from_str(document.text).expect("schemas are JSON")
}

fn text() -> &'static str {
    catalogue::find("serve/v1").expect("the spec is published").text
}

#[test]
fn the_error_codes_are_those_of_the_schema_and_of_the_text() {
    let listed = schema("error")["$defs"]["code"]["anyOf"].as_array().expect("a list").clone();
    let listed: Vec<_> = listed.iter().filter_map(|code| code["const"].as_i64()).collect();
    assert_eq!(listed, code::ALL);
    for code in code::ALL {
        assert!(text().contains(&format!("| {code} |")), "SPEC.md has no row for {code}");
    }
}

#[test]
fn every_method_and_notification_has_its_schemas_and_its_row() {
    for method in METHODS {
        schema(method);
        schema(&if method == "event" { "outcome".to_owned() } else { format!("{method}-result") });
        assert!(text().contains(&format!("| `{method}` |")), "SPEC.md has no row for {method}");
    }
    for method in NOTIFICATIONS {
        schema(&method.replace('_', "-"));
        assert!(text().contains(&format!("| `{method}` |")), "SPEC.md has no row for {method}");
    }
}

#[test]
fn the_conversation_in_the_text_reads_as_messages() {
    let (_, rest) = text().split_once("```text\n").expect("there is a conversation");
    let (conversation, _) = rest.split_once("```").expect("it ends");
    let mut unread = Vec::new();
    let mut open = BTreeMap::new();
    for line in conversation.lines() {
        let (side, line) = line.split_once(' ').expect("a side and a message");
        let Ok(message) = serde_json::from_str::<Message>(line) else {
            unread.push(line);
            continue;
        };
        assert_eq!(message.jsonrpc, JSONRPC, "{line}");
        match (side, message.method, message.id) {
            (">", Some(method), id) => {
                assert!(METHODS.contains(&method.as_str()), "{line}");
                if let Some(id) = id {
                    assert_eq!(open.insert(id, method), None, "{line} uses an id in flight");
                }
            }
            ("<", Some(method), None) => assert!(NOTIFICATIONS.contains(&method.as_str()), "{line}"),
            ("<", None, Some(Id::Null)) => {
                assert_eq!(message.error.map(|error| error.code), Some(code::NOT_JSON), "{line}");
            }
            ("<", None, Some(id)) => {
                let method = open.remove(&id).unwrap_or_else(|| panic!("{line} answers nothing"));
                match (message.error, message.result) {
                    (Some(error), None) => assert!(code::ALL.contains(&error.code), "{line}"),
                    (None, Some(result)) => read_result(&method, result),
                    _ => panic!("{line} is neither a result nor an error"),
                }
            }
            _ => panic!("{line} is on the wrong side"),
        }
    }
    assert_eq!(unread, ["what is this"]);
    assert!(open.is_empty(), "{open:?} are never answered");
}

fn read_result(method: &str, result: Value) {
    let read = match method {
        "hello" => serde_json::from_value::<HelloResult>(result).map(drop),
        "event" => serde_json::from_value::<OutcomeDocument>(result).map(drop),
        "tools" => serde_json::from_value::<ToolsResult>(result).map(drop),
        _ => panic!("the conversation shows no result of {method}"),
    };
    read.unwrap_or_else(|fault| panic!("{method}: {fault}"));
}

#[test]
fn every_event_has_its_data_from_the_envelope() {
    let conditions = schema("event")["allOf"].as_array().expect("a list").clone();
    let found: Vec<_> = conditions
        .iter()
        .map(|condition| {
            let event = condition["if"]["properties"]["event"]["const"].as_str().expect("an event");
            let data = condition["then"]["properties"]["data"]["$ref"].as_str().expect("a reference");
            assert_eq!(data, format!("../../envelope/v1/request.schema.json#/$defs/{event}"));
            event
        })
        .collect();
    assert_eq!(found, Event::NAMES);

    let envelope = catalogue::find("envelope/v1").and_then(|spec| spec.schema("request"));
    let envelope: Value =
        serde_json::from_str(envelope.expect("the envelope has requests").text).expect("schemas are JSON");
    let of_envelope = envelope["allOf"].as_array().expect("a list");
    for (ours, theirs) in conditions.iter().zip(of_envelope) {
        assert_eq!(ours["if"], theirs["if"]);
        assert_eq!(ours["then"]["required"], theirs["then"]["required"], "{}", ours["if"]);
    }
    assert_eq!(conditions.len(), of_envelope.len());
}

#[test]
fn an_id_that_is_null_is_not_an_absent_one() {
    let read = |value: Value| serde_json::from_value::<Message>(value).expect("it can be read");
    assert_eq!(read(json!({"jsonrpc": "2.0", "method": "tools"})).id, None);
    assert_eq!(read(json!({"jsonrpc": "2.0", "method": "tools", "id": null})).id, Some(Id::Null));
    assert_eq!(read(json!({"jsonrpc": "2.0", "method": "tools", "id": 7.0})).id, Some(Id::Number(7)));
    assert_eq!(read(json!({"jsonrpc": "2.0", "method": "tools", "id": "7"})).id, Some(Id::Text("7".into())));
    for wrong in [json!(1.5), json!([1]), json!(true), json!({})] {
        let message = json!({"jsonrpc": "2.0", "method": "tools", "id": wrong});
        assert!(serde_json::from_value::<Message>(message).is_err(), "{wrong} was taken as an id");
    }
    let cancel: CancelParams = serde_json::from_value(json!({"id": 7.0})).expect("it can be read");
    assert_eq!(cancel.id, Id::Number(7));
}

#[test]
fn an_answer_says_only_what_belongs_to_it() {
    let lines = [
        (
            Message::request(Id::Number(1), "hello", json!({"v": 1})),
            json!({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"v": 1}}),
        ),
        (
            Message::result(Id::Text("a".into()), json!({})),
            json!({"jsonrpc": "2.0", "id": "a", "result": {}}),
        ),
        (
            Message::failure(
                Id::Null,
                ErrorObject { code: code::NOT_JSON, message: "no".into(), data: None },
            ),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no"}}),
        ),
    ];
    for (message, line) in lines {
        assert_eq!(serde_json::to_value(message).expect("it can be written"), line);
    }
}

#[test]
fn a_notification_becomes_the_message_that_reads_as_it() {
    let provider = || "weather".to_owned();
    let all = [
        Notification::ToolsChanged { provider: provider() },
        Notification::Status {
            provider: provider(),
            status: Status { text: "●".into(), detail: Some("Rain.".into()) },
        },
        Notification::Notify { provider: provider(), level: Level::Error, text: "Storm.".into() },
        Notification::Invalidate { provider: provider(), key: "now".into() },
        Notification::Progress { provider: provider(), done: 3, total: None, text: "asking".into() },
        Notification::Progress { provider: provider(), done: 3, total: Some(4), text: String::new() },
    ];
    let mut methods = Vec::new();
    for notification in all {
        let message = Message::from(notification.clone());
        assert_eq!(message.id, None);
        methods.extend(message.method.clone());
        let written = serde_json::to_value(&message).expect("it can be written");
        assert_eq!(written["params"], written_params(&notification));
        let back: Notification = serde_json::from_value(written).expect("it can be read");
        assert_eq!(back, notification);
    }
    methods.dedup();
    assert_eq!(methods, NOTIFICATIONS);
}

fn written_params(notification: &Notification) -> Value {
    serde_json::to_value(notification).expect("it can be written")["params"].clone()
}

#[test]
fn nothing_visible_is_not_the_same_as_nothing_said_about_it() {
    let read = |visible: Value| -> EventParams {
        let params =
            json!({"event": "prompt", "session": {"cwd": "/"}, "data": {"text": ""}, "visible": visible});
        serde_json::from_value(params).expect("it can be read")
    };
    assert_eq!(read(Value::Null).visible, None);
    assert_eq!(read(json!([])).visible, Some(Vec::new()));
    let written = |visible| serde_json::to_value(read(visible)).expect("it can be written");
    assert_eq!(written(json!([]))["visible"], json!([]));
    assert_eq!(written(Value::Null).get("visible"), None);
}

#[test]
fn a_decision_is_one_of_two() {
    let block = DecisionDocument::block("weather", "It rains.");
    let guidance = DecisionDocument::guidance("Take a coat.");
    let written = |decision| serde_json::to_value(decision).expect("it can be written");
    assert_eq!(written(block), json!({"block": true, "provider": "weather", "reason": "It rains."}));
    assert_eq!(written(guidance), json!({"block": false, "guidance": "Take a coat."}));
}
