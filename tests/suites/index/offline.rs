//! Without any network everything is there: grammars are no download.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{equals_a_fresh_one, with_provider};
use crate::harness::{Place, Ran, codes, provider, root};

/// A file of some languages with grammars of their own, and the definition in it.
const FILES: [(&str, &str, &str, &str); 8] = [
    ("a.rs", "rust", "pub fn opens_harbour() {}\n", "opens_harbour"),
    ("b.py", "python", "def closes_harbour():\n    pass\n", "closes_harbour"),
    ("c.ts", "typescript", "export function lightsBuoy(): void {}\n", "lightsBuoy"),
    ("d.go", "go", "package d\n\nfunc RaisesAnchor() {}\n", "RaisesAnchor"),
    ("e.c", "c", "int drops_anchor(void) { return 1; }\n", "drops_anchor"),
    ("F.java", "java", "class Quay {\n    void moors() {}\n}\n", "Quay"),
    ("g.rb", "ruby", "class Pier\n  def berths; end\nend\n", "Pier"),
    ("h.zig", "zig", "pub fn soundsHorn() void {}\n", "soundsHorn"),
];

/// The same command in a process that is killed when it opens a socket to anywhere.
fn without_network(command: &Command) -> Command {
    let mut without = Command::new("python3");
    without
        .arg(root().join("tests/suites/index/no_network.py"))
        .arg(command.get_program())
        .args(command.get_args());
    without.current_dir(command.get_current_dir().expect("it has one")).env_clear().stdin(Stdio::null());
    without.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    without
}

/// A place with nothing in its cache and its home.
fn harbour() -> Place {
    let place = with_provider();
    for (file, _, text, _) in FILES {
        place.write(format!("work/{file}"), text);
    }
    place
}

#[test]
fn a_process_without_network_dies_of_a_socket() {
    let place = Place::new();
    let python = |program: &str| {
        let mut command = Command::new("python3");
        command.args(["-c", program]).current_dir(place.path("work"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        Ran::of(&mut without_network(command.env("PATH", path)), None).code
    };
    assert_eq!(python("import socket; socket.socket(socket.AF_UNIX)"), Some(0));
    for family in ["AF_INET", "AF_INET6"] {
        assert_eq!(python(&format!("import socket; socket.socket(socket.{family})")), None, "{family}");
    }
}

#[test]
fn without_network_every_definition_is_indexed_with_its_grammar() {
    let place = harbour();
    let run = |arguments: &[&str]| Ran::of(&mut without_network(&place.command(arguments)), None).ends(0);
    assert_eq!(run(&["run", "pilot-index", "reindex"]).err, "");
    let state = run(&["run", "pilot-index", "index-stats", "--json"]).json()["data"].take();
    assert_eq!((&state["complete"], &state["files"]), (&json!(true), &json!(FILES.len())), "{state}");
    let languages = state["languages"].as_array().expect("languages");
    for (file, language, _, name) in FILES {
        let of = languages.iter().find(|one| one["id"] == language);
        let method = of.map_or(&Value::Null, |one| &one["method"]);
        assert_eq!(*method, "grammar", "{language}: {state}");
        let found = run(&["tool", "pilot_symbol", "--args", &json!({"name": name}).to_string()]).out;
        assert!(found.contains(file), "{name}: {found}");
    }
    equals_a_fresh_one(&place);
}

#[test]
fn without_network_the_first_prompt_is_answered() {
    let place = harbour();
    for (file, _, _, name) in FILES {
        // The first of these meets an empty cache.
        let prompt = format!("what does {name} do?");
        let command = place.command(&["inject", "--prompt", &prompt, "--format", "json", "--strict"]);
        let injection = Ran::of(&mut without_network(&command), None).ends(0).json();
        assert_eq!(codes(&injection), Vec::<String>::new());
        let text = injection["text"].as_str().unwrap_or_default();
        assert!(text.contains(name) && text.contains(&format!("- {file}:")), "{injection:#}");
    }
}

#[test]
fn without_network_maps_are_made_and_asked() {
    let place = harbour();
    place.install(&provider("project-map"));
    let run = |arguments: &[&str]| Ran::of(&mut without_network(&place.command(arguments)), None).ends(0);
    assert!(run(&["run", "project-map", "init"]).out.contains("wrote 2 artifacts"));
    assert!(run(&["run", "project-map", "validate"]).out.starts_with("clean: "));
    for (file, _, _, name) in FILES {
        let bundle = run(&["run", "project-map", "context", name]).out;
        assert!(bundle.contains(file) && bundle.contains(name), "{name}: {bundle}");
    }
}
