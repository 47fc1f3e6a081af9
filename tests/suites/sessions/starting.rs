//! What belongs to the whole conversation: said at its start, remembered, taken back.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use ctxhost::{Asking, Cancel, protocol::envelope::Phase};
use ctxhost_sdk::prelude::*;

use super::scripted::*;

const PROMPTS: &[&str] = &["inject.prompt"];

fn root(body: &str) -> Section {
    section("root", Placement::Session, body)
}

#[test]
fn what_a_start_says_arrives_with_the_first_prompt_and_once() {
    let alpha = Script::to("session.start", sections(&[root("the map")]));
    let session = host(&alpha).session(opening(PROMPTS));
    let started = session.event(start());
    assert_eq!((started.injection.text.as_str(), keys(&started.injection)), ("", vec![]));
    let first = session.event(prompt("one"));
    assert_eq!(keys(&first.injection), ["alpha root"]);
    assert_eq!(first.injection.text.matches("the map").count(), 1, "{}", first.injection.text);
    let second = session.event(prompt("two"));
    assert_eq!((second.injection.text.as_str(), second.injection.dropped.len()), ("", 1));
    assert_eq!(alpha.asked(), ["session.start", "prompt", "prompt"]);
}

#[test]
fn an_agent_that_takes_context_at_a_start_gets_it_there() {
    let alpha = Script::to("session.start", sections(&[root("the map")]));
    let session = host(&alpha).session(opening(&["inject.prompt", "inject.session"]));
    assert_eq!(keys(&session.event(start()).injection), ["alpha root"]);
    assert_eq!(keys(&session.event(prompt("one")).injection), Vec::<String>::new());
    assert_eq!(alpha.last().visible.len(), 1, "providers are told what is visible");
}

#[test]
fn after_a_compaction_it_is_there_again_exactly_once() {
    let alpha =
        Script::to("session.start", sections(&[root("the map"), section("tip", Placement::Prompt, "a tip")]));
    let session = host(&alpha).session(opening(PROMPTS));
    session.event(start());
    assert_eq!(keys(&session.event(prompt("one")).injection), ["alpha root", "alpha tip"]);
    session.event(compact(Phase::Before));
    assert!(session.is_compacting());
    assert_eq!(keys(&session.event(prompt("two")).injection), Vec::<String>::new(), "not yet");
    session.event(compact(Phase::After));
    assert!(!session.is_compacting());
    assert_eq!(keys(&session.event(prompt("three")).injection), ["alpha root"], "only what stays");
    assert_eq!(keys(&session.event(prompt("four")).injection), Vec::<String>::new());
    assert_eq!(alpha.asked().iter().filter(|event| *event == "session.start").count(), 1);
}

#[test]
fn what_was_taken_back_is_offered_no_more_and_said_anew_it_supersedes() {
    let alpha = Script::new(|_, request| {
        Ok(match (request.event.as_str(), request.data["text"].as_str()) {
            ("session.start", _) => {
                sections(&[root("the old map"), section("other", Placement::Session, "other")])
            }
            ("prompt", Some("anew")) => sections(&[root("the new map")]),
            _ => Reply::new(),
        })
    });
    let session = host(&alpha).session(opening(PROMPTS));
    session.event(start());
    let old = session.event(prompt("one")).injection;
    assert_eq!(keys(&old), ["alpha root", "alpha other"]);
    alpha.notify(&Notify::Invalidate { key: "root".to_owned() });
    let without = session.event(prompt("two")).injection;
    assert_eq!((keys(&without), without.dropped.len()), (vec![], 1), "only the other one stands");
    let anew = session.event(prompt("anew")).injection;
    assert_eq!(keys(&anew), ["alpha root"]);
    assert_eq!(anew.sections[0].supersedes.as_deref(), Some(old.sections[0].id.as_str()));
    session.event(compact(Phase::After));
    let again = session.event(prompt("three")).injection;
    assert_eq!(keys(&again), ["alpha other", "alpha root"]);
    assert!(again.text.contains("the new map") && !again.text.contains("the old map"), "{}", again.text);
}

