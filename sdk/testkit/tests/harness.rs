//! The harness: one provider behind the real table.

use std::{sync::Arc, thread, time::Duration};

use ctxhost_sdk::{Exported, Head, abi::Status, prelude::*};
use ctxhost_testkit::{Call, Failure, Harness};

use crate::{head, status, until};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    greeting: String,
    limit: u64,
}

/// Does what the prompt says.
struct Obedient(Settings);

impl Exported for Obedient {
    const HEAD: Head = head("obedient");
}

impl Provider for Obedient {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        match settings.greeting.as_str() {
            "panic" => panic!("it panics while it starts"),
            "fail" => Err(Error::failed("it does not feel like it")),
            _ => {
                setup.host.log(Level::Info, "it starts");
                Ok(Self(settings))
            }
        }
    }

    fn manifest(head: Manifest) -> Manifest {
        Manifest {
            powers: vec!["block".to_owned()],
            environment: vec!["OBEDIENT_*".to_owned()],
            tools: vec![ctxhost_sdk::tool("echo", "Says it again.", json!({"type": "object"}))],
            ..head
        }
    }

    fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
        let prompt: PromptData = request.data_as()?;
        let section = |body: String| Ok(Reply::new().section(Section::prompt("k", Trust::Tool).body(body)));
        match prompt.text.split_once(' ').unwrap_or((&prompt.text, "")) {
            ("panic", text) => panic!("it panics: {text}"),
            ("fail", text) => Err(Error::failed(text)),
            ("large", size) => Reply::new().data("x".repeat(size.parse()?)),
            ("log", text) => {
                cx.host().log(Level::Error, text);
                cx.host().log(Level::Warning, text);
                cx.host().notify(&Notify::Invalidate { key: text.to_owned() });
                section(text.to_owned())
            }
            ("wait", _) => {
                cx.progress(1, Some(2), "waits");
                loop {
                    cx.check()?;
                    thread::yield_now();
                }
            }
            ("off-spec", _) => Ok(Reply::new().section(Section::prompt("k", Trust::Tool))),
            ("block", _) => Ok(Reply {
                decision: Some(Decision { block: true, reason: Some("no".to_owned()), guidance: None }),
                ..Reply::new()
            }),
            ("now", _) => section(format!("{} {:?}", request.now, cx.remaining())),
            _ => section(format!("{} {} {}", self.0.greeting, self.0.limit, prompt.text)),
        }
    }

    fn tool(&self, _: &Cx<'_>, request: ToolRequest) -> Result<ToolReply> {
        match request.name.as_str() {
            "echo" => Ok(ToolReply::text(request.args.to_string())),
            other => Err(Error::unknown("tool", other)),
        }
    }
}

fn obedient() -> Harness<Obedient> {
    Harness::new().expect("it starts")
}

/// The body of the one section.
fn body(reply: &Reply) -> &str {
    &reply.sections[0].variants[0].body
}

#[test]
fn settings_reach_the_provider() {
    let settings = json!({"greeting": "hi", "limit": 7});
    let harness = Harness::<Obedient>::builder().settings(settings).build().expect("it starts");
    assert_eq!(body(&harness.prompt("you", "/").expect("a reply")), "hi 7 you\n");
    assert_eq!(harness.manifest().id, "obedient");
}

#[test]
fn a_bad_setting_is_named() {
    let start =
        |settings| Harness::<Obedient>::builder().settings(settings).build().err().expect("it is refused");
    for (settings, name) in [
        (json!({"limit": "many"}), "setting `limit`"),
        (json!({"limit": -1}), "setting `limit`"),
        (json!({"greeting": ["a"]}), "setting `greeting`"),
    ] {
        let Failure::Refused(finding) = start(settings.clone()) else { panic!("a finding") };
        assert_eq!(
            (finding.code.as_str(), finding.provider.as_deref()),
            ("create", Some("obedient")),
            "{finding:?}"
        );
        assert!(finding.message.contains(name), "{settings}: {}", finding.message);
    }
    assert!(start(json!({"greeting": "fail"})).to_string().contains("it does not feel like it"));
}

#[test]
fn a_deadline_passes_on_the_fake_clock() {
    let harness = obedient();
    thread::scope(|scope| {
        let asked = scope.spawn(|| status(harness.prompt("wait", "/")));
        until(|| !harness.notifications().is_empty());
        harness.clock().advance(Duration::from_secs(9));
        assert!(!asked.is_finished(), "a call has ten seconds");
        harness.clock().advance(Duration::from_secs(1));
        let (status, message) = asked.join().expect("it comes back");
        assert_eq!((status, message.as_str()), (Status::Deadline, "the deadline has passed"));
    });
}

#[test]
fn a_cancelled_call_stops() {
    let harness = obedient();
    let call = Arc::new(Call::until(ctxhost_sdk::abi::NO_DEADLINE));
    let mut request = harness.request("prompt", "/");
    request.data["text"] = json!("wait");
    thread::scope(|scope| {
        let asked = scope.spawn(|| status(harness.raw_call("event", &request, &call)));
        until(|| !harness.notifications().is_empty());
        assert!(!asked.is_finished(), "it has no deadline");
        call.cancel();
        let (status, message) = asked.join().expect("it comes back");
        assert_eq!((status, message.as_str()), (Status::Cancelled, "the host no longer wants the answer"));
    });
}

