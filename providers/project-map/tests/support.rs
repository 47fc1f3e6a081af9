//! A place of its own for each test: a project in a real repository, a home, and a cache.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

use ctxhost_sdk::{
    prelude::*,
    serde_json::{Value, json},
};
use ctxhost_testkit::Harness;
use project_map::ProjectMap;
use tempfile::TempDir;

/// The names of artifacts.
pub(crate) const NAMES: [&str; 2] = [".pi-map.index.md", ".pi-map.md"];

pub(crate) struct Place(TempDir);

impl Place {
    /// A project of four directories with maps, if three files are worth one.
    pub(crate) fn new() -> Self {
        let place = Self::empty();
        place.git(&["init", "-q", "-b", "main"]);
        place.git(&["config", "core.autocrlf", "false"]);
        place.write("README.md", "# Shop\n\nSells things to people.\n");
        place.write("Cargo.toml", "[package]\nname = \"shop\"\ndescription = \"Sells things\"\n");
        for name in ["cart", "order", "price"] {
            place.write(
                &format!("src/{name}.rs"),
                &format!("//! Keeps the {name}.\n\n/// A {name}.\npub struct {name}s;\n\npub fn make_{name}() {{}}\n"),
            );
            place.write(
                &format!("src/net/{name}_client.py"),
                &format!("\"\"\"Asks for the {name}.\"\"\"\n\n\ndef fetch_{name}():\n    pass\n"),
            );
            place.write(
                &format!("web/{name}.ts"),
                &format!("// Shows the {name}.\nexport function show{name}() {{}}\n"),
            );
        }
        place.write("src/main.rs", "//! Begins.\nmod cart;\n\nfn main() {}\n");
        place.commit("one");
        place
    }

    /// A folder without anything in it.
    pub(crate) fn empty() -> Self {
        let place = Self(TempDir::new().expect("a folder"));
        for folder in ["project", "home"] {
            fs::create_dir(place.0.path().join(folder)).expect("a folder");
        }
        place
    }

    /// A path below the project.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.0.path().canonicalize().expect("it exists").join("project").join(below)
    }

    pub(crate) fn write(&self, below: &str, content: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    pub(crate) fn write_bytes(&self, below: &str, content: &[u8]) {
        fs::write(self.path(below), content).expect("a file");
    }

    /// Changes a file's text.
    pub(crate) fn change(&self, below: &str, from: &str, to: &str) {
        let text = self.read(below);
        assert!(text.contains(from), "{below} has no `{from}`:\n{text}");
        self.write(below, &text.replace(from, to));
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let output = Command::new("git").current_dir(self.path("")).args(identity).args(args).output();
        let output = output.expect("git is there");
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).expect("a text")
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// A host of its own, as each process is one.
    pub(crate) fn harness(&self, settings: Value) -> Harness<ProjectMap> {
        harness(self.0.path(), settings)
    }

    /// Runs a command in the place that lies in this folder and belongs to another process.
    pub(crate) fn run_below(root: &Path, settings: Value, name: &str, args: &[&str]) -> CommandReply {
        harness(root, settings).command(name, args, root.join("project")).expect("it runs")
    }

    /// Runs a command in a process of its own; three files are worth a map.
    pub(crate) fn run(&self, name: &str, args: &[&str]) -> CommandReply {
        self.run_with(json!({"smallPackageThreshold": 3}), name, args)
    }

    pub(crate) fn run_with(&self, settings: Value, name: &str, args: &[&str]) -> CommandReply {
        self.harness(settings).command(name, args, self.path("")).expect("it runs")
    }

    /// All artifacts and what they say.
    pub(crate) fn maps(&self) -> BTreeMap<String, String> {
        let mut maps = BTreeMap::new();
        collect(&self.path(""), "", &mut maps);
        maps
    }

    /// Holds what is there against what `reinit` writes, byte for byte.
    pub(crate) fn check_as_reinit(&self) {
        let before = self.maps();
        let reply = self.run("reinit", &[]);
        assert_eq!(reply.exit, 0, "{}", reply.text);
        let after = self.maps();
        assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        for (path, text) in before {
            assert_eq!(text, after[&path], "{path}");
        }
    }

    /// Holds `validate` to be clean.
    pub(crate) fn check_clean(&self) {
        let reply = self.run("validate", &[]);
        assert_eq!(reply.exit, 0, "{}", reply.text);
        assert!(reply.text.starts_with("clean: "), "{}", reply.text);
    }
}

fn harness(root: &Path, settings: Value) -> Harness<ProjectMap> {
    // The clock of a host that runs now: files that are being written may not look older than they are.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
    let builder = Harness::<ProjectMap>::builder().home(root.join("home")).now(now).settings(settings);
    builder.state_dir(root.join("kept")).cache_dir(root.join("cache")).build().expect("it starts")
}

fn collect(folder: &Path, below: &str, maps: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{below}{name}");
        if entry.file_type().expect("a type").is_dir() && name != ".git" {
            collect(&entry.path(), &format!("{path}/"), maps);
        } else if NAMES.contains(&name.as_str()) {
            maps.insert(path, fs::read_to_string(entry.path()).expect("a text"));
        }
    }
}

/// The codes of a report, each with its path.
pub(crate) fn faults(reply: &CommandReply) -> Vec<(String, String)> {
    let report = reply.data.as_ref().expect("there is a report");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().map(|finding| (text(&finding["code"]), text(&finding["path"]))).collect()
}
