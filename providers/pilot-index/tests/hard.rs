//! Disks, clocks and files that make it hard: the answer is the right one, with one finding where something is missing.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use ctxhost_sdk::prelude::*;
use ctxhost_testkit::Harness;
use pilot_index::PilotIndex;
use rustix::{
    process::{Gid, Uid, geteuid},
    thread::{set_thread_gid, set_thread_uid},
};

use crate::support::{Place, Talk, body, codes, said};

/// Nobody's number on most systems; any that is not root's does.
const NOBODY: u32 = 65_534;

/// A question is answered as ever, and this is told with it.
fn check(place: &Place, harness: &Harness<PilotIndex>, expected: &[&str]) -> Reply {
    let reply = Talk::new(place, harness).prompt("Why does add_name return False?");
    assert!(body(&reply, "file:src/registry.py").contains("if name in self.names:"), "{reply:?}");
    assert_eq!(codes(&reply), expected);
    reply
}

fn allow(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
}

/// Takes the right to write from everybody, in a folder and all below.
fn lock_up(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() { lock_up(&entry) } else { allow(&entry, 0o444) }
    }
    allow(folder, 0o555);
}

/// Permissions do not count for root, as who tests often run; they do on a thread that is somebody else's.
fn without_roots_rights(act: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let acted = scope.spawn(|| {
            if geteuid().is_root() {
                set_thread_gid(Gid::from_raw(NOBODY)).expect("root may");
                set_thread_uid(Uid::from_raw(NOBODY)).expect("root may");
            }
            act();
        });
        acted.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[test]
fn a_cache_that_may_only_be_read_costs_one_finding() {
    let place = Place::new();
    check(&place, &place.harness(), &[]);
    lock_up(&place.path("cache"));
    place.write("project/src/new.py", "def brand_new():\n    pass\n");
    allow(&place.path(""), 0o755);
    allow(&place.path("home"), 0o777);
    without_roots_rights(|| {
        assert!(fs::write(place.path("cache/probe"), "").is_err(), "the folder can be written");
        let harness = place.harness();
        // Before that, the walk of the process before would be taken over.
        harness.set_now(place.now + 1.0);
        for _ in 0..2 {
            assert!(said(&check(&place, &harness, &["cache-unwritable"])).index.complete);
        }
        let reply = Talk::new(&place, &harness).prompt("brand_new");
        assert!(body(&reply, "file:src/new.py").contains("def brand_new"), "{reply:?}");
    });
    unlock(&place.path("cache"));
}

/// So that the folder can be removed.
fn unlock(folder: &Path) {
    allow(folder, 0o700);
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if entry.is_dir() {
            unlock(&entry);
        }
    }
}

#[test]
fn a_clock_that_goes_backwards_hides_no_change() {
    let place = Place::new();
    let harness = place.harness();
    for (turn, hours) in [0.0, 1.0, -2.0, 500_000.0, 0.5].into_iter().enumerate() {
        harness.set_now((place.now - hours * 3600.0).max(0.0));
        // As long as before, and written at once, so that times and sizes say little.
        let name = format!("turn_{turn}");
        place.write("project/src/turn.py", &format!("def {name}():\n    pass\n"));
        check(&place, &harness, &[]);
        let reply = Talk::new(&place, &harness).prompt(&name);
        assert!(body(&reply, "file:src/turn.py").contains(&format!("def {name}")), "after {hours} hours");
        // Another process, which sees what this one kept.
        let next = place.harness();
        next.set_now((place.now - hours * 1800.0).max(0.0));
        check(&place, &next, &[]);
    }
}

#[test]
fn files_that_are_written_all_the_time_cost_at_most_one_finding() {
    let place = Place::new();
    let harness = place.harness();
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for name in ["one.log", "two.py", "three.py"] {
            let path = place.path("project").join(name);
            let over = &over;
            scope.spawn(move || {
                for turn in 0.. {
                    if over.load(Ordering::Relaxed) {
                        break;
                    }
                    fs::write(&path, format!("def written_{turn}():\n    pass\n")).expect("a file");
                }
            });
        }
        for _ in 0..20 {
            let reply = Talk::new(&place, &harness).prompt("Why does add_name return False?");
            assert!(body(&reply, "file:src/registry.py").contains("if name in self.names:"), "{reply:?}");
            assert!(matches!(codes(&reply)[..], [] | ["file-changing"]), "{:?}", codes(&reply));
        }
        over.store(true, Ordering::Relaxed);
    });
    let reply = check(&place, &harness, &[]);
    assert!(said(&reply).index.complete);
}

#[test]
fn a_hundred_megabytes_of_one_line_cost_one_finding() {
    let place = Place::new();
    place.write("project/src/data.js", &"x=y;".repeat(25 << 20));
    let reply = check(&place, &place.harness(), &["partial-too-large"]);
    assert!(reply.findings[0].message.contains("src/data.js"), "{:?}", reply.findings);
}

#[test]
fn a_grammar_that_is_garbage_costs_one_finding_and_no_definition() {
    let place = Place::new();
    place.write("grammars/python.so", "\x7fELF and then nothing");
    place.write("grammars/python.scm", "(function_definition name: (identifier) @name) @definition.function");
    let start = || {
        let grammars = place.path("grammars");
        place.builder(json!({})).env("CTXHOST_GRAMMARS", grammars).build().expect("it starts")
    };
    let harness = start();
    let reply = check(&place, &harness, &["grammar-unusable"]);
    assert!(reply.findings[0].message.contains("python.so"), "{:?}", reply.findings);
    check(&place, &harness, &["grammar-unusable"]);
    // A process that finds everything indexed does not open the grammar, and says what is missing.
    check(&place, &start(), &["partial-grammar"]);
}
