//! `ctxhost hook`: one event on standard input, one answer on standard output, whatever goes wrong.
//!
//! The events are those that Claude Code 2.1.332 and Codex 0.171.0 write.

mod failures;

use serde_json::{Value, json};

use crate::{
    harness::{Place, Ran},
    serve::{configure, events, record, recorded},
};

/// The longest text that either agent is given: Claude Code counts UTF-16 units, Codex bytes.
const LONGEST: usize = 9_500;

const SESSION: &str = "prompt = \"what each prompt has\"\nsession = \"what the start has\"";

/// What an agent writes for an event, with more fields or others.
fn event(place: &Place, agent: &str, name: &str, more: Value) -> Value {
    let mut event = json!({
        "session_id": "5e55-10", "transcript_path": place.path("transcript.jsonl"), "cwd": place.path("work"),
        "hook_event_name": name,
    });
    if agent == "codex" {
        event["model"] = json!("gpt-5");
        event["permission_mode"] = json!("default");
    }
    for (key, value) in more.as_object().expect("an object") {
        event[key] = value.clone();
    }
    event
}

#[track_caller]
fn run(place: &Place, agent: &str, event: &Value) -> Ran {
    let ran = place.run_with_input(&["hook", agent], event.to_string().as_bytes()).ends(0);
    let answer = ran.json();
    assert!(answer.is_object(), "{answer}");
    assert_eq!(ran.out.lines().count(), 1, "one line: {:?}", ran.out);
    ran
}

/// Asks about an event and returns the answer.
#[track_caller]
fn hook(place: &Place, agent: &str, name: &str, more: Value) -> Value {
    run(place, agent, &event(place, agent, name, more)).json()
}

/// The context of an answer, which has nothing else in it.
#[track_caller]
fn context(answer: &Value, name: &str) -> String {
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
    if text.is_empty() {
        assert_eq!(*answer, json!({}), "nothing to say is the empty object");
    } else {
        let whole = json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}});
        assert_eq!(*answer, whole);
    }
    text
}

fn prompt(agent: &str, turn: &str) -> Value {
    let turn_of = if agent == "codex" { "turn_id" } else { "prompt_id" };
    json!({turn_of: turn, "prompt": "hello"})
}

fn claude_tool(input: Value) -> Value {
    json!({
        "prompt_id": "p", "permission_mode": "default", "effort": {"level": "high"}, "tool_name": "Bash",
        "tool_input": input, "tool_use_id": "toolu_1",
    })
}

fn codex_tool(input: Value) -> Value {
    json!({"turn_id": "t", "tool_name": "Bash", "tool_input": input, "tool_use_id": "call_1"})
}

#[test]
fn each_event_reaches_the_providers_in_the_words_of_the_envelope() {
    for agent in ["claude-code", "codex"] {
        let place = recorded(SESSION);
        let tool = |input: Value| if agent == "codex" { codex_tool(input) } else { claude_tool(input) };
        let mut after = tool(json!({"command": "ls"}));
        after["tool_response"] = if agent == "codex" {
            json!("hi\n")
        } else {
            json!({"stdout": "hi", "stderr": "", "interrupted": false, "isImage": false})
        };
        let start = hook(&place, agent, "SessionStart", json!({"source": "startup"}));
        assert!(context(&start, "SessionStart").contains("what the start has"), "{start}");
        let asked = hook(&place, agent, "UserPromptSubmit", prompt(agent, "1"));
        let text = context(&asked, "UserPromptSubmit");
        assert!(text.contains("what each prompt has") && !text.contains("what the start has"), "{text}");
        for (name, more) in [
            ("PreToolUse", tool(json!({"command": "ls"}))),
            ("PostToolUse", after.clone()),
            ("PreCompact", json!({"trigger": "manual", "custom_instructions": ""})),
            ("PostCompact", json!({"trigger": "manual", "compact_summary": "short"})),
            ("Stop", json!({"stop_hook_active": false, "last_assistant_message": "done"})),
            ("SessionEnd", json!({"reason": "other"})),
            ("Notification", json!({"message": "an event that nobody asked for"})),
            ("SubagentStop", json!({})),
        ] {
            assert_eq!(hook(&place, agent, name, more), json!({}), "{agent} {name}");
        }
        let all: Vec<Value> = record(&place).into_iter().filter(|line| line["event"].is_string()).collect();
        let names: Vec<&str> = all.iter().filter_map(|line| line["event"].as_str()).collect();
        let expected = [
            "session.start",
            "prompt",
            "tool.before",
            "tool.after",
            "compact",
            "compact",
            "turn.end",
            "session.end",
        ];
        assert_eq!(names, expected, "{agent}");
        for line in &all {
            assert_eq!(line["session"]["life"], "once", "{line}");
            assert_eq!((&line["session"]["id"], &line["agent"]["name"]), (&json!("5e55-10"), &json!(agent)));
            assert_eq!(line["session"]["trusted"], false, "{line}");
        }
        assert_eq!(all[0]["data"]["reason"], "startup");
        assert_eq!((&all[1]["data"]["text"], &all[1]["data"]["first"]), (&json!("hello"), &json!(true)));
        let call = &all[2]["data"];
        assert_eq!((&call["name"], &call["kind"]), (&json!("Bash"), &json!("run")));
        assert_eq!(call["input"]["command"], "ls");
        let result = all[3]["data"]["content"][0].to_string();
        assert!(result.contains("hi"), "{result}");
        assert_eq!((&all[4]["data"]["phase"], &all[5]["data"]["phase"]), (&json!("before"), &json!("after")));
        assert_eq!(all[6]["data"]["assistant_text"], "done");
    }
}

