//! `ctxhost install` and `uninstall`: next to what is there, and without a trace again.

mod doctor;
mod files;
mod refusals;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use proptest::prelude::*;
use serde_json::Value;

use crate::harness::{Place, Ran, root};

/// A test's place, with the program under its own name, by which it knows its entries.
struct Scene {
    place: Place,
    program: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let place = Place::new();
        let program = link(&place, "bin/ctxhost");
        Self { place, program }
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let model = self.place.command(arguments);
        let mut command = Command::new(program);
        command.args(arguments).env_clear().current_dir(self.place.path("work"));
        for (name, value) in model.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command
    }

    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(&self.program, arguments).stdin(Stdio::null()), None)
    }

    fn home(&self, name: &str) -> PathBuf {
        self.place.path("home").join(name)
    }

    /// Every file and folder below home, data, state and the working directory, with what is in it.
    fn tree(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        fn walk(folder: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() && !path.is_symlink() {
                    found.insert(path.clone(), None);
                    walk(&path, found);
                } else {
                    found.insert(path.clone(), Some(fs::read(&path).unwrap_or_default()));
                }
            }
        }
        let mut found = BTreeMap::new();
        for name in ["home", "data", "state", "work"] {
            walk(&self.place.path(name), &mut found);
        }
        found
    }
}

/// The program under another name in this place.
fn link(place: &Place, name: &str) -> PathBuf {
    let program = place.path(name);
    fs::create_dir_all(program.parent().expect("it has a folder")).expect("a folder");
    let built = PathBuf::from(env!("CARGO_BIN_EXE_ctxhost-under-test"));
    fs::hard_link(&built, &program).or_else(|_| fs::copy(&built, &program).map(drop)).expect("a program");
    program
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[track_caller]
fn json(path: &Path) -> Value {
    let text = read(path);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error} in {text}", path.display()))
}

/// Whether one text is what is left of another when parts are taken out.
fn is_left_of(text: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    text.chars().all(|character| whole.any(|other| other == character))
}

const AGENTS: [&str; 3] = ["claude-code", "codex", "pi"];

#[test]
fn foreign_bytes_survive_an_installation_and_the_way_back() {
    for (agent, name, text) in files::ALL {
        let scene = Scene::new();
        let file = scene.place.write(Path::new("home").join(name), text);
        let before = scene.tree();

        scene.run(&["install", agent]).ends(0);
        let with = read(&file);
        assert_ne!(&with, text, "{name}");
        assert!(is_left_of(text, &with), "{agent} {name}: {text} is in {with}");
        let line_ends = |text: &str| (text.matches("\r\n").count(), text.matches('\n').count());
        let ((carriage_before, before_all), (carriage, all)) = (line_ends(text), line_ends(&with));
        match carriage_before {
            0 => assert_eq!(carriage, 0, "{agent} {name}: {with:?}"),
            count if count == before_all => assert_eq!(carriage, all, "{agent} {name}: {with:?}"),
            _ => {}
        }
        assert_eq!(
            text.contains('\t'),
            with.contains('\t'),
            "{agent} {name}: in its own indentation: {with}"
        );
        let installed = scene.tree();

        let again = scene.run(&["install", agent]).ends(0);
        assert!(again.out.contains("already installed"), "{}", again.out);
        assert_eq!(scene.tree(), installed, "{agent} {name}: a second time changes nothing");

        scene.run(&["uninstall", agent]).ends(0);
        assert_eq!(read(&file), *text, "{agent} {name}");
        assert_eq!(scene.tree(), before, "{agent} {name}: nothing is left behind");
    }
}

#[test]
fn foreign_bytes_survive_without_the_record_too() {
    for (agent, name, text) in files::ALL.iter().filter(|(_, _, text)| !files::is_bare(text)) {
        let scene = Scene::new();
        let file = scene.place.write(Path::new("home").join(name), text);
        scene.run(&["install", agent]).ends(0);
        fs::remove_dir_all(scene.place.path("state/ctxhost")).expect("there are records");
        scene.run(&["uninstall", agent]).ends(0);
        assert_eq!(read(&file), *text, "{agent} {name}");
    }
}

#[test]
fn an_agent_without_files_gets_them_and_loses_them_again() {
    for agent in AGENTS {
        let scene = Scene::new();
        let before = scene.tree();
        let ran = scene.run(&["install", agent]).ends(0);
        assert!(ran.out.contains("next: "), "{}", ran.out);
        assert_ne!(scene.tree(), before);
        for (path, content) in scene.tree() {
            let mode = fs::metadata(&path).expect("it is there").permissions().mode() & 0o077;
            let is_old = before.contains_key(&path);
            assert!(is_old || mode == 0, "{} {content:?} can be read by others", path.display());
        }
        scene.run(&["uninstall", agent]).ends(0);
        assert_eq!(scene.tree(), before, "{agent}");
        let nothing = scene.run(&["uninstall", agent]).ends(0);
        assert!(nothing.out.contains("nothing of ctxhost's is installed"), "{}", nothing.out);
    }
}

