//! A library that says something wrong of itself costs its own section and leaves one finding that says what.

use super::{compile, copy_with, inject, is, only_finding, replace, rogue, text};
use crate::harness::{Place, codes, example, providers};

/// A rogue beside a good provider: one finding with this code and text, and the good section.
#[track_caller]
fn check(defines: &[String], code: &str, says: &str) {
    let place = Place::with(&[example("good")]);
    let library = rogue(&place, defines);
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"], "{defines:?}: {injection:#}");
    assert_eq!(codes(&injection), [code], "{defines:?}: {injection:#}");
    let finding = only_finding(&injection);
    let message = finding["message"].as_str().expect("a message");
    assert!(message.contains(says), "{defines:?}: {message}");
    assert_eq!(finding["pointer"], library.to_string_lossy().as_ref(), "it says whose it is");
}

/// The same for many at once, of which none comes further than its file.
#[track_caller]
fn check_files(cases: &[(Vec<String>, &str, &str)]) {
    let place = Place::with(&[example("good")]);
    let library = |number: usize| format!("providers/{number:02}.so");
    for (number, (defines, ..)) in cases.iter().enumerate() {
        compile(&place, "rogue", &library(number), defines);
    }
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"], "{injection:#}");
    let findings = injection["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), cases.len(), "{injection:#}");
    for (number, (finding, (defines, code, says))) in findings.iter().zip(cases).enumerate() {
        let file = place.path(library(number));
        assert_eq!(finding["pointer"], file.to_string_lossy().as_ref(), "in the order of their names");
        assert_eq!(finding["code"], *code, "{defines:?}: {finding:#}");
        assert!(
            finding["message"].as_str().is_some_and(|text| text.contains(says)),
            "{defines:?}: {finding:#}"
        );
    }
}

#[test]
fn a_note_and_a_door_are_both_needed() {
    check_files(&[
        (vec![is("WITHOUT_ENTRY", "1")], "library-no-door", "exports no `ctxhost_entry_v1`"),
        (vec![is("WITHOUT_NOTE", "1")], "library-no-note", "has no `.ctxhost` note"),
        (vec![is("WITHOUT_NOTE", "1"), is("WITHOUT_ENTRY", "1")], "library-no-note", "not a provider"),
    ]);
}

/// A note with one field changed.
fn note(field: &str, value: &str) -> String {
    let mut note = serde_json::json!({
        "id": "c-rogue", "version": "1.0.0", "title": "Rogue", "abi": "1.0", "spec": "envelope/v1", "events": ["prompt"],
    });
    note[field] = serde_json::from_str(value).expect("JSON");
    text("NOTE", &note.to_string())
}

#[test]
fn a_note_must_be_one() {
    let deep = "[".repeat(20_000);
    let long = " ".repeat(70_000);
    let texts = [
        ("{\"id\":", "its note cannot be read"),
        ("", "its note cannot be read"),
        ("[]", "its note cannot be read"),
        ("{}", "missing field `id`"),
        ("{} {}", "its note cannot be read"),
        (&deep, "its note cannot be read"),
        (&long, "bytes long"),
    ];
    let mut cases: Vec<_> =
        texts.iter().map(|(note, says)| (vec![text("NOTE", note)], "library-bad-note", *says)).collect();
    let long = "x".repeat(65);
    for id in ["../c-rogue", "a/b", "", "A", "a--b", "-a", ".", "a b", "\u{e9}", &long] {
        cases.push((vec![note("id", &format!("{id:?}"))], "library-bad-note", "id is not"));
    }
    cases.push((vec![note("id", "7")], "library-bad-note", "its note cannot be read"));
    check_files(&cases);
}

#[test]
fn the_abi_must_be_this_hosts() {
    check_files(&[
        (vec![note("abi", "\"2.0\"")], "library-abi", "speaks ABI 2.0, and this host speaks ABI 1"),
        (vec![note("abi", "\"0.9\"")], "library-abi", "speaks ABI 0.9"),
        (vec![note("abi", "\"one\"")], "library-abi", "speaks ABI one"),
        (vec![note("abi", "\"\"")], "library-abi", "this host speaks ABI 1"),
    ]);
    check(&[is("MAJOR", "2")], "c-rogue open", "its table says ABI 2");
}

#[test]
fn another_minor_number_is_welcome() {
    let place = Place::new();
    let later = |name| {
        text(
            name,
            r#"{"id":"c-rogue","version":"1","title":"R","abi":"1.7","spec":"envelope/v1","events":["prompt"]}"#,
        )
    };
    rogue(&place, &[later("NOTE"), later("MANIFEST")]);
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["c-rogue"], "{injection:#}");
    assert!(codes(&injection).is_empty(), "{injection:#}");
}

#[test]
fn a_table_must_be_whole() {
    check(&[is("TABLE", "NULL")], "c-rogue open", "returned no table");
    check(&[is("SIZE", "8")], "c-rogue open", "smaller than ABI 1's: 8 bytes");
    check(&[is("SIZE", "0")], "c-rogue open", "smaller than ABI 1's: 0 bytes");
    check(&[is("INVOKE", "NULL")], "c-rogue open", "no function `invoke`");
}

#[test]
fn a_larger_table_is_welcome() {
    let place = Place::new();
    rogue(&place, &[is("SIZE", "1000")]);
    assert_eq!(providers(&inject(&place)), ["c-rogue"]);
}

#[test]
fn what_the_host_cannot_do_is_refused() {
    check(&[is("FLAGS", "2")], "c-rogue open", "asks for a process of its own");
    check(&[note("panic", "\"abort\"")], "c-rogue refused", "panic=abort");
}

#[test]
fn the_manifest_must_agree_with_the_note() {
    let manifest = |json: &str| text("MANIFEST", json);
    check(&[note("version", "\"2.0.0\"")], "c-rogue manifest", "differs from its note in `version`");
    check(&[note("id", "\"other\"")], "other manifest", "differs from its note in `id`");
    check(&[note("spec", "\"ide-context/v0.2\"")], "c-rogue manifest", "differs from its note in `spec`");
    check(
        &[note("events", r#"["prompt", "turn.end"]"#)],
        "c-rogue manifest",
        "differs from its note in `events`",
    );
    check(&[manifest("garbage")], "c-rogue manifest", "its manifest is not one");
    check(&[manifest("")], "c-rogue manifest", "its manifest is not one");
    check(&[manifest("{}")], "c-rogue manifest", "missing field");
}

#[test]
fn a_changed_layout_is_refused_by_door_1() {
    // What a provider looks like that was built with another major number of the boundary's crate.
    let place = Place::new();
    compile(&place, "provider", "providers/c-words.so", &[]);
    copy_with(&example("good"), &place.path("providers/libgood.so"), |bytes| {
        replace(bytes, "ctxhost-abi;1.", "ctxhost-abi;2.");
    });
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["c-words"]);
    assert_eq!(codes(&injection), ["good open"], "{injection:#}");
    let finding = only_finding(&injection);
    assert!(
        finding["message"].as_str().is_some_and(|text| text.contains("laid out differently")),
        "{finding:#}"
    );
    let hint = finding["hint"].as_str().expect("a hint");
    assert!(hint.contains("1.0.0") && hint.contains("2.0.0"), "the hint says what differs: {hint}");
}

#[test]
fn a_header_of_another_checker_leaves_door_2() {
    let place = Place::new();
    copy_with(&example("good"), &place.path("providers/libgood.so"), |bytes| {
        replace(bytes, "abi stable library for Rust     ", "abi stable library for Rust 2   ");
    });
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"]);
    assert_eq!(codes(&injection), ["good door"], "{injection:#}");
    let finding = only_finding(&injection);
    assert_eq!(finding["level"], "warning");
    assert!(
        finding["message"].as_str().is_some_and(|text| text.contains("could not be checked")),
        "{finding:#}"
    );
}
