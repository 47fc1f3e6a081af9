//! Before a tool runs.

use std::{fs, os::unix::fs::PermissionsExt};

use ctxhost_sdk::{
    prelude::*,
    protocol::{envelope::Life, project_map::Artifacts},
};

use crate::{
    support::{NAMES, Place},
    talk::{Said, Talk},
};

const BYPASS: &str = "Small thing. [PI_MAP_BYPASS: one-line typo fix]";

fn mapped() -> Place {
    let place = Place::new();
    assert_eq!(place.run("init", &[]).exit, 0);
    place
}

fn is_blocked(said: &Said) -> bool {
    said.reply.decision.as_ref().is_some_and(|decision| decision.block)
}

fn guidance(said: &Said) -> Option<&str> {
    said.reply.decision.as_ref()?.guidance.as_deref()
}

#[test]
fn strict_blocks_edits_that_no_map_precedes_until_the_assistant_says_why() {
    for life in [Life::Long, Life::Once] {
        let place = mapped();
        let talk = Talk { life, ..Talk::new(&place, "strict") };
        let said = talk.edit("src/price.rs", Some("I edit it."));
        assert!(is_blocked(&said), "{life:?}");
        let reason = said.reply.decision.clone().and_then(|decision| decision.reason).expect("a reason");
        assert!(
            reason.contains("[PI_MAP_BYPASS: <brief justification>]") && reason.contains(".pi-map.index.md")
        );
        assert_eq!(said.data().block, Some(reason));
        // Too short, and our own words repeated.
        for text in ["[PI_MAP_BYPASS: typo]", "[PI_MAP_BYPASS: <brief justification>]"] {
            assert!(is_blocked(&talk.edit("src/price.rs", Some(text))), "{text}");
        }
        let said = talk.edit("src/price.rs", Some(BYPASS));
        assert!(said.reply.decision.is_none());
        assert_eq!(
            (said.data().bypass.as_deref(), said.codes()),
            (Some("one-line typo fix"), vec!["map-bypassed"])
        );
        // It holds for the turn, and for no other.
        assert!(!is_blocked(&talk.edit("src/cart.rs", Some("And the other one."))), "{life:?}");
        talk.event("prompt", json!({"text": "thanks", "source": "user", "first": false}));
        talk.visible.borrow_mut().clear();
        assert!(is_blocked(&talk.edit("src/cart.rs", Some("Once more."))), "{life:?}");
    }
}

#[test]
fn with_the_root_pair_in_sight_nothing_is_blocked() {
    let place = mapped();
    let talk = Talk::new(&place, "strict");
    talk.prompt("hello");
    assert!(talk.edit("src/price.rs", Some("")).reply.decision.is_none());
    // Every edit changes the maps; those in sight still count.
    place.change("README.md", "Sells things to people", "Rents things to people");
    assert!(talk.edit("src/price.rs", Some("")).reply.decision.is_none());
    talk.loses("map");
    assert!(is_blocked(&talk.edit("src/price.rs", Some(""))));
    talk.compacts();
    assert!(is_blocked(&talk.edit("src/price.rs", Some(""))));
}

#[test]
fn no_file_and_no_user_can_write_a_bypass() {
    let place = mapped();
    place.write("src/note.md", BYPASS);
    let talk = Talk::new(&place, "strict");
    talk.prompt(&format!("Please write {BYPASS}"));
    talk.visible.borrow_mut().clear();
    let said = talk.call("edit", "src/price.rs", json!({"newText": BYPASS}), Some("I edit it."));
    assert!(is_blocked(&said));
    let said = talk.call("run", "", json!({"command": format!("echo '{BYPASS}' > src/price.rs")}), Some(""));
    assert!(is_blocked(&said));
}

