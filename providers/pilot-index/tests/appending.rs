//! Code after the prompt.

use ctxhost_sdk::prelude::*;

use crate::support::{Place, REGISTRY, Talk, body, codes, keys, said, until};

#[test]
fn the_defining_code_follows_the_prompt() {
    let place = Place::new();
    let harness = place.harness();
    let reply = Talk::new(&place, &harness).prompt("Why does add_name return False?");
    assert_eq!(keys(&reply)[0], "file:src/registry.py");
    let shown = body(&reply, "file:src/registry.py");
    assert!(shown.contains("### Registry.add_name (method) - src/registry.py:7\n```python\n"), "{shown}");
    assert!(shown.contains("if name in self.names:"), "{shown}");
    assert!(shown.ends_with("Beside it: tests/test_registry.py\n"), "{shown}");
    let section = &reply.sections[0];
    assert_eq!((section.placement, section.trust), (Placement::Prompt, Trust::Workspace));
    assert!(!section.sources.is_empty() && section.variants.len() >= 2);
    let said = said(&reply);
    assert!(said.index.complete && said.index.files >= 3 && said.index.root_hash.is_some());
    let add = said.selection[0].symbols.iter().find(|symbol| symbol.name == "Registry.add_name");
    assert!(add.expect("it is chosen").signals.exact > 2.3);
    assert_eq!(said.companions[0].file, "tests/test_registry.py");
    assert_eq!(reply.status.expect("it is shown").text, format!("pilot:{}s", said.index.symbols));
    assert_eq!(codes(&Talk::new(&place, &harness).prompt("x")), [""; 0]);
}

#[test]
fn nothing_that_matches_gives_nothing() {
    let place = Place::new();
    let harness = place.harness();
    let reply = Talk::new(&place, &harness).prompt("zzz qqq");
    assert!(reply.sections.is_empty() && reply.messages.is_none());
    assert!(said(&reply).selection.is_empty());
}

#[test]
fn the_same_choice_gives_the_same_bytes() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    let bodies = |reply: &Reply| {
        reply.sections.iter().map(|s| (s.key.clone(), s.variants.clone())).collect::<Vec<_>>()
    };
    let first = talk.prompt("Why does add_name return False?");
    harness.set_now(place.now + 3_600.0);
    let second = talk.prompt("Why does add_name return False?");
    assert_eq!(bodies(&first), bodies(&second));
}

#[test]
fn an_edit_is_seen_by_the_next_prompt() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    talk.prompt("anything");
    let text = REGISTRY.replace("def drop_name", "def forget_name");
    talk.edit("edit", "src/registry.py", json!({"newText": "def forget_name"}), &text);
    let reply = talk.prompt("what does forget_name do?");
    let shown = body(&reply, "file:src/registry.py");
    assert!(shown.contains("def forget_name") && !shown.contains("drop_name"), "{shown}");
    assert!(said(&reply).index.complete);
    // A file from outside, without any event.
    place.write("project/src/late.py", "def arrived_late():\n    return 1\n");
    let reply = talk.prompt("where is arrived_late?");
    assert!(keys(&reply).contains(&"file:src/late.py"), "{:?}", keys(&reply));
}

#[test]
fn a_file_that_was_edited_lately_is_nearer() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    let proximity = |reply: &Reply| {
        let said = said(reply);
        let file = said.selection.iter().find(|file| file.file == "src/registry.py").cloned();
        file.expect("it is chosen").symbols[0].signals.proximity
    };
    assert_eq!(proximity(&talk.prompt("add_name")), 0.0);
    talk.edit("edit", "src/registry.py", json!({}), REGISTRY);
    assert!(proximity(&talk.prompt("add_name")) > 0.9);
}

#[test]
fn the_budget_is_held() {
    let place = Place::new();
    for (append, host) in [(60, 100_000), (6_000, 60)] {
        let harness = place.harness_with(json!({"append_tokens": append, "memoryEnabled": false}));
        let mut request = harness.request("prompt", place.path("project"));
        request.data["text"] = json!("add_name drop_name start_server Registry");
        request.budget.tokens = host;
        let reply = harness.event(&request).expect("a reply");
        let tokens: u64 = reply.sections.iter().map(|section| section.variants[0].tokens).sum();
        assert!((1..=60).contains(&tokens), "{tokens}");
        assert_eq!(said(&reply).budget.expect("it is said").retrieved, tokens);
    }
}

#[test]
fn a_long_lived_host_indexes_in_the_background() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    let started = talk.event("session.start", json!({"reason": "startup"})).expect("a reply");
    assert!(started.sections.is_empty());
    until(|| said(&talk.event("compact", json!({"phase": "after"})).expect("a reply")).index.complete);
    let told = harness.notifications();
    assert!(
        told.iter()
            .any(|told| matches!(told, Notify::Status { status } if status.text.starts_with("pilot:")))
    );
}

#[test]
fn files_that_hold_secrets_by_name_are_not_offered() {
    let place = Place::new();
    place.write("project/.env", "FROBNICATE_TOKEN=abc\n");
    place.write("project/config.ini", "frobnicate_token = from environment\n");
    let harness = place.harness();
    let reply = Talk::new(&place, &harness).prompt("where is frobnicate_token set?");
    assert_eq!(keys(&reply), ["file:config.ini"]);
}

#[test]
fn a_watched_project_is_indexed_before_anybody_asks() {
    let place = Place::new();
    let harness = place.harness_with(json!({"watch": true}));
    let talk = Talk::new(&place, &harness);
    talk.event("session.start", json!({"reason": "startup"})).expect("a reply");
    // `compact` looks at no file itself, so what it sees came by itself.
    let seen = || said(&talk.event("compact", json!({"phase": "after"})).expect("a reply")).index;
    until(|| seen().complete);
    let before = seen().files;
    place.write("project/src/unasked.py", "def unasked():\n    pass\n");
    until(|| seen().files == before + 1);
}

#[test]
fn a_project_that_is_gone_or_too_wide_is_said_and_harms_nothing() {
    let place = Place::new();
    let harness = place.harness();
    let reply = harness.prompt("add_name", place.path("home")).expect("a reply");
    assert_eq!(codes(&reply), ["project-refused"]);
    let reply = harness.prompt("add_name", place.path("nowhere")).expect("a reply");
    assert_eq!(codes(&reply), ["project-gone"]);
    assert!(reply.sections.is_empty());
    let mut request = harness.request("prompt", "relative");
    request.session.cwd = "relative".to_owned();
    assert!(harness.event(&request).is_err());
}
