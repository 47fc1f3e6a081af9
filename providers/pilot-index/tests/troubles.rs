//! What is missing or broken around the provider costs no answer, and is said.

use std::fs;

use ctxhost_sdk::prelude::*;

use crate::support::{Place, Talk, body, codes, said, until};

fn detail(reply: &Reply) -> String {
    let status = reply.status.clone().expect("there is a status");
    status.detail.unwrap_or_default()
}

/// A question is answered as ever, and these findings are told with it, in the status too where there are any.
fn check(
    place: &Place,
    harness: &ctxhost_testkit::Harness<pilot_index::PilotIndex>,
    expected: &[&str],
) -> Reply {
    let reply = Talk::new(place, harness).prompt("Why does add_name return False?");
    assert!(body(&reply, "file:src/registry.py").contains("if name in self.names:"), "{reply:?}");
    assert_eq!(codes(&reply), expected);
    assert!(said(&reply).index.complete);
    for finding in &reply.findings {
        assert!(detail(&reply).contains(&finding.message), "{finding:?}");
    }
    reply
}

#[test]
fn a_cache_folder_that_is_no_folder_costs_no_answer() {
    let place = Place::new();
    place.write("cache", "no folder");
    let harness = place.harness();
    check(&place, &harness, &["cache-unwritable"]);
    // Everything is in memory, so the next question finds it there and sees changes all the same.
    place.write("project/src/new.py", "def brand_new():\n    pass\n");
    let reply = Talk::new(&place, &harness).prompt("Where is brand_new?");
    assert!(body(&reply, "file:src/new.py").contains("def brand_new"), "{reply:?}");
    assert_eq!(fs::read_to_string(place.path("cache")).expect("it is still there"), "no folder");
}

#[test]
fn a_grammar_library_that_cannot_be_used_is_told() {
    let place = Place::new();
    let name = format!("{}ctxhost_grammars{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    place.write(&format!("grammars/{name}"), "no library");
    let harness =
        place.builder(json!({})).env("CTXHOST_GRAMMARS", place.path("grammars")).build().expect("it starts");
    let reply = check(&place, &harness, &["grammar-unusable"]);
    assert!(reply.findings[0].message.contains(&name), "{:?}", reply.findings);
}

#[test]
fn without_grammars_the_status_says_what_is_done_instead() {
    let place = Place::new();
    let reply = check(&place, &place.harness(), &[]);
    let lines = detail(&reply);
    assert!(lines.contains("\ndefinitions by patterns, without a grammar: markdown, python"), "{lines}");
    // No grammar is fetched, made or kept anywhere.
    let mut folders = vec![place.path("cache"), place.path("home"), place.path("kept")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            assert!(!path.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX), "{}", path.display());
            folders.extend(path.is_dir().then_some(path));
        }
    }
}

#[test]
fn a_file_that_is_known_in_part_is_told_once_by_its_reason() {
    let place = Place::new();
    place.write("project/data.txt", &"word ".repeat(100_000));
    let harness = place.harness();
    check(&place, &harness, &["partial-too-large"]);
    let stats = harness.command("index-stats", &[], place.path("project")).expect("it runs");
    let line = "1 file is found by a part only (data.txt): too large to be read whole";
    assert!(stats.text.lines().any(|found| found == line), "{}", stats.text);
}

#[test]
fn what_the_background_tells_says_the_same_of_switches_and_memory() {
    let place = Place::new();
    for number in 0..200 {
        place.write(&format!("project/pkg/part_{number}.py"), &format!("def part_{number}():\n    pass\n"));
    }
    let harness = place.harness();
    let talk = Talk::new(&place, &harness);
    let told = |seen: usize| -> Vec<String> {
        let all = harness.notifications().into_iter().filter_map(|told| match told {
            Notify::Status { status } => status.detail,
            _ => None,
        });
        all.skip(seen).collect()
    };
    talk.event("session.start", json!({"reason": "start"})).expect("a reply");
    until(|| !told(0).is_empty());
    // It is counted once it was looked at.
    let says_memory = |detail: &String| {
        ["\nmemory: on\n", "\nmemory: 0 episodes\n"].iter().any(|line| detail.contains(line))
    };
    assert!(told(0).iter().all(says_memory), "{:?}", told(0));
    assert!(!told(0).iter().any(|detail| detail.contains("switched off")), "{:?}", told(0));
    for command in ["index-status", "memory-status"] {
        harness.command(command, &["off"], place.path("project")).expect("it runs");
    }
    let seen = told(0).len();
    talk.edit(
        "edit",
        "src/registry.py",
        json!({"newText": "return None"}),
        "def add_name():\n    return None\n",
    );
    // Old numbers may have been on their way when the switches were turned.
    let is_off = |detail: &String| {
        detail.contains("retrieval is switched off") && detail.contains("\nmemory: switched off")
    };
    until(|| told(seen).last().is_some_and(is_off));
}
