//! What is sent, and when.

use std::fs;

use ctxhost_sdk::{
    prelude::{Notify, json},
    protocol::{codebase_index::State, envelope::Life},
};

use crate::support::{Place, backend::Backend, event, fits, prompt, said, state, until};

#[test]
fn a_session_begins_with_a_sync_in_the_background() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    event(&place, &harness, Life::Long, "session.start", json!({"reason": "startup"}));
    until(|| backend.kept().chunks.keys().any(|(path, _)| path == "src/renewal.rs"));
    assert!(!backend.kept().files.contains_key(".env"), "what looks like a secret stays");
    until(|| state(&prompt(&place, &harness, "yes, go on")).0 == State::Ready);
    let told = harness.notifications();
    assert!(
        told.iter().any(|told| matches!(told, Notify::Status { status } if status.text == "codebase: ready")),
        "{told:?}"
    );
}

#[test]
fn a_process_for_one_event_begins_nothing() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    event(&place, &harness, Life::Once, "session.start", json!({"reason": "startup"}));
    let call = json!({"id": "1", "name": "edit", "kind": "edit", "paths": [], "input": {}, "content": [], "is_error": false});
    event(&place, &harness, Life::Once, "tool.after", call);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(backend.kept().seen, Vec::<String>::new());
    // A prompt of such a process syncs for a part of its time.
    let reply = event(
        &place,
        &harness,
        Life::Once,
        "prompt",
        json!({"text": "where is subscription renewal handled?"}),
    );
    assert_eq!(reply.sections[0].key, "file:acme/shop/src/renewal.rs", "{reply:?}");
    // The next process knows how things stand.
    let next = place.builder(json!({"url": backend.url})).build().expect("it starts");
    let reply = event(&place, &next, Life::Once, "session.start", json!({"reason": "startup"}));
    let said = said(&reply);
    assert_eq!(
        (said.state, said.repos[0].name.as_str(), said.repos[0].files),
        (State::Ready, "acme/shop", 2)
    );
}

#[test]
fn edits_are_sent_once_they_are_over() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    let before = backend.count("/sync");
    for number in 0..5 {
        place.write("project/src/renewal.rs", &format!("pub fn renewed_{number}() {{}}\n"));
        let call = json!({"id": "1", "name": "edit", "kind": "edit", "paths": ["src/renewal.rs"], "input": {}, "content": [], "is_error": false});
        let reply = event(&place, &harness, Life::Long, "tool.after", call);
        assert_eq!(state(&reply).0, State::Stale);
    }
    until(|| backend.kept().chunks.values().any(|chunk| chunk["content"].to_string().contains("renewed_4")));
    assert_eq!(backend.count("/sync"), before + 1, "one sync for five edits");
    // Reading changes nothing.
    until(|| state(&prompt(&place, &harness, "yes, go on")).0 == State::Ready);
    let call = json!({"id": "1", "name": "read", "kind": "read", "paths": [], "input": {}, "content": [], "is_error": false});
    assert_eq!(state(&event(&place, &harness, Life::Long, "tool.after", call)).0, State::Ready);
}

#[test]
fn a_prompt_after_an_edit_finds_what_was_written() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    place.write("project/src/renewal.rs", "pub fn cancel_invoice_quickly() {}\n");
    let call = json!({"id": "1", "name": "edit", "kind": "edit", "paths": [], "input": {}, "content": [], "is_error": false});
    event(&place, &harness, Life::Long, "tool.after", call);
    let reply = prompt(&place, &harness, "where is cancel_invoice_quickly?");
    assert!(reply.sections[0].variants[0].body.contains("cancel_invoice_quickly"), "{reply:?}");
    assert!(!said(&reply).hits[0].stale);
}

#[test]
fn a_second_sync_sends_nothing_and_says_so() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    let first = harness.command("sync", &[], place.project()).expect("it runs");
    let document = first.data.expect("a document");
    assert_eq!(
        (document["complete"].clone(), document["repos"][0]["sent_files"].clone()),
        (json!(true), json!(2))
    );
    assert!(first.text.starts_with("acme/shop: 2 files, 2 sent as "), "{}", first.text);
    let second = harness.command("sync", &[], place.project()).expect("it runs");
    assert_eq!(second.text, "acme/shop: 2 files, nothing to send, 1 never sent\n");
    assert_eq!(second.data.expect("a document")["repos"][0]["root_only"], json!(true));
    let told = harness.notifications();
    assert!(
        told.iter().any(|told| matches!(told, Notify::Progress { text, .. } if text == "acme/shop")),
        "{told:?}"
    );
}

