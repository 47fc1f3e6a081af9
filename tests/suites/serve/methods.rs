//! Each method and its answer, by the schemas of `serve/v1`.

use std::fs;

use serde_json::{Value, json};

use super::{act, client::Client, events, prompt, record, recorded, session, session_in};

/// The sections of an injection as `provider key`.
fn sections(outcome: &Value) -> Vec<String> {
    let sections = outcome["injection"]["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    sections
        .iter()
        .map(|section| format!("{} {}", text(&section["provider"]), text(&section["key"])))
        .collect()
}

#[test]
fn hello_comes_first_and_runs_no_provider() {
    let place = recorded("prompt = \"here\"");
    let mut client = Client::silent(&place);
    let session = session(&place);
    for (method, params) in [
        ("tools", json!({"session": session})),
        ("event", prompt(&session, "hello")),
        ("cancel", json!({"id": 1})),
    ] {
        let error = client.error(method, params);
        assert_eq!(error["code"], -32003, "{method}: {error}");
        assert!(error["message"].as_str().is_some_and(|text| text.contains("hello first")), "{error}");
    }
    for wrong in [json!(2), json!(0), json!("1"), json!(1.5), json!(-1)] {
        let error = client.error("hello", json!({"v": wrong, "agent": {"name": "x"}}));
        assert_eq!((&error["code"], &error["data"]["pointer"]), (&json!(-32602), &json!("/v")), "{error}");
        assert!(error["message"].as_str().is_some_and(|text| text.contains("version 1")), "{wrong}: {error}");
    }
    let error = client.error("hello", json!({"v": 1}));
    assert_eq!(error["code"], -32602, "there must be an agent: {error}");
    let hello = client.hello(json!({}));
    assert_eq!(
        hello["capabilities"]["methods"],
        json!(["hello", "event", "tool", "command", "tools", "cancel"])
    );
    assert_eq!(hello["capabilities"]["max_in_flight"], 64);
    assert_eq!(hello["providers"][0]["id"], "recorder");
    assert!(record(&place).is_empty(), "its code has run: {:?}", record(&place));
    client.end().well();
}

#[test]
fn every_event_is_answered_by_its_schema_and_reaches_the_provider() {
    let place =
        recorded("prompt = \"the prompt's section\"\nsession = \"the start's\"\ncall = \"for one call\"");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let call = json!({"id": "t1", "name": "read", "kind": "read", "paths": ["a"], "input": {"file": "a"}});
    let mut after = call.clone();
    after["content"] = json!([{"type": "text", "text": "content"}]);
    after["is_error"] = json!(false);
    let all = [
        ("session.start", json!({"reason": "startup"})),
        ("prompt", json!({"text": "hello", "source": "user"})),
        ("model_call", json!({"messages": [{"role": "user", "content": "hello"}], "request_no": 1})),
        ("tool.before", call),
        ("tool.after", after),
        ("compact", json!({"phase": "before", "reason": "manual"})),
        ("model.change", json!({})),
        ("turn.end", json!({"assistant_text": "done", "usage": null})),
        ("mcp.result", json!({"name": "x", "ok": true})),
        ("session.end", json!({"reason": "quit"})),
    ];
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    for (event, data) in all {
        let outcome = client.call("event", json!({"event": event, "session": session, "data": data}));
        match event {
            "session.start" => assert_eq!(outcome["status"]["recorder"]["text"], "recording"),
            "prompt" => {
                assert_eq!(sections(&outcome), ["recorder start", "recorder prompt"], "{outcome:#}");
                assert!(outcome["call"]["text"].as_str().is_some_and(|text| text.contains("for one call")));
            }
            _ => assert!(sections(&outcome).is_empty(), "{event}: {outcome:#}"),
        }
    }
    assert_eq!(events(&place), names);
    let told = record(&place);
    let prompt = told.iter().find(|line| line["event"] == "prompt").expect("it was told");
    assert_eq!((&prompt["data"]["first"], &prompt["session"]["life"]), (&json!(true), &json!("long")));
    client.end().well();
}

#[test]
fn decisions_and_patches_come_back() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let mut call = |event: &str, input: &str| {
        let mut data = json!({"id": "t", "name": "run", "kind": "run", "input": {"command": input}});
        if event == "tool.after" {
            data["content"] = json!([]);
        }
        client.call("event", json!({"event": event, "session": session, "data": data}))
    };
    let blocked = call("tool.before", "do: block")["decision"].take();
    assert_eq!(blocked, json!({"block": true, "provider": "recorder", "reason": "the recorder forbids it"}),);
    let guided = call("tool.before", "do: guide")["decision"].take();
    assert_eq!(guided["block"], false);
    assert!(guided["guidance"].as_str().is_some_and(|text| text.contains("would look first")), "{guided}");
    assert_eq!(call("tool.before", "nothing")["decision"], Value::Null);
    assert_eq!(call("tool.after", "do: patch")["result_patch"]["content"][0]["text"], "patched");
}

