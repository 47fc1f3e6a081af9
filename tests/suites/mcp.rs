//! `ctxhost mcp`, spoken with over its pipes as Claude Code and Codex do.

mod conversations;
mod real_client;

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    harness::Place,
    serve::{
        client::{Client, LIMIT},
        configure, events,
        fuzz::storm,
        record, recorded,
    },
};

/// A client that has not begun.
#[track_caller]
fn fresh(place: &Place) -> Client {
    Client::start(place.command(&["mcp"]))
}

/// What a client of a name begins with.
fn initialize(client: &str, version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": client, "version": "1.0"}})
}

/// A client that has begun.
#[track_caller]
fn begun(place: &Place, name: &str) -> Client {
    let mut client = fresh(place);
    client.call("initialize", initialize(name, "2025-06-18"));
    client.notify("notifications/initialized", json!({}));
    client
}

#[track_caller]
fn call_tool(client: &mut Client, name: &str, arguments: Value) -> Value {
    client.call("tools/call", json!({"name": name, "arguments": arguments}))
}

fn names(listed: &Value) -> Vec<&str> {
    let tools = listed["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
}

/// Waits until the recorder has written down a line that is wanted.
#[track_caller]
fn wait_for(place: &Place, wanted: impl Fn(&Value) -> bool) {
    let until = Instant::now() + LIMIT;
    while !record(place).iter().any(&wanted) {
        assert!(Instant::now() < until, "no such line in {:#?}", record(place));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_version_is_the_clients_where_it_is_known_and_else_the_newest() {
    let place = recorded("");
    for (asked, spoken) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2031-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let mut client = fresh(&place);
        // Claude Code asks so before it begins, and counts from 0.
        client.request_as(&json!("server-discover-probe-1"), "server/discover", json!({}));
        assert_eq!(client.error_of(&json!("server-discover-probe-1"))["code"], -32601);
        client.request_as(&json!(0), "initialize", initialize("claude-code", asked));
        let answer = client.answer(&json!(0));
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], spoken, "{answer}");
        assert_eq!(result["capabilities"], json!({"tools": {"listChanged": true}}));
        assert_eq!(result["serverInfo"]["name"], "ctxhost");
        let told = result["instructions"].as_str().expect("instructions");
        assert!(told.contains("Use act when something is to be done."), "{told}");
        assert_eq!(client.call("ping", json!({})), json!({}));
        client.end().well();
    }
}

#[test]
fn tools_are_listed_with_ours_at_the_end() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    let listed = client.call("tools/list", json!({"_meta": {"progressToken": 1}}));
    assert_eq!(names(&listed), ["act", "ctxhost_inject"]);
    for tool in listed["tools"].as_array().expect("a list") {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()), "{tool}");
    }
}

#[test]
fn what_a_tool_answers_comes_as_content_and_never_beside_a_document() {
    let place = recorded("");
    let mut client = begun(&place, "codex-mcp-client");
    let act = |client: &mut Client, what: &str| call_tool(client, "act", json!({"do": what}));
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    assert_eq!(act(&mut client, "nothing"), json!({"content": text("did nothing"), "isError": false}));
    let image = json!([{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}]);
    assert_eq!(act(&mut client, "image"), json!({"content": image, "isError": false}));
    // Either agent would show the document in place of the text, so it comes only where there is no text.
    assert_eq!(act(&mut client, "structured"), json!({"content": text("{\"answer\":42}"), "isError": false}));
    let both = json!({
        "content": text("as text"), "isError": false, "_meta": {"ctxhost/details": {"for": "the person"}},
    });
    assert_eq!(act(&mut client, "both"), both);
    assert_eq!(act(&mut client, "error"), json!({"content": text("it did not work"), "isError": true}));
    for what in ["fail", "panic"] {
        let failed = act(&mut client, what);
        assert_eq!(failed["isError"], true, "the model reads why: {failed}");
        assert!(
            failed["content"][0]["text"].as_str().is_some_and(|text| text.contains("recorder")),
            "{failed}"
        );
    }
    let unknown = client.error("tools/call", json!({"name": "no_such", "arguments": {}}));
    assert_eq!(unknown["code"], -32602, "{unknown}");
    for params in [json!({}), json!({"name": 7}), Value::Null, json!([1])] {
        assert_eq!(client.error("tools/call", params)["code"], -32602);
    }
    assert_eq!(act(&mut client, "on")["isError"], false, "it goes on");
    client.end().well();
}