#[test]
fn only_what_changes_the_mapped_is_blocked() {
    let place = mapped();
    place.write(".gitignore", "target/\n*.log\n");
    place.write("target/out.rs", "fn x() {}\n");
    place.write("build.log", "x\n");
    std::os::unix::fs::symlink("/tmp", place.path("link")).expect("a link");
    fs::create_dir(place.path("empty")).expect("a folder");
    let talk = Talk::new(&place, "strict");
    // The look of a prompt, of which nothing is shown.
    talk.event("prompt", json!({"text": "hello"}));
    for (kind, path, input, blocked) in [
        ("edit", "src/price.rs", json!({}), true),
        ("write", "src/new.rs", json!({}), true),
        ("write", "src/newdir/new.rs", json!({}), true),
        ("write", ".github/workflows/ci.yml", json!({}), true),
        ("run", "", json!({"command": "cat x > src/new_dir/new.rs"}), true),
        ("write", "target/newdir/new.rs", json!({}), false),
        ("write", "src/newdir/target/new.rs", json!({}), false),
        ("write", "node_modules/new/index.js", json!({}), false),
        ("write", "link/new/new.rs", json!({}), false),
        ("write", "empty/new.rs", json!({}), true),
        ("write", "target/new.rs", json!({}), false),
        ("edit", "target/out.rs", json!({}), false),
        ("edit", "build.log", json!({}), false),
        ("edit", ".pi-map.md", json!({}), true),
        ("edit", "src/.pi-map.md", json!({}), false),
        ("edit", "../elsewhere.rs", json!({}), false),
        ("read", "src/price.rs", json!({}), false),
        ("run", "", json!({"command": "cargo test"}), false),
        ("run", "", json!({"command": "git mv src lib"}), true),
        ("run", "", json!({"command": "rm -rf target build.log"}), false),
        ("run", "", json!({"command": "cargo build > new.log"}), false),
        ("run", "", json!({"command": "make | tee new.log"}), false),
        ("run", "", json!({"command": "make | tee new.txt"}), true),
        ("run", "", json!({"command": "rm -rf dist"}), false),
        ("run", "", json!({"command": "git checkout main"}), false),
        ("run", "", json!({"command": "git checkout src/price.rs"}), true),
        ("run", "", json!({"command": "sed -i s/a/b/ src/price.rs"}), true),
    ] {
        let said = talk.call(kind, path, input.clone(), Some(""));
        assert_eq!(is_blocked(&said), blocked, "{kind} {path} {input}");
    }
}

#[test]
fn strict_is_not_switched_off_without_a_bypass() {
    let place = mapped();
    let talk = Talk::new(&place, "strict");
    for command in [
        "rm .pi-map.md .pi-map.index.md",
        "rm -f .pi-map*",
        "mv .pi-map.md /tmp/",
        "chmod 000 .pi-map.md",
        "chmod -R a-r .",
        "echo > .pi-map.index.md",
        "echo '{\"promptInjectionMode\":\"off\"}' > .pi-project-map.json",
    ] {
        assert!(is_blocked(&talk.call("run", "", json!({"command": command}), Some(""))), "{command}");
    }
    assert!(is_blocked(&talk.call("write", ".pi-map.md", json!({"content": ""}), Some(""))));
    for command in ["ctxhost run project-map reinit", "cat .pi-map.md", "rm src/.pi-map.md"] {
        assert!(!is_blocked(&talk.call("run", "", json!({"command": command}), Some(""))), "{command}");
    }
    // Elsewhere than beside the sources they are guarded as well, with the folder that holds them.
    let settings =
        json!({"promptInjectionMode": "strict", "artifactDir": "maps/all", "smallPackageThreshold": 3});
    let place = Place::new();
    place.write(".gitignore", "maps/\n");
    assert_eq!(place.run_with(settings.clone(), "init", &[]).exit, 0);
    let talk = Talk::with(&place, settings);
    for command in ["rm -rf maps", "rm maps/all/.pi-map.md"] {
        assert!(is_blocked(&talk.call("run", "", json!({"command": command}), Some(""))), "{command}");
    }
}

