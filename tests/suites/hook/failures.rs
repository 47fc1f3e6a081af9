//! Whatever goes wrong, the agent's user goes on: exit code 0 and one JSON object.

use std::{
    fs,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{claude_tool, codex_tool, context, event, hook, prompt, run};
use crate::{
    harness::{Place, Ran, example},
    serve::{configure, record, recorded},
};

#[test]
fn what_is_no_event_is_answered_with_nothing() {
    let place = recorded("prompt = \"here\"");
    let invalid = b"\xff\xfe{\"hook_event_name\":\"UserPromptSubmit\"}";
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 9] =
        [b"", b"garbage", b"null", b"[]", b"\"text\"", b"{", invalid, deep.as_bytes(), &[0; 1000]];
    for agent in ["claude-code", "codex"] {
        for input in inputs {
            let ran = place.run_with_input(&["hook", agent], input).ends(0);
            assert_eq!(ran.out, "{}\n", "{:?}", String::from_utf8_lossy(&input[..input.len().min(50)]));
            assert!(
                ran.err.starts_with("ctxhost: the event ") && ran.err.lines().count() == 1,
                "{:?}",
                ran.err
            );
        }
        let ran = place.run(&["hook", agent]).ends(0);
        assert_eq!(ran.out, "{}\n", "without any input");
        for fields in [json!({}), json!({"hook_event_name": 7}), json!({"hook_event_name": "NoSuchEvent"})] {
            assert_eq!(run(&place, agent, &fields).out, "{}\n", "{fields}");
        }
        let huge = format!("{{\"prompt\":\"{}\"}}", "x".repeat(17 * 1024 * 1024));
        assert_eq!(place.run_with_input(&["hook", agent], huge.as_bytes()).ends(0).out, "{}\n");
    }
    assert!(record(&place).is_empty());
}

#[test]
fn fields_of_other_types_do_no_harm() {
    let place = recorded("prompt = \"here\"");
    for wrong in
        [json!(null), json!(7), json!([1]), json!({"a": 1}), json!(""), json!("x\u{0}y"), json!(true)]
    {
        for name in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"] {
            let mut fields = json!({"hook_event_name": name});
            for key in [
                "session_id",
                "transcript_path",
                "cwd",
                "prompt",
                "prompt_id",
                "turn_id",
                "tool_name",
                "tool_input",
                "tool_use_id",
                "tool_response",
                "source",
                "trigger",
                "model",
                "last_assistant_message",
            ] {
                fields[key] = wrong.clone();
            }
            run(&place, if name.len() % 2 == 0 { "codex" } else { "claude-code" }, &fields);
        }
    }
}

#[test]
fn a_command_line_that_is_wrong_ends_well() {
    let place = recorded("");
    let prompt = event(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1")).to_string();
    let event = place.write("event", &prompt);
    for arguments in [
        &["hook"][..],
        &["hook", "no-such-agent"],
        &["hook", ""],
        &["hook", "--no-such-flag"],
        &["hook", "--no-such-flag", "claude-code"],
        &["hook", "-x", "--", "codex"],
    ] {
        // Not by a pipe: it may end before it is written to.
        let event = fs::File::open(&event).expect("it was written");
        let ran = Ran::of(place.command(arguments).stdin(event), None).ends(0);
        assert_eq!(ran.out, "{}\n", "{arguments:?}");
    }
    configure(&place, "prompt = \"here\"");
    for more in [&["--no-such-flag"][..], &["more", "--and=more"], &["--", "--x"]] {
        let arguments = [&["hook", "claude-code"], more].concat();
        let ran = place.run_with_input(&arguments, prompt.as_bytes()).ends(0);
        assert!(ran.json().is_object(), "{arguments:?}: {}", ran.out);
    }
}

#[test]
fn a_provider_that_fails_costs_its_own_part_and_the_person_is_told() {
    for (behaviour, code) in
        [("panic", "panic"), ("fail", "failed"), ("panic-in-create", "create"), ("hang", "late")]
    {
        let place = Place::with(&[example("good"), example("rogue")]);
        place
            .config(&format!("[providers.rogue]\nbehaviour = \"{behaviour}\"\n[deadlines]\nprompt = 1500\n"));
        // What hangs does so for longer than any run may take.
        let answer = hook(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1"));
        let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
        assert!(text.contains("the good section"), "{behaviour}: {answer}");
        let told = answer["systemMessage"].as_str().expect("the person is told");
        assert!(told.starts_with("ctxhost: ") && told.contains("rogue"), "{behaviour} ({code}): {told}");
        let again = hook(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "2"));
        assert_eq!(again, json!({}), "{behaviour}: each kind is told once a session");
    }
}

#[test]
fn a_provider_that_ends_the_process_takes_the_answer_with_it() {
    let place = recorded("");
    let fields =
        event(&place, "claude-code", "UserPromptSubmit", json!({"prompt_id": "1", "prompt": "do: abort"}));
    let ran = place.run_with_input(&["hook", "claude-code"], fields.to_string().as_bytes());
    // Nobody can catch an abort. Both agents show a failed hook and go on.
    assert_eq!((ran.code, ran.out.as_str()), (None, ""), "{}", ran.err);
    configure(&place, "prompt = \"here\"");
    let next = hook(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "2"));
    assert!(context(&next, "UserPromptSubmit").contains("here"));
}

