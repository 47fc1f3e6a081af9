//! What reaches the agent, and what only the person.

use ctxhost_sdk::{
    prelude::*,
    protocol::ide_context::{Connection, SelectionState},
};

use crate::support::{NOW, Place, ask, codes, contribution, fullest, selection};

#[test]
fn the_only_editor_is_connected_and_its_file_is_offered() {
    let mut place = Place::new();
    let pid = place.editor("project/src/main.ts");
    let reply = ask(&place.harness(), &place).expect("a reply");
    let file = place.text("project/src/main.ts");
    assert_eq!(
        fullest(&reply),
        format!(
            "### IDE Context\n- **File**: `{file}`\n- **Cursor**: line 3, column 1\n- **Buffer**: 9 lines\n"
        )
    );
    let section = &reply.sections[0];
    assert_eq!(
        (section.key.as_str(), section.placement, section.trust),
        ("editor", Placement::Prompt, Trust::Editor)
    );
    assert!(section.sources.is_empty() && section.person.is_none());
    let contribution = contribution(&reply);
    assert_eq!((contribution.connection, contribution.candidates), (Connection::Connected, 1));
    assert_eq!(contribution.snapshot.expect("it is accepted").active_buffer.file, Some(file));
    let editor = contribution.editor.expect("it is connected");
    assert_eq!((editor.pid, editor.tier, editor.chosen), (u64::from(pid), Some(0), false));
    let status = reply.status.expect("it is shown");
    assert_eq!(status.text, "\u{E6AE}\u{E8CA}");
    assert_eq!(status.detail, Some(format!("nvim {pid}: in main.ts")));
    assert_eq!(reply.findings, []);
}

#[test]
fn a_session_starts_with_a_status_and_nothing_else() {
    let mut place = Place::new();
    place.editor("project/src/main.ts");
    let harness = place.harness_with(json!({"glyphs": "ascii"}));
    let reply = harness.event(&harness.request("session.start", place.path("project"))).expect("a reply");
    assert!(reply.sections.is_empty() && contribution(&reply).snapshot.is_none());
    assert_eq!(contribution(&reply).connection, Connection::Connected);
    assert_eq!(reply.status.expect("it is shown").text, "nvim:ts");
}

#[test]
fn block_quote_and_entry_come_from_one_snapshot() {
    let mut place = Place::new();
    let pid = place.editor("project/src/main.ts");
    let mut state = place.state(pid, "project", "project/src/main.ts");
    state["active_buffer"]["selection"] = selection("let x;\n  let y;", NOW - 2.0);
    place.put(pid, &state);
    let harness = place.harness();
    let reply = ask(&harness, &place).expect("a reply");
    assert!(
        fullest(&reply).ends_with("- **Selection**: lines 2-3\n\n```\nlet x;\n  let y;\n```\n"),
        "{}",
        fullest(&reply)
    );
    let person = reply.sections[0].person.clone().expect("it is quoted");
    assert_eq!(person.quote.as_deref(), Some("↳ main.ts:2-3 · let x; let y;"));
    assert_eq!(person.entry.expect("it is stored").data["text"], "let x; let y;");
    assert_eq!(contribution(&reply).selection, SelectionState::Fresh);
    assert_eq!(
        reply.status.and_then(|status| status.detail),
        Some(format!("nvim {pid}: 2 lines selected in main.ts"))
    );

    harness.set_now(NOW + 58.0);
    assert_eq!(contribution(&ask(&harness, &place).expect("a reply")).selection, SelectionState::Fresh);
    harness.set_now(NOW + 58.1);
    let reply = ask(&harness, &place).expect("a reply");
    assert_eq!(contribution(&reply).selection, SelectionState::Stale);
    assert!(!fullest(&reply).contains("Selection") && reply.sections[0].person.is_none());
}

#[test]
fn a_relative_file_is_offered_by_its_absolute_path() {
    let mut place = Place::new();
    let pid = place.editor("project/x");
    let mut state = place.state(pid, "project", "x");
    state["app"] = json!("obsidian");
    state["active_buffer"]["file"] = json!("Notes/foo.md");
    place.put(pid, &state);
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert!(fullest(&reply).contains(&format!("- **File**: `{}`\n", place.text("project/Notes/foo.md"))));
}

