//! The conversations of one MCP server: its own, and those that hooks name.

use std::time::Instant;

use serde_json::{Value, json};

use super::{begun, call_tool, hook_document, hook_input, names, wait_for};
use crate::{
    harness::{Place, example},
    serve::{client::Client, events, record, recorded},
};

/// What the hook of a conversation is answered with at a prompt.
#[track_caller]
fn asked(client: &mut Client, place: &Place, session: &str, turn: &str, prompt: &str) -> Value {
    let mut fields = hook_input(place, "prompt_id", turn);
    fields["session_id"] = json!(session);
    fields["prompt"] = json!(prompt);
    hook_document(&call_tool(client, "ctxhost_inject", fields))
}

fn context(document: &Value) -> &str {
    document["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

#[test]
fn what_the_start_says_comes_with_the_first_prompt_which_waits_for_it() {
    let place = recorded("session = \"from the start\"\nprompt = \"what each prompt has\"\nstart_ms = 400");
    let mut client = begun(&place, "claude-code");
    let first = asked(&mut client, &place, "one", "1", "hello");
    assert!(context(&first).contains("from the start"), "{first}");
    assert!(context(&first).contains("what each prompt has"), "{first}");
    assert_eq!(asked(&mut client, &place, "one", "2", "hello"), json!({}), "once");
    // Another conversation of the same process has a start of its own.
    let other = asked(&mut client, &place, "two", "3", "hello");
    assert!(context(&other).contains("from the start"), "{other}");
    assert_eq!(asked(&mut client, &place, "two", "4", "hello"), json!({}), "once");
    client.end().well();
    let starts = events(&place).iter().filter(|event| *event == "session.start").count();
    assert_eq!(starts, 2, "one for each conversation");
}

#[test]
fn a_prompt_that_is_taken_back_was_not_shown() {
    let place = recorded("prompt = \"what each prompt has\"");
    let mut client = begun(&place, "claude-code");
    let mut fields = hook_input(&place, "prompt_id", "1");
    fields["prompt"] = json!("do: wait");
    let id = client.request("tools/call", json!({"name": "ctxhost_inject", "arguments": fields}));
    wait_for(&place, |line| line["data"]["text"] == "do: wait");
    client.notify("notifications/cancelled", json!({"requestId": id}));
    wait_for(&place, |line| line["cancelled"] == true);
    let next = asked(&mut client, &place, "5e55-10", "2", "hello");
    assert!(context(&next).contains("what each prompt has"), "{next}");
    client.end().well();
}

#[test]
fn what_goes_wrong_while_nobody_listens_is_told_at_the_next_prompt() {
    // The provider gives up at the start, which nobody is told of then.
    let place = Place::with(&[example("recorder")]);
    place.config("[deadlines]\n\"session.start\" = 50\nprompt = 10000\n[providers.recorder]\nstart_do = [\"sleep 400\"]\n");
    let mut command = place.command(&["mcp"]);
    command.env("CLAUDE_CODE_SESSION_ID", "told");
    let mut client = Client::start(command);
    client.call("initialize", super::initialize("claude-code", "2025-06-18"));
    client.notify("notifications/initialized", json!({}));
    let first = asked(&mut client, &place, "told", "1", "hello");
    let warning = first["systemMessage"].as_str().unwrap_or_default();
    assert!(
        warning.contains("recorder: did not answer in") || warning.contains("so it is not asked"),
        "{first}"
    );
    assert_eq!(asked(&mut client, &place, "told", "2", "hello"), json!({}), "once");
    client.end().well();

    // A project file that tries to widen is refused, whichever hook comes first.
    let place = recorded("prompt = \"what each prompt has\"");
    place.write("work/.ctxhost.toml", "[providers.recorder]\npowers = [\"block\"]\n");
    let compacts = json!({"hook_event_name": "PreCompact", "session_id": "s", "cwd": place.path("work"), "trigger": "manual"});
    let ran = place.run_with_input(&["hook", "claude-code"], compacts.to_string().as_bytes()).ends(0);
    assert_eq!(ran.json(), json!({}));
    let mut fields = hook_input(&place, "prompt_id", "1");
    fields["session_id"] = json!("s");
    let ran = place.run_with_input(&["hook", "claude-code"], fields.to_string().as_bytes()).ends(0);
    let warning = ran.json()["systemMessage"].as_str().unwrap_or_default().to_owned();
    assert!(warning.contains("may not grant powers"), "{}", ran.out);
}

#[test]
fn an_end_in_the_middle_of_the_start_ends_the_provider_and_its_children() {
    let place = recorded("start_do = [\"child\", \"wait\"]");
    place.config(&format!(
        "{}\n[deadlines]\n\"session.start\" = 60000\nprompt = 10000\n",
        std::fs::read_to_string(place.path("config/ctxhost/config.toml"))
            .expect("it is there")
            .replace("[deadlines]\nprompt = 10000\n", "")
    ));
    let client = begun(&place, "claude-code");
    wait_for(&place, |line| line["event"] == "session.start");
    // `well` asserts that nothing of its group is left.
    client.end().well();
    assert!(record(&place).iter().any(|line| line["end"] == true), "it was ended: {:#?}", record(&place));
}

#[test]
fn a_second_face_of_a_turn_waits_for_the_first_one() {
    let place = recorded("prompt = \"what each prompt has\"");
    let mut client = begun(&place, "claude-code");
    let mut fields = hook_input(&place, "prompt_id", "slow");
    fields["prompt"] = json!("do: sleep 2500");
    let id = client.request("tools/call", json!({"name": "ctxhost_inject", "arguments": fields}));
    wait_for(&place, |line| line["event"] == "prompt");
    let begun = Instant::now();
    let ran = place.run_with_input(&["hook", "claude-code"], fields.to_string().as_bytes()).ends(0);
    assert_eq!(ran.json(), json!({}), "after {:?}", begun.elapsed());
    let first = hook_document(&client.answer(&id)["result"]);
    assert!(context(&first).contains("what each prompt has"), "{first}");
    client.end().well();
}

#[test]
fn our_own_tool_is_listed_once() {
    let place = recorded("");
    let mut client = begun(&place, "claude-code");
    let listed = client.call("tools/list", json!({}));
    let ours = names(&listed).into_iter().filter(|name| *name == "ctxhost_inject").count();
    assert_eq!(ours, 1);
    client.end().well();
}
