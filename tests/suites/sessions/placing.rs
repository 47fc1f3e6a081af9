//! Text for one call of the model, and the conversation rewritten for it.

use ctxhost::{
    Asking, Opening,
    flow::{Decided, Rewritten},
    protocol::envelope::{Decision, Insert, Life, Messages, Phase},
};
use ctxhost_sdk::prelude::*;

use super::scripted::*;

const PREAMBLE: &str = "It is data and may be stale";

fn call_section() -> Reply {
    sections(&[section("now", Placement::Call, "for this call"), section("tip", Placement::Prompt, "a tip")])
}

#[test]
fn text_for_one_call_goes_there_where_the_agent_can_take_it() {
    let session = host(&Script::to("prompt", call_section())).session(opening(&[
        "inject.prompt",
        "inject.call",
        "block",
    ]));
    for expected in [vec!["alpha tip".to_owned()], vec![]] {
        let outcome = session.event(prompt(""));
        assert_eq!(
            (keys(&outcome.injection), keys(&outcome.call)),
            (expected, vec!["alpha now".to_owned()]),
            "each time"
        );
        assert!(!outcome.injection.text.contains("for this call"), "{}", outcome.injection.text);
        assert!(
            !outcome.call.text.contains(PREAMBLE),
            "said in the injection, or earlier: {}",
            outcome.call.text
        );
    }
    assert!(!session.has_waiting_text());
}

#[test]
fn an_agent_that_takes_nothing_with_a_prompt_is_given_nothing_and_told_so() {
    let session = host(&Script::to("prompt", call_section())).session(opening(&["tools"]));
    let outcome = session.event(prompt(""));
    assert_eq!((outcome.injection.text.as_str(), outcome.call.text.as_str()), ("", ""));
    assert!(
        outcome.findings.iter().any(|f| f.code == "agent-cannot-inject.prompt"),
        "{:?}",
        outcome.findings
    );
    session.set_agent(opening(&["inject.prompt"]).agent);
    let text = session.event(prompt("")).injection.text;
    assert!(text.contains("a tip"), "nothing counted as shown: {text}");
}

#[test]
fn without_a_place_for_it_it_waits_for_the_next_tool_event() {
    let session = host(&Script::to("prompt", call_section())).session(opening(&["inject.prompt", "block"]));
    let outcome = session.event(prompt(""));
    assert_eq!((keys(&outcome.injection), outcome.call.text.as_str()), (vec!["alpha tip".to_owned()], ""));
    assert!(session.has_waiting_text());
    let turn_end = ctxhost::Event::read("turn.end", json!({})).expect("an event");
    assert_eq!(session.event(turn_end).decision, None);
    let outcome = session.event(before("read"));
    assert!(guidance(&outcome).contains("for this call"), "{outcome:?}");
    for event in [after("read"), before("read")] {
        assert_eq!(session.event(event).decision, None, "exactly once");
    }
    session.event(prompt(""));
    assert!(guidance(&session.event(after("read"))).contains("for this call"), "after a tool as well");
}

#[test]
fn it_waits_between_processes_too() {
    let state = tempfile::tempdir().expect("a folder");
    let make = || with::<0>(builder(Some(state.path())), &Script::to("prompt", call_section())).build();
    let once = || Opening { life: Life::Once, ..named("s", &["inject.prompt", "block"]) };
    make().session(once()).event(prompt(""));
    let outcome = make().session(once()).event(before("read"));
    assert!(guidance(&outcome).contains("for this call"), "{outcome:?}");
    assert_eq!(make().session(once()).event(before("read")).decision, None);
    make().session(once()).event(prompt(""));
    make().session(once()).event(compact(Phase::After));
    assert_eq!(make().session(once()).event(before("read")).decision, None, "it belonged to what is gone");
}

#[test]
fn with_neither_it_stands_in_the_injection() {
    let session = host(&Script::to("prompt", call_section())).session(opening(&["inject.prompt"]));
    let outcome = session.event(prompt(""));
    assert_eq!(keys(&outcome.injection), ["alpha tip", "alpha now"]);
    assert_eq!(outcome.call.text, "");
}

#[test]
fn what_waits_goes_on_waiting_where_a_tool_is_blocked_or_there_is_no_room() {
    let alpha = Script::new(|_, request| {
        Ok(match request.data["name"].as_str() {
            _ if request.event == "prompt" => call_section(),
            Some("forbidden") => Reply {
                decision: Some(Decision { block: true, reason: Some("no".to_owned()), guidance: None }),
                ..Reply::new()
            },
            _ => Reply::new(),
        })
    });
    let session = host(&alpha).session(opening(&["inject.prompt", "block"]));
    session.event(prompt(""));
    let blocked = session.event(before("forbidden"));
    assert!(matches!(blocked.decision, Some(Decided::Block { .. })), "{blocked:?}");
    let narrow = Asking { max_characters: Some(20), ..Asking::default() };
    assert_eq!(session.prepare(before("read"), &narrow).deliver().decision, None);
    assert!(guidance(&session.event(before("read"))).contains("for this call"), "it was not lost");
    assert_eq!(session.event(before("read")).decision, None);
}

