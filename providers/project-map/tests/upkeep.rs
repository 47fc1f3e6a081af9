//! Maps follow a project: whatever changed, they become what `reinit` would write, byte for byte.

use std::fs;

use ctxhost_sdk::serde_json::json;
use proptest::prelude::*;

use crate::support::{Place, faults};

fn made() -> Place {
    let place = Place::new();
    let reply = place.run("init", &[]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    place
}

#[test]
fn an_edit_is_followed_and_only_what_says_something_else_is_written() {
    let place = made();
    let before = place.maps();
    place.change("src/cart.rs", "make_cart", "build_cart");
    assert_eq!(place.run("validate", &[]).exit, 1);
    let reply = place.run("patch", &["src/cart.rs"]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    assert!(place.read("src/.pi-map.index.md").contains("`build_cart`"));
    let after = place.maps();
    let changed: Vec<_> = after.iter().filter(|(path, text)| before[*path] != **text).collect();
    assert!(
        changed.iter().all(|(path, _)| path.starts_with("src/.pi") || path.starts_with(".pi")),
        "{changed:?}"
    );
    assert_eq!(reply.data.expect("a document")["written"], changed.len());
    place.check_clean();
    place.check_as_reinit();
    // Nothing is left to be done.
    assert_eq!(place.run("patch", &["src/cart.rs"]).data.expect("a document")["written"], 0);
}

#[test]
fn a_prompt_in_between_hides_no_change() {
    let place = made();
    place.change("src/cart.rs", "make_cart", "build_cart");
    // Looks at the files and writes nothing.
    assert_eq!(place.run("validate", &[]).exit, 1);
    place.run("patch", &["src/cart.rs"]);
    place.check_clean();
}

#[test]
fn added_deleted_and_renamed_files_are_followed() {
    let place = made();
    place.write("src/stock.rs", "//! Keeps the stock.\npub fn count_stock() {}\n");
    fs::remove_file(place.path("web/price.ts")).expect("it is there");
    fs::rename(place.path("src/order.rs"), place.path("src/orders.rs")).expect("it is there");
    let reply =
        place.run("patch", &["src/stock.rs", "./web/price.ts", "src/order.rs", "src/net/../orders.rs"]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    // Two files are not worth a map.
    assert_eq!(place.read("web/.pi-map.md"), "");
    assert!(place.path("web/cart.ts").exists());
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn a_directory_that_git_moves_takes_its_maps_along() {
    let place = made();
    place.change("src/net/.pi-map.md", "<!-- notes:end", "ours\n<!-- notes:end");
    place.git(&["mv", "src/net", "remote"]);
    assert!(place.read("remote/.pi-map.md").contains(" dir=src/net "));
    let reply = place.run("patch", &["--git"]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    let moved = place.read("remote/.pi-map.md");
    assert!(moved.contains(" dir=remote ") && moved.contains("\nours\n"), "{moved}");
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn another_branch_is_followed() {
    let place = made();
    place.git(&["checkout", "-q", "-b", "other"]);
    for name in ["a", "b", "c"] {
        place.write(&format!("extra/{name}.py"), &format!("def {name}():\n    pass\n"));
    }
    fs::remove_dir_all(place.path("web")).expect("it is there");
    place.commit("two");
    place.run("validate", &["--fix"]);
    assert!(place.read("extra/.pi-map.md").contains("extra"));
    place.check_clean();
    let other = place.maps();
    place.git(&["checkout", "-q", "main"]);
    // Git leaves the folder of another branch behind, for our files alone.
    assert!(place.path("extra/.pi-map.md").exists());
    let reply = place.run("validate", &["--fix"]);
    assert_eq!(reply.exit, 0, "{}", reply.text);
    // Whose the folder is cannot be told, and git sees none that is empty.
    assert_eq!(fs::read_dir(place.path("extra")).expect("it is there").count(), 0);
    place.check_clean();
    place.check_as_reinit();
    place.git(&["checkout", "-q", "other"]);
    place.run("validate", &["--fix"]);
    assert_eq!(place.maps(), other);
}

#[test]
fn line_ends_of_git_are_no_change() {
    let place = made();
    for (path, text) in place.maps() {
        place.write(&path, &text.replace('\n', "\r\n"));
    }
    place.check_clean();
}

#[test]
fn text_of_a_hand_stays_until_it_is_forced_and_notes_stay_always() {
    let place = made();
    place.change("src/.pi-map.md", "<!-- notes:end", "ours\n<!-- notes:end");
    place.check_clean();
    place.change("src/.pi-map.md", "# Map:", "Mine.\n# Map:");
    place.write("web/.pi-map.index.md", "# all mine\n");
    fs::remove_file(place.path("src/net/.pi-map.md")).expect("it is there");
    let wanted = [
        ("missing", "src/net/.pi-map.md"),
        ("edited", "src/.pi-map.md"),
        ("bad-header", "web/.pi-map.index.md"),
    ];
    let mut found = faults(&place.run("validate", &[]));
    let mut wanted: Vec<_> = wanted.map(|(code, path)| (code.to_owned(), path.to_owned())).to_vec();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);

    let reply = place.run("validate", &["--fix"]);
    assert_eq!(reply.exit, 1, "{}", reply.text);
    assert!(reply.text.starts_with("2 findings are left, 1 are put right\n"), "{}", reply.text);
    assert!(place.read("src/.pi-map.md").contains("Mine.") && place.path("src/net/.pi-map.md").exists());
    assert!(place.run("patch", &["src/cart.rs"]).text.contains("`src/.pi-map.md` was changed by hand"));
    assert!(place.read("src/.pi-map.md").contains("Mine."));

    let reply = place.run("validate", &["--fix", "--force"]);
    assert_eq!(reply.exit, 1, "{}", reply.text);
    assert!(reply.text.contains("move away what has no header of ours"), "{}", reply.text);
    assert!(place.run("reinit", &[]).text.contains("1 have no header of ours"));
    assert_eq!(place.read("web/.pi-map.index.md"), "# all mine\n");
    fs::remove_file(place.path("web/.pi-map.index.md")).expect("it is there");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    let text = place.read("src/.pi-map.md");
    assert!(!text.contains("Mine.") && text.contains("\nours\n"), "{text}");
    place.check_clean();
    place.check_as_reinit();

    place.change("src/.pi-map.md", "# Map:", "Mine.\n# Map:");
    let reply = place.run("reinit", &[]);
    assert!(
        reply.text.contains("1 were changed by hand outside of their notes, such as `src/.pi-map.md`"),
        "{}",
        reply.text
    );
    place.check_clean();
}

#[test]
fn an_orphan_stays_for_the_notes_in_it() {
    let place = made();
    place.change("web/.pi-map.md", "<!-- notes:end", "ours\n<!-- notes:end");
    fs::remove_file(place.path("web/price.ts")).expect("it is there");
    for args in [&["--fix"][..], &["--fix", "--force"]] {
        let reply = place.run("validate", args);
        assert_eq!(reply.exit, 1, "{}", reply.text);
        assert!(reply.text.contains("web/.pi-map.md: orphaned: "), "{}", reply.text);
    }
    assert!(place.run("reinit", &[]).text.contains("such as `web/.pi-map.md`"));
    assert!(
        place.read("web/.pi-map.md").contains("\nours\n") && !place.path("web/.pi-map.index.md").exists()
    );
    place.change("web/.pi-map.md", "ours\n", "");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    assert!(!place.path("web/.pi-map.md").exists());
}

#[test]
fn broken_marks_of_notes_lose_nothing() {
    let place = made();
    place.change("src/.pi-map.md", "<!-- notes:end -->", "one\n<!-- notes:begin -->\ntwo");
    assert_eq!(faults(&place.run("validate", &[])), [("stale".to_owned(), "src/.pi-map.md".to_owned())]);
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    assert!(place.read("src/.pi-map.md").ends_with("<!-- notes:begin -->\none\ntwo\n<!-- notes:end -->\n"));
}

#[test]
fn what_a_killed_process_left_is_mended() {
    let place = made();
    let half = place.read("src/.pi-map.md");
    place.write("src/.pi-map.md", &half[..half.len() / 2]);
    place.write("web/.pi-map.index.md", "");
    place.write("src/.pi-map.md.77-0.new", "half");
    let found = faults(&place.run("validate", &[]));
    assert!(found.iter().all(|(code, _)| code == "bad-header" || code == "stale"), "{found:?}");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    assert!(!place.path("src/.pi-map.md.77-0.new").exists());
    place.check_clean();
    place.check_as_reinit();
}

#[test]
fn a_secret_or_a_place_in_the_notes_is_found_with_its_line() {
    let place = made();
    place.change(".pi-map.md", "<!-- notes:end", "see /home/me/x\n<!-- notes:end");
    let reply = place.run("validate", &["--fix"]);
    assert_eq!(
        (reply.exit, faults(&reply)),
        (1, vec![("forbidden-content".to_owned(), ".pi-map.md".to_owned())])
    );
    let line = reply.data.expect("a report")["findings"][0]["line"].as_u64().expect("a line") as usize;
    assert_eq!(place.read(".pi-map.md").lines().nth(line - 1), Some("see /home/me/x"));
}

#[derive(Clone, Debug)]
enum Step {
    Write(String, u8),
    Delete(String),
    Move(String, String),
}

fn step() -> impl Strategy<Value = Step> {
    let dir = prop::sample::select(vec!["", "src/", "src/net/", "web/", "new/", "new/deep/"]);
    let name = prop::sample::select(vec!["cart.rs", "a b.py", "x-->.ts", "README.md", "price.ts"]);
    let path = (dir, name).prop_map(|(dir, name)| format!("{dir}{name}"));
    let folder = prop::sample::select(vec!["src/net", "web", "new"]).prop_map(str::to_owned);
    let to = prop::sample::select(vec!["moved", "src/moved"]).prop_map(str::to_owned);
    prop_oneof![
        5 => (path.clone(), any::<u8>()).prop_map(|(path, salt)| Step::Write(path, salt)),
        2 => path.prop_map(Step::Delete),
        1 => (folder, to).prop_map(|(from, to)| Step::Move(from, to)),
    ]
}

/// Does it, and gives the paths that a person would name.
fn take(place: &Place, step: &Step) -> Vec<String> {
    match step {
        Step::Write(path, salt) => {
            place.write(path, &format!("# About {salt}\ndef f{salt}(): pass\n"));
            vec![path.clone()]
        }
        Step::Delete(path) => {
            let _ = fs::remove_file(place.path(path));
            vec![path.clone()]
        }
        Step::Move(from, to) => {
            let free = place.path(from).exists() && !place.path(to).exists();
            if free {
                fs::rename(place.path(from), place.path(to)).expect("it is free");
            }
            vec![from.clone(), to.clone()]
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn maps_that_followed_every_step_are_those_of_reinit(steps in prop::collection::vec(step(), 1..7)) {
        let place = made();
        let harness = place.harness(json!({"smallPackageThreshold": 3}));
        for step in &steps {
            let paths = take(&place, step);
            let args: Vec<&str> = paths.iter().map(String::as_str).collect();
            let reply = harness.command("patch", &args, place.path("")).expect("it runs");
            prop_assert_eq!(reply.exit, 0, "{}", reply.text);
        }
        place.check_as_reinit();
    }
}

#[test]
fn notes_outlive_every_writer_where_no_look_around_goes() {
    let none = json!({"smallPackageThreshold": 3});
    let ignored = json!({"smallPackageThreshold": 3, "ignorePatterns": ["/net"]});
    for (mark, settings) in [("CACHEDIR.TAG", &none), (".git/x", &none), ("", &ignored)] {
        let place = Place::new();
        if !mark.is_empty() {
            place.write(&format!("src/net/{mark}"), "x");
        }
        let run = |name: &str, args: &[&str]| place.run_with(settings.clone(), name, args);
        assert_eq!(run("init", &[]).exit, 0, "{mark}");
        place.change("src/net/.pi-map.md", "<!-- notes:end", "ours\n<!-- notes:end");
        for (before, after, name, args) in [
            ("fetch_cart", "bring_cart", "validate", &["--fix"][..]),
            ("bring_cart", "get_cart", "reinit", &[]),
        ] {
            place.change("src/net/cart_client.py", before, after);
            assert_eq!(run(name, args).exit, 0, "{mark} {name}");
            let text = place.read("src/net/.pi-map.md");
            assert!(text.contains(after) && text.contains("\nours\n"), "{mark} {name} {text}");
        }
    }
}

#[test]
fn what_stood_between_lost_marks_is_a_note() {
    for (name, args) in [("validate", &["--fix"][..]), ("validate", &["--fix", "--force"]), ("reinit", &[])] {
        let place = made();
        place.change("src/.pi-map.md", "<!-- notes:begin -->\n", "ours\n");
        place.change("src/.pi-map.md", "<!-- notes:end -->\n", "");
        assert_eq!(place.run(name, args).exit, 0);
        let text = place.read("src/.pi-map.md");
        assert!(text.contains("<!-- notes:begin -->\nours\n<!-- notes:end -->"), "{text}");
        place.check_clean();
    }
}

#[test]
fn notes_of_other_bytes_are_left_alone() {
    let place = made();
    let path = place.path("src/.pi-map.md");
    let theirs = place.read("src/.pi-map.md").into_bytes();
    let end = theirs.len() - "<!-- notes:end -->\n".len();
    let theirs = [&theirs[..end], b"caf\xe9\n", &theirs[end..]].concat();
    fs::write(&path, &theirs).expect("it is written");
    place.change("src/cart.rs", "make_cart", "build_cart");
    for (name, args) in [("validate", &["--fix"][..]), ("validate", &["--fix", "--force"]), ("reinit", &[])] {
        let reply = place.run(name, args);
        assert_eq!(reply.exit, 1, "{}", reply.text);
        assert!(reply.text.contains("`src/.pi-map.md` is not UTF-8 text"), "{}", reply.text);
        assert_eq!(fs::read(&path).expect("it is there"), theirs);
    }
    // It is there, and what makes missing ones does not help.
    let reply = place.run("validate", &[]);
    assert_eq!(faults(&reply), [("bad-header".to_owned(), "src/.pi-map.md".to_owned())]);
    let said =
        "src/.pi-map.md: bad header: it is not UTF-8 text and stays as it is: move it away\nnext: move away";
    assert!(reply.text.contains(said) && !reply.text.contains("missing"), "{}", reply.text);
    fs::remove_file(&path).expect("it is there");
    assert_eq!(place.run("validate", &["--fix"]).exit, 0);
    place.check_as_reinit();
}

#[test]
fn maps_of_what_is_ignored_later_are_orphans() {
    let place = made();
    let ignored = json!({"smallPackageThreshold": 3, "ignorePatterns": ["/web"]});
    let found = faults(&place.run_with(ignored.clone(), "validate", &[]));
    assert_eq!(found.iter().filter(|(code, path)| code == "orphaned" && path.starts_with("web/")).count(), 2);
    place.run_with(ignored, "validate", &["--fix"]);
    assert!(!place.path("web/.pi-map.md").exists() && place.path("web/cart.ts").exists());
}

#[test]
fn what_is_not_ours_and_stays_is_no_success() {
    let place = made();
    place.write("src/.pi-map.md", "# mine\n");
    for _ in 0..2 {
        let reply = place.run("reinit", &[]);
        assert_eq!(reply.exit, 1, "{}", reply.text);
        assert!(reply.text.contains("1 have no header of ours") && reply.text.contains("`src/.pi-map.md`"));
    }
    assert_eq!(place.read("src/.pi-map.md"), "# mine\n");
    fs::remove_file(place.path("src/.pi-map.md")).expect("it is there");
    assert_eq!(place.run("reinit", &[]).exit, 0);
}

#[test]
fn what_says_which_files_are_mapped_has_all_of_them_looked_at() {
    for git in [false, true] {
        let patch = |place: &Place, path: &str| {
            let reply = place.run("patch", if git { &["--git"] } else { std::slice::from_ref(&path) });
            assert_eq!(reply.exit, 0, "{path}: {}", reply.text);
            place.check_clean();
            place.check_as_reinit();
        };
        let place = made();
        // What is in git's index is shown, ignored or not.
        place.git(&["rm", "-rq", "--cached", "."]);
        place.write(".gitignore", "/web\n");
        patch(&place, ".gitignore");
        assert!(!place.path("web/.pi-map.md").exists());
        place.write(".gitignore", "/src/price.rs\n");
        patch(&place, ".gitignore");
        assert!(place.path("web/.pi-map.md").exists() && !place.read("src/.pi-map.md").contains("price.rs"));
        place.write("src/net/.gitignore", "*_client.py\n");
        patch(&place, "src/net/.gitignore");
        assert!(!place.path("src/net/.pi-map.md").exists());
        place.write(".pi-project-map.json", r#"{"ignorePatterns": ["/web"]}"#);
        patch(&place, ".pi-project-map.json");
        assert!(!place.path("web/.pi-map.md").exists());
        place.write(".ctxhost.toml", "");
        fs::remove_file(place.path(".pi-project-map.json")).expect("it is there");
        patch(&place, ".pi-project-map.json");
        assert!(place.path("web/.pi-map.md").exists());
    }
}