#[test]
fn claude_code_gets_its_hooks_and_its_server() {
    let scene = Scene::new();
    scene.run(&["install", "claude-code"]).ends(0);
    let program = scene.program.to_str().expect("UTF-8");
    let hooks = &json(&scene.home(".claude/settings.json"))["hooks"];
    for event in [
        "SessionStart",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "PostCompact",
        "Stop",
        "SessionEnd",
    ] {
        let handler = &hooks[event][0]["hooks"][0];
        assert_eq!(handler["command"], program, "{event}");
        assert_eq!(handler["args"], serde_json::json!(["hook", "claude-code"]), "{event}");
        assert!(handler["timeout"].is_u64(), "{event}");
    }
    let prompt = &hooks["UserPromptSubmit"][0]["hooks"][0];
    assert_eq!((&prompt["server"], &prompt["tool"]), (&"ctxhost".into(), &"ctxhost_inject".into()));
    assert_eq!(prompt["input"]["prompt"], "${prompt}");
    let server = &json(&scene.home(".claude.json"))["mcpServers"]["ctxhost"];
    assert_eq!((&server["command"], &server["args"][0]), (&program.into(), &"mcp".into()));
}

#[test]
fn a_hook_that_is_a_command_takes_the_place_of_the_tool() {
    for agent in ["claude-code", "codex"] {
        let scene = Scene::new();
        scene.run(&["install", agent]).ends(0);
        scene.run(&["install", agent, "--hook", "command"]).ends(0);
        let file = if agent == "codex" { ".codex/hooks.json" } else { ".claude/settings.json" };
        let prompts = json(&scene.home(file))["hooks"]["UserPromptSubmit"].clone();
        assert_eq!(prompts.as_array().map(Vec::len), Some(1), "one of the two: {prompts}");
        assert_eq!(prompts[0]["hooks"].as_array().map(Vec::len), Some(1), "one of the two: {prompts}");
        assert_eq!(prompts[0]["hooks"][0]["type"], "command");
        scene.run(&["uninstall", agent]).ends(0);
        assert!(!scene.home(file).exists());
    }
}

#[test]
fn codex_gets_its_hooks_and_its_table() {
    let scene = Scene::new();
    let program = link(&scene.place, "a bin's/ctxhost");
    Ran::of(scene.command(&program, &["install", "codex"]).stdin(Stdio::null()), None).ends(0);
    let hooks = &json(&scene.home(".codex/hooks.json"))["hooks"];
    let line = hooks["PreToolUse"][0]["hooks"][0]["command"].as_str().expect("a line").to_owned();
    let said = Command::new("sh").arg("-c").arg(format!("printf '%s\\n' {line}")).output().expect("sh runs");
    let words = String::from_utf8(said.stdout).expect("UTF-8");
    assert_eq!(words, format!("{}\nhook\ncodex\n", program.display()), "a shell reads {line}");
    let input = &hooks["UserPromptSubmit"][0]["hooks"][0]["input"];
    assert!(input.get("prompt_id").is_none(), "a name that Codex does not know fails the hook: {input}");
    let config: toml::Table = read(&scene.home(".codex/config.toml")).parse().expect("TOML");
    let server = &config["mcp_servers"]["ctxhost"];
    assert_eq!(server["command"].as_str(), program.to_str());
    let passed = server["env_vars"].as_array().expect("a list");
    assert!(passed.iter().any(|name| name.as_str() == Some("XDG_RUNTIME_DIR")), "editors are found by it");
    assert!(hooks["SessionEnd"][0]["hooks"][0]["timeout"].as_u64().is_some_and(|seconds| seconds <= 3));
    assert_eq!(hooks["Stop"][0]["hooks"][0]["command"], line);
    assert!(hooks.get("PostToolUseFailure").is_none(), "it has no event of its own for a call that fails");
}

#[test]
fn pi_gets_the_extension_that_lies_in_the_tree() {
    let scene = Scene::new();
    let old = scene.place.write("data/ctxhost/agents/pi/src/of-an-old-version.ts", "old");
    scene.run(&["install", "pi"]).ends(0);
    let package = scene.place.path("data/ctxhost/agents/pi");
    let settings = json(&scene.home(".pi/agent/settings.json"));
    assert_eq!(settings["packages"], serde_json::json!([package]));
    assert_eq!(
        json(&scene.home(".pi/agent/ctxhost.json"))["command"],
        scene.program.to_str().expect("UTF-8")
    );
    assert!(!old.exists(), "sources of another version would be loaded too");

    let source = root().join("host/agents/pi");
    let mut names = vec!["package.json".to_owned(), "README.md".to_owned()];
    for entry in fs::read_dir(source.join("src")).expect("the extension has sources").flatten() {
        names.push(format!("src/{}", entry.file_name().to_string_lossy()));
    }
    assert!(names.len() > 3, "{names:?}");
    for name in names {
        assert_eq!(read(&package.join(&name)), read(&source.join(&name)), "{name} is the one in the tree");
    }
}