#[test]
fn what_was_taken_back_before_the_first_prompt_never_arrives() {
    let alpha = Script::to("session.start", sections(&[root("the map")]));
    let host = host(&alpha);
    let (session, later) = (host.session(opening(PROMPTS)), host.session(opening(PROMPTS)));
    session.event(start());
    alpha.notify(&Notify::Invalidate { key: "root".to_owned() });
    assert_eq!(session.event(prompt("one")).injection.text, "");
    later.event(start());
    assert_eq!(keys(&later.event(prompt("one")).injection), ["alpha root"], "said after it was taken back");
}

#[test]
fn a_second_start_says_everything_anew() {
    let alpha = Script::new(|_, request| {
        Ok(match request.data["reason"].as_str() {
            Some("startup") => sections(&[root("old"), section("gone", Placement::Session, "gone")]),
            Some("resume") => sections(&[root("new")]),
            _ => Reply::new(),
        })
    });
    let session = host(&alpha).session(opening(PROMPTS));
    session.event(start());
    session.event(ctxhost::Event::read("session.start", json!({"reason": "resume"})).expect("an event"));
    let injection = session.event(prompt("one")).injection;
    assert_eq!(keys(&injection), ["alpha root"]);
    assert!(injection.text.contains("new"), "{}", injection.text);
}

#[test]
fn two_sessions_of_a_host_know_nothing_of_each_other() {
    let alpha = Script::new(|_, request| {
        let id = request.session.id.clone().unwrap_or_default();
        Ok(match request.event.as_str() {
            "session.start" => {
                sections(&[root(&format!("map of {id}"))]).finding(Level::Warning, "odd", "is odd")
            }
            _ => Reply::new().finding(Level::Warning, "odd", "is odd"),
        })
    });
    let state = tempfile::tempdir().expect("a folder");
    let host = with::<0>(builder(Some(state.path())), &alpha).build();
    let (one, two) = (host.session(named("one", PROMPTS)), host.session(named("two", PROMPTS)));
    assert_eq!(codes(&one.event(start()).findings), ["alpha odd"]);
    assert_eq!(codes(&one.event(prompt("")).findings), Vec::<String>::new(), "told once");
    let outcome = two.event(prompt(""));
    assert_eq!(
        (outcome.injection.text.as_str(), codes(&outcome.findings)),
        ("", vec!["alpha odd".to_owned()])
    );
    two.event(start());
    let injection = two.event(prompt("")).injection;
    assert!(
        injection.text.contains("map of two") && !injection.text.contains("map of one"),
        "{}",
        injection.text
    );
    let unnamed = host.session(opening(PROMPTS));
    assert_eq!(unnamed.event(prompt("")).injection.text, "");
}

#[test]
fn named_sessions_share_what_they_show_with_another_host_and_unnamed_ones_do_not() {
    let state = tempfile::tempdir().expect("a folder");
    let reply = sections(&[section("tip", Placement::Prompt, "a tip")]);
    let make = || with::<0>(builder(Some(state.path())), &Script::to("prompt", reply.clone())).build();
    let (one, other) = (make(), make());
    assert_eq!(keys(&one.session(named("s", PROMPTS)).event(prompt("")).injection), ["alpha tip"]);
    assert_eq!(keys(&other.session(named("s", PROMPTS)).event(prompt("")).injection), Vec::<String>::new());
    assert_eq!(keys(&other.session(named("t", PROMPTS)).event(prompt("")).injection), ["alpha tip"]);
    for host in [&one, &other, &one] {
        assert_eq!(keys(&host.session(opening(PROMPTS)).event(prompt("")).injection), ["alpha tip"]);
    }
    assert_eq!(std::fs::read_dir(state.path().join("ctxhost/sessions")).expect("a folder").count(), 4);
}

