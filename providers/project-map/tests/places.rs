//! Somebody who works below a project's root, and sets of maps within one another.

use std::fs;

use ctxhost_sdk::{prelude::*, serde_json::Value};

use crate::{
    support::{Place, faults},
    talk::{Talk, settings},
};

fn mapped() -> Place {
    let place = Place::new();
    assert_eq!(place.run("init", &[]).exit, 0);
    place
}

fn run_in(place: &Place, below: &str, name: &str, args: &[&str]) -> CommandReply {
    let settings: Value = json!({"smallPackageThreshold": 3});
    place.harness(settings).command(name, args, place.path(below)).expect("it runs")
}

#[test]
fn a_prompt_below_the_root_shows_and_keeps_the_maps_of_the_whole_project() {
    let place = mapped();
    let before = place.maps();
    for below in ["src", "src/net"] {
        let talk = Talk { below, ..Talk::new(&place, "strong") };
        let said = talk.prompt("hello");
        assert_eq!(place.maps(), before, "{below}");
        assert!(said.body("index").contains("# Index: shop"), "{}", said.body("index"));
        let up = if below == "src" { "is `..` from" } else { "is `../..` from" };
        assert!(said.body("note").contains(up), "{}", said.body("note"));
        assert_eq!(said.data().counts.fresh, 8);
    }
    place.change("src/cart.rs", "make_cart", "build_cart");
    Talk { below: "src", ..Talk::new(&place, "strong") }.prompt("hello");
    assert!(place.read("src/.pi-map.index.md").contains("`build_cart`"));
    place.check_clean();
}

#[test]
fn commands_below_the_root_are_those_of_the_project_and_say_so() {
    let place = mapped();
    let init = run_in(&place, "src", "init", &[]);
    assert_eq!(init.exit, 2);
    assert!(init.text.contains("the project at `..`"), "{}", init.text);
    place.change("src/cart.rs", "make_cart", "build_cart");
    // A path is as somebody calls it who stands there.
    let patch = run_in(&place, "src", "patch", &["cart.rs"]);
    assert_eq!(patch.exit, 0, "{}", patch.text);
    assert!(place.read("src/.pi-map.index.md").contains("`build_cart`"));
    let clean = run_in(&place, "src/net", "validate", &[]);
    assert!(clean.text.starts_with("clean: ") && clean.text.contains("`../..`"), "{}", clean.text);
    let context = run_in(&place, "web", "context", &["build_cart"]);
    assert!(context.text.contains("src/cart.rs") && context.text.contains("the project at `..`"));
    place.check_as_reinit();
    // Another work tree is another project.
    place.git(&["init", "-q", "web"]);
    assert!(!run_in(&place, "web", "validate", &[]).text.contains("the project at"));
}

#[test]
fn what_a_folder_above_has_mapped_is_not_written_without_it() {
    let place = mapped();
    place.maps().keys().filter(|path| path.starts_with(".pi")).for_each(|path| {
        fs::remove_file(place.path(path)).expect("it is there");
    });
    let before = place.maps();
    let said = Talk { below: "src", ..Talk::new(&place, "strong") }.prompt("hello");
    assert_eq!(said.codes(), ["maps-foreign"]);
    assert!(said.body("index").contains("not on disk"), "{}", said.body("index"));
    for (name, args) in [("validate", &["--fix", "--force"][..]), ("reinit", &[]), ("patch", &["cart.rs"])] {
        let reply = run_in(&place, "src", name, args);
        assert!(reply.text.contains("maps of a folder above"), "{name}: {}", reply.text);
        assert_eq!(place.maps(), before, "{name}");
    }
}

#[test]
fn a_set_of_its_own_below_is_left_alone() {
    for own in ["src", "src/net", "web"] {
        // Folded or not, by the threshold.
        for threshold in [3, 100] {
            let place = Place::new();
            place.write(&format!("{own}/.pi-project-map.json"), r#"{"smallPackageThreshold": 2}"#);
            assert_eq!(run_in(&place, own, "init", &[]).exit, 0);
            let theirs = place.maps();
            assert!(theirs[&format!("{own}/.pi-map.md")].contains(" dir=. "));
            let settings = json!({"smallPackageThreshold": threshold});
            for (name, args) in
                [("reinit", &[][..]), ("validate", &["--fix", "--force"]), ("patch", &["--git"])]
            {
                place.run_with(settings.clone(), name, args);
                let now = place.maps();
                assert!(theirs.iter().all(|(path, text)| now[path] == *text), "{own} {threshold} {name}");
            }
            Talk::with(&place, settings.clone()).prompt("hello");
            let now = place.maps();
            assert!(theirs.iter().all(|(path, text)| now[path] == *text), "{own} {threshold}");
            let found = faults(&place.run_with(settings, "validate", &[]));
            assert!(
                found.iter().all(|(code, path)| code == "bad-header" && path.starts_with(own)),
                "{found:?}"
            );
            assert_eq!(found.is_empty(), threshold == 100);
            assert_eq!(run_in(&place, own, "validate", &[]).exit, 0);
        }
    }
}

#[test]
fn strict_holds_below_the_root() {
    let place = mapped();
    let talk = Talk { below: "src", ..Talk::with(&place, settings("strict")) };
    let is_blocked = |kind: &str, paths: Value, command: &str| {
        let said = talk.event(
            "tool.before",
            json!({"id": "1", "name": kind, "kind": kind, "paths": paths, "input": {"command": command}, "assistant_text": ""}),
        );
        said.reply.decision.is_some_and(|decision| decision.block)
    };
    assert!(is_blocked("edit", json!(["price.rs"]), ""));
    assert!(is_blocked("edit", json!([place.path("web/cart.ts")]), ""));
    assert!(!is_blocked("edit", json!(["../../elsewhere.rs"]), ""));
    for command in ["rm price.rs", "rm ../.pi-map.md", "echo > ../web/cart.ts", "echo > .ctxhost.toml"] {
        assert!(is_blocked("run", json!([]), command), "{command}");
    }
    assert!(!is_blocked("run", json!([]), "rm /tmp/price.rs"));
}
