//! The commands of the project map as somebody sees them who runs them by hand: a bar, and Ctrl-C.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::PathBuf,
    process::{Command, Stdio},
};

use super::name_of;
use crate::harness::{Place, Ran, grammars, provider, root};

/// So many folders in each of two levels, and so many of two files each in each of these: more alike would be one line of
/// a map.
const ACROSS: usize = 7;
const DEEP: usize = 3;
const PAIRS: usize = 1 + ACROSS + ACROSS * ACROSS + ACROSS * ACROSS * DEEP;
const FILES: usize = 2 * ACROSS * ACROSS * DEEP;

/// So many functions in each file take unoptimized code more than a second.
const FUNCTIONS: usize = 120;

/// What a shell says of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

const INIT: [&str; 3] = ["run", "project-map", "init"];

/// What stands beside the bar while files are read.
const READING: &str = "reading files";

/// A place in which every folder has a map of its own.
fn place() -> Place {
    let place = Place::with(&[provider("project-map"), grammars()]);
    place.config("[providers.project-map]\nsmallPackageThreshold = 2\n");
    place
}

fn large() -> Place {
    let place = place();
    for number in 0..FILES {
        let mut text = format!("def {}(hour):\n    return hour == {number}\n", name_of(number));
        for other in 0..FUNCTIONS {
            write!(
                text,
                "\n\ndef turns_{number}_{other}(value):\n    return turns_{other}(value) + {number}\n"
            )
            .expect("a text takes all");
        }
        let (first, second) = (number % ACROSS, number / ACROSS % ACROSS);
        let third = number / ACROSS / ACROSS % DEEP;
        place.write(format!("work/part_{first}/of_{second}/in_{third}/module_{number}.py"), text);
    }
    place
}

/// The same command on a terminal of its own, where Ctrl-C is pressed at a moment that `terminal.py` knows.
#[track_caller]
fn on_a_terminal(place: &Place, press: &str, arguments: &[&str]) -> Ran {
    let command = place.command(arguments);
    let mut terminal = Command::new("python3");
    terminal.arg(root().join("tests/suites/index/terminal.py")).arg(press);
    terminal.arg(command.get_program()).args(command.get_args());
    terminal.current_dir(place.path("work")).env_clear().stdin(Stdio::null());
    terminal.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    terminal.env("TERM", "xterm");
    Ran::of(&mut terminal, None)
}

/// The maps of a place and what they say, and what a process that was killed may leave beside them.
fn artifacts(place: &Place) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![place.path("work")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
            } else if entry.file_name().to_string_lossy().starts_with(".pi-map") {
                found.insert(entry.path(), fs::read_to_string(entry.path()).expect("a text"));
            }
        }
    }
    found
}

/// Holds that all maps are there, whole, and those of a process that nobody interrupts.
#[track_caller]
fn is_complete(place: &Place) {
    let before = artifacts(place);
    assert_eq!(before.len(), 2 * PAIRS);
    place.run(&["run", "project-map", "validate"]).ends(0);
    place.run(&["run", "project-map", "reinit"]).ends(0);
    assert!(before == artifacts(place), "`reinit` writes something else");
}

#[test]
fn a_bar_is_there_on_a_terminal_alone_and_only_when_it_takes_a_moment() {
    let place = large();
    let shown = on_a_terminal(&place, "never", &INIT).ends(0).out;
    assert!(shown.contains(&format!("/{FILES} {READING}")), "{shown:?}");
    assert!(shown.contains("made: wrote "), "{shown:?}");
    // The same work for a program: its cache is gone, and so are the maps.
    fs::remove_dir_all(place.path("cache")).expect("it is there");
    artifacts(&place).keys().for_each(|path| fs::remove_file(path).expect("it is there"));
    let piped = place.run(&INIT).ends(0);
    assert_eq!(piped.err, "");
    assert!(piped.out.starts_with("made: wrote "), "{}", piped.out);
    // Few files are read before a bar would be seen.
    let small = self::place();
    small.write("work/one.py", "def lights():\n    pass\n");
    let shown = on_a_terminal(&small, "never", &INIT).ends(0).out;
    assert!(shown.starts_with("made: wrote 2 artifacts") && !shown.contains(READING), "{shown:?}");
}

#[test]
fn ctrl_c_before_anything_is_written_leaves_nothing_and_the_next_run_makes_all() {
    let place = large();
    let shown = on_a_terminal(&place, &format!("text:{READING}"), &INIT).ends(INTERRUPTED).out;
    assert!(shown.contains(READING) && !shown.contains("made: "), "{shown:?}");
    assert_eq!(artifacts(&place), BTreeMap::new());
    place.run(&["run", "project-map", "validate"]).ends(1);
    place.run(&INIT).ends(0);
    is_complete(&place);
}

#[test]
fn ctrl_c_in_the_middle_of_writing_leaves_whole_maps_and_the_next_run_makes_the_others() {
    let place = large();
    // The first of hundreds.
    let begun = place.path("work/part_0/.pi-map.index.md");
    let shown = on_a_terminal(&place, &format!("file:{}", begun.display()), &INIT).ends(INTERRUPTED).out;
    let there = artifacts(&place);
    let whole = there.iter().filter(|(path, _)| !path.to_string_lossy().ends_with(".new")).count();
    assert!(whole > 0 && whole < 2 * PAIRS, "{whole} are there, and {shown:?}");
    // The root's come last, so that no map names one which is not there.
    assert!(!place.path("work/.pi-map.md").exists());
    let report = place.run(&["run", "project-map", "validate", "--json"]).ends(1).json()["data"].take();
    let findings = report["findings"].as_array().expect("findings");
    assert!(findings.iter().all(|finding| finding["code"] == "missing"), "{report:#}");
    assert_eq!(findings.len(), 2 * PAIRS - whole);
    assert!(place.run(&INIT).ends(2).out.contains("`reinit`"), "it is said what completes them");
    place.run(&["run", "project-map", "validate", "--fix"]).ends(0);
    is_complete(&place);
}
