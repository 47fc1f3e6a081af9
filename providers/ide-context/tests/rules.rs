//! The ignore rules, from their files to what is left out.

use std::{fs, os::unix::fs::symlink};

use ctxhost_sdk::{
    prelude::*,
    protocol::ide_context::{Connection, SECRET_RULES},
    serde_json,
};

use crate::support::{NOW, Place, ask, codes, contribution, selection};

const PROJECT_LIST: &str = "project/.pi/ide-context.local.ignore";
const GLOBAL_LIST: &str = "home/.pi/agent/ide-context.ignore";

/// A place with one editor on a file that has a fresh selection.
fn place_on(file: &str) -> Place {
    let mut place = Place::new();
    let pid = place.process();
    let mut state = place.state(pid, "project", file);
    state["active_buffer"]["selection"] = selection("secret", NOW);
    place.put(pid, &state);
    place
}

#[track_caller]
fn assert_excluded(reply: &Reply, list: &str, pattern: &str, line: u64) {
    assert!(reply.sections.is_empty(), "nothing is offered");
    let contribution = contribution(reply);
    assert!(contribution.snapshot.is_none());
    assert_eq!(contribution.connection, Connection::Connected, "the connection stays");
    let rule = contribution.excluded.expect("a rule keeps it out");
    assert_eq!((rule.file.as_str(), rule.pattern.as_str(), rule.line), (list, pattern, line));
    assert!(!serde_json::to_string(reply).expect("JSON").contains("secret\""), "its text is nowhere");
}

/// The line of a built-in rule.
fn line_of(rule: &str) -> u64 {
    SECRET_RULES.lines().position(|line| line == rule).expect("it is built in") as u64 + 1
}

#[test]
fn secrets_are_kept_out_from_the_start_and_can_be_taken_back() {
    let place = place_on("project/.env");
    let harness = place.harness();
    let reply = ask(&harness, &place).expect("a reply");
    assert_excluded(&reply, "built-in", "*.env", line_of("*.env"));
    let detail = reply.status.and_then(|status| status.detail).expect("it is shown");
    assert!(detail.ends_with(": .env is kept out by the built-in rule `*.env`"), "{detail}");

    // Rules are read again for every prompt.
    place.write(GLOBAL_LIST, "!.env\n");
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
    place.write(PROJECT_LIST, "\n.env\n");
    assert_excluded(&ask(&harness, &place).expect("a reply"), &place.text(PROJECT_LIST), ".env", 2);
    fs::remove_file(place.path(GLOBAL_LIST)).expect("it is ours");
    place.write(PROJECT_LIST, "!.env\n");
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
}

#[test]
fn the_built_in_rules_can_be_switched_off() {
    let place = place_on("project/.env");
    assert_eq!(
        ask(&place.harness_with(json!({"secret_rules": false})), &place).expect("a reply").sections.len(),
        1
    );
}

#[test]
fn a_project_without_trust_can_only_exclude_more() {
    let place = place_on("project/.env");
    place.write(PROJECT_LIST, "!.env\n*.txt\n");
    let harness = place.harness();
    let mut request = harness.request("prompt", place.path("project"));
    request.session.trusted = false;
    let reply = harness.event(&request).expect("a reply");
    assert_excluded(&reply, "built-in", "*.env", line_of("*.env"));
    assert_eq!(codes(&reply), ["rules-untrusted"]);

    // It takes nothing back from its own rules either, and says so for every such line.
    for (file, list, pattern) in [
        ("project/a.rs", "*.rs\n!a.rs\n", "*.rs"),
        ("project/secrets/a", "secrets/\n!secrets/\n", "secrets/"),
    ] {
        let place = place_on(file);
        place.write(PROJECT_LIST, list);
        request.session.cwd = place.text("project");
        let reply = place.harness().event(&request).expect("a reply");
        assert_excluded(&reply, &place.text(PROJECT_LIST), pattern, 1);
        assert_eq!(codes(&reply), ["rules-untrusted"]);
        assert!(reply.findings[0].message.starts_with("`!"), "{}", reply.findings[0].message);
        assert_eq!(ask(&place.harness(), &place).expect("a reply").sections.len(), 1, "with trust it does");
    }

    let place = place_on("project/a.txt");
    place.write(PROJECT_LIST, "*.txt\n");
    request.session.cwd = place.text("project");
    let reply = place.harness().event(&request).expect("a reply");
    assert_excluded(&reply, &place.text(PROJECT_LIST), "*.txt", 1);
    assert_eq!(codes(&reply), Vec::<&str>::new());
}

#[test]
fn the_agents_folder_of_the_request_comes_first() {
    let place = place_on("project/a.txt");
    place.write(GLOBAL_LIST, "*.txt\n");
    place.write("agent/ide-context.ignore", "# nothing\n");
    let harness = place.harness();
    let mut request = harness.request("prompt", place.path("project"));
    assert_excluded(&harness.event(&request).expect("a reply"), &place.text(GLOBAL_LIST), "*.txt", 1);
    request.agent.config_dir = Some(place.text("agent"));
    assert_eq!(harness.event(&request).expect("a reply").sections.len(), 1);
}