#[test]
fn what_would_be_sent_is_shown_without_a_backend() {
    let place = Place::new();
    let harness = place.builder(json!({})).build().expect("it starts");
    let reply = harness.command("status", &["--files"], place.project()).expect("it runs");
    let document = reply.data.expect("a document");
    fits("status-result", &document);
    assert_eq!(document["state"], json!("off"));
    let fates: Vec<String> = document["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| format!("{} {} {}", file["path"], file["fate"], file["reason"]))
        .collect();
    assert_eq!(
        fates,
        [
            "\".env\" \"left-out\" \"secret\"",
            "\"src/main.rs\" \"waiting\" null",
            "\"src/renewal.rs\" \"waiting\" null"
        ]
    );
    assert!(reply.text.contains("never sent (secret)"), "{}", reply.text);
}

#[test]
fn a_status_says_which_files_wait() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    harness.command("sync", &[], place.project()).expect("it runs");
    let status = |state: &str, waiting: u64| {
        let reply = harness.command("status", &["--files", "--json"], place.project()).expect("it runs");
        let document = reply.data.expect("a document");
        assert_eq!(reply.text, format!("{document}\n"), "the flag may come this far");
        fits("status-result", &document);
        assert_eq!(
            (document["state"].clone(), document["waiting"].clone()),
            (json!(state), json!(waiting)),
            "{document:#}"
        );
        document
    };
    status("ready", 0);
    let before = backend.kept().seen.len();
    place.write("project/src/main.rs", "fn main() {}\n");
    let document = status("stale", 1);
    assert_eq!(document["files"][1], json!({"repo": "acme/shop", "path": "src/main.rs", "fate": "waiting"}));
    assert_eq!(document["files"][2]["fate"], json!("indexed"));
    assert!(
        backend.kept().seen[before..].iter().all(|seen| seen.ends_with("/health")),
        "a look sends nothing"
    );
}

#[test]
fn two_hosts_at_once_send_each_file_once() {
    let (place, backend) = (Place::new(), Backend::serve());
    for number in 0..60 {
        place.write(&format!("project/src/part_{number}.rs"), &format!("pub fn part_{number}() {{}}\n"));
    }
    place.git(&["add", "-A"]);
    backend.kept().slow.insert("index", std::time::Duration::from_millis(200));
    place.log_in(&backend, &backend.token(), "refresh-0", place.now + 3_600.0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let harness = place
                    .builder(json!({"url": backend.url, "batch_bytes": 4_096}))
                    .build()
                    .expect("it starts");
                let reply = harness.command("sync", &[], place.project()).expect("it runs");
                assert_eq!(reply.exit, 0, "{}", reply.text);
            });
        }
    });
    let files = backend.kept().files.len();
    assert_eq!(files, 62);
    let kept = backend.kept();
    assert_eq!(
        kept.seen.iter().filter(|seen| seen.ends_with("/sync")).count(),
        3,
        "the others had to ask the root alone"
    );
}

#[test]
fn a_sync_that_fails_says_why_and_the_next_goes_on() {
    let (place, backend) = (Place::new(), Backend::serve());
    let harness = place.harness(&backend);
    backend.instead("index", 500, r#"{"message": "the disk is on fire"}"#);
    let reply = harness.command("sync", &[], place.project()).expect("it runs");
    assert!(reply.exit == 1 && reply.text.contains("the disk is on fire"), "{}", reply.text);
    let (stands, reason) = state(&prompt(&place, &harness, "yes, go on"));
    assert!(stands == State::Stale && reason.contains("the disk is on fire"), "{reason}");
    backend.kept().instead.clear();
    assert_eq!(harness.command("sync", &[], place.project()).expect("it runs").exit, 0);
}

#[test]
fn a_folder_without_a_repository_says_so() {
    let (place, backend) = (Place::new(), Backend::serve());
    fs::create_dir_all(place.path("empty")).expect("a folder");
    let harness = place.harness(&backend);
    let reply = harness.command("sync", &[], place.path("empty")).expect("it runs");
    assert!(reply.exit == 3 && reply.text.contains("no git repository"), "{}", reply.text);
}