#[test]
fn what_is_no_file_is_not_offered_and_stays_connected() {
    for file in [json!(null), json!(""), json!("term://~//7:/bin/sh"), json!("/tmp"), json!("oil:///tmp/")] {
        let mut place = Place::new();
        let pid = place.process();
        let mut state = place.state(pid, "project", "x");
        state["active_buffer"]["file"] = file.clone();
        place.put(pid, &state);
        let reply = ask(&place.harness(), &place).expect("a reply");
        assert!(reply.sections.is_empty(), "{file}");
        let contribution = contribution(&reply);
        assert!(
            contribution.snapshot.is_none() && contribution.connection == Connection::Connected,
            "{file}"
        );
        assert_eq!(reply.status.expect("it is shown").text, "\u{E6AE}", "{file}");
    }
}

#[test]
fn a_table_is_offered_without_a_file() {
    let mut place = Place::new();
    let pid = place.process();
    let mut state = place.state(pid, "project", "x");
    state["app"] = json!("jetbrains");
    state["product"] = json!("DataGrip");
    state["active_buffer"] = json!({"name": "rooms", "selection": selection("x", NOW)});
    state["database"] =
        json!({"table": "rooms", "schema": "public", "cell": {"row": 4, "column": "a", "value": null}});
    place.put(pid, &state);
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert_eq!(
        fullest(&reply),
        "### IDE Context\n- **Table**: `public.rooms`\n- **Cell**: row 4, column `a`: NULL\n"
    );
    assert_eq!(contribution(&reply).selection, SelectionState::None);
    let status = reply.status.expect("it is shown");
    assert_eq!(
        (status.text.as_str(), status.detail),
        ("\u{E7BD}\u{E706}", Some(format!("DataGrip {pid}: table public.rooms")))
    );
}

#[test]
fn a_selection_of_nearly_a_whole_state_file_still_fits_into_a_reply() {
    let mut place = Place::new();
    let pid = place.editor("project/a.txt");
    let mut state = place.state(pid, "project", "project/a.txt");
    state["active_buffer"]["selection"] = selection(&"0123456789abcde\n".repeat(60_000), NOW);
    place.put(pid, &state);
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert!(fullest(&reply).len() > 200 * 1024);
    assert!(fullest(&reply).ends_with("more lines of the selection are left out)\n"));
    assert_eq!(reply.sections[0].variants.len(), 4);
    assert!(contribution(&reply).snapshot.is_some());
}

#[test]
fn invalid_utf8_costs_a_character_and_not_the_state() {
    let mut place = Place::new();
    let pid = place.process();
    let mut state = place.state(pid, "project", "project/a.txt");
    state["active_buffer"]["selection"] = selection("gr-HERE-", NOW);
    let mut bytes = state.to_string().into_bytes();
    let at = bytes.windows(6).position(|window| window == b"-HERE-").expect("it is there");
    bytes.splice(at..at + 6, *b"\xc3\xb6\xc3");
    place.put_bytes(pid, bytes);
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert!(fullest(&reply).contains("\ngrö\u{fffd}\n"), "{}", fullest(&reply));
}

#[test]
fn an_editor_that_was_killed_is_gone_and_its_file_stays() {
    let mut place = Place::new();
    let pid = place.editor("project/a.txt");
    let harness = place.harness();
    assert!(!ask(&harness, &place).expect("a reply").sections.is_empty());
    place.kill(pid);
    // Its parent, which is this test, has not looked yet; and the kernel needs a moment.
    let mut reply = ask(&harness, &place).expect("a reply");
    for _ in 0..1_000 {
        if reply.sections.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
        reply = ask(&harness, &place).expect("a reply");
    }
    assert_eq!(contribution(&reply).connection, Connection::None);
    assert_eq!(reply.status.expect("it is shown").text, "\u{EAE3}");
    assert!(place.state_file(pid).exists());
}

#[test]
fn a_process_id_that_was_used_again_is_no_editor() {
    let mut place = Place::new();
    let pid = place.editor("project/a.txt");
    place.age(pid, 3600);
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert_eq!(contribution(&reply).connection, Connection::None);
    assert_eq!(codes(&reply), Vec::<&str>::new());
}