#[test]
fn outside_of_the_project_only_the_global_rules_hold_from_the_editors_directory() {
    let mut place = Place::new();
    let pid = place.process();
    // Its directory is the project's, so it is connected; its file is not inside.
    place.put(pid, &place.state(pid, "project", "elsewhere/sub/a.txt"));
    place.write(PROJECT_LIST, "*\n");
    let harness = place.harness();
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1, "the project's rules end with it");
    // Outside of both directories the root is the base.
    place.write(GLOBAL_LIST, "/sub\n");
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
    place.write(GLOBAL_LIST, "sub/\n");
    assert_excluded(&ask(&harness, &place).expect("a reply"), &place.text(GLOBAL_LIST), "sub/", 1);
    // Inside of the editor's directory that is the base.
    let mut state = place.state(pid, "elsewhere", "elsewhere/sub/a.txt");
    state["argv"] = json!([place.text("project")]);
    place.put(pid, &state);
    place.write(GLOBAL_LIST, "/sub\n");
    assert_excluded(&ask(&harness, &place).expect("a reply"), &place.text(GLOBAL_LIST), "/sub", 1);
}

#[test]
fn a_relative_path_that_cannot_be_resolved_is_tested_as_reported() {
    let mut place = Place::new();
    let pid = place.process();
    let mut state = place.state(pid, "project", "x");
    state["cwd"] = json!("My Vault");
    state["active_buffer"]["file"] = json!("Private/foo.md");
    place.put(pid, &state);
    let harness = place.harness();
    // Nothing speaks for it, so it has to be chosen.
    harness.command("connect", &[&pid.to_string()], place.path("project")).expect("it is chosen");
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
    place.write(PROJECT_LIST, "Private/\n");
    assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
    place.write(GLOBAL_LIST, "/Private/*.md\n");
    assert_excluded(&ask(&harness, &place).expect("a reply"), &place.text(GLOBAL_LIST), "/Private/*.md", 1);
}

#[test]
fn a_link_to_an_excluded_file_is_excluded() {
    let place = place_on("project/notes.txt");
    place.write("project/.env", "KEY=1\n");
    symlink(".env", place.path("project/notes.txt")).expect("a link");
    assert_excluded(&ask(&place.harness(), &place).expect("a reply"), "built-in", "*.env", line_of("*.env"));

    let place = place_on("project/notes/credentials");
    place.write("home/.aws/credentials", "[default]\n");
    symlink(place.path("home/.aws"), place.path("project/notes")).expect("a link");
    assert!(contribution(&ask(&place.harness(), &place).expect("a reply")).excluded.is_some());
}

#[test]
fn a_list_that_cannot_be_read_stops_the_injection_with_one_warning() {
    for list in [GLOBAL_LIST, PROJECT_LIST] {
        let place = place_on("project/a.txt");
        fs::create_dir_all(place.path(list)).expect("a folder in its place");
        let harness = place.harness();
        let reply = ask(&harness, &place).expect("a reply");
        assert!(reply.sections.is_empty() && contribution(&reply).snapshot.is_none());
        assert_eq!(contribution(&reply).connection, Connection::Connected);
        assert_eq!(codes(&reply), ["rules-unreadable"]);
        assert_eq!(reply.findings[0].level, Level::Warning);
        assert_eq!(reply.findings[0].pointer, Some(place.text(list)));
        fs::remove_dir(place.path(list)).expect("it is ours");
        assert_eq!(ask(&harness, &place).expect("a reply").sections.len(), 1);
    }
}

#[test]
fn lines_that_are_no_pattern_are_skipped_with_one_warning_a_list() {
    let place = place_on("project/a.txt");
    place.write(GLOBAL_LIST, "a[\n*.log\nb\\\n");
    let reply = ask(&place.harness(), &place).expect("a reply");
    assert_eq!((reply.sections.len(), codes(&reply)), (1, vec!["rules-invalid"]));
    assert!(
        reply.findings[0].message.ends_with("no valid pattern in line 1, 3"),
        "{}",
        reply.findings[0].message
    );
}

#[test]
fn a_list_is_never_so_large_that_a_prompt_comes_late() {
    let place = place_on("project/a.txt");
    for list in ["?".repeat(1 << 20), "**/".repeat(350_000), "x\n".repeat(150_000)] {
        place.write(PROJECT_LIST, list);
        let reply = ask(&place.harness(), &place).expect("a reply");
        assert!(reply.sections.is_empty());
        assert_eq!(codes(&reply), ["rules-unreadable"]);
        assert!(reply.findings[0].message.contains("is larger than 64 KiB"), "{}", reply.findings[0].message);
    }
    for (list, found) in [
        (format!("{}\n*.log\n", "**/".repeat(1_400)), vec!["rules-invalid"]),
        (format!("{}\n", "**/".repeat(1_300)).repeat(16), vec![]),
        ("x\n".repeat(32_000), vec![]),
    ] {
        place.write(PROJECT_LIST, list);
        let reply = ask(&place.harness(), &place).expect("a reply");
        assert_eq!((reply.sections.len(), codes(&reply)), (1, found));
        assert!(reply.findings.iter().all(|finding| finding.hint.is_some()));
    }
}

#[test]
fn without_an_editor_no_list_is_read() {
    let mut place = Place::new();
    place.write(PROJECT_LIST, "*.txt\n");
    // The oldest time there is, so that a system which notes reading at all notes the first.
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let list = fs::File::options().write(true).open(place.path(PROJECT_LIST)).expect("it is there");
    list.set_times(fs::FileTimes::new().set_accessed(long_ago)).expect("it is ours");
    let last_read =
        || fs::metadata(place.path(PROJECT_LIST)).and_then(|list| list.accessed()).expect("a time");
    assert_eq!(contribution(&ask(&place.harness(), &place).expect("a reply")).connection, Connection::None);
    assert_eq!(last_read(), long_ago);
    place.editor("project/a.txt");
    assert!(contribution(&ask(&place.harness(), &place).expect("a reply")).excluded.is_some());
}
