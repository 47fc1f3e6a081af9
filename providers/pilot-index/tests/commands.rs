//! The commands.

use ctxhost_sdk::{prelude::*, protocol::envelope::Life};
use ctxhost_testkit::Harness;
use pilot_index::PilotIndex;

use crate::support::{Place, REGISTRY, Talk, body, keys, said};

fn run(harness: &Harness<PilotIndex>, place: &Place, name: &str, args: &[&str]) -> CommandReply {
    harness.command(name, args, place.path("project")).expect("it runs")
}

#[test]
fn the_index_is_made_shown_and_brought_up_to_date() {
    let place = Place::new();
    let harness = place.harness();
    let reply = run(&harness, &place, "reindex", &[]);
    assert!(reply.text.starts_with("indexed anew: ") && reply.exit == 0, "{}", reply.text);
    assert!(harness.notifications().iter().any(|told| matches!(told, Notify::Progress { .. })));
    let stats = run(&harness, &place, "index-stats", &[]);
    assert!(stats.text.contains("  method: 2\n") && stats.text.contains("  python: "), "{}", stats.text);
    assert_eq!(stats.data.expect("it has a document")["complete"], true);
    place.write("project/src/new.py", "def brand_new():\n    pass\n");
    std::fs::remove_file(place.path("project/src/server.py")).expect("it is there");
    let sync = run(&harness, &place, "watcher-sync", &[]);
    assert!(
        sync.text.starts_with("1 added (src/new.py), 0 modified, 1 deleted (src/server.py): "),
        "{}",
        sync.text
    );
    assert!(keys(&Talk::new(&place, &harness).prompt("brand_new")).contains(&"file:src/new.py"));
    let status = run(&harness, &place, "watcher-status", &[]);
    let root = status.data.expect("it has a document")["root_hash"].as_str().expect("a text").to_owned();
    assert!(root.len() == 64 && status.text.contains(&format!("root hash: {root}")), "{}", status.text);
    place.write("project/src/new.py", "def brand_newer():\n    pass\n");
    let other = run(&harness, &place, "watcher-status", &[]);
    assert_ne!(other.data.expect("it has a document")["root_hash"], root);
}

#[test]
fn retrieval_is_switched_off_and_on_for_the_project() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    assert_eq!(run(&harness, &place, "index-status", &[]).text, "retrieval is off for this project\n");
    let reply = talk.prompt("add_name");
    assert!(reply.sections.is_empty() && !said(&reply).enabled);
    // It holds for the next process too.
    assert!(!said(&Talk::new(&place, &place.harness()).prompt("add_name")).enabled);
    assert_eq!(run(&harness, &place, "index-status", &["on"]).text, "retrieval is on for this project\n");
    assert!(!talk.prompt("add_name").sections.is_empty());
    assert_eq!(run(&harness, &place, "index-status", &["maybe"]).exit, 2);
}

#[test]
fn the_memory_is_shown_switched_and_deleted() {
    let place = Place::new();
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    let edit = || {
        talk.prompt("Make add_name refuse");
        talk.edit("edit", "src/registry.py", json!({"newText": "return False"}), REGISTRY);
    };
    edit();
    let stats = run(&harness, &place, "memory-stats", &[]).text;
    let path = place.path("project/.pilot/memories.jsonl");
    assert_eq!(stats, format!("enabled: yes\nepisodes: 1\npath: {}\n", path.display()));
    assert_eq!(run(&harness, &place, "memory-status", &[]).text, "the memory is off for this project\n");
    assert!(body(&talk.prompt("add_name refuse"), "memory").is_empty());
    edit();
    assert!(run(&harness, &place, "memory-stats", &[]).text.contains("episodes: 1\n"));
    assert_eq!(run(&harness, &place, "memory-status", &["on"]).text, "the memory is on for this project\n");
    assert!(!body(&talk.prompt("add_name refuse"), "memory").is_empty());
    assert_eq!(run(&harness, &place, "memory-clear", &[]).text, "1 episodes deleted\n");
    assert!(!path.exists());
}

#[test]
fn what_other_processes_chose_can_be_looked_at() {
    let place = Place::new();
    let ask = |id: &'static str, life: Life, prompt: &str| {
        let harness = place.harness();
        Talk { id, life, ..Talk::new(&place, &harness) }.prompt(prompt);
    };
    let debug = || run(&place.harness(), &place, "context-debug", &[]);
    ask("one", Life::Once, "Why does add_name fail with hunter2?");
    ask("two", Life::Long, "drop_name");
    ask("one", Life::Once, "what does start_server do?");
    let reply = debug();
    assert_eq!(reply.text.matches("session ").count(), 2, "{}", reply.text);
    for part in [
        "session one of testkit, just now:\nmode: append\n",
        "start_server (function)",
        "session two",
        "Registry.drop_name",
    ] {
        assert!(reply.text.contains(part), "{part}: {}", reply.text);
    }
    // Neither code nor what was asked is kept, and of each conversation the last choice alone.
    for part in ["hunter2", "words:", "return", "add_name fail"] {
        assert!(!reply.text.contains(part), "{part}: {}", reply.text);
    }
    assert_eq!(reply.data.expect("a document")["choices"].as_array().expect("a list").len(), 2);
    // A question that belongs to no conversation, or only wants an explanation, leaves nothing.
    let harness = place.harness();
    let mut request = harness.request("prompt", place.path("project"));
    request.data = json!({"text": "Registry"});
    harness.event(&request).expect("a reply");
    request.session.id = Some("three".to_owned());
    request.explain = true;
    harness.event(&request).expect("a reply");
    assert_eq!(debug().text.matches("session ").count(), 2);
    run(&harness, &place, "index-status", &["off"]);
    assert_eq!(debug().exit, 3);
}

#[test]
fn what_was_chosen_can_be_looked_at() {
    let place = Place::new();
    let harness = place.harness();
    assert_eq!(run(&harness, &place, "context-debug", &[]).exit, 3);
    Talk::new(&place, &harness).prompt("Why does add_name in src/registry.py:9 fail?");
    let text = run(&harness, &place, "context-debug", &[]).text;
    for part in [
        "mode: append\n",
        "files mentioned: src/registry.py:9\n",
        "exact 3.00",
        "proximity",
        "beside it: tests/",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(harness.command("dance", &[], place.path("project")).is_err());
    assert_eq!(run(&harness, &place, "reindex", &["now"]).exit, 2);
}