#[test]
fn tools_and_commands_are_listed_and_run() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let listed = client.call("tools", json!({"session": session}));
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(1), "{listed:#}");
    assert_eq!((&listed["tools"][0]["name"], &listed["tools"][0]["active"]), (&json!("act"), &json!(true)));
    assert_eq!(listed["commands"][0]["slash"], "record");
    let deadline = listed["deadlines_ms"]["prompt"].as_u64().expect("a number");
    assert_eq!(deadline, 13_000, "the prompt's own, and the wait for the start");
    let texts = |reply: &Value| reply["content"][0]["text"].as_str().unwrap_or("-").to_owned();
    assert_eq!(texts(&client.call("tool", act(&session, "nothing"))), "did nothing");
    let image = client.call("tool", act(&session, "image"));
    assert_eq!(image["content"][0], json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}));
    let both = client.call("tool", act(&session, "both"));
    assert_eq!((&both["structured"]["answer"], &both["details"]["for"]), (&json!(42), &json!("the person")));
    let error = client.call("tool", act(&session, "error"));
    assert_eq!((&error["is_error"], texts(&error).as_str()), (&json!(true), "it did not work"));
    let said = client.call(
        "command",
        json!({"provider": "recorder", "name": "say", "args": ["a", "b"], "session": session}),
    );
    assert_eq!((&said["text"], &said["choices"][0]["args"]), (&json!("a b"), &json!(["nothing"])));
    client.end().well();
}

#[test]
fn a_taken_name_is_given_away_no_second_time() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let agent = super::client::agent(&json!({"tools": {"guarded": [], "taken": ["act"]}}));
    let listed = client.call("tools", json!({"session": session, "agent": agent}));
    assert_eq!(
        (&listed["tools"][0]["name"], &listed["tools"][0]["tool"]),
        (&json!("recorder_act"), &json!("act"))
    );
    let reply = client.call("tool", json!({"name": "recorder_act", "args": {"do": "x"}, "session": session}));
    assert_eq!(reply["content"][0]["text"], "did x");
    assert_eq!(client.error("tool", act(&session, "x"))["code"], -32000, "the other one is somebody else's");
    let other = session_in(&place.path("work"), "two");
    let listed = client.call("tools", json!({"session": other}));
    assert_eq!(listed["tools"][0]["name"], "act", "another conversation has the agent of the hello");
}

#[test]
fn what_cannot_be_run_says_why() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let session = session(&place);
    let unknown = client.error("tool", json!({"name": "no_such", "session": session}));
    assert_eq!(unknown["code"], -32000);
    assert!(unknown["message"].as_str().is_some_and(|text| text.contains("`no_such`")), "{unknown}");
    for (what, code) in [("fail", "failed"), ("panic", "panic")] {
        let error = client.error("tool", act(&session, what));
        assert_eq!((&error["code"], &error["data"]["code"]), (&json!(-32000), &json!(code)), "{error}");
        assert_eq!(error["data"]["provider"], "recorder", "{error}");
    }
    for (provider, name) in [("recorder", "no-such"), ("nobody", "say")] {
        let error = client.error("command", json!({"provider": provider, "name": name, "session": session}));
        assert_eq!(error["code"], -32000, "{error}");
    }
    assert_eq!(client.call("tool", act(&session, "on"))["is_error"], false, "it goes on");
    client.end().well();
}

