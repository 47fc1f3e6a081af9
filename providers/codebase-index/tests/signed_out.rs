//! A backend that is not there, or lets nobody in, is a state; no prompt hangs on it.

use std::{net::TcpListener, time::Instant};

use ctxhost_sdk::{
    prelude::json,
    protocol::{codebase_index::State, envelope::Life},
};

use crate::support::{Place, backend::Backend, event, fits, prompt, state};

const QUESTION: &str = "where is subscription renewal handled?";

#[test]
fn nobody_is_logged_in() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.builder(json!({"url": backend.url})).build().expect("it starts");
    event(&place, &harness, Life::Long, "session.start", json!({"reason": "startup"}));
    let reply = prompt(&place, &harness, QUESTION);
    let (state, reason) = state(&reply);
    assert_eq!(state, State::SignedOut);
    assert!(reason.contains("nobody has logged in") && reason.contains("login`"), "{reason}");
    assert_eq!(reply.status.expect("a status").text, "codebase: signed-out");
    for command in [&["sync"][..], &["search", "renewal"], &["status"]] {
        let said = harness.command(command[0], &command[1..], place.project()).expect("it runs");
        assert_eq!(said.exit, 1, "{}", said.text);
        assert!(said.text.contains("nobody has logged in"), "{}", said.text);
    }
    let tool =
        harness.tool("codebase_search", json!({"query": "renewal"}), place.project()).expect("it runs");
    assert!(tool.is_error);
    let document = tool.structured.expect("a document");
    fits("search-result", &document);
    assert_eq!(document["state"], json!("signed-out"));
    assert_eq!(backend.kept().seen, Vec::<String>::new());
}

#[test]
fn somebody_whom_the_backend_does_not_let_in_reads_its_words() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    for endpoint in ["sync", "search", "health"] {
        backend.instead(endpoint, 403, r#"{"message": "ada is in no allowed organisation"}"#);
    }
    let reply = prompt(&place, &harness, QUESTION);
    let (state, reason) = state(&reply);
    assert_eq!(state, State::SignedOut);
    assert!(reason.contains("(403): ada is in no allowed organisation"), "{reason}");
    let status = harness.command("status", &[], place.project()).expect("it runs");
    assert!(status.exit == 1 && status.text.contains("no allowed organisation"), "{}", status.text);
    assert_eq!(backend.count("/refresh"), 0, "403 says nothing of the token");
}

#[test]
fn a_backend_that_is_not_there_costs_one_prompt_a_moment() {
    let place = Place::new();
    let url = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    place.keep(
        "credentials.json",
        &json!({"v": 1, "backends": {&url: {"token": "secret-token", "ends": place.now + 900.0}}}),
    );
    let harness = place.builder(json!({"url": url})).build().expect("it starts");
    let begin = Instant::now();
    for _ in 0..5 {
        let reply = prompt(&place, &harness, QUESTION);
        let (state, reason) = state(&reply);
        assert!(matches!(state, State::Offline | State::Syncing), "{state:?}");
        assert!(!reason.contains("secret-token"), "{reason}");
    }
    assert!(begin.elapsed().as_secs_f64() < 3.0, "{:?}", begin.elapsed());
    let status = harness.command("status", &[], place.project()).expect("it runs");
    assert!(status.exit == 1 && status.text.starts_with("state: offline\n"), "{}", status.text);
    fits("status-result", &status.data.expect("a document"));
}

#[test]
fn a_backend_that_hangs_is_left_in_time() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    backend.kept().slow.insert("search", std::time::Duration::from_secs(60));
    let mut request = harness.request("prompt", place.project());
    request.data["text"] = json!(QUESTION);
    // The test's clock begins at one second.
    let call = std::sync::Arc::new(ctxhost_testkit::Call::until(1_400_000_000));
    let begin = Instant::now();
    let bytes = harness.raw_call("event", &request, &call).expect("an answer in time");
    assert!(begin.elapsed().as_millis() < 1_500, "{:?}", begin.elapsed());
    let reply: ctxhost_sdk::prelude::Reply = ctxhost_sdk::serde_json::from_slice(&bytes).expect("a reply");
    assert_eq!(state(&reply).0, State::Offline);
}

#[test]
fn an_answer_that_is_none_is_told_without_its_content() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    backend.instead("search", 200, "<html>secret page</html>");
    let (state, reason) = state(&prompt(&place, &harness, QUESTION));
    assert_eq!(state, State::Offline);
    assert!(reason.contains("cannot be read") && !reason.contains("secret page"), "{reason}");
}
