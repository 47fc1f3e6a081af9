//! The project map and the code index in one process, on one cache.

use std::process::{Command, Stdio};

use super::{equals_a_fresh_one, name_of, path_of, stats, with_provider, write_modules};
use crate::harness::{Place, Ran, codes, provider, providers};

const MODULES: usize = 40;

fn both() -> Place {
    let place = with_provider();
    place.install(&provider("project-map"));
    // Unoptimized code on a busy machine is late for the usual ones, and this is not about that.
    place.config("[deadlines]\nprompt = 15000\n");
    // A repository, whose exclude file keeps maps out of the index.
    let mut git = Command::new("git");
    Ran::of(git.args(["init", "-q"]).arg(place.path("work")).stdin(Stdio::null()), None).ends(0);
    write_modules(&place, MODULES, 2);
    place
}

/// Asks about a definition; both providers answer, and neither complains.
#[track_caller]
fn asks(place: &Place, name: &str, path: &str) {
    let prompt = format!("where is {name}?");
    let injection =
        place.run(&["inject", "--prompt", &prompt, "--format", "json", "--strict"]).ends(0).json();
    assert_eq!(codes(&injection), Vec::<String>::new());
    let of = providers(&injection);
    for id in ["project-map", "pilot-index"] {
        assert!(of.iter().any(|one| one == id), "{id} said nothing: {injection:#}");
    }
    let text = injection["text"].as_str().unwrap_or_default();
    for part in ["# Index: ", "# Map: ", path, &format!("def {name}(")] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn maps_and_code_come_from_one_cache_whoever_was_there_first() {
    for first in [["project-map", "init"], ["pilot-index", "reindex"]] {
        let place = both();
        place.run(&[&["run"], &first[..]].concat()).ends(0);
        if first[0] == "pilot-index" {
            place.run(&["run", "project-map", "init"]).ends(0);
        }
        asks(&place, &name_of(12), &path_of(12));
        place.write(format!("work/{}", path_of(7)), "def dims_the_beacon(hour):\n    return hour == 23\n");
        asks(&place, "dims_the_beacon", &path_of(7));
        // The maps themselves are no files of the project.
        place.run(&["run", "pilot-index", "watcher-sync"]).ends(0);
        assert_eq!(stats(&place)["files"], MODULES, "{first:?}");
        equals_a_fresh_one(&place);
    }
}