#[test]
fn a_tool_call_is_denied_or_guided() {
    for agent in ["claude-code", "codex"] {
        let place = recorded("");
        let tool = |what: &str| {
            let input = json!({"command": what});
            if agent == "codex" { codex_tool(input) } else { claude_tool(input) }
        };
        let denied = json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny",
            "permissionDecisionReason": "the recorder forbids it",
        }});
        assert_eq!(hook(&place, agent, "PreToolUse", tool("do: block")), denied);
        let guided = context(&hook(&place, agent, "PreToolUse", tool("do: guide")), "PreToolUse");
        assert!(guided.contains("the recorder would look first"), "{guided}");
        assert_eq!(hook(&place, agent, "PreToolUse", tool("nothing")), json!({}));
    }
}

#[test]
fn our_own_tools_are_known_under_the_agents_name_for_them() {
    for agent in ["claude-code", "codex"] {
        let place = recorded("");
        let mut call = if agent == "codex" { codex_tool(json!({})) } else { claude_tool(json!({})) };
        call["tool_name"] = json!("mcp__ctxhost__act");
        hook(&place, agent, "PreToolUse", call.clone());
        call["tool_name"] = json!("mcp__other__act");
        hook(&place, agent, "PreToolUse", call);
        let calls: Vec<Value> =
            record(&place).into_iter().filter(|line| line["event"] == "tool.before").collect();
        assert_eq!(calls[0]["data"]["own"], json!({"provider": "recorder", "tool": "act"}));
        assert_eq!(calls[0]["data"]["name"], "act");
        assert_eq!(
            (&calls[1]["data"]["own"], &calls[1]["data"]["name"]),
            (&Value::Null, &json!("mcp__other__act"))
        );
    }
}

#[test]
fn after_a_compaction_each_section_is_back_exactly_once() {
    let claude = [
        ("PreCompact", json!({"trigger": "manual", "custom_instructions": ""})),
        ("SessionStart", json!({"source": "compact", "model": "m"})),
        ("PostCompact", json!({"trigger": "manual", "compact_summary": "s"})),
    ];
    let codex = [
        ("PreCompact", json!({"turn_id": "1", "trigger": "auto"})),
        ("PostCompact", json!({"turn_id": "1", "trigger": "auto"})),
        ("SessionStart", json!({"source": "compact"})),
    ];
    for (agent, compaction) in [("claude-code", claude), ("codex", codex)] {
        let place = recorded(SESSION);
        hook(&place, agent, "SessionStart", json!({"source": "startup"}));
        hook(&place, agent, "UserPromptSubmit", prompt(agent, "1"));
        let again = hook(&place, agent, "UserPromptSubmit", prompt(agent, "2"));
        assert_eq!(context(&again, "UserPromptSubmit"), "", "{agent}: all of it is there");
        for round in 1..=2 {
            let mut texts = String::new();
            for (name, more) in &compaction {
                let answer = hook(&place, agent, name, more.clone());
                // Codex takes no output of these for valid but the empty one.
                assert!(!name.ends_with("Compact") || answer == json!({}), "{name}: {answer}");
                texts.push_str(&context(&answer, name));
            }
            for turn in ["a", "b", "c"] {
                let turn = format!("{round} {turn}");
                let answer = hook(&place, agent, "UserPromptSubmit", prompt(agent, &turn));
                texts.push_str(&context(&answer, "UserPromptSubmit"));
            }
            for section in ["what the start has", "what each prompt has"] {
                assert_eq!(texts.matches(section).count(), 1, "{agent}, {round}: {section} in {texts}");
            }
        }
    }
}

#[test]
fn a_resumed_conversation_shows_what_it_showed() {
    for agent in ["claude-code", "codex"] {
        let place = recorded(SESSION);
        hook(&place, agent, "SessionStart", json!({"source": "startup"}));
        hook(&place, agent, "UserPromptSubmit", prompt(agent, "1"));
        let resumed = hook(&place, agent, "SessionStart", json!({"source": "resume"}));
        assert_eq!(context(&resumed, "SessionStart"), "", "{agent}");
        let cleared = hook(&place, agent, "SessionStart", json!({"source": "clear"}));
        assert!(context(&cleared, "SessionStart").contains("what the start has"), "{agent}: it is empty now");
    }
}

