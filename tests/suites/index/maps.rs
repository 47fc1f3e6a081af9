//! The project map and the code index in one process, on one cache.

use std::{
    fs,
    process::{Command, Stdio},
};

use super::{equals_a_fresh_one, name_of, path_of, stats, with_provider, write_modules};
use crate::harness::{Place, Ran, codes, grammars, provider, providers};

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

/// A project in a folder that the user trusts, of languages that are read otherwise without their grammars.
fn trusted() -> Place {
    let place = Place::with(&[provider("project-map"), grammars()]);
    let work = place.path("work");
    place.config(&format!("trusted = [{:?}]\n\n[deadlines]\nprompt = 15000\n", work.display().to_string()));
    for (file, text) in [
        ("lamp.rs", "pub struct Lamp;\n\nimpl Lamp {\n    pub fn lights(&self) {}\n}\n"),
        ("horn.ts", "export class Horn {\n  sounds = () => 1;\n}\n"),
    ] {
        place.write(format!("work/{file}"), text);
    }
    place
}

fn pair(place: &Place) -> [String; 2] {
    [".pi-map.index.md", ".pi-map.md"]
        .map(|name| fs::read_to_string(place.path(format!("work/{name}"))).unwrap_or_default())
}

/// Runs a program that has no grammars beside it, as the tests' own has.
#[track_caller]
fn run(place: &Place, arguments: &[&str]) -> Ran {
    let command = place.command(arguments);
    let program = place.path("bin/ctxhost");
    if !program.exists() {
        fs::create_dir(place.path("bin")).expect("a folder");
        let from = command.get_program();
        fs::hard_link(from, &program).or_else(|_| fs::copy(from, &program).map(drop)).expect("a program");
    }
    let mut alone = Command::new(program);
    alone.args(command.get_args()).current_dir(place.path("work")).env_clear().stdin(Stdio::null());
    alone.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    Ran::of(&mut alone, None)
}

/// The findings of a prompt of this conversation.
#[track_caller]
fn prompts(place: &Place, session: &str) -> Vec<String> {
    let arguments = ["inject", "--prompt", "where is Lamp?", "--session", session, "--format", "json"];
    codes(&run(place, &arguments).ends(0).json())
}

#[test]
fn maps_that_grammars_made_outlive_a_host_without_them() {
    let library = grammars();
    let place = trusted();
    let maps = |command: &str| run(&place, &["run", "project-map", command]);
    maps("init").ends(0);
    let made = pair(&place);
    let installed = place.path("providers").join(library.file_name().expect("it has a name"));
    fs::remove_file(&installed).expect("it is there");
    // Gone, and there but no library.
    for content in [None, Some("no library")] {
        if let Some(content) = content {
            fs::write(&installed, content).expect("a file");
        }
        let session = format!("{content:?}");
        assert_eq!(prompts(&place, &session), ["project-map maps-spared"], "{content:?}");
        assert_eq!(prompts(&place, &session), [""; 0], "once in a conversation");
        assert_eq!(pair(&place), made, "{content:?}");
        let said = maps("validate").ends(1).out;
        assert!(said.contains("2 maps are of these very files"), "{content:?}: {said}");
    }
    // Files that have changed are followed all the same.
    place.write("work/lamp.rs", "pub struct Lamp;\n\nimpl Lamp {\n    pub fn dims(&self) {}\n}\n");
    assert_eq!(prompts(&place, "after an edit"), [""; 0]);
    assert!(pair(&place)[1].contains("dims"), "{}", pair(&place)[1]);
    // Who has the grammars makes it good again, and what somebody asks for without them is done and said.
    fs::remove_file(&installed).expect("it is there");
    place.install(&library);
    assert_eq!(prompts(&place, "with grammars"), [""; 0]);
    assert!(maps("validate").ends(0).out.starts_with("clean: "));
    let made = pair(&place);
    assert!(made[1].contains("`Lamp.dims`"), "{}", made[1]);
    fs::remove_file(&installed).expect("it is there");
    let said = maps("reinit").ends(0).out;
    assert!(said.contains("written here they say less"), "{said}");
    assert_ne!(pair(&place), made);
}
