//! Selections whose time belongs to another buffer.

use ctxhost_sdk::{prelude::*, protocol::ide_context::SelectionState};
use ctxhost_testkit::Harness;
use ide_context::IdeContext;

use crate::support::{NOW, Place, contribution, selection};

fn show(place: &Place, pid: u32, file: &str, selected_at: f64) {
    let mut state = place.state(pid, "project", file);
    state["active_buffer"]["selection"] = selection("some text", selected_at);
    place.put(pid, &state);
}

fn ask_in(harness: &Harness<IdeContext>, place: &Place, session: Option<&str>) -> SelectionState {
    let mut request = harness.request("prompt", place.path("project"));
    request.session.id = session.map(str::to_owned);
    contribution(&harness.event(&request).expect("a reply")).selection
}

#[test]
fn a_time_that_was_seen_with_one_file_is_not_taken_for_another_files() {
    let mut place = Place::new();
    let pid = place.process();
    let harness = place.harness();
    show(&place, pid, "project/b.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, Some("s")), SelectionState::Fresh);
    show(&place, pid, "project/a.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, Some("s")), SelectionState::Stale);
    // Also for another process, such as the next hook.
    assert_eq!(ask_in(&place.harness(), &place, Some("s")), SelectionState::Stale);
    show(&place, pid, "project/b.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, Some("s")), SelectionState::Fresh);
    show(&place, pid, "project/a.txt", NOW - 1.0);
    assert_eq!(
        ask_in(&harness, &place, Some("s")),
        SelectionState::Fresh,
        "the user selected something here"
    );
}

#[test]
fn a_question_without_a_session_leaves_nothing_behind() {
    let mut place = Place::new();
    let pid = place.process();
    let harness = place.harness();
    show(&place, pid, "project/b.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, None), SelectionState::Fresh);
    show(&place, pid, "project/a.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, None), SelectionState::Fresh);
    assert!(!place.path("kept").exists());
}

#[test]
fn two_editors_may_share_a_time() {
    let mut place = Place::new();
    let (first, second) = (place.process(), place.process());
    let harness = place.harness();
    show(&place, first, "project/b.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, Some("s")), SelectionState::Fresh);
    std::fs::remove_file(place.state_file(first)).expect("it is ours");
    show(&place, second, "project/a.txt", NOW - 5.0);
    assert_eq!(ask_in(&harness, &place, Some("s")), SelectionState::Fresh);
}

#[test]
fn undated_and_empty_selections_are_not_sent() {
    let mut place = Place::new();
    let pid = place.process();
    let harness = place.harness();
    let mut state = place.state(pid, "project", "project/a.txt");
    for (text, written, selected_at, word) in [
        ("x", NOW, json!(null), SelectionState::Stale),
        ("", NOW, json!(NOW), SelectionState::None),
        // Nothing is selected after it was written down.
        ("x", NOW, json!(NOW + 10.0), SelectionState::Fresh),
        ("x", NOW - 61.0, json!(NOW + 10.0), SelectionState::Stale),
        ("x", NOW + 1e9, json!(NOW + 1e9), SelectionState::Stale),
    ] {
        state["timestamp"] = json!(written);
        state["active_buffer"]["selection"] = selection(text, NOW);
        state["active_buffer"]["selection"]["selected_at"] = selected_at.clone();
        place.put(pid, &state);
        assert_eq!(ask_in(&harness, &place, None), word, "{text:?} {written} {selected_at}");
    }
}