#[test]
fn a_project_gets_no_path_of_anybody() {
    for agent in AGENTS {
        let scene = Scene::new();
        let mut command = scene.command(&scene.program, &["install", agent, "--project"]);
        // A project's file can name the extension for everybody only below a home folder.
        command.env("XDG_DATA_HOME", scene.home(".local/share"));
        Ran::of(command.stdin(Stdio::null()), None).ends(0);
        let (mut count, place) = (0, scene.place.path("").display().to_string());
        for (path, content) in scene.tree() {
            if path.starts_with(scene.place.path("work")) && content.is_some() {
                count += 1;
                assert!(!read(&path).contains(&place), "{}: {}", path.display(), read(&path));
            }
        }
        assert_eq!(count, if agent == "pi" { 1 } else { 2 }, "{agent}");
        let mut command = scene.command(&scene.program, &["uninstall", agent, "--project"]);
        command.env("XDG_DATA_HOME", scene.home(".local/share"));
        Ran::of(command.stdin(Stdio::null()), None).ends(0);
        assert_eq!(fs::read_dir(scene.place.path("work")).expect("a folder").count(), 0, "{agent}");
    }
}

#[test]
fn folders_of_the_agents_own_are_respected() {
    for (agent, variable, files) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", ["settings.json", ".claude.json"]),
        ("codex", "CODEX_HOME", ["hooks.json", "config.toml"]),
        ("pi", "PI_CODING_AGENT_DIR", ["settings.json", "ctxhost.json"]),
    ] {
        let scene = Scene::new();
        let mut command = scene.command(&scene.program, &["install", agent]);
        Ran::of(command.env(variable, scene.home("elsewhere")).stdin(Stdio::null()), None).ends(0);
        for file in files {
            assert!(scene.home("elsewhere").join(file).is_file(), "{agent} {file}");
        }
        let others: Vec<_> = fs::read_dir(scene.place.path("home")).expect("a folder").flatten().collect();
        assert_eq!(others.len(), 1, "{agent}: {others:?}");
    }
}

#[test]
fn an_edit_of_later_stays() {
    let scene = Scene::new();
    let file = scene.place.write("home/.claude/settings.json", "{\n  \"model\": \"x\"\n}\n");
    scene.run(&["install", "claude-code"]).ends(0);
    let theirs = "{ \"hooks\": [{ \"type\": \"command\", \"command\": \"echo mine\" }] }";
    let edited = read(&file).replace("\"model\": \"x\"", "\"model\": \"y\"").replacen(
        "\"PreToolUse\": [",
        &format!("\"PreToolUse\": [\n      {theirs},"),
        1,
    );
    fs::write(&file, &edited).expect("it can be written");
    scene.run(&["uninstall", "claude-code"]).ends(0);
    let left = read(&file);
    assert_eq!(
        left,
        format!(
            "{{\n  \"model\": \"y\",\n  \"hooks\": {{\n    \"PreToolUse\": [\n      {theirs}\n    ]\n  }}\n}}\n"
        )
    );
    assert!(!scene.home(".claude.json").exists(), "what was not edited is given back");
}

#[test]
fn a_container_that_was_there_empty_stays_after_an_edit() {
    let scene = Scene::new();
    let file = scene.place.write("home/.claude/settings.json", "{\"hooks\": {\"Stop\": []}, \"a\": 1}");
    scene.run(&["install", "claude-code"]).ends(0);
    fs::write(&file, read(&file).replace("\"a\": 1", "\"a\": 2")).expect("it can be written");
    scene.run(&["uninstall", "claude-code"]).ends(0);
    assert_eq!(read(&file), "{\"hooks\": {\"Stop\": []}, \"a\": 2}");
}

#[test]
fn an_edit_between_two_installations_is_no_edit_of_ours() {
    let scene = Scene::new();
    let file = scene.place.write("home/.codex/config.toml", "model = \"a\"\n");
    scene.run(&["install", "codex"]).ends(0);
    fs::write(&file, read(&file).replace("\"a\"", "\"b\"")).expect("it can be written");
    let moved = link(&scene.place, "moved/ctxhost");
    Ran::of(scene.command(&moved, &["install", "codex"]).stdin(Stdio::null()), None).ends(0);
    assert!(read(&file).contains("moved/ctxhost"), "a program that moved is named anew: {}", read(&file));
    scene.run(&["uninstall", "codex"]).ends(0);
    assert_eq!(read(&file), "model = \"b\"\n");
}

