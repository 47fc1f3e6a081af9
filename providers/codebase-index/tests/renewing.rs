//! Tokens end, and are renewed once, however many ask.

use std::{env, process::Command, thread};

use ctxhost_sdk::{prelude::json, protocol::codebase_index::State, serde_json::Value};

use crate::support::{Place, backend::Backend, prompt, state};

#[test]
fn a_token_that_is_nearly_over_is_renewed_before_it_is_sent() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.log_in(&backend, &backend.token(), "refresh-0", place.now + 50.0);
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    assert_eq!(harness.command("sync", &[], place.project()).expect("it runs").exit, 0);
    assert_eq!(backend.count("/refresh"), 1);
    let login = place.login(&backend);
    assert_eq!(
        (login["token"].clone(), login["refresh_token"].clone()),
        (json!(backend.token()), json!("refresh-1"))
    );
    // By this machine's clock, whatever the backend's says.
    let ends = login["ends"].as_f64().expect("a time");
    assert!((ends - place.now - 3_600.0).abs() < 30.0, "{ends} {}", place.now);
}

#[test]
fn a_refused_token_is_renewed_once_and_the_request_tried_again() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    backend.end_token();
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(reply.exit, 0, "{}", reply.text);
    assert_eq!(backend.count("/refresh"), 1);
    // A backend that refuses its own new token is not asked again and again.
    backend.instead("sync", 401, r#"{"message": "no"}"#);
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!((reply.exit, backend.count("/refresh")), (1, 2));
    assert!(reply.text.contains("refuses the login (401): no"), "{}", reply.text);
}

#[test]
fn a_refused_renewal_is_a_state_with_its_reason_and_asked_once() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    backend.end_token();
    backend.instead("refresh", 401, r#"{"message": "this login was taken back"}"#);
    harness.command("sync", &[], place.project()).expect("it runs");
    for _ in 0..3 {
        let reply = prompt(&place, &harness, "where is subscription renewal handled?");
        let (state, reason) = state(&reply);
        assert_eq!((state, reply.sections.len()), (State::SignedOut, 0));
        assert!(reason.contains("this login was taken back (401)"), "{reason}");
        assert!(reason.contains("run `ctxhost run codebase-index login`"), "{reason}");
    }
    assert_eq!(backend.count("/refresh"), 1);
    assert!(place.login(&backend)["refresh_token"].is_null(), "what is of no use is not kept");
}

#[test]
fn a_renewal_without_an_answer_keeps_the_login() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.log_in(&backend, &backend.token(), "refresh-0", place.now - 5.0);
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    backend.instead("refresh", 503, "busy");
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert!(reply.exit == 1 && reply.text.contains("could not be renewed"), "{}", reply.text);
    backend.kept().instead.clear();
    assert_eq!(harness.command("sync", &[], place.project()).expect("it runs").exit, 0);
    // One that still holds for a moment is used as it is.
    place.log_in(&backend, &backend.token(), "refresh-1", place.now + 30.0);
    backend.instead("refresh", 503, "busy");
    assert_eq!(harness.command("sync", &[], place.project()).expect("it runs").exit, 0);
}

#[test]
fn many_at_once_renew_once() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.log_in(&backend, "ended", "refresh-0", place.now - 5.0);
    // Hosts of their own, which share nothing but the files.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
                let reply = harness.command("search", &["subscription"], place.project()).expect("it runs");
                assert_eq!(reply.exit, 0, "{}", reply.text);
            });
        }
    });
    assert_eq!(backend.count("/refresh"), 1);
}

/// One of two processes; see below.
#[test]
#[ignore = "is run by the next one"]
fn one_process() {
    let url = env::var("CODEBASE_TEST_URL").expect("it is set");
    let root = env::var("CODEBASE_TEST_ROOT").expect("it is set");
    let root = std::path::Path::new(&root);
    let now: f64 = env::var("CODEBASE_TEST_NOW").expect("it is set").parse().expect("a number");
    let harness = ctxhost_testkit::Harness::<codebase_index::CodebaseIndex>::builder()
        .home(root.join("home"))
        .state_dir(root.join("kept"))
        .cache_dir(root.join("cache"))
        .settings(json!({"url": url}))
        .now(now)
        .build()
        .expect("it starts");
    let reply = harness.command("search", &["subscription"], root.join("project")).expect("it runs");
    assert_eq!(reply.exit, 0, "{}", reply.text);
}

#[test]
fn two_processes_renew_once_and_both_go_on() {
    let (place, backend) = (Place::new(), Backend::serve());
    for round in 0..3 {
        let (token, refresh) = {
            let kept = backend.kept();
            (kept.token.clone(), kept.refresh_token.clone())
        };
        place.log_in(&backend, if round == 0 { "ended" } else { &token }, &refresh, place.now - 5.0);
        let before = backend.count("/refresh");
        let start = || {
            Command::new(env::current_exe().expect("a program"))
                .args(["--exact", "renewing::one_process", "--ignored", "--test-threads", "1"])
                .env("CODEBASE_TEST_URL", &backend.url)
                .env("CODEBASE_TEST_ROOT", place.path(""))
                .env("CODEBASE_TEST_NOW", place.now.to_string())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .expect("it starts")
        };
        for child in [start(), start()] {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        assert_eq!(backend.count("/refresh"), before + 1);
        let login: Value = place.login(&backend);
        assert_eq!(login["refresh_token"], json!(backend.kept().refresh_token));
    }
}

#[test]
fn a_prompt_that_gives_up_waiting_does_not_lose_the_renewal() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.log_in(&backend, "ended", "refresh-0", place.now - 5.0);
    backend.kept().slow.insert("refresh", std::time::Duration::from_millis(600));
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let call = std::sync::Arc::new(ctxhost_testkit::Call::until(u64::MAX));
    let request = json!({"name": "codebase_search", "args": {"query": "subscription"}, "call_id": "1", "now": place.now,
        "session": {"id": null, "cwd": place.project(), "trusted": true, "life": "long"}});
    thread::scope(|scope| {
        let waiting = scope.spawn(|| harness.raw_call("tool", &request, &call));
        crate::support::until(|| backend.count("/refresh") == 1);
        call.cancel();
        assert!(waiting.join().expect("it ends").is_err());
    });
    // Ending waits for it as well: the old token is used up.
    drop(harness);
    assert_eq!(place.login(&backend)["refresh_token"], json!("refresh-1"));
}
