//! What people are told.

use std::fs;

use ctxhost_sdk::{prelude::*, serde_json::Value};

use crate::support::{NOW, Place, selection};

/// No process has this id, because it is above the limit of any system.
const UNUSED: u32 = 2_000_000_000;

/// A place with two editors in the project, one below it, one elsewhere and one in another worktree.
struct Many {
    place: Place,
    older: u32,
    newer: u32,
    below: u32,
    elsewhere: u32,
    worktree: u32,
}

fn many() -> Many {
    let mut place = Place::new();
    place.write("project/.git/HEAD", "ref: refs/heads/main\n");
    place.write("project/.git/worktrees/other/commondir", "../..\n");
    place.write("other/.git", format!("gitdir: {}\n", place.text("project/.git/worktrees/other")));
    let mut add = |cwd: &str, timestamp: f64, argv: Value| {
        let pid = place.process();
        let mut state = place.state(pid, cwd, &format!("{cwd}/a.txt"));
        state["timestamp"] = json!(timestamp);
        state["argv"] = argv;
        place.put(pid, &state);
        pid
    };
    let older = add("project", NOW - 7200.0, json!(["src/"]));
    let newer = add("project", NOW - 61.0, json!(["./docs/"]));
    let below = add("project/src", NOW, json!([]));
    let elsewhere = add("home/notes", NOW - 3.0, json!([]));
    let worktree = add("other", NOW - 10.0, json!([]));
    Many { place, older, newer, below, elsewhere, worktree }
}

fn run(place: &Place, name: &str, args: &[&str]) -> CommandReply {
    place.harness().command(name, args, place.path("project")).expect("a reply")
}

