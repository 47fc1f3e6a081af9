//! What the commands say, and what the tools do.

use std::{fs, os::unix::fs::PermissionsExt};

use ctxhost_sdk::{
    prelude::*,
    protocol::envelope::Session,
    serde_json::{Value, json},
};

use crate::support::Place;

fn text_of(reply: &ToolReply) -> &str {
    match &reply.content[0] {
        Content::Text { text } => text,
        Content::Image { .. } => "",
    }
}

#[test]
fn maps_are_made_once_and_git_sees_none_of_them() {
    let place = Place::new();
    let harness = place.harness(json!({"smallPackageThreshold": 3}));
    let reply = harness.command("init", &[], place.path("")).expect("it runs");
    assert_eq!(reply.exit, 0, "{}", reply.text);
    assert!(
        reply.text.starts_with("made: wrote 8 artifacts; 4 pairs over 12 files, about "),
        "{}",
        reply.text
    );
    assert_eq!(reply.data.expect("a document")["pairs"], 4);
    assert!(harness.notifications().iter().any(|told| matches!(told, Notify::Progress { .. })));
    let dirs = ["", "src/", "src/net/", "web/"];
    let names: Vec<String> = dirs
        .iter()
        .flat_map(|dir| [".pi-map.index.md", ".pi-map.md"].map(|name| format!("{dir}{name}")))
        .collect();
    let mut wanted = names.clone();
    wanted.sort();
    assert_eq!(place.maps().into_keys().collect::<Vec<_>>(), wanted);
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    let again = place.run("init", &[]);
    assert_eq!(again.exit, 2);
    assert!(again.text.contains("`validate`") && again.text.contains("`reinit`"), "{}", again.text);
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn they_say_nothing_of_this_machine_or_of_time() {
    let (one, two) = (Place::new(), Place::new());
    for place in [&one, &two] {
        place.run("init", &[]);
    }
    assert_eq!(one.maps(), two.maps());
}

#[test]
fn settings_are_written_when_they_are_asked_for() {
    let place = Place::new();
    let reply = place.run("init", &["--write-config"]);
    assert!(reply.text.contains("wrote `.pi-project-map.json`"), "{}", reply.text);
    let file: Value =
        ctxhost_sdk::serde_json::from_str(&place.read(".pi-project-map.json")).expect("it is JSON");
    assert_eq!((&file["contextBudget"], &file["promptInjectionMode"]), (&json!(4000), &json!("strong")));
    place.check_clean();
}

#[test]
fn without_a_repository_it_is_the_same() {
    let place = Place::empty();
    place.write("a.py", "def one():\n    pass\n");
    let reply = place.run("init", &[]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    place.check_clean();
    let reply = place.run("patch", &["--git"]);
    assert_eq!(
        (reply.exit, reply.text.as_str()),
        (2, "the project is no git work tree: name the files, as in `patch FILE...`\n")
    );
}

#[test]
fn one_folder_can_hold_them_all() {
    let place = Place::new();
    let settings = || json!({"smallPackageThreshold": 3, "artifactDir": ".cache/maps"});
    let run = |name: &str, args: &[&str]| place.run_with(settings(), name, args);
    assert_eq!(run("init", &[]).exit, 0);
    assert!(place.maps().keys().all(|path| path.starts_with(".cache/maps/")));
    assert_eq!(place.git(&["status", "--porcelain"]), "");
    assert_eq!(run("validate", &[]).exit, 0);
    place.git(&["mv", "src/net", "remote"]);
    assert_eq!(run("patch", &["--git"]).exit, 0);
    assert!(
        place.path(".cache/maps/remote/.pi-map.md").exists() && !place.path(".cache/maps/src/net").exists()
    );
    assert_eq!(run("validate", &[]).exit, 0);
}

#[test]
fn they_can_be_committed() {
    let place = Place::new();
    place.run_with(json!({"smallPackageThreshold": 3, "commitArtifacts": true}), "init", &[]);
    assert_eq!(place.git(&["status", "--porcelain"]).lines().count(), 8);
    place.commit("maps");
    place.check_clean();
}

#[test]
fn what_is_called_wrongly_is_said() {
    let place = Place::new();
    for (name, args, exit) in [
        ("init", &["x"][..], 2),
        ("reinit", &["--fix"], 2),
        ("patch", &[], 2),
        ("patch", &["--all"], 2),
        ("patch", &["../x"], 2),
        ("patch", &["/etc/passwd"], 2),
        ("patch", &["src/cart.rs"], 3),
        ("validate", &["--force"], 2),
        ("validate", &["x"], 2),
        ("validate", &[], 1),
    ] {
        let reply = place.run(name, args);
        assert_eq!(reply.exit, exit, "{name} {args:?}: {}", reply.text);
    }
    assert!(place.maps().is_empty());
}

#[test]
fn a_folder_without_trust_has_maps_too() {
    let place = Place::new();
    let session = Session { cwd: place.path("").to_string_lossy().into_owned(), ..Session::default() };
    assert!(!session.trusted);
    let harness = place.harness(json!({}));
    assert_eq!(harness.command_in("init", &[], session).expect("it runs").exit, 0);
    assert_eq!(place.maps().len(), 2);
}

#[test]
fn a_home_is_not_mapped() {
    let place = Place::new();
    let home = place.path("").parent().expect("a folder").join("home");
    let reply = place.harness(json!({})).command("init", &[], home).expect("it runs");
    assert_eq!(reply.exit, 1);
    assert!(reply.text.contains("holds more than a project"), "{}", reply.text);
}

#[test]
fn a_tree_that_takes_nothing_is_said_once_and_keeps_what_it_has() {
    let place = Place::new();
    place.run("init", &[]);
    let before = place.maps();
    place.change("src/cart.rs", "make_cart", "build_cart");
    let set = |mode| {
        for dir in ["", "src", "src/net", "web"] {
            fs::set_permissions(place.path(dir), fs::Permissions::from_mode(mode)).expect("it is ours");
        }
    };
    set(0o555);
    // The superuser writes everywhere.
    if fs::write(place.path("probe"), "").is_err() {
        let reply = place.run("patch", &["src/cart.rs"]);
        assert_eq!(reply.exit, 1);
        assert!(reply.text.contains("cannot be used: Permission denied"), "{}", reply.text);
        assert_eq!(place.maps(), before);
    }
    set(0o755);
}

#[test]
fn what_stands_in_the_way_is_said_and_the_rest_is_made() {
    let place = Place::new();
    fs::create_dir(place.path("src/.pi-map.md")).expect("a folder");
    let reply = place.run("init", &[]);
    assert_eq!(reply.exit, 1);
    assert!(
        reply.text.contains("`src/.pi-map.md` is no file: mend that, then `validate --fix`"),
        "{}",
        reply.text
    );
    assert_eq!(place.maps().len(), 7);
    assert_eq!(place.run("validate", &[]).exit, 1);
    fs::remove_dir(place.path("src/.pi-map.md")).expect("it is ours");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    place.check_as_reinit();
}

#[test]
fn the_tools_do_the_same_for_the_model() {
    let place = Place::new();
    let harness = place.harness(json!({"smallPackageThreshold": 3}));
    let call = |name: &str, args: Value| harness.tool(name, args, place.path("")).expect("it answers");
    assert!(call("project_map_patch", json!({"files": ["src/cart.rs"]})).is_error);
    let made = call("project_map_init", json!({}));
    assert!(!made.is_error && text_of(&made).starts_with("made: wrote 8 artifacts"), "{}", text_of(&made));
    assert!(call("project_map_init", json!({})).is_error);
    assert!(call("project_map_patch", json!({})).is_error);
    place.change("src/cart.rs", "make_cart", "build_cart");
    let stale = call("project_map_validate", json!({}));
    assert!(!stale.is_error);
    assert_eq!(stale.structured.expect("a report")["counts"]["stale"], 3);
    call("project_map_patch", json!({"git": true}));
    assert!(text_of(&call("project_map_validate", json!({"fix": true}))).starts_with("clean: "));
    place.check_as_reinit();
}