#[test]
fn bad_parameters_have_a_pointer() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let cwd = place.path("work");
    let of = |session: Value| json!({"event": "prompt", "session": session, "data": {"text": "x", "source": "user"}});
    let with = |key: &str, value: Value| {
        let mut params = of(json!({"id": "a", "cwd": cwd}));
        params[key] = value;
        params
    };
    for (method, params, pointer) in [
        ("event", of(json!({"id": "a"})), "/session"),
        ("event", of(json!({"id": 7, "cwd": cwd})), "/session/id"),
        ("event", of(json!({"id": "a", "cwd": "relative/folder"})), "/session/cwd"),
        ("event", with("event", json!("no.such")), "/event"),
        ("event", with("event", json!(3)), "/event"),
        ("event", with("data", json!({"text": 5, "source": "user"})), "/data/text"),
        ("event", with("data", json!([])), "/data"),
        ("event", with("visible", json!("all")), "/visible"),
        ("event", with("visible", json!([{"provider": "a", "key": 1, "id": "b"}])), "/visible/0/key"),
        ("event", with("max_characters", json!(0)), "/max_characters"),
        ("event", with("agent", json!("pi")), "/agent"),
        ("event", json!({}), ""),
        ("event", Value::Null, ""),
        ("event", json!([1, 2]), ""),
        ("tool", json!({"name": "act", "session": {"cwd": cwd}, "args": 1}), "/args"),
        ("tool", json!({"session": {"cwd": cwd}}), ""),
        ("command", json!({"provider": "recorder", "name": "/say", "session": {"cwd": cwd}}), "/name"),
        (
            "command",
            json!({"provider": "recorder", "name": "say", "args": "x", "session": {"cwd": cwd}}),
            "/args",
        ),
        ("tools", json!({"session": 1}), "/session"),
        ("cancel", json!({"id": null}), "/id"),
        ("cancel", json!({"id": 1.5}), "/id"),
        ("cancel", json!({}), ""),
        ("hello", json!({"v": 1, "agent": 1}), "/agent"),
    ] {
        let error = client.error(method, params.clone());
        let found = (&error["code"], &error["data"]["pointer"]);
        assert_eq!(found, (&json!(-32602), &json!(pointer)), "{method} {params}: {error}");
    }
    assert!(record(&place).is_empty(), "nothing of it reached the provider");
    client.end().well();
}

#[test]
fn an_unknown_method_lists_the_known() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    for method in ["no_such", "initialize", "", &"x".repeat(100_000)] {
        let error = client.error(method, json!({}));
        let message = error["message"].as_str().expect("a sentence");
        assert_eq!(error["code"], -32601);
        assert!(message.contains("hello, event, tool, command, tools, cancel"), "{message}");
        assert!(message.len() < 300, "{} bytes", message.len());
    }
}

#[test]
fn what_is_shown_is_what_the_client_says_or_else_what_was_delivered() {
    let place = recorded("prompt = \"always the same\"");
    let mut client = Client::serve(&place);
    let named = session(&place);
    let first = client.call("event", prompt(&named, "one"));
    assert_eq!(sections(&first), ["recorder prompt"]);
    assert!(sections(&client.call("event", prompt(&named, "two"))).is_empty(), "it is there already");
    let mut params = prompt(&named, "three");
    params["visible"] = json!([]);
    assert_eq!(
        sections(&client.call("event", params.clone())),
        ["recorder prompt"],
        "the client shows nothing"
    );
    let placed = &first["injection"]["sections"][0];
    params["visible"] = json!([{"provider": "recorder", "key": "prompt", "id": placed["id"]}]);
    assert!(sections(&client.call("event", params)).is_empty(), "the client shows it");
    let compact =
        json!({"event": "compact", "session": named, "data": {"phase": "after", "reason": "manual"}});
    client.call("event", compact);
    assert_eq!(
        sections(&client.call("event", prompt(&named, "four"))),
        ["recorder prompt"],
        "it was compacted"
    );
}