#[test]
fn a_turn_is_answered_once() {
    for agent in ["claude-code", "codex"] {
        let place = recorded("prompt = \"what each prompt has\"");
        let first = hook(&place, agent, "UserPromptSubmit", prompt(agent, "1"));
        assert_ne!(context(&first, "UserPromptSubmit"), "");
        configure(&place, "prompt = \"something else now\"");
        let second = hook(&place, agent, "UserPromptSubmit", prompt(agent, "1"));
        assert_eq!(context(&second, "UserPromptSubmit"), "", "{agent}: the same turn");
        let next = hook(&place, agent, "UserPromptSubmit", prompt(agent, "2"));
        assert!(context(&next, "UserPromptSubmit").contains("something else now"), "{agent}");
        assert_eq!(events(&place), ["prompt", "prompt"]);
    }
}

#[test]
fn a_section_is_given_in_the_size_that_the_agent_takes() {
    for agent in ["claude-code", "codex"] {
        for sizes in ["60000, 30000, 12000, 400", "60000, 9000, 300", "60000, 9450, 9300, 100", "9600, 2000"]
        {
            let place = recorded(&format!("sizes = [{sizes}]"));
            let text =
                context(&hook(&place, agent, "UserPromptSubmit", prompt(agent, "1")), "UserPromptSubmit");
            let counted = if agent == "codex" { text.len() } else { text.encode_utf16().count() };
            assert!(text.contains(" bytes\n"), "{agent}, {sizes}: one of the sizes is there: {text}");
            assert!(counted <= LONGEST, "{agent}, {sizes}: {counted}");
            // The text has more bytes than characters, so that it matters which are counted.
            assert!(text.len() > text.encode_utf16().count());
        }
    }
}

#[test]
fn what_the_model_wrote_before_a_call_is_read_from_the_transcript() {
    let place = recorded("");
    let block = |id: &str, block: Value| json!({"type": "assistant", "message": {"id": id, "role": "assistant", "content": [block]}});
    let lines = [
        json!({"type": "user", "message": {"role": "user", "content": "look"}}),
        block("m0", json!({"type": "text", "text": "An earlier word."})),
        block("m0", json!({"type": "tool_use", "id": "toolu_0", "name": "Bash", "input": {}})),
        block("m1", json!({"type": "text", "text": "I will look."})),
        json!({"type": "api-request-blob", "body": "assistant \"assistant\" ".repeat(5_000)}),
        block("m1", json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}})),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    place.write("transcript.jsonl", text);
    hook(&place, "claude-code", "PreToolUse", claude_tool(json!({"command": "ls"})));
    let item = |payload: Value| json!({"timestamp": "x", "type": "response_item", "payload": payload});
    let lines = [
        item(json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look"}]})),
        item(
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Codex will look."}]}),
        ),
        item(
            json!({"type": "function_call", "name": "exec_command", "arguments": "{}", "call_id": "call_1"}),
        ),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    place.write("transcript.jsonl", text);
    hook(&place, "codex", "PreToolUse", codex_tool(json!({"command": "ls"})));
    let texts: Vec<Value> = record(&place)
        .into_iter()
        .filter(|line| line["event"] == "tool.before")
        .map(|mut line| line["data"]["assistant_text"].take())
        .collect();
    assert_eq!(texts, [json!("I will look."), json!("Codex will look.")]);
}

#[test]
fn text_for_one_call_comes_with_the_next_tool() {
    for agent in ["claude-code", "codex"] {
        let place = recorded("prompt = \"to stay\"\ncall = \"for one call only\"");
        let asked = context(&hook(&place, agent, "UserPromptSubmit", prompt(agent, "1")), "UserPromptSubmit");
        let tool = || if agent == "codex" { codex_tool(json!({})) } else { claude_tool(json!({})) };
        let first = context(&hook(&place, agent, "PreToolUse", tool()), "PreToolUse");
        let second = context(&hook(&place, agent, "PreToolUse", tool()), "PreToolUse");
        let all = [asked, first, second].join("");
        assert_eq!(all.matches("for one call only").count(), 1, "{agent}: {all}");
        assert_eq!(all.matches("to stay").count(), 1, "{agent}: {all}");
    }
}

#[test]
fn what_went_wrong_with_a_tool_call_is_told() {
    let place = recorded("");
    let call = json!({
        "tool_name": "Bash", "tool_input": {"command": "false"}, "tool_use_id": "t1", "error": "it broke",
        "is_interrupt": false,
    });
    assert_eq!(hook(&place, "claude-code", "PostToolUseFailure", call), json!({}));
    let told = record(&place);
    let after = told.iter().find(|line| line["event"] == "tool.after").expect("it was told");
    assert_eq!(after["data"]["is_error"], true);
    assert_eq!(after["data"]["content"], json!([{"type": "text", "text": "it broke"}]));
}
