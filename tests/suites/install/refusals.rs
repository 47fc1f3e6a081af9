//! What `ctxhost install` does not write, and that it then writes nothing at all.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    process::Stdio,
};

use super::{Scene, link, read};
use crate::harness::Ran;

#[test]
fn a_file_that_cannot_be_edited_is_left_alone_and_so_are_the_others() {
    type Make = fn(&Path);
    let cases: [(&str, Make); 8] = [
        ("no JSON", |file| fs::write(file, "{ \"hooks\": ").expect("a file")),
        ("no object", |file| fs::write(file, "[]").expect("a file")),
        ("hooks of another form", |file| fs::write(file, "{\"hooks\": [1]}").expect("a file")),
        ("no UTF-8", |file| fs::write(file, b"{\"a\": \"\xff\"}").expect("a file")),
        ("a folder", |file| fs::create_dir(file).expect("a folder")),
        ("a link to nowhere", |file| symlink("nowhere.json", file).expect("a link")),
        ("too large", |file| fs::write(file, " ".repeat(4 * 1024 * 1024 + 1)).expect("a file")),
        ("read-only", |file| {
            fs::write(file, "{}").expect("a file");
            fs::set_permissions(file, fs::Permissions::from_mode(0o444)).expect("permissions");
        }),
    ];
    for (what, make) in cases {
        // The file that comes second must not have cost the first one anything.
        for (agent, name) in [("claude-code", ".claude.json"), ("codex", ".codex/hooks.json")] {
            let scene = Scene::new();
            let first = scene.place.write("home/.claude/settings.json", "{}");
            let file = scene.home(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            make(&file);
            if what == "hooks of another form" && agent == "claude-code" {
                fs::write(&file, "{\"mcpServers\": 1}").expect("a file");
            }
            let before = scene.tree();
            let ran = scene.run(&["install", agent]).ends(1);
            assert_eq!(ran.err.lines().count(), 1, "{what}: {}", ran.err);
            assert!(ran.err.contains(file.to_str().expect("UTF-8")), "{what}: {}", ran.err);
            assert!(ran.err.contains("nothing was changed"), "{what}: {}", ran.err);
            assert_eq!(scene.tree(), before, "{what}");
            assert_eq!(read(&first), "{}");
        }
    }
}

#[test]
fn a_table_that_cannot_be_parsed_is_left_alone() {
    let scene = Scene::new();
    scene.place.write("home/.codex/config.toml", "model = \n");
    let before = scene.tree();
    let ran = scene.run(&["install", "codex"]).ends(1);
    assert!(ran.err.contains("config.toml: as TOML"), "{}", ran.err);
    assert_eq!(scene.tree(), before);
}

#[test]
fn what_was_written_is_given_back_when_the_next_file_cannot_be() {
    let scene = Scene::new();
    let settings = scene.place.write("home/.claude/settings.json", "{\"a\": 1}");
    // More than the process may write: the first file is done by then.
    let large = format!("{{\"history\": \"{}\"}}", "x".repeat(200_000));
    scene.place.write("home/.claude.json", &large);
    let before = scene.tree();
    let line = format!("ulimit -f 100; trap '' XFSZ; exec '{}' install claude-code", scene.program.display());
    let ran = Ran::of(scene.command(Path::new("sh"), &["-c", &line]).stdin(Stdio::null()), None).ends(70);
    assert!(ran.err.contains("nothing was changed"), "{}", ran.err);
    assert_eq!(read(&settings), "{\"a\": 1}");
    assert_eq!(scene.tree(), before);
    scene.run(&["install", "claude-code"]).ends(0);
    assert_ne!(read(&settings), "{\"a\": 1}", "with room it works");
}

#[test]
fn a_project_does_not_lead_out_of_itself() {
    let scene = Scene::new();
    let mine = scene.place.write("home/mine.json", "{}");
    fs::create_dir(scene.place.path("work/.claude")).expect("a folder");
    symlink(&mine, scene.place.path("work/.claude/settings.json")).expect("a link");
    let ran = scene.run(&["install", "claude-code", "--project"]).ends(1);
    assert!(ran.err.contains("lies outside the project"), "{}", ran.err);
    fs::remove_dir_all(scene.place.path("work/.claude")).expect("it is there");
    symlink(scene.place.path("home"), scene.place.path("work/.claude")).expect("a link");
    scene.run(&["install", "claude-code", "--project"]).ends(1);
    assert_eq!(read(&mine), "{}");
    assert!(!scene.home("settings.json").exists());
}

#[test]
fn a_program_of_another_name_does_not_write_what_it_would_not_know_again() {
    let scene = Scene::new();
    let other = link(&scene.place, "bin/other");
    let before = scene.tree();
    let ran = Ran::of(scene.command(&other, &["install", "claude-code"]).stdin(Stdio::null()), None).ends(2);
    assert!(ran.err.contains("must be called `ctxhost`"), "{}", ran.err);
    assert_eq!(scene.tree(), before);
}
