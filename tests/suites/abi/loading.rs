//! What may happen while a library is opened and asked, beyond what it says of itself.

use std::fs;

use super::{
    INJECT, bodies, compile, inject, injected, is, only_finding, rogue, run_within_a_minute, text, until,
};
use crate::harness::{Place, codes, example, providers};

#[test]
fn a_library_that_hangs_when_it_is_opened_costs_nobody_else() {
    let place = Place::with(&[example("good")]);
    place.config("[deadlines]\nprompt = 3000\n");
    rogue(&place, &[is("WHEN_LOADED", "name_and_sleep")]);
    let named = place.path("named");
    for _ in 0..2 {
        let mut command = place.command(&INJECT);
        command.env("ROGUE_FILE", &named);
        let injection = injected(&run_within_a_minute(command));
        assert_eq!(providers(&injection), ["good"], "{injection:#}");
        assert_eq!(codes(&injection), ["c-rogue late"], "{injection:#}");
        // The process that it hung in is not left behind.
        let process = fs::read_to_string(&named).expect("the constructor ran");
        until(|| !is_running(process.trim()));
    }
}

/// Whether a process runs; one that only waits to be buried does not.
fn is_running(process: &str) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| stat.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with('Z')))
}

#[test]
fn a_library_that_hangs_is_told_of_where_there_is_time() {
    let place = Place::with(&[example("good")]);
    rogue(&place, &[is("WHEN_LOADED", "sleep_for_ever")]);
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"], "{injection:#}");
    assert_eq!(codes(&injection), ["c-rogue open"], "{injection:#}");
    let message = only_finding(&injection)["message"].as_str().expect("a message");
    assert!(message.contains("does not come to an end within 5 s"), "{message}");
}

#[test]
fn a_library_that_crashes_when_it_is_opened_is_refused() {
    let place = Place::with(&[example("good")]);
    rogue(&place, &[is("WHEN_LOADED", "crash_at_once")]);
    for _ in 0..2 {
        let injection = inject(&place);
        assert_eq!(providers(&injection), ["good"], "{injection:#}");
        assert_eq!(codes(&injection), ["c-rogue open"], "{injection:#}");
        let message = only_finding(&injection)["message"].as_str().expect("a message");
        assert!(message.contains("crashes its process, with signal 11"), "{message}");
    }
}

#[test]
fn a_library_that_needs_what_is_not_there_is_told_of() {
    let place = Place::with(&[example("good")]);
    let source = place.write("needed.c", "int needed(void) { return 7; }");
    let needed = place.path("libneeded-by-c-rogue.so");
    super::built(std::process::Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&needed).arg(&source));
    rogue(&place, &["-Wl,--no-as-needed".to_owned(), needed.to_string_lossy().into_owned()]);
    fs::remove_file(&needed).expect("removed");
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["good"], "{injection:#}");
    assert_eq!(codes(&injection), ["c-rogue open"], "{injection:#}");
    let finding = only_finding(&injection);
    assert!(
        finding["message"].as_str().is_some_and(|text| text.contains("libneeded-by-c-rogue.so")),
        "{finding:#}"
    );
    assert!(
        finding["hint"].as_str().is_some_and(|hint| hint.contains("install what the library needs")),
        "{finding:#}"
    );
}

#[test]
fn a_library_is_tried_out_once() {
    let place = Place::new();
    rogue(&place, &[is("WHEN_LOADED", "write_file")]);
    let mark = place.path("mark");
    for times in [2, 3, 4] {
        let mut command = place.command(&INJECT);
        command.env("ROGUE_FILE", &mark);
        assert_eq!(providers(&injected(&run_within_a_minute(command))), ["c-rogue"]);
        let expected = if cfg!(target_os = "linux") { times } else { times - 1 };
        assert_eq!(fs::read(&mark).expect("the constructor ran").len(), expected);
    }
}

#[test]
fn a_late_answer_stays_out_however_long_the_others_take() {
    let place = Place::new();
    // The defaults hold, and what the manifests ask for.
    place.config("[deadlines]\n");
    let late = |milliseconds: &str| [is("LATE_MS", milliseconds), is("WHEN_INVOKED", "late")];
    let patient = [text("ID", "patient"), text("MORE", r#","deadlines":{"prompt":15000}"#)];
    compile(&place, "rogue", "providers/patient.so", &[&late("1500")[..], &patient].concat());
    compile(&place, "rogue", "providers/late.so", &[&late("800")[..], &[text("ID", "late")]].concat());
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["patient"], "{injection:#}");
    assert_eq!(codes(&injection), ["late late"], "{injection:#}");
}

#[test]
fn a_provider_that_fails_leaves_the_good_one_as_it_is() {
    let place = Place::with(&[example("good")]);
    rogue(&place, &[text("REPLY", "")]);
    let injection = inject(&place);
    assert_eq!(codes(&injection), ["c-rogue not-json"]);
    assert_eq!(bodies(&injection), ["the good section\n"]);
}
