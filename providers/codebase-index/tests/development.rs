//! Without a setting and without a login: the backend of this machine that says where it is.

use std::{fs, os::unix::fs::PermissionsExt};

use ctxhost_sdk::{prelude::json, protocol::codebase_index::State};

use crate::support::{Place, backend::Backend, fits, keep_at, prompt, said, state};

#[test]
fn the_first_answer_needs_no_login() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.keep(
        "development.json",
        &json!({"v": 1, "url": backend.url, "token": backend.token(), "pid": std::process::id()}),
    );
    let harness = place.builder(json!({})).build().expect("it starts");
    let synced = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(synced.exit, 0, "{}", synced.text);
    let found = harness.command("search", &["subscription", "renewal"], place.project()).expect("it runs");
    assert_eq!(found.exit, 0, "{}", found.text);
    assert!(found.text.contains("src/renewal.rs"), "{}", found.text);
    let reply = prompt(&place, &harness, "where is subscription renewal handled?");
    assert_eq!(reply.sections[0].key, "file:acme/shop/src/renewal.rs");
    let status = harness.command("status", &[], place.project()).expect("it runs");
    let document = status.data.expect("a document");
    fits("status-result", &document);
    assert_eq!(
        (document["backend"]["development"].clone(), document["username"].clone()),
        (json!(true), json!("ada"))
    );
    // It needs no login, and says so.
    let login = harness.command("login", &[], place.project()).expect("it runs");
    assert!(login.exit == 0 && login.text.contains("needs no login"), "{}", login.text);
}

#[test]
fn a_file_that_is_not_believed_is_told_and_nothing_is_sent() {
    let (place, backend) = (Place::new(), Backend::serve());
    let file = json!({"v": 1, "url": backend.url, "token": backend.token()});
    let check = |part: &str| {
        let harness = place.builder(json!({})).build().expect("it starts");
        let reply = prompt(&place, &harness, "where is subscription renewal handled?");
        let (state, reason) = state(&reply);
        assert_eq!(state, State::Off);
        assert!(reason.contains(part), "{reason}");
    };
    place.keep("development.json", &file);
    fs::set_permissions(place.state("development.json"), fs::Permissions::from_mode(0o644)).expect("a mode");
    check("chmod 600");
    fs::remove_file(place.state("development.json")).expect("it goes");
    check("ctxhost-index serve");
    place.keep("development.json", &json!({"v": 1, "url": "http://10.0.0.1:7171", "token": "t"}));
    check("not this machine");
    // Its backend has ended without taking it away.
    place.keep("development.json", &json!({"v": 1, "url": backend.url, "token": "t", "pid": 2_147_483_646}));
    check("ctxhost-index serve");
    assert_eq!(backend.kept().seen, Vec::<String>::new());
}

#[test]
fn a_users_address_goes_before_the_file() {
    let (place, backend, other) = (Place::new(), Backend::serve(), Backend::serve());
    place.keep("development.json", &json!({"v": 1, "url": other.url, "token": other.token()}));
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(other.kept().seen, Vec::<String>::new());
    assert!(backend.count("/sync") > 0);
}

#[test]
fn a_token_that_the_backend_refuses_says_what_to_do() {
    let (place, backend) = (Place::new(), Backend::serve());
    place.keep("development.json", &json!({"v": 1, "url": backend.url, "token": "wrong"}));
    let harness = place.builder(json!({})).build().expect("it starts");
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(reply.exit, 1);
    assert!(reply.text.contains("start `ctxhost-index serve` again"), "{}", reply.text);
    // The backend writes a new one before the old one ends.
    keep_at(
        &place.state(""),
        "development.json",
        &json!({"v": 1, "url": backend.url, "token": backend.token()}),
    );
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(reply.exit, 0, "{}", reply.text);
    assert!(said(&prompt(&place, &harness, "where is subscription renewal handled?")).reason.is_none());
}