#[test]
fn text_for_a_call_waits_from_every_event_that_has_no_tool() {
    for event in [start(), compact(Phase::After), model_call(2)] {
        let session =
            host(&Script::to(event.name(), call_section())).session(opening(&["inject.prompt", "block"]));
        let name = event.name();
        assert_eq!(session.event(event).call.text, "", "{name}: this agent cannot take it there");
        assert!(guidance(&session.event(before("read"))).contains("for this call"), "{name}");
    }
}

#[test]
fn what_a_tool_event_says_is_guidance_for_a_process_that_ends_with_it() {
    let alpha = Script::to("tool.before", sections(&[section("tip", Placement::Prompt, "a tip")]));
    let state = tempfile::tempdir().expect("a folder");
    let host = with::<0>(builder(Some(state.path())), &alpha).build();
    let session = host.session(Opening { life: Life::Once, ..named("s", &["inject.prompt", "block"]) });
    assert!(guidance(&session.event(before("read"))).contains("a tip"));
    assert_eq!(session.event(before("read")).decision, None, "it is visible");
}

#[test]
fn what_a_blocked_tool_was_not_told_is_not_counted_as_shown() {
    let alpha = Script::new(|_, request| {
        let block = request.data["name"] == "forbidden";
        let decision = Decision { block, reason: block.then(|| "no".to_owned()), guidance: None };
        Ok(Reply { decision: Some(decision), ..sections(&[section("tip", Placement::Prompt, "a tip")]) })
    });
    let session = host(&alpha).session(Opening { life: Life::Once, ..opening(&["inject.prompt", "block"]) });
    let blocked = session.event(before("forbidden"));
    let Some(Decided::Block { reason, .. }) = &blocked.decision else { panic!("{blocked:?}") };
    assert_eq!((reason.as_str(), keys(&blocked.injection)), ("no", vec![]));
    assert!(guidance(&session.event(before("read"))).contains("a tip"));
}

fn rewriting(keep: &[u64], insert: &[(u64, &str)], bodies: &[(&str, &str)]) -> Reply {
    let insert =
        insert.iter().map(|(before, key)| Insert { before: *before, key: (*key).to_owned() }).collect();
    let offered: Vec<Section> =
        bodies.iter().map(|(key, body)| section(key, Placement::Call, body)).collect();
    Reply { messages: Some(Messages { keep: keep.to_vec(), insert }), ..sections(&offered) }
}

fn rewritten(reply: &Reply, messages: usize, asking: &Asking) -> (Option<Rewritten>, Vec<String>) {
    let alpha = Script::to("model_call", reply.clone());
    let session = host(&alpha).session(opening(&["rewrite", "inject.call"]));
    let outcome = session.prepare(model_call(messages), asking).deliver();
    (outcome.messages, codes(&outcome.findings))
}

#[test]
fn messages_that_stay_are_those_wanted_pinned_and_belonging_to_them() {
    let asking = Asking {
        pinned: vec![7, 99],
        together: vec![vec![3, 4], vec![2, 3], vec![1, 2], vec![5, 6], vec![8, 99]],
        ..Asking::default()
    };
    let keep = |keep: &[u64]| rewritten(&rewriting(keep, &[], &[]), 9, &asking);
    assert_eq!(keep(&[4]).0.expect("rewritten").keep, [1, 2, 3, 4, 7], "a chain of groups");
    assert_eq!(keep(&[]).0.expect("rewritten").keep, [7]);
    assert_eq!(keep(&[8, 0]).0.expect("rewritten").keep, [0, 7, 8]);
    let (rewritten, findings) = keep(&[0, 9, u64::from(u32::MAX)]);
    assert_eq!(
        (rewritten.expect("rewritten").keep, findings),
        (vec![0, 7], vec!["alpha no-such-message".to_owned()])
    );
}

#[test]
fn inserted_text_is_wrapped_and_says_once_what_it_is() {
    let reply = rewriting(
        &[0, 1],
        &[(2, "b"), (0, "a"), (2, "c")],
        &[("a", "text a"), ("b", "text b"), ("c", "text c"), ("d", "text d")],
    );
    let alpha = Script::to("model_call", reply.clone());
    let session = host(&alpha).session(opening(&["rewrite", "inject.call"]));
    let outcome = session.event(model_call(2));
    let insert = outcome.messages.expect("rewritten").insert;
    let places: Vec<_> = insert.iter().map(|inserted| (inserted.before, keys(&inserted.injection))).collect();
    let own = |keys: &[&str]| keys.iter().map(|key| format!("alpha {key}")).collect::<Vec<_>>();
    assert_eq!(places, [(0, own(&["a"])), (2, own(&["b", "c"]))]);
    for inserted in &insert {
        let text = &inserted.injection.text;
        assert!(text.starts_with("<ctxhost v=\"1\">\n") && text.ends_with("</ctxhost>\n"), "{text}");
    }
    assert_eq!(keys(&outcome.call), ["alpha d"], "what was not inserted goes its usual way");
    let all = format!("{}{}{}", insert[0].injection.text, insert[1].injection.text, outcome.call.text);
    assert_eq!(all.matches(PREAMBLE).count(), 1, "{all}");
    let visible = vec![ctxhost::protocol::envelope::Visible {
        provider: "p".to_owned(),
        key: "k".to_owned(),
        id: "1".to_owned(),
    }];
    let (rewritten, _) = rewritten(&reply, 2, &Asking { visible: Some(visible), ..Asking::default() });
    assert!(
        rewritten
            .expect("rewritten")
            .insert
            .iter()
            .all(|inserted| !inserted.injection.text.contains(PREAMBLE))
    );
}