#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    let scene = Scene::new();
    let text = "{\n    \"model\": \"x\"\n}\n";
    let real = scene.place.write("home/dotfiles/claude.json", text);
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    let file = scene.home(".claude/settings.json");
    fs::create_dir_all(scene.home(".claude")).expect("a folder");
    symlink("../dotfiles/claude.json", &file).expect("a link");
    scene.run(&["install", "claude-code"]).ends(0);
    assert!(file.is_symlink());
    assert!(read(&real).contains("ctxhost_inject"));
    assert_eq!(fs::metadata(&real).expect("it is there").permissions().mode() & 0o777, 0o640);
    scene.run(&["uninstall", "claude-code"]).ends(0);
    assert!(file.is_symlink());
    assert_eq!(read(&real), text);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    for (agent, name, text) in files::ALL {
        let scene = Scene::new();
        let file = scene.place.write(Path::new("home").join(name), text);
        let before = scene.tree();
        let shown = scene.run(&["install", agent, "--dry-run"]).ends(0).out;
        assert_eq!(scene.tree(), before, "{agent} {name}");
        assert!(shown.contains("ctxhost"), "{shown}");
        let document = scene.run(&["install", agent, "--dry-run", "--json"]).ends(0).json();
        let files = document["files"].as_array().expect("files");
        let edit = files.iter().find(|edit| edit["file"] == file.to_str().expect("UTF-8"));
        let diff = edit.and_then(|edit| edit["diff"].as_str()).expect("its change is shown").to_owned();
        scene.run(&["install", agent]).ends(0);
        assert_eq!(patched(&scene, text, &diff), read(&file), "{agent} {name}: the change is the one shown");
    }
}

/// What `patch` makes of a text and a change.
fn patched(scene: &Scene, text: &str, diff: &str) -> String {
    let file = scene.place.write("patched", text);
    let mut patch = Command::new("git");
    patch
        .args(["apply", "--unsafe-paths", "--whitespace=nowarn", "-p0", "-"])
        .current_dir(scene.place.path(""));
    let head = format!("--- patched\n+++ patched\n{}", diff.splitn(3, '\n').nth(2).expect("a change"));
    let ran = Ran::of(patch.env("GIT_CEILING_DIRECTORIES", "/").stdin(Stdio::piped()), Some(head.as_bytes()));
    assert_eq!(ran.code, Some(0), "{} for {head}", ran.err);
    read(&file)
}

#[test]
fn comments_that_an_agent_cannot_read_are_told_of() {
    let scene = Scene::new();
    let file = scene.place.write("home/.claude/settings.json", "// mine\n{}\n");
    let ran = scene.run(&["install", "claude-code"]).ends(0);
    assert!(ran.out.contains("agents read strict JSON only"), "{}", ran.out);
    scene.run(&["uninstall", "claude-code"]).ends(0);
    fs::write(&file, "{}\n").expect("it can be written");
    let ran = scene.run(&["install", "claude-code"]).ends(0);
    assert!(!ran.out.contains("strict JSON"), "{}", ran.out);
}

#[test]
fn an_agent_that_is_not_here_is_told_of() {
    let scene = Scene::new();
    let mut command = scene.command(&scene.program, &["install", "codex"]);
    let ran = Ran::of(command.env("PATH", scene.place.path("bin")).stdin(Stdio::null()), None).ends(0);
    assert!(ran.out.contains("no program `codex` is on the PATH"), "{}", ran.out);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// With the record, bytes come back whatever they are, as long as they are a file that can be edited.
    #[test]
    fn whatever_was_there_comes_back(
        before in "[ \t\r\n]{0,3}",
        inner in r#"[ \t\r\n]{0,3}|"a" ?: ?\[ ?\],?|"hooks" ?: ?\{ ?"Stop" ?: ?\[ ?\] ?,? ?\}[ \n]?|[ \n]?// é\n ?"#,
        after in "[ \t\r\n]{0,3}",
        mark in any::<bool>(),
    ) {
        let text = format!("{}{before}{{{inner}}}{after}", if mark { "\u{feff}" } else { "" });
        let scene = Scene::new();
        let file = scene.place.write("home/.claude/settings.json", &text);
        scene.run(&["install", "claude-code"]).ends(0);
        prop_assert_ne!(read(&file), text.clone());
        scene.run(&["uninstall", "claude-code"]).ends(0);
        prop_assert_eq!(read(&file), text);
    }
}