/// A provider whose start waits until the test lets go of it, or until it is no longer wanted.
fn slow_start() -> (Arc<Script>, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (release, released) = mpsc::channel::<()>();
    let (sender, started) = mpsc::channel();
    let released = std::sync::Mutex::new(released);
    let alpha = Script::new(move |_, request| {
        if request.event != "session.start" {
            return Ok(Reply::new());
        }
        sender.send(()).expect("the test listens");
        let _ = lock(&released).recv_timeout(Duration::from_secs(15));
        Ok(sections(&[root("the map")]))
    });
    (alpha, started, release)
}

#[test]
fn a_prompt_waits_for_a_start_that_is_running() {
    let (alpha, started, release) = slow_start();
    let session = host(&alpha).session(opening(PROMPTS));
    thread::scope(|scope| {
        scope.spawn(|| session.event(start()));
        started.recv_timeout(Duration::from_secs(10)).expect("it starts");
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            release.send(()).expect("it waits");
        });
        assert_eq!(keys(&session.event(prompt("")).injection), ["alpha root"]);
    });
}

#[test]
fn a_prompt_waits_three_seconds_and_a_cancelled_one_not_at_all() {
    let (alpha, started, release) = slow_start();
    let session = host(&alpha).session(opening(PROMPTS));
    thread::scope(|scope| {
        scope.spawn(|| session.event(start()));
        started.recv_timeout(Duration::from_secs(10)).expect("it starts");

        let asking = Asking::default();
        let cancel = asking.cancel.clone();
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
        });
        let begun = Instant::now();
        session.prepare(prompt(""), &asking);
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        assert_eq!(alpha.asked(), ["session.start"], "nobody wants to know any more");

        let begun = Instant::now();
        let outcome = session.event(prompt(""));
        let waited = begun.elapsed();
        assert!((Duration::from_secs(3)..Duration::from_secs(5)).contains(&waited), "{waited:?}");
        assert_eq!(
            (outcome.injection.text.as_str(), codes(&outcome.findings)),
            ("", vec!["- starting".to_owned()])
        );
        release.send(()).expect("it waits");
    });
    assert_eq!(keys(&session.event(prompt("")).injection), ["alpha root"], "late, but not lost");
}

/// A provider that looks whether its answer is still wanted, and says when it is not.
fn attentive() -> (Arc<Script>, mpsc::Receiver<String>) {
    let (sender, said) = mpsc::channel();
    let alpha = Script::new(move |cx, request| {
        if request.data["text"] == "quick" {
            return Ok(sections(&[section("tip", Placement::Prompt, "a tip")]));
        }
        sender.send("asked".to_owned()).expect("the test listens");
        loop {
            if let Err(error) = cx.check() {
                sender.send(format!("{:?}", error.status())).expect("the test listens");
                return Err(error);
            }
            thread::sleep(Duration::from_millis(2));
        }
    });
    (alpha, said)
}

#[test]
fn a_cancelled_prompt_returns_at_once_is_not_counted_and_leaves_nobody_stuck() {
    let (alpha, said) = attentive();
    let session = host(&alpha).session(opening(PROMPTS));
    let asking = Asking { turn: Some("1".to_owned()), ..Asking::default() };
    let next = || said.recv_timeout(Duration::from_secs(10)).expect("the provider says so");
    let begun = Instant::now();
    thread::scope(|scope| {
        let asked = scope.spawn(|| session.prepare(prompt("slow"), &asking).deliver());
        assert_eq!(next(), "asked");
        asking.cancel.cancel();
        let outcome = asked.join().expect("no panic");
        assert_eq!(outcome.injection.text, "");
        assert_eq!(next(), "Cancelled");
    });
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let asking = Asking { cancel: Cancel::default(), ..asking };
    let outcome = session.prepare(prompt("quick"), &asking).deliver();
    assert_eq!(
        keys(&outcome.injection),
        ["alpha tip"],
        "the turn was not answered, nobody is stuck: {outcome:?}"
    );
    assert_eq!(alpha.last().data["first"], json!(true), "the cancelled one was none");
}