#[test]
fn a_call_has_the_agents_name_for_it() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    for meta in
        [json!({"claudecode/toolUseId": "toolu_7"}), json!({"callId": "call_8", "threadId": "t"}), json!({})]
    {
        client.call("tools/call", json!({"name": "act", "arguments": {}, "_meta": meta}));
    }
    let ids: Vec<Value> = record(&place)
        .into_iter()
        .filter(|line| line["tool"] == "act")
        .map(|mut line| line["call_id"].take())
        .collect();
    assert_eq!(ids, [json!("toolu_7"), json!("call_8"), json!("mcp")]);
}

#[test]
fn a_list_that_changes_is_told_of_before_the_call_is_answered() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    for round in 0..50 {
        let id = client.request("tools/call", json!({"name": "act", "arguments": {"do": "change"}}));
        let first = client.next_within(LIMIT).expect("a message");
        assert_eq!(first["method"], "notifications/tools/list_changed", "round {round}: {first}");
        assert_eq!(client.next_within(LIMIT).expect("a message")["id"], id);
    }
    let listed = client.call("tools/list", json!({}));
    assert_eq!(names(&listed), ["act", "act_0", "act_1", "act_2", "ctxhost_inject"]);
    client.end().well();
}

#[test]
fn a_call_that_is_cancelled_is_answered_no_more_and_the_provider_is_told() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    let id = client.request("tools/call", json!({"name": "act", "arguments": {"do": "wait"}}));
    wait_for(&place, |line| line["args"]["do"] == "wait");
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "the user said so"}));
    client.notify("notifications/cancelled", json!({"requestId": "never sent"}));
    client.notify("notifications/cancelled", json!({}));
    wait_for(&place, |line| line["cancelled"] == true);
    assert_eq!(call_tool(&mut client, "act", json!({}))["isError"], false);
    let ended = client.end().well();
    assert!(!ended.said.iter().any(|message| message["id"] == id), "{:?}", ended.said);
}

#[test]
fn the_start_is_raised_once_when_the_client_says_that_it_has_begun() {
    let place = recorded("session = \"from the start\"");
    let mut client = fresh(&place);
    client.call("initialize", initialize("claude-code", "2025-06-18"));
    client.call("tools/list", json!({}));
    assert!(events(&place).is_empty(), "not before");
    for _ in 0..3 {
        client.notify("notifications/initialized", json!({}));
    }
    wait_for(&place, |line| line["event"] == "session.start");
    client.call("ping", json!({}));
    client.end().well();
    assert_eq!(events(&place), ["session.start"]);
    let told = record(&place);
    let start = told.iter().find(|line| line["event"] == "session.start").expect("it is there");
    assert_eq!((&start["session"]["life"], &start["agent"]["name"]), (&json!("long"), &json!("claude-code")));
}

/// What an agent's hook hands to the tool.
fn hook_input(place: &Place, turn_of: &str, turn: &str) -> Value {
    json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "5e55-10", "cwd": place.path("work"),
        "transcript_path": place.path("none"), turn_of: turn, "prompt": "hello",
    })
}

/// The hook's document in the one text that a hook's tool answers with.
#[track_caller]
fn hook_document(result: &Value) -> Value {
    let content = result["content"].as_array().expect("content");
    assert_eq!((content.len(), &content[0]["type"], &result["isError"]), (1, &json!("text"), &Value::Null));
    assert_eq!(result.get("structuredContent"), None, "both agents ignore it");
    serde_json::from_str(content[0]["text"].as_str().expect("a text")).expect("the hook's JSON")
}