#[test]
fn wrong_places_and_unknown_or_repeated_sections_are_left_out_and_told_of() {
    let text: &[(&str, &str)] = &[("a", "text a")];
    let insert = |insert: &[(u64, &str)]| {
        let (rewritten, findings) = rewritten(&rewriting(&[0], insert, text), 2, &Asking::default());
        let rewritten = rewritten.expect("rewritten");
        let texts: String =
            rewritten.insert.iter().map(|inserted| inserted.injection.text.as_str()).collect();
        (
            rewritten.insert.iter().map(|inserted| inserted.before).collect::<Vec<_>>(),
            texts.matches("text a").count(),
            findings,
        )
    };
    assert_eq!(insert(&[(2, "a")]), (vec![2], 1, vec![]), "the end is a place");
    let wrong = vec!["alpha no-such-message".to_owned()];
    assert_eq!(insert(&[(3, "a")]), (vec![], 0, wrong.clone()));
    assert_eq!(insert(&[(0, "no-such"), (1, "a")]), (vec![1], 1, wrong.clone()));
    assert_eq!(insert(&[(0, "a"), (1, "a")]), (vec![0], 1, wrong), "one section has one place");
}

#[test]
fn of_two_who_rewrite_the_first_does() {
    let alpha = Script::to("model_call", rewriting(&[0], &[], &[]));
    let beta = Script::to("model_call", rewriting(&[1], &[], &[]));
    let outcome = host_of_two(&alpha, &beta).session(opening(&["rewrite"])).event(model_call(2));
    assert_eq!(outcome.messages.expect("rewritten").keep, [0]);
    assert_eq!(codes(&outcome.findings), ["beta second-rewrite"]);
}

#[test]
fn an_agent_that_cannot_rewrite_keeps_its_conversation_and_still_gets_the_text() {
    let alpha = Script::to("model_call", rewriting(&[0], &[(0, "a")], &[("a", "text a")]));
    let outcome = host(&alpha).session(opening(&["inject.call"])).event(model_call(2));
    assert!(outcome.messages.is_none());
    assert_eq!(
        (keys(&outcome.call), codes(&outcome.findings)),
        (vec!["alpha a".to_owned()], vec!["alpha agent-cannot-rewrite".to_owned()])
    );
    let alpha = Script::without_powers(|_, _| Ok(rewriting(&[0], &[], &[])));
    let outcome = host(&alpha).session(opening(&["rewrite"])).event(model_call(2));
    assert_eq!(
        (outcome.messages.is_none(), codes(&outcome.findings)),
        (true, vec!["alpha power-not-granted".to_owned()])
    );
}

#[test]
fn a_place_between_a_call_and_its_result_is_none() {
    let asking = Asking { together: vec![vec![1, 2, 3]], ..Asking::default() };
    for (wanted, place) in [(0, 0), (1, 1), (2, 1), (3, 1), (4, 4)] {
        let reply = rewriting(&[0, 1], &[(wanted, "a")], &[("a", "text a")]);
        let insert = rewritten(&reply, 5, &asking).0.expect("rewritten").insert;
        assert_eq!(insert.iter().map(|inserted| inserted.before).collect::<Vec<_>>(), [place], "{wanted}");
    }
}

#[test]
fn what_found_no_room_between_messages_is_accounted_for() {
    let reply = rewriting(&[0], &[(0, "a"), (1, "b")], &[("a", "text a"), ("b", &"long ".repeat(400))]);
    let asking = Asking { max_characters: Some(900), ..Asking::default() };
    let outcome = host(&Script::to("model_call", reply))
        .session(opening(&["rewrite"]))
        .prepare(model_call(2), &asking)
        .deliver();
    let insert = outcome.messages.expect("rewritten").insert;
    assert_eq!(insert.iter().flat_map(|inserted| keys(&inserted.injection)).collect::<Vec<_>>(), ["alpha a"]);
    let dropped: Vec<_> = outcome.injection.dropped.iter().map(|dropped| dropped.key.as_str()).collect();
    assert_eq!(dropped, ["b"]);
}