#[test]
fn the_clock_stands_still_until_it_is_moved() {
    let harness = obedient();
    let asked = || body(&harness.prompt("now", "/").expect("a reply")).to_owned();
    assert_eq!(asked(), "1700000000 Some(10s)\n");
    assert_eq!(asked(), "1700000000 Some(10s)\n");
    harness.clock().advance(Duration::from_millis(1500));
    assert_eq!(asked(), "1700000001.5 Some(10s)\n");
    harness.set_now(5.0);
    assert_eq!(asked(), "5 Some(10s)\n");
}

#[test]
fn what_it_says_unasked_is_kept() {
    let harness = obedient();
    harness.prompt("log it", "/").expect("a reply");
    let text = |text: &str| text.to_owned();
    assert_eq!(
        harness.logs(),
        [(Level::Info, text("it starts")), (Level::Error, text("it")), (Level::Warning, text("it"))]
    );
    assert_eq!(harness.notifications(), [Notify::Invalidate { key: text("it") }]);
}

#[test]
fn a_panic_is_a_status_with_text_and_place() {
    let harness = obedient();
    for text in ["first", "second\nline"] {
        let (status, message) = status(harness.prompt(&format!("panic {text}"), "/"));
        assert_eq!(status, Status::Panic);
        assert!(message.contains(&format!("it panics: {}", text.replace('\n', " "))), "{message}");
        assert!(message.contains("sdk/testkit/tests/harness.rs:"), "{message}");
    }
    assert_eq!(body(&harness.prompt("after", "/").expect("it lives")), " 0 after\n");
    let failed = Harness::<Obedient>::builder().settings(json!({"greeting": "panic"})).build().err();
    let message = failed.expect("it does not start").to_string();
    assert!(message.contains("it panics while it starts") && message.contains("harness.rs:"), "{message}");
}

#[test]
fn a_failure_keeps_its_sentence() {
    assert_eq!(
        status(obedient().prompt("fail the disk is full", "/")),
        (Status::Failed, "the disk is full".to_owned())
    );
}

#[test]
fn a_reply_has_room_for_a_mebibyte_and_no_byte_more() {
    const CAP: usize = 1024 * 1024;
    let harness = obedient();
    let large = |size: usize| {
        let mut request = harness.request("prompt", "/");
        request.data["text"] = json!(format!("large {size}"));
        harness.raw("event", &request)
    };
    let frame = large(0).expect("a reply").len();
    assert_eq!(large(CAP - frame).expect("a reply").len(), CAP);
    assert_eq!(status(large(CAP - frame + 1)).0, Status::TooLarge);
    assert_eq!(status(large(3 * CAP)).0, Status::TooLarge);
    assert_eq!(large(0).expect("it lives").len(), frame);
}

#[test]
fn what_it_does_not_know_is_said_so() {
    let harness = obedient();
    let (code, message) = status(harness.raw("no-such-op", &json!({})));
    assert_eq!((code, message.contains("no-such-op")), (Status::UnknownOp, true), "{message}");
    assert_eq!(status(harness.tool("no-such-tool", json!({}), "/")).0, Status::UnknownOp);
    assert_eq!(status(harness.command("no-such-command", &[], "/")).0, Status::UnknownOp);
    assert_eq!(harness.tool("echo", json!({"a": 1}), "/").expect("an answer"), ToolReply::text(r#"{"a":1}"#));
}

#[test]
fn bad_input_names_the_field() {
    let harness = obedient();
    let mut request = serde_json(&harness.request("prompt", "/"));
    request["session"]["cwd"] = json!(7);
    let (code, message) = status(harness.raw("event", &request));
    assert_eq!((code, message.contains("session.cwd")), (Status::BadInput, true), "{message}");
    for list in [json!([]), json!([1, "prompt"]), json!(null), json!("text")] {
        assert_eq!(status(harness.raw("event", &list)).0, Status::BadInput, "{list}");
    }
}

fn serde_json(request: &Request) -> ctxhost_sdk::serde_json::Value {
    ctxhost_sdk::serde_json::to_value(request).expect("JSON")
}

#[test]
fn an_answer_is_held_against_its_spec() {
    let refused = obedient().prompt("off-spec", "/").expect_err("the host leaves it out");
    let Failure::Refused(finding) = refused else { panic!("a finding and not {refused:?}") };
    assert_eq!(
        (finding.code.as_str(), finding.pointer.as_deref()),
        ("off-spec", Some("/sections/0/variants"))
    );
}

#[test]
fn powers_may_be_taken_away() {
    let reply = obedient().prompt("block", "/").expect("a reply");
    assert!(reply.decision.is_some_and(|decision| decision.block));
    let without = Harness::<Obedient>::builder().without_powers().build().expect("it starts");
    assert!(without.prompt("block", "/").is_ok(), "it costs the decision and not the reply");
}

#[test]
fn eight_threads_ask_at_once() {
    let harness = obedient();
    thread::scope(|scope| {
        for number in 0..8 {
            let harness = &harness;
            scope.spawn(move || {
                for round in 0..50 {
                    let text = format!("{number}.{round}");
                    if number % 2 == 0 {
                        let reply = harness.prompt(&text, "/").expect("a reply");
                        assert_eq!(body(&reply), format!(" 0 {text}\n"));
                    } else {
                        // Each thread hears of its own panic.
                        let (status, message) = status(harness.prompt(&format!("panic {text}."), "/"));
                        assert_eq!(status, Status::Panic);
                        assert!(message.ends_with(&format!("it panics: {text}.")), "{message}");
                    }
                }
            });
        }
    });
}