/// The lines of a text with their columns squeezed.
fn squeezed(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_list_shows_the_best_tier_newest_first() {
    let Many { place, older, newer, .. } = many();
    let reply = run(&place, "list", &[]);
    assert_eq!(reply.exit, 0);
    let project = place.text("project");
    let short = |path: &str| {
        let count = path.chars().count();
        if count <= 40 {
            path.to_owned()
        } else {
            format!("…{}", path.chars().skip(count - 39).collect::<String>())
        }
    };
    assert_eq!(
        squeezed(&reply.text),
        [
            "PID EDITOR DIRECTORY STARTED WITH BUFFER ACTIVE".to_owned(),
            format!("{newer} nvim {} docs/ a.txt 1m ago", short(&project)),
            format!("{older} nvim {} src/ a.txt 2h ago", short(&project)),
            "3 other editors are not offered here; `list --all` says why".to_owned(),
        ]
    );
    let data = reply.data.expect("for programs");
    assert_eq!(data["editors"][0]["pid"], newer);
    assert_eq!(data["not_offered"], 3);
}

#[test]
fn a_list_of_all_says_why_an_editor_is_not_offered() {
    let Many { place, newer, below, elsewhere, worktree, .. } = many();
    place.put_bytes(UNUSED, "{}");
    let reply = run(&place, "list", &["--all"]);
    let line = |pid: u32| {
        let lines = squeezed(&reply.text);
        lines
            .into_iter()
            .find(|line| line.split(' ').any(|word| word == pid.to_string()))
            .expect("it is listed")
    };
    assert!(line(newer).ends_with("its directory is this directory"), "{}", reply.text);
    assert!(line(below).ends_with("not offered: an editor whose directory is exactly this one comes first"));
    assert!(line(elsewhere).contains(" ~/notes "));
    assert!(line(elsewhere).ends_with("not offered: it is in another directory"));
    assert!(line(worktree).ends_with("not offered: it is in another worktree of the same repository"));
    assert!(
        reply.text.ends_with("1 state file is left behind by an editor that is gone\n"),
        "{}",
        reply.text
    );
    let data = reply.data.expect("for programs");
    let tiers: Vec<&Value> =
        data["editors"].as_array().expect("a list").iter().map(|editor| &editor["tier"]).collect();
    assert_eq!(tiers, [&json!(1), &json!(null), &json!(2), &json!(0), &json!(0)]);
}

#[test]
fn a_list_of_nothing_says_where_it_looked() {
    let place = Place::new();
    let reply = run(&place, "list", &[]);
    assert_eq!((reply.exit, reply.text), (3, format!("no editor belongs to {}\n", place.text("project"))));
    fs::remove_dir(place.states()).expect("it is ours");
    let reply = run(&place, "list", &["--all"]);
    assert!(reply.exit == 3 && reply.text.contains("no editor has written to "), "{}", reply.text);
    let mut place = Place::new();
    let pid = place.process();
    place.put(pid, &place.state(pid, "home/notes", "home/notes/a.txt"));
    let reply = run(&place, "list", &[]);
    assert!(
        reply.exit == 3 && reply.text.contains("elsewhere:\n") && reply.text.contains("~/notes"),
        "{}",
        reply.text
    );
}

#[test]
fn connecting_without_an_editor_is_a_choice() {
    let Many { place, older, newer, below, .. } = many();
    let reply = run(&place, "connect", &[]);
    let args =
        |reply: &CommandReply| reply.choices.iter().map(|choice| choice.args.concat()).collect::<Vec<_>>();
    assert_eq!(args(&reply), [newer.to_string(), older.to_string(), "--all".to_owned()]);
    assert_eq!(reply.choices[0].detail.as_deref(), Some("its directory is this directory"));
    assert_eq!(reply.choices[2].label, "Show 3 more editors");
    assert_eq!(run(&place, "connect", &["--all"]).choices.len(), 5);

    let reply = run(&place, "connect", &[&below.to_string()]);
    assert_eq!(reply.exit, 0);
    assert!(reply.text.starts_with(&format!("nvim {below} is connected (a.txt in ")), "{}", reply.text);
    let reply = run(&place, "connect", &[]);
    assert_eq!(
        args(&reply),
        [below.to_string(), newer.to_string(), older.to_string(), "--all".into(), "off".into()]
    );
    assert!(reply.choices[0].label.starts_with("✓  "), "{}", reply.choices[0].label);
    let reply = run(&place, "disconnect", &[]);
    assert!(reply.text.starts_with(&format!("nvim {below} is disconnected; ")), "{}", reply.text);
    let reply = run(&place, "connect", &["off"]);
    assert!(reply.exit == 0 && reply.text.starts_with("no editor is connected; "), "{}", reply.text);
}

#[test]
fn what_is_not_there_cannot_be_connected() {
    let mut place = Place::new();
    let (broken, old) = (place.process(), place.editor("project/a.txt"));
    place.put_bytes(broken, "[]");
    place.age(old, 3600);
    for (pid, told) in [
        (UNUSED.to_string(), "no editor has the process id 2000000000"),
        (broken.to_string(), "is off its spec"),
        (old.to_string(), "is gone: another process has this id"),
    ] {
        let reply = run(&place, "connect", &[&pid]);
        assert!(reply.exit == 3 && reply.text.contains(told), "{}", reply.text);
    }
    assert!(!place.path("kept").exists(), "nothing is kept");
    assert_eq!(run(&place, "connect", &[]).exit, 3, "there is nothing to choose from");
}

#[test]
fn wrong_arguments_are_answered_with_the_form() {
    let place = Place::new();
    for (name, args) in [
        ("list", &["x"][..]),
        ("connect", &["x"]),
        ("connect", &["-1"]),
        ("connect", &["1", "2"]),
        ("disconnect", &["1"]),
        ("status", &["x"]),
        ("doctor", &["x"]),
    ] {
        let reply = run(&place, name, args);
        assert!(
            reply.exit == 2 && reply.text.starts_with(&format!("usage: {name}")),
            "{name}: {}",
            reply.text
        );
    }
}

#[test]
fn a_status_says_what_is_connected_and_what_reaches_the_agent() {
    let mut place = Place::new();
    let reply = run(&place, "status", &[]);
    assert!(reply.exit == 3 && reply.text.contains("no editor belongs to this directory"), "{}", reply.text);
    let pid = place.process();
    let mut state = place.state(pid, "project", "project/a.txt");
    state["active_buffer"]["selection"] = selection("x", NOW - 90.0);
    place.put(pid, &state);
    let reply = run(&place, "status", &[]);
    assert_eq!(
        reply.text,
        format!(
            "nvim {pid} is connected: it is the only one here, and its directory is this directory\n\
             it shows: in a.txt\n\
             selection: lines 2-3, stale: made 90.0 s ago, and 60 s is the limit\n\
             injected: yes\n\
             built-in secret rules: on (an extension of the protocol; setting `secret_rules`)\n"
        )
    );
    state["active_buffer"]["file"] = json!(place.text("project/tls.key"));
    place.put(pid, &state);
    let reply = run(&place, "status", &[]);
    assert!(
        reply.text.contains("injected: no, because the built-in rule `*.key` keeps it out\n"),
        "{}",
        reply.text
    );
}

#[test]
fn the_doctor_explains_every_state_file_and_the_outcome() {
    let Many { place, older, newer, below, elsewhere, worktree } = many();
    place.write("home/.pi/agent/ide-context.ignore", "*.log\n*.t?t\n");
    place.put_bytes(UNUSED, "{}");
    place.age(elsewhere, 3600);
    place.put_bytes(older, "{\"pid\": 7, \"cwd\": 7}");
    let mut state = place.state(newer, "project", "project/b.txt");
    state["active_buffer"]["selection"] = selection("x", NOW - 5.0);
    place.put(newer, &state);
    let reply = run(&place, "doctor", &[]);
    let line = |pid: u32, skip: usize| {
        let start = format!("  {}:", place.state_file(pid).display());
        reply
            .text
            .lines()
            .skip_while(|line| !line.starts_with(&start))
            .nth(skip)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    assert!(reply.text.contains("pi-ide (XDG_RUNTIME_DIR) holds 6 state files\n"), "{}", reply.text);
    assert!(line(UNUSED, 0).ends_with("dead, no process has this id"));
    assert!(line(elsewhere, 0).contains("dead, another process has this id since "));
    assert!(
        line(older, 0).ends_with("off its spec at /cwd: it should be a text and is a number"),
        "{}",
        reply.text
    );
    assert!(line(newer, 0).ends_with("nvim, alive, written just now"));
    assert_eq!(
        line(below, 1),
        "tier 1: not offered: an editor whose directory is exactly this one comes first"
    );
    assert_eq!(line(worktree, 1), "tier 2: not offered: it is in another worktree of the same repository");
    assert_eq!(line(newer, 1), "tier 0: its directory is this directory");
    let list = place.text("home/.pi/agent/ide-context.ignore");
    assert_eq!(
        line(newer, 2),
        format!("file {}, kept out by `*.t?t` ({list}:2)", place.text("project/b.txt"))
    );
    assert_eq!(line(newer, 3), "selection: lines 2-3, fresh: made 5.0 s ago");
    assert!(reply.text.contains(&format!("ignore list: {list}: 2 rules\n")));
    assert!(reply.text.contains("ide-context.local.ignore: does not exist\n"));
    assert!(reply.text.contains("your choice: none, so the automatic rule applies\n"));
    assert!(
        reply.text.ends_with(&format!("injected: no, because `*.t?t` ({list}:2) keeps it out\n")),
        "{}",
        reply.text
    );
    assert_eq!(reply.exit, 1);
    let data = reply.data.expect("for programs");
    assert_eq!((&data["injected"], data["files"].as_array().map(Vec::len)), (&json!(false), Some(6)));

    fs::remove_file(list).expect("it is ours");
    let reply = run(&place, "doctor", &[]);
    assert!(reply.exit == 0 && reply.text.ends_with("injected: yes with its selection\n"), "{}", reply.text);
}

#[test]
fn the_doctor_says_why_a_directory_is_not_read() {
    use std::os::unix::fs::PermissionsExt;
    let mut place = Place::new();
    place.editor("project/a.txt");
    fs::set_permissions(place.states(), fs::Permissions::from_mode(0o777)).expect("it is ours");
    let reply = run(&place, "doctor", &[]);
    assert!(
        reply.text.contains("is not read, because it has the mode 777, which lets other users write"),
        "{}",
        reply.text
    );
    assert_eq!(reply.exit, 1);
}

#[test]
fn texts_from_editors_cannot_steer_a_terminal() {
    let mut place = Place::new();
    let pid = place.process();
    let mut state = place.state(pid, "project", "project/a.txt");
    state["app"] = json!("\u{1b}[2Jnvim\u{202e}");
    state["argv"] = json!(["\u{1b}]0;x\u{7}\nnext"]);
    state["active_buffer"]["name"] = json!("a\r\nb\u{9b}");
    place.put(pid, &state);
    for (name, args) in [("list", &["--all"][..]), ("doctor", &[]), ("status", &[]), ("connect", &[])] {
        let reply = run(&place, name, args);
        let text = format!(
            "{}{}",
            reply.text,
            reply.choices.iter().map(|choice| choice.label.clone()).collect::<String>()
        );
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(steers), "{name}: {text:?}");
    }
}
