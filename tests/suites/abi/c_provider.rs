//! A provider in C comes in by door 2 and is like any other.

use std::fs;

use super::{INJECT, bodies, compile, inject, injected, is, rogue, run_within_a_minute, text};
use crate::harness::{Place, codes, example, providers};

#[test]
fn its_section_arrives() {
    let place = Place::with(&[example("good")]);
    compile(&place, "provider", "providers/c-words.so", &[]);
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["c-words", "good"]);
    assert_eq!(bodies(&injection)[0], "The prompt has 4 words.\n");
    assert!(codes(&injection).is_empty(), "{injection:#}");
}

#[test]
fn it_counts_what_a_prompt_may_hold() {
    let place = Place::new();
    compile(&place, "provider", "providers/c-words.so", &[]);
    for (prompt, words) in [(" ", 0), ("one", 1), ("  a  \"b\"\nc\\ \u{e9} ", 4), ("x}", 1), ("\\", 0)] {
        let output = run_within_a_minute(place.command(&["inject", "--prompt", prompt, "--format", "json"]));
        assert_eq!(bodies(&injected(&output)), [format!("The prompt has {words} words.\n")], "{prompt:?}");
    }
}

#[test]
fn list_shows_it() {
    let place = Place::new();
    let library = compile(&place, "provider", "providers/c-words.so", &[]);
    let listed = place.run(&["list", "--json"]).ends(0).json();
    assert_eq!(listed["providers"][0]["note"]["id"], "c-words");
    assert_eq!(listed["providers"][0]["note"]["title"], "Words, in C");
    assert_eq!(listed["providers"][0]["file"], library.to_string_lossy().as_ref());
    assert_eq!(listed["providers"][0]["trust"], "third-party");
    assert_eq!(listed["providers"][0]["state"], "ready");
    assert_eq!(listed["findings"], serde_json::json!([]));
}

#[test]
fn its_log_is_heard() {
    let place = Place::new();
    compile(&place, "provider", "providers/c-words.so", &[]);
    let ran = place.run(&["inject", "--prompt", "hello", "--verbose"]).ends(0);
    assert_eq!(ran.err, "c-words: the C provider is there\n");
}

#[test]
fn its_note_stays_through_optimization_and_strip() {
    let place = Place::new();
    let flags =
        ["-O3", "-ffunction-sections", "-fdata-sections", "-fvisibility=hidden", "-Wl,--gc-sections", "-s"];
    compile(&place, "provider", "providers/c-words.so", &flags.map(str::to_owned));
    assert_eq!(providers(&inject(&place)), ["c-words"]);
}

#[test]
fn its_thread_may_log_until_destroy_returns() {
    let place = Place::new();
    rogue(&place, &[is("WITH_THREAD", "1")]);
    let mut command = place.command(&INJECT);
    command.arg("--verbose");
    let output = run_within_a_minute(command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let lines: Vec<String> = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
    assert_eq!(lines.last().map(String::as_str), Some("c-rogue: the instance ends"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "c-rogue: the thread ends").count(), 1, "{lines:?}");
    assert_eq!(lines.first().map(String::as_str), Some("c-rogue: still here"), "{lines:?}");
}

#[test]
fn it_is_loaded_only_for_events_that_it_asked_for() {
    let place = Place::with(&[example("good")]);
    let head = r#"{"id":"c-rogue","version":"1.0.0","title":"T","abi":"1.0","spec":"envelope/v1","events":["turn.end"]}"#;
    rogue(&place, &[is("WHEN_LOADED", "write_file"), text("NOTE", head), text("MANIFEST", head)]);
    let mark = place.path("mark");
    let mut command = place.command(&INJECT);
    command.env("ROGUE_FILE", &mark);
    let injection = injected(&run_within_a_minute(command));
    assert_eq!(providers(&injection), ["good"]);
    assert!(codes(&injection).is_empty(), "{injection:#}");
    assert!(!mark.exists(), "it was loaded for an event that it did not ask for");
}

#[test]
fn listing_runs_none_of_its_code() {
    let place = Place::new();
    rogue(&place, &[is("WHEN_LOADED", "write_file")]);
    let mark = place.path("mark");
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("ROGUE_FILE", &mark);
        run_within_a_minute(command)
    };
    for arguments in [&["list"][..], &["list", "--json"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("c-rogue"), "{output:?}");
        assert!(!mark.exists(), "{arguments:?} ran the library's constructor");
    }
    assert_eq!(providers(&injected(&run(&INJECT))), ["c-rogue"]);
    assert!(mark.exists(), "the constructor runs when it is asked");
}

#[test]
fn the_first_of_an_id_wins_and_the_other_is_listed() {
    let place = Place::new();
    fs::create_dir(place.path("more")).expect("a folder");
    let first = rogue(&place, &[]);
    let second = compile(&place, "rogue", "more/c-rogue.so", &[text("REPLY", "never asked")]);
    let both = format!("{}:{}", place.path("providers").display(), place.path("more").display());
    let run = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command.env("CTXHOST_PROVIDER_PATH", &both);
        run_within_a_minute(command)
    };
    let listed = run(&["list", "--json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("a document");
    let rows = listed["providers"].as_array().expect("a list");
    let states: Vec<_> = rows.iter().map(|row| (row["file"].as_str(), row["state"].as_str())).collect();
    let shadowed = format!("shadowed by {}", first.display());
    assert_eq!(states, [(first.to_str(), Some("ready")), (second.to_str(), Some(shadowed.as_str()))]);
    let shown = String::from_utf8_lossy(&run(&["list"]).stdout).into_owned();
    assert!(shown.contains(&shadowed), "{shown}");
    let injection = injected(&run(&INJECT));
    assert_eq!(bodies(&injection), ["the rogue's text\n"]);
    assert!(codes(&injection).is_empty(), "{injection:#}");
}