#[test]
fn of_a_question_without_a_conversation_nothing_is_remembered() {
    let place = recorded("prompt = \"always the same\"");
    let mut client = Client::serve(&place);
    let single = json!({"id": null, "cwd": place.path("work")});
    for _ in 0..3 {
        assert_eq!(sections(&client.call("event", prompt(&single, "x"))), ["recorder prompt"]);
    }
    let created = record(&place).iter().filter(|line| line["create"] == true).count();
    assert_eq!(created, 1, "its providers are not loaded anew each time");
}

#[test]
fn an_agent_is_told_no_more_than_it_takes() {
    let place = recorded("sizes = [60000, 4000, 300]");
    let mut client = Client::serve(&place);
    for (number, limit) in [(1, 5_000), (2, 1_000)] {
        let mut params = prompt(&session_in(&place.path("work"), &number.to_string()), "x");
        params["max_characters"] = json!(limit);
        let outcome = client.call("event", params);
        let text = outcome["injection"]["text"].as_str().expect("a text");
        assert!(text.encode_utf16().count() <= limit, "{} of {limit}", text.len());
        assert_eq!(sections(&outcome), ["recorder sized"], "a smaller one is there");
    }
}

#[test]
fn conversations_of_two_folders_have_providers_of_their_own() {
    let place = recorded("prompt = \"always the same\"");
    for folder in ["one", "two"] {
        fs::create_dir(place.path(folder)).expect("a folder");
    }
    let mut client = Client::serve(&place);
    let sessions = [
        session_in(&place.path("one"), "a"),
        session_in(&place.path("one"), "b"),
        session_in(&place.path("two"), "a"),
    ];
    let in_folder = |folder: &str| {
        let cwd = json!(place.path(folder));
        record(&place).into_iter().filter(|line| line["session"]["cwd"] == cwd).count()
    };
    let shown =
        |client: &mut Client, session: &Value| sections(&client.call("event", prompt(session, "x"))).len();
    assert_eq!(shown(&mut client, &sessions[0]), 1);
    assert_eq!(shown(&mut client, &sessions[1]), 1, "another conversation shows nothing yet");
    assert_eq!((in_folder("one"), in_folder("two")), (2, 0));
    // One name in two folders is one record of what is shown, since the record goes by the name alone.
    client.call("event", prompt(&sessions[2], "x"));
    assert_eq!((in_folder("one"), in_folder("two")), (2, 1));
    let created = || record(&place).iter().filter(|line| line["create"] == true).count();
    assert_eq!(created(), 2, "one instance a folder");
    // An end need not repeat that the folder is trusted.
    let end = json!({"event": "session.end", "session": {"id": "b", "cwd": place.path("one")}, "data": {"reason": "quit"}});
    client.call("event", end);
    assert_eq!(record(&place).last().expect("an event")["session"]["id"], "b");
    assert_eq!(shown(&mut client, &sessions[0]), 0, "the other conversation goes on");
    client.end().well();
}

#[test]
fn an_end_reaches_a_conversation_whether_or_not_it_says_that_its_folder_is_trusted() {
    let place = recorded("");
    let mut client = Client::serve(&place);
    let trusted = json!({"id": "t", "cwd": place.path("work"), "trusted": true});
    client.call("event", prompt(&trusted, "x"));
    let end = json!({"event": "session.end", "session": {"id": "t", "cwd": place.path("work")}, "data": {"reason": "quit"}});
    client.call("event", end);
    let told = record(&place);
    assert_eq!(
        told.iter().filter(|line| line["create"] == true).count(),
        1,
        "no second instance was made for it"
    );
    assert_eq!(events(&place), ["prompt", "session.end"]);
    client.end().well();
}
