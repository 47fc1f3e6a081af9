//! The code index in whole processes: two hosts on one project, a tree of many files, no network.

mod large;
mod maps;
#[cfg(target_os = "linux")]
mod offline;
mod terminal;
mod together;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use ctxhost_code::index::{Reader, export};
use serde_json::Value;

use crate::harness::{Place, Ran, grammars, provider};

/// A place with the provider and its grammars, and nothing indexed.
fn with_provider() -> Place {
    Place::with(&[provider("pilot-index"), grammars()])
}

/// The only thing in a folder whose name begins so.
#[track_caller]
fn only(folder: &Path, begins: &str) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(begins)));
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// The only index below a cache folder, as the next process finds it.
#[track_caller]
fn kept(cache: &Path) -> Reader {
    let index = only(&only(&cache.join("ctxhost/code"), ""), "index-");
    let version = index.file_name().and_then(|name| name.to_str()?.strip_prefix("index-"));
    let version = u64::from_str_radix(version.expect("it has a version"), 16).expect("a number");
    Reader::open(&index, version).expect("the index is whole")
}

/// What it holds, as text that is the same for equal trees.
#[track_caller]
fn exported(cache: &Path) -> String {
    let mut text = Vec::new();
    export(&kept(cache), &mut text).expect("the index can be read");
    String::from_utf8(text).expect("UTF-8")
}

/// Holds that the place's index is, byte for byte, the one that a process makes which looks for the first time.
#[track_caller]
fn equals_a_fresh_one(place: &Place) {
    let fresh = place.path("fresh");
    let mut reindex = place.command(&["run", "pilot-index", "reindex"]);
    Ran::of(reindex.env("XDG_CACHE_HOME", &fresh).stdin(Stdio::null()), None).ends(0);
    let (ours, fresh) = (exported(&place.path("cache")), exported(&fresh));
    let differs = ours.lines().zip(fresh.lines()).find(|(ours, fresh)| ours != fresh);
    assert!(ours == fresh, "{} bytes, and {} bytes; {differs:?}", ours.len(), fresh.len());
}

/// The project's index by `index-stats`, which has nothing to complain about.
#[track_caller]
fn stats(place: &Place) -> Value {
    let ran = place.run(&["run", "pilot-index", "index-stats", "--json"]).ends(0);
    assert_eq!(ran.err, "");
    ran.json()["data"].take()
}

/// The name that a module defines first.
fn name_of(number: usize) -> String {
    format!("turns_lantern_{number}")
}

/// Where a module lies.
fn path_of(number: usize) -> String {
    format!("lamps/part_{}/module_{number}.py", number % 7)
}

/// Writes so many modules of so many functions each.
fn write_modules(place: &Place, modules: usize, functions: usize) {
    for number in 0..modules {
        let mut text = format!("def {}(hour):\n    return hour == {number}\n", name_of(number));
        for other in 0..functions {
            write!(
                text,
                "\n\ndef helper_{number}_{other}(value):\n    \"\"\"Turns a value.\"\"\"\n    return helper_{other}(value) + {number}\n"
            )
            .expect("a text takes all");
        }
        place.write(Path::new("work").join(path_of(number)), text);
    }
}