#[test]
fn a_hook_gets_its_own_document_from_the_warm_tool() {
    for (client_name, agent, turn_of) in
        [("claude-code", "claude-code", "prompt_id"), ("codex-mcp-client", "codex", "turn_id")]
    {
        let place = recorded("prompt = \"what each prompt has\"");
        let mut client = begun(&place, client_name);
        let ask = |client: &mut Client, turn: &str| {
            hook_document(&call_tool(client, "ctxhost_inject", hook_input(&place, turn_of, turn)))
        };
        let first = ask(&mut client, "1");
        assert_eq!(first["hookSpecificOutput"]["hookEventName"], "UserPromptSubmit");
        let text = first["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
        assert!(text.contains("what each prompt has"), "{text}");
        assert_eq!(ask(&mut client, "1"), json!({}), "{agent}: a turn is answered once");
        assert_eq!(ask(&mut client, "2"), json!({}), "{agent}: it is there already");
        // The command hook of the same conversation knows what the warm tool has delivered.
        let fields = hook_input(&place, turn_of, "3").to_string();
        let ran = place.run_with_input(&["hook", agent], fields.as_bytes()).ends(0);
        assert_eq!(ran.json(), json!({}), "{agent}");
        let told = record(&place);
        let prompt = told.iter().find(|line| line["event"] == "prompt").expect("it was asked");
        assert_eq!((&prompt["agent"]["name"], &prompt["session"]["id"]), (&json!(agent), &json!("5e55-10")));
        client.end().well();
    }
}

#[test]
fn one_turn_is_answered_once_by_hook_and_tool_together() {
    for (client_name, agent, turn_of) in
        [("claude-code", "claude-code", "prompt_id"), ("codex-mcp-client", "codex", "turn_id")]
    {
        for hook_first in [true, false] {
            let place = recorded("prompt = \"what each prompt has\"");
            let mut client = begun(&place, client_name);
            let fields = hook_input(&place, turn_of, "the same");
            let mut texts = Vec::new();
            for by_hook in [hook_first, !hook_first] {
                let document = if by_hook {
                    place.run_with_input(&["hook", agent], fields.to_string().as_bytes()).ends(0).json()
                } else {
                    hook_document(&call_tool(&mut client, "ctxhost_inject", fields.clone()))
                };
                texts.push(document.to_string());
            }
            assert!(texts[0].contains("what each prompt has"), "{agent}: {texts:?}");
            assert_eq!(texts[1], "{}", "{agent}: {texts:?}");
        }
    }
}

#[test]
fn a_hook_with_nothing_to_say_gets_the_empty_object_and_a_model_a_sentence() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    assert_eq!(
        hook_document(&call_tool(&mut client, "ctxhost_inject", hook_input(&place, "prompt_id", "1"))),
        json!({})
    );
    let text = |result: &Value| result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    let said = text(&call_tool(&mut client, "ctxhost_inject", json!({"prompt": "hello"})));
    assert!(said.starts_with("Nothing new"), "{said}");
    client.end().well();
    configure(&place, "prompt = \"what each prompt has\"");
    let mut client = begun(&place, "claude-code");
    let said = text(&call_tool(&mut client, "ctxhost_inject", json!({"prompt": "hello"})));
    assert!(said.contains("what each prompt has") && !said.starts_with('{'), "a model reads text: {said}");
    for wrong in
        [json!({}), json!({"prompt": 7}), json!([]), json!("x"), json!({"hook_event_name": "NoSuch"})]
    {
        assert!(call_tool(&mut client, "ctxhost_inject", wrong)["content"][0]["text"].is_string());
    }
}

#[test]
fn two_thousand_wrong_frames_harm_nothing() {
    const SEED: u64 = 0x5eed_c0de_0002;
    const FRAMES: usize = 2_000;
    let place = recorded("prompt = \"here\"");
    let mut client = begun(&place, "claude-code");
    let request =
        |method: &str, params: Value| json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let right = [
        request("initialize", initialize("test", "2025-06-18")),
        request("notifications/initialized", json!({})),
        request("ping", json!({})),
        request("tools/list", json!({"cursor": "test"})),
        request(
            "tools/call",
            json!({"name": "act", "arguments": {"do": "test"}, "_meta": {"callId": "test"}}),
        ),
        request(
            "tools/call",
            json!({"name": "ctxhost_inject", "arguments": hook_input(&place, "prompt_id", "test")}),
        ),
        request("notifications/cancelled", json!({"requestId": 1})),
    ];
    let alive = request("ping", json!({}));
    let storm = storm(&mut client, SEED, FRAMES, &right, &alive);
    let [middle, end] = storm.memory_kb;
    println!("{FRAMES} frames in {:?}, {} answers, {middle} kB then {end} kB", storm.took, storm.answers);
    assert!(storm.answers > FRAMES / 2, "only {} answers: the storm does not reach it", storm.answers);
    assert!(end < 200 * 1024, "{end} kB");
    assert!(end < middle + 30 * 1024, "it grows: {middle} kB then {end} kB");
    assert!(!client.end().well().err.contains("panicked"));
}