#[test]
fn a_folder_that_is_not_there_is_answered_with_nothing() {
    let place = recorded("prompt = \"here\"");
    let mut fields = event(&place, "codex", "UserPromptSubmit", prompt("codex", "1"));
    for cwd in
        [json!(place.path("gone")), json!(place.path("log.jsonl")), json!("/proc/self/fd/0"), json!("/\u{0}")]
    {
        fields["cwd"] = cwd;
        assert_eq!(run(&place, "codex", &fields).out, "{}\n", "{}", fields["cwd"]);
    }
    // What is no absolute path is none at all: the process's own folder counts.
    for cwd in [json!("relative"), json!(""), Value::Null] {
        fields["cwd"] = cwd;
        fields["session_id"] = json!(fields["cwd"].to_string());
        let text = context(&run(&place, "codex", &fields).json(), "UserPromptSubmit");
        assert!(text.contains("here"), "{}", fields["cwd"]);
    }
    // A process whose own folder is gone.
    fields["cwd"] = Value::Null;
    let program = place.command(&["hook"]).get_program().to_owned();
    let script =
        format!("mkdir gone && cd gone && rmdir ../gone && echo '{fields}' | {program:?} hook codex");
    let ran =
        Command::new("sh").arg("-c").arg(script).current_dir(place.path("work")).output().expect("sh runs");
    assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(0), &b"{}\n"[..]), "{ran:?}");
}

#[test]
fn a_transcript_that_is_none_has_no_text() {
    let place = recorded("");
    let pipe = place.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let huge = place.path("huge");
    fs::File::create(&huge).and_then(|file| file.set_len(4 << 30)).expect("a file without blocks");
    let text = place.write("text", "no JSON at all, \"assistant\" \"response_item\"\n".repeat(10_000));
    let paths = [
        json!(place.path("missing")),
        json!(pipe),
        json!(huge),
        json!(text),
        json!(place.path("work")),
        json!("/dev/zero"),
        json!("/dev/stdin"),
        json!("relative.jsonl"),
        json!("/\u{0}"),
        Value::Null,
    ];
    let count = paths.len() * 2;
    for path in paths {
        for agent in ["claude-code", "codex"] {
            let mut call = if agent == "codex" { codex_tool(json!({})) } else { claude_tool(json!({})) };
            call["transcript_path"] = path.clone();
            assert_eq!(hook(&place, agent, "PreToolUse", call), json!({}), "{path}");
        }
    }
    let calls: Vec<Value> =
        record(&place).into_iter().filter(|line| line["event"] == "tool.before").collect();
    assert_eq!(calls.len(), count);
    assert!(calls.iter().all(|line| line["data"]["assistant_text"].is_null()), "{calls:#?}");
}

#[test]
fn without_a_place_to_remember_there_is_context_all_the_same() {
    let place = recorded("prompt = \"here\"");
    let fields = event(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1")).to_string();
    // The state folder is a file.
    place.write("state/ctxhost", "no folder");
    let answer = place.run_with_input(&["hook", "claude-code"], fields.as_bytes()).ends(0).json();
    let told = answer["systemMessage"].as_str().expect("the person is told");
    assert!(
        answer["hookSpecificOutput"]["additionalContext"].as_str().is_some_and(|text| text.contains("here"))
    );
    assert!(told.contains("not remembered"), "{told}");
    fs::remove_file(place.path("state/ctxhost")).expect("it is there");
    // Nothing of the environment is there but what leads to the provider.
    let mut bare = place.command(&["hook", "claude-code"]);
    bare.env_clear().env("CTXHOST_PROVIDER_PATH", place.path("providers"));
    let mut child =
        bare.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), fields.as_bytes()).expect("it reads");
    let ran = child.wait_with_output().expect("it ends");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let answer: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert!(answer["systemMessage"].as_str().is_some_and(|told| told.contains("HOME")), "{answer}");
}

#[test]
fn an_answer_that_cannot_be_written_is_offered_again() {
    let place = recorded("prompt = \"here\"");
    let fields = event(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1")).to_string();
    let mut command = place.command(&["hook", "claude-code"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut child =
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), fields.as_bytes()).expect("it reads");
    let ran = child.wait_with_output().expect("it ends");
    assert_eq!(ran.status.code(), Some(0), "a hook never fails: {}", String::from_utf8_lossy(&ran.stderr));
    let again = hook(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1"));
    assert!(context(&again, "UserPromptSubmit").contains("here"), "it was never delivered: {again}");
}

#[test]
fn a_full_disk_costs_the_memory_and_not_the_context() {
    let place = recorded("prompt = \"here\"");
    let state = place.path("state");
    let mount = |arguments: &[&str]| {
        let mounted = Command::new("mount").args(arguments).arg(&state).stderr(Stdio::null()).status();
        mounted.is_ok_and(|status| status.success())
    };
    if !mount(&["-t", "tmpfs", "-o", "size=4k,nr_inodes=3", "tmpfs"]) {
        eprintln!("skipped: only a privileged user can mount a tiny disk");
        return;
    }
    let answer = std::panic::catch_unwind(|| {
        hook(&place, "claude-code", "UserPromptSubmit", prompt("claude-code", "1"))
    });
    let unmounted = Command::new("umount").arg(&state).status().expect("umount runs");
    assert!(unmounted.success());
    let answer = answer.expect("it is answered");
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str().expect("a context");
    assert!(text.contains("here"), "{answer}");
}