#[test]
fn a_question_that_was_taken_back_before_it_was_asked_reaches_nobody() {
    let (alpha, _said) = attentive();
    let session = host(&alpha).session(opening(PROMPTS));
    let asking = Asking::default();
    asking.cancel.cancel();
    let outcome = session.prepare(prompt("quick"), &asking).deliver();
    assert_eq!((outcome.injection.text.as_str(), alpha.asked().len()), ("", 0));
    assert_eq!(keys(&session.event(prompt("quick")).injection), ["alpha tip"]);
}

#[test]
fn what_a_cancelled_or_undelivered_prompt_showed_is_shown_by_the_next() {
    // A prompt's section that a start offered stands until it was delivered, and no longer.
    let alpha = Script::to("session.start", sections(&[section("tip", Placement::Prompt, "a tip")]));
    let beta = Script::new(|cx, request| {
        if request.data["text"] == "slow" {
            loop {
                cx.check()?;
                thread::sleep(Duration::from_millis(2));
            }
        }
        Ok(Reply::new())
    });
    let session = host_of_two(&alpha, &beta).session(opening(PROMPTS));
    session.event(start());
    let asking = Asking::default();
    let cancel = asking.cancel.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        session.prepare(prompt("slow"), &asking).deliver();
    });
    let prepared = session.prepare(prompt(""), &Asking::default());
    assert_eq!(keys(&prepared.outcome.injection), ["alpha tip"], "the cancelled one delivered nothing");
    drop(prepared);
    assert_eq!(keys(&session.event(prompt("")).injection), ["alpha tip"], "nor did the one before");
    session.event(compact(Phase::After));
    assert_eq!(keys(&session.event(prompt("")).injection), Vec::<String>::new());
}

#[test]
fn that_a_conversation_was_compacted_is_no_question_that_can_be_taken_back() {
    let alpha = Script::to("prompt", sections(&[section("tip", Placement::Prompt, "a tip")]));
    let session = host(&alpha).session(opening(PROMPTS));
    assert_eq!(keys(&session.event(prompt("")).injection), ["alpha tip"]);
    let asking = Asking::default();
    asking.cancel.cancel();
    drop(session.prepare(compact(Phase::After), &asking));
    assert_eq!(keys(&session.event(prompt("")).injection), ["alpha tip"]);
}

#[test]
fn of_two_faces_that_ask_about_one_turn_the_second_gets_nothing() {
    let state = tempfile::tempdir().expect("a folder");
    let reply = sections(&[section("tip", Placement::Prompt, "a tip")]);
    let make = || {
        let slowly = reply.clone();
        let alpha = Script::new(move |_, _| {
            thread::sleep(Duration::from_millis(50));
            Ok(slowly.clone())
        });
        with::<0>(builder(Some(state.path())), &alpha).build()
    };
    let turn =
        |turn: &str| Asking { turn: Some(turn.to_owned()), visible: Some(Vec::new()), ..Asking::default() };
    let hosts = [make(), make()];
    for (id, same_host) in [(Some("s"), false), (Some("t"), true), (None, true)] {
        let first = hosts[0].session(ctxhost::Opening { id: id.map(str::to_owned), ..opening(PROMPTS) });
        let second = if same_host { first.clone() } else { hosts[1].session(named("s", PROMPTS)) };
        for number in ["1", "2"] {
            let texts = thread::scope(|scope| {
                let both = [&first, &second].map(|session| {
                    scope.spawn(|| session.prepare(prompt(""), &turn(number)).deliver().injection.text)
                });
                both.map(|text| text.join().expect("no panic"))
            });
            let answered = texts.iter().filter(|text| text.contains("a tip")).count();
            assert_eq!(answered, 1, "{id:?} {same_host} {number}: {texts:?}");
        }
    }
}
