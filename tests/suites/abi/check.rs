//! `ctxhost check`, on libraries good and bad.

use std::path::Path;

use serde_json::Value;

use super::{compile, is, rogue, run_within_a_minute};
use crate::harness::{Place, example};

/// The verdicts of a check: its exit code, and why each test failed that did.
#[track_caller]
fn check(place: &Place, library: &Path, more: &[&str]) -> (i32, Vec<(String, Option<String>)>) {
    let library = library.to_string_lossy();
    let arguments = [&["check", &library, "--json"], more].concat();
    let output = run_within_a_minute(place.command(&arguments));
    let document: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let verdicts: Vec<_> = document["tests"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| (text(&row["test"]).expect("a name"), text(&row["why"])))
        .collect();
    let failed = verdicts.iter().filter(|(_, why)| why.is_some()).count();
    assert_eq!(document["failed"], failed, "{document:#}");
    (output.status.code().expect("it ends by itself"), verdicts)
}

/// The tests that failed, with the reasons.
fn failures(verdicts: &[(String, Option<String>)]) -> Vec<(&str, &str)> {
    verdicts.iter().filter_map(|(name, why)| Some((name.as_str(), why.as_deref()?))).collect()
}

#[test]
fn good_providers_pass_every_test() {
    let place = Place::new();
    let c_words = compile(&place, "provider", "c-words.so", &[]);
    for library in [example("good"), c_words] {
        let (code, verdicts) = check(&place, &library, &[]);
        assert_eq!(failures(&verdicts), [], "{}", library.display());
        assert_eq!(code, 0);
        assert!(verdicts.len() >= 15, "the whole suite ran: {verdicts:?}");
    }
}

#[test]
fn a_crash_costs_its_test_and_not_the_rest() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_INVOKED", "crash")]);
    let (code, verdicts) = check(&place, &library, &[]);
    assert_eq!(code, 1);
    let why = |name: &str| verdicts.iter().find(|(test, _)| test == name).expect("the test ran").1.as_deref();
    for name in ["reply", "deterministic", "create-twice", "threads", "destroy"] {
        assert!(why(name).is_some_and(|why| why.contains("signal 11")), "{name}: {:?}", why(name));
    }
    for name in ["preflight", "manifest", "unknown-op"] {
        assert_eq!(why(name), None, "{name}");
    }
}

#[test]
fn printing_is_told() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_LOADED", "print")]);
    let (code, verdicts) = check(&place, &library, &["--only", "reply"]);
    assert_eq!(code, 1);
    let [("reply", why)] = failures(&verdicts)[..] else { panic!("{verdicts:?}") };
    assert!(why.contains("the library printed") && why.contains("hello from the constructor"), "{why}");
}

#[test]
fn a_flood_is_read_to_its_end_and_shown_in_part() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_LOADED", "flood")]);
    let (code, verdicts) = check(&place, &library, &["--only", "manifest"]);
    assert_eq!(code, 1);
    let [("manifest", why)] = failures(&verdicts)[..] else { panic!("{verdicts:?}") };
    assert!(why.contains("the library printed") && why.len() < 10_000, "{} bytes", why.len());
}

#[test]
fn a_hanging_provider_is_ended_at_the_limit() {
    let place = Place::new();
    let library = rogue(&place, &[is("WHEN_INVOKED", "hang")]);
    let (code, verdicts) = check(&place, &library, &["--limit", "2", "--only", "cancelled"]);
    assert_eq!(code, 1);
    assert_eq!(failures(&verdicts), [("cancelled", "did not end within 2 s")]);

    let library = rogue(&place, &[is("WHEN_LOADED", "sleep_for_ever")]);
    let (code, verdicts) = check(&place, &library, &["--limit", "2", "--only", "manifest"]);
    assert_eq!(code, 1);
    assert_eq!(failures(&verdicts), [("manifest", "did not end within 2 s")]);
    let (code, verdicts) = check(&place, &library, &["--limit", "2", "--only", "preflight"]);
    assert_eq!((code, failures(&verdicts)), (0, vec![]), "nothing of it runs in the first test");
}

#[test]
fn files_that_stay_open_are_told() {
    let place = Place::new();
    let library = rogue(&place, &[is("LEAKS", "1")]);
    let (code, verdicts) = check(&place, &library, &["--only", "destroy"]);
    assert_eq!(code, 1);
    let [("destroy", why)] = failures(&verdicts)[..] else { panic!("{verdicts:?}") };
    assert!(why.contains("files were open before"), "{why}");
}

#[test]
fn calls_overlap_only_where_the_flag_allows() {
    let place = Place::new();
    let takes_turns = rogue(&place, &[is("WHEN_INVOKED", "stay")]);
    let (_, verdicts) = check(&place, &takes_turns, &["--only", "threads"]);
    assert_eq!(failures(&verdicts), []);

    // The same code with the flag set notices, so that the test above means something.
    let overlaps = rogue(&place, &[is("WHEN_INVOKED", "stay"), is("FLAGS", "CTXHOST_FLAG_THREAD_SAFE")]);
    let (code, verdicts) = check(&place, &overlaps, &["--only", "threads"]);
    assert_eq!(code, 1);
    let [("threads", why)] = failures(&verdicts)[..] else { panic!("{verdicts:?}") };
    assert!(why.contains("two calls at once"), "{why}");
}

#[test]
fn what_is_no_provider_fails_every_test() {
    let place = Place::new();
    let library = rogue(&place, &[is("WITHOUT_NOTE", "1")]);
    let (code, verdicts) = check(&place, &library, &[]);
    assert_eq!(code, 1);
    let failures = failures(&verdicts);
    assert_eq!(failures.len(), verdicts.len(), "{verdicts:?}");
    assert!(failures.iter().all(|(_, why)| why.contains("has no `.ctxhost` note")), "{failures:?}");

    let text = place.write("providers/text.so", "no library");
    let (code, verdicts) = check(&place, &text, &["--only", "preflight"]);
    assert_eq!(code, 1);
    assert!(
        verdicts[0].1.as_deref().is_some_and(|why| why.contains("not a whole library file")),
        "{verdicts:?}"
    );

    let output = run_within_a_minute(place.command(&["check", "no-such-provider"]));
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}
