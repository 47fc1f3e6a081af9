//! The faults that running the original showed (`facts/pilot-index`, section 1), by their numbers, where they are about
//! the whole provider; those of extraction are in `sdk/code/tests/extraction/faults.rs`.

use std::process::Command;

use ctxhost_sdk::{
    protocol::pilot_index::{Index, SymbolResult},
    serde_json::{self, json},
};
use ctxhost_testkit::Harness;
use pilot_index::PilotIndex;

use crate::support::{Place, Talk, body, said, structured};

fn git(place: &Place, arguments: &[&str]) {
    let run = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(arguments)
        .current_dir(place.path("project"))
        .env("HOME", place.path("home"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// Runs a command, and gives its text and how the index stands.
fn run(harness: &Harness<PilotIndex>, place: &Place, name: &str) -> (String, Index) {
    let reply = harness.command(name, &[], place.path("project")).expect("it runs");
    (reply.text, serde_json::from_value(reply.data.expect("it has a document")).expect("it is an index"))
}

#[test]
fn fault_1_what_fits_is_followed_along_references() {
    let place = Place::new();
    place.write("project/src/port.py", "def open_socket(number):\n    return bind_address(number)\n");
    place.write("project/src/address.py", "def bind_address(number):\n    return number + 1\n");
    let harness = place.harness();
    // It has a score by its words already, which kept the original's signal from ever counting.
    let selection = said(&Talk::new(&place, &harness).prompt("open_socket calls bind_address")).selection;
    let symbols = selection.iter().flat_map(|file| &file.symbols);
    let bind = symbols.clone().find(|symbol| symbol.name == "bind_address").expect("it fits");
    assert!(bind.lexical > 0.0 && bind.signals.reference > 0.0, "{bind:?}");
    assert!(bind.reason.contains("what fits uses it"), "{bind:?}");
    let open = symbols.clone().find(|symbol| symbol.name == "open_socket").expect("it fits");
    assert_eq!(open.signals.reference, 0.0);
}

#[test]
fn fault_2_nothing_that_matches_gives_nothing() {
    let place = Place::new();
    let reply = Talk::new(&place, &place.harness()).prompt("zzz qqq");
    assert!(reply.sections.is_empty() && said(&reply).selection.is_empty());
}

#[test]
fn fault_7_a_body_behind_accents_is_shown_whole_and_alone() {
    let place = Place::new();
    let function = "def add_tax(price):\n    return price * 1.2";
    let text =
        format!("# é è ü — 日本 🎉\n\n\n{function}\n\n\ndef take_tax(price):\n    return price / 1.2\n");
    place.write("project/src/tax.py", &text);
    let reply = Talk::new(&place, &place.harness()).prompt("add_tax");
    let shown = body(&reply, "file:src/tax.py");
    assert!(shown.contains(&format!("```python\n{function}\n```")), "{shown}");
}

#[test]
fn fault_8_watcher_sync_tells_of_a_change_and_indexes_it() {
    let place = Place::new();
    let harness = place.harness();
    let (_, before) = run(&harness, &place, "reindex");
    place.write(
        "project/src/server.py",
        "def start_server(port):\n    return port\n\n\ndef stop_server():\n    pass\n",
    );
    let (text, after) = run(&harness, &place, "watcher-sync");
    assert!(text.starts_with("0 added, 1 modified (src/server.py), 0 deleted: "), "{text}");
    assert!(after.complete && after.symbols == before.symbols + 1, "{before:?} {after:?}");
    assert_ne!(after.root_hash, before.root_hash);
    // It was consumed, and not lost: another process finds it indexed too.
    let (text, _) = run(&harness, &place, "watcher-sync");
    assert!(text.starts_with("0 added, 0 modified, 0 deleted: "), "{text}");
    let (_, next) = run(&place.harness(), &place, "index-stats");
    assert_eq!((next.complete, next.symbols), (true, after.symbols));
}

#[test]
fn fault_8_reindex_renews_the_snapshot_too() {
    let place = Place::new();
    let harness = place.harness();
    let (_, before) = run(&harness, &place, "watcher-status");
    place.write("project/src/new.py", "def brand_new():\n    pass\n");
    let (_, anew) = run(&harness, &place, "reindex");
    assert!(anew.complete && anew.total == before.total + 1);
    assert_ne!(anew.root_hash, before.root_hash);
    // There is nothing left that a look would find.
    let (text, synced) = run(&harness, &place, "watcher-sync");
    assert!(text.starts_with("0 added, 0 modified, 0 deleted: "), "{text}");
    assert_eq!(synced.root_hash, anew.root_hash);
}

#[test]
fn fault_9_what_git_ignores_is_left_out_and_what_it_tracks_is_not() {
    let place = Place::new();
    std::fs::remove_dir_all(place.path("project/.git")).expect("it is there");
    git(&place, &["init", "-q"]);
    place.write("project/.gitignore", "scratch/\nbuild/\n");
    for folder in ["build", "out", "vendor", "target", "scratch", "build/made"] {
        place.write(&format!("project/{folder}/kept.py"), "def frobnicate():\n    pass\n");
    }
    git(&place, &["add", "-f", "build/kept.py", "out", "vendor", "target"]);
    let harness = place.harness();
    let reply = harness.tool("pilot_symbol", json!({"name": "frobnicate"}), place.path("project"));
    let result: SymbolResult = structured(&reply.expect("a reply"));
    let mut found: Vec<_> = result.definitions.iter().map(|found| found.file.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, ["build/kept.py", "out/kept.py", "target/kept.py", "vendor/kept.py"]);
}