#[test]
fn a_root_pair_that_cannot_be_read_switches_nothing_off() {
    type Spoil = fn(&Place);
    let spoils: [(&str, Spoil); 4] = [
        ("no text", |place| NAMES.iter().for_each(|name| place.write_bytes(name, b"\xff\xfe"))),
        ("too large", |place| NAMES.iter().for_each(|name| place.write(name, &"x".repeat(2 << 20)))),
        ("half", |place| place.write_bytes(NAMES[0], b"\xff\xfe")),
        ("no file", |place| {
            NAMES.iter().for_each(|name| {
                fs::remove_file(place.path(name)).expect("it is there");
                fs::create_dir(place.path(name)).expect("a folder");
            });
        }),
    ];
    for (what, spoil) in spoils {
        for mode in ["strict", "strong"] {
            let place = mapped();
            spoil(&place);
            let talk = Talk::new(&place, mode);
            let said = talk.edit("src/price.rs", Some(""));
            assert_eq!((is_blocked(&said), said.codes()), (mode == "strict", vec!["maps-unread"]), "{what}");
            assert_eq!(said.data().artifacts, Artifacts::Partial, "{what}");
            let said = talk.prompt("hello");
            assert_eq!((said.data().hint, said.codes()), (None, vec!["maps-unread"]), "{what}");
            assert_eq!(said.shown[..2], ["index", "map"], "{what}");
            assert!(!place.run("validate", &[]).text.contains("no maps yet"), "{what}");
        }
    }
    // Whether or not whoever runs this may read it all the same.
    let place = mapped();
    for name in NAMES {
        fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o000)).expect("ours");
    }
    assert!(is_blocked(&Talk::new(&place, "strict").edit("src/price.rs", Some(""))));
}

#[test]
fn strict_blocks_nothing_for_ever() {
    let place = mapped();
    // A project lowers the limit, and the pair still comes.
    place.write(".pi-project-map.json", r#"{"contextBudgetPercent": 0, "contextBudgetMaxTokens": 0}"#);
    for (window, trusted) in [(200_000, false), (200_000, true), (100, false)] {
        let talk = Talk { window: Some(window), trusted, ..Talk::new(&place, "strict") };
        let said = talk.prompt("hello");
        assert_eq!(said.shown[..2], ["index", "map"], "{window} {trusted}");
        assert!(!is_blocked(&talk.edit("src/price.rs", Some(""))));
    }
    // The user leaves no room for it.
    let mut settings = crate::talk::settings("strict");
    settings["contextBudgetMaxTokens"] = json!(100);
    for life in [Life::Long, Life::Once] {
        let talk = Talk { life, ..Talk::with(&place, settings.clone()) };
        assert_eq!(talk.prompt("hello").codes(), ["map-no-room"], "{life:?}");
        let said = talk.edit("src/price.rs", Some(""));
        assert!(!is_blocked(&said) && guidance(&said).is_some());
        assert_eq!(said.codes(), ["strict-is-guidance"]);
        assert!(talk.prompt("Where are prices kept?").codes().is_empty(), "once");
    }
}

#[test]
fn where_nothing_can_be_blocked_strict_guides_and_says_so_once() {
    let place = mapped();
    for (can, text) in
        [(vec!["inject.prompt".to_owned(), "block".to_owned()], None), (Vec::new(), Some("I edit it."))]
    {
        let talk = Talk { can, ..Talk::new(&place, "strict") };
        let said = talk.edit("src/price.rs", text);
        assert!(!is_blocked(&said) && guidance(&said).is_some_and(|text| text.contains("project map")));
        assert_eq!(said.codes(), ["strict-is-guidance"]);
        let said = talk.edit("src/cart.rs", text);
        assert!(said.reply.decision.is_none() && said.codes().is_empty(), "once a turn");
        talk.event("prompt", json!({"text": "thanks"}));
        let said = talk.edit("src/cart.rs", text);
        assert!(guidance(&said).is_some() && said.codes().is_empty());
    }
}

#[test]
fn strong_reminds_once_a_turn_and_blocks_nothing() {
    let place = mapped();
    let talk = Talk::new(&place, "strong");
    let said = talk.edit("src/price.rs", Some(""));
    assert!(!is_blocked(&said) && said.codes().is_empty());
    assert_eq!(said.data().reminder.as_deref(), guidance(&said));
    assert!(guidance(&said).is_some());
    assert!(talk.edit("src/price.rs", Some("")).reply.decision.is_none());
    let place = Place::new();
    let talk = Talk::new(&place, "strict");
    assert!(talk.edit("src/price.rs", Some("")).reply.decision.is_none(), "before init nothing is protected");
}
