use std::{cell::Cell, fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command, time::UNIX_EPOCH};

use ctxhost_sdk::protocol::project_map::Mode;
use tempfile::TempDir;

use super::*;
use crate::select::pair::{Heading, Page};

mod samples;

/// A project in a folder of its own, with a cache beside it. Each look begins a second later.
struct Sample {
    around: TempDir,
    seconds: Cell<u64>,
}

impl Sample {
    fn new(files: &[(&str, &str)]) -> Self {
        let sample = Self { around: TempDir::new().expect("a folder"), seconds: Cell::new(4_000_000_000) };
        fs::create_dir(sample.root()).expect("a folder");
        files.iter().for_each(|(path, text)| sample.write(path, text));
        sample
    }

    fn root(&self) -> PathBuf {
        self.around.path().join("project")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).expect("the file");
    }

    fn git(&self, args: &[&str]) {
        let done = Command::new("git").args(args).current_dir(self.root()).output().expect("git");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    fn cache(&self) -> PathBuf {
        self.around.path().join("cache")
    }

    /// What a process that begins now has. There are no grammars, so that what is found does not depend on what was built.
    fn workspace(&self) -> Workspace {
        let places = Places { cache: Some(self.cache()), max_files: 1_000, ..Places::default() };
        Workspace::open(&self.root(), &places).expect("a project")
    }

    fn look_of(&self, workspace: &Workspace, config: &Config) -> Look {
        self.seconds.set(self.seconds.get() + 1);
        let now = UNIX_EPOCH + Duration::from_secs(self.seconds.get());
        workspace.look(config, now, &|_| false, &mut |_, _| ())
    }

    fn look(&self) -> Look {
        self.look_of(&self.workspace(), &config())
    }
}

fn config() -> Config {
    Config {
        ignore_patterns: vec!["node_modules".to_owned(), ".git".to_owned()],
        small_package_threshold: 3,
        context_budget: 4_000,
        mode: Mode::Strong,
        tag_cap: 8,
        workflow_hint_cap: 5,
        context_budget_percent: 15,
        context_budget_max_tokens: 100_000,
        expansion_tokens: 4_000,
        commit_artifacts: false,
        artifact_dir: None,
        max_files: 200_000,
    }
}

fn paths(look: &Look) -> Vec<&str> {
    look.inventory.files.iter().map(|file| file.path.as_str()).collect()
}

const FILES: &[(&str, &str)] = &[
    (
        "src/a.py",
        "\"\"\"Adds numbers up.\"\"\"\n\nfrom .b import take\n\ndef add(one, two):\n    return one + two\n",
    ),
    ("src/b.py", "def take(one, two):\n    return one - two\n"),
    ("README.md", "# Sums\n\nAdds and takes away.\n"),
];

#[test]
fn what_one_process_saw_another_knows() {
    let sample = Sample::new(FILES);
    assert!(sample.workspace().known(&config()).is_none());
    let look = sample.look();
    assert!(look.complete && look.findings.is_empty(), "{:?}", look.findings);
    assert_eq!(paths(&look), ["README.md", "src/a.py", "src/b.py"]);
    let known = sample.workspace().known(&config()).expect("what was seen");
    assert_eq!((&known.pairs, &known.inventory, known.complete), (&look.pairs, &look.inventory, true));
    let folder = sample.workspace().project.folder().expect("a folder").join("map-facts");
    assert_eq!(fs::metadata(folder).expect("a file").permissions().mode() & 0o777, 0o600);
}

/// Looks at some paths alone, and compares with what a look at everything gives.
fn check_at(sample: &Sample, paths: &[&str]) -> Look {
    let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
    let at = sample.workspace().look_at(&config(), &paths).expect("what was known").look;
    let known = sample.workspace().known(&config()).expect("what was seen");
    assert_eq!(known.inventory, at.inventory, "what was seen at {paths:?} is not what is known");
    fs::remove_dir_all(sample.cache()).expect("the cache");
    let whole = sample.look();
    assert_eq!(at.inventory, whole.inventory, "{paths:?}");
    assert_eq!(at.pairs, whole.pairs, "{paths:?}");
    assert!(at.complete);
    at
}

#[test]
fn a_look_at_some_paths_comes_to_the_same_as_a_whole_one() {
    let sample = Sample::new(FILES);
    sample.git(&["init", "-q"]);
    sample.write(".gitignore", "*.log\n");
    sample.look();
    // Changed, added, deleted, renamed, a directory, one with a slash, one in full, left out by git, not there.
    sample.write("src/a.py", "def subtract(): pass\n");
    check_at(&sample, &["src/a.py"]);
    sample.write("src/new/c.py", "def c(): pass\n");
    check_at(&sample, &["src/new/c.py"]);
    sample.remove("src/b.py");
    check_at(&sample, &["src/b.py"]);
    fs::rename(sample.root().join("src/new"), sample.root().join("src/other")).expect("renamed");
    check_at(&sample, &["src/new", "src/other"]);
    sample.write("src/other/d.py", "def d(): pass\n");
    check_at(&sample, &["src/"]);
    sample.write("lib/e.py", "def e(): pass\n");
    let whole = sample.root().canonicalize().expect("a folder").join("lib/e.py");
    check_at(&sample, &[whole.to_str().expect("a name")]);
    sample.write("lib/e.log", "x");
    check_at(&sample, &["lib/e.log", "nowhere/at/all", "../outside", "/etc/passwd"]);
    fs::remove_dir_all(sample.root().join("lib")).expect("the folder");
    sample.write("lib", "a file now\n");
    check_at(&sample, &["lib"]);
    sample.write("src/all.py", "def all(): pass\n");
    check_at(&sample, &["."]);
}

#[test]
fn a_look_at_some_paths_takes_everything_else_as_it_was_known() {
    let sample = Sample::new(FILES);
    let before = sample.look();
    sample.write("src/b.py", "def unseen(): pass\n");
    sample.write("src/a.py", "def seen(): pass\n");
    let at = sample.workspace().look_at(&config(), &["src/a.py".to_owned()]);
    let at = at.expect("what was known").look;
    assert_eq!(at.inventory.files[1].symbols[0].name, "seen");
    assert_eq!(at.inventory.files[2], before.inventory.files[2]);
    let nothing = sample.workspace().look_at(&config(), &["nowhere".to_owned()]).expect("what was known");
    assert_eq!(nothing.look.inventory, at.inventory);
}

#[test]
fn artifacts_and_what_the_settings_leave_out_are_not_mapped() {
    let sample = Sample::new(FILES);
    sample.write(".pi-map.md", "# Map");
    sample.write("src/.pi-map.index.md", "# Index");
    sample.write("maps/root.md", "ours");
    sample.write("src/gen/x.py", "x = 1\n");
    sample.write("node_modules/y/index.js", "y()\n");
    let config = Config {
        artifact_dir: Some("maps".into()),
        ignore_patterns: vec!["gen/".into(), "node_modules".into()],
        ..config()
    };
    let workspace = sample.workspace();
    assert_eq!(paths(&sample.look_of(&workspace, &config)), ["README.md", "src/a.py", "src/b.py"]);
    // Other settings, the same files.
    let all = Config { ignore_patterns: Vec::new(), artifact_dir: None, ..config };
    let known = workspace.known(&all).expect("what was seen");
    assert_eq!(
        paths(&known),
        ["README.md", "maps/root.md", "node_modules/y/index.js", "src/a.py", "src/b.py", "src/gen/x.py"]
    );
}

#[test]
fn files_of_secrets_are_named_and_never_described() {
    let sample = Sample::new(FILES);
    sample.write(".env", "# The token of the shop, to be kept.\nTOKEN=sesame\n");
    sample.write("src/server.key", "sesame\n");
    sample.write("config/secrets.toml", "# Opens with sesame.\n[package]\nname = \"sesame\"\n");
    let look = sample.look();
    assert_eq!(look.inventory.files.iter().filter(|file| file.secret).count(), 3);
    assert!(
        !format!("{:?}", look.pairs).contains("sesame")
            && !format!("{:?}", look.pairs).contains("token of the shop")
    );
    let at = sample.workspace().look_at(&config(), &[".env".to_owned(), "src".to_owned()]);
    assert_eq!(at.expect("what was known").look.inventory, look.inventory);
    let kept =
        fs::read(sample.workspace().project.folder().expect("a folder").join("map-facts")).expect("facts");
    assert!(!String::from_utf8_lossy(&kept).contains("sesame"));
}

#[test]
fn a_cache_that_is_broken_is_made_anew_and_one_that_cannot_be_written_is_one_finding() {
    let sample = Sample::new(FILES);
    let whole = sample.look();
    let facts = sample.workspace().project.folder().expect("a folder").join("map-facts");
    fs::write(&facts, "nonsense").expect("room");
    assert!(sample.workspace().known(&config()).is_none());
    assert_eq!(sample.look().pairs, whole.pairs);
    assert!(sample.workspace().known(&config()).is_some());
    // A folder in the file's place cannot be replaced, by nobody at all.
    fs::remove_file(&facts).expect("the file");
    fs::create_dir_all(facts.join("full")).expect("room");
    let workspace = sample.workspace();
    let look = sample.look_of(&workspace, &config());
    let codes: Vec<&str> = look.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!((codes, &look.pairs), (vec!["cache-unwritable"], &whole.pairs));
    assert_eq!(workspace.known(&config()).expect("in memory").pairs, whole.pairs);
}

#[test]
fn the_first_command_of_a_project_already_keeps_others_waiting() {
    let sample = Sample::new(&[("a.rs", "")]);
    let held = sample.workspace().alone(&|| false);
    assert!(held.is_some() && sample.workspace().alone(&|| true).is_none());
    drop(held);
    assert!(sample.workspace().alone(&|| true).is_some());
}

#[test]
fn without_time_a_look_says_that_it_is_not_complete() {
    let sample = Sample::new(FILES);
    let now = UNIX_EPOCH + Duration::from_secs(4_000_000_000);
    let workspace = sample.workspace();
    let parts = Mutex::new(false);
    // The files are seen, and there is no time to parse them.
    let look = workspace
        .look(&config(), now, &|part| part >= 1.0, &mut |_, _| *parts.lock().expect("one thread") = true);
    assert!(!look.complete);
    assert_eq!(paths(&look), ["README.md", "src/a.py", "src/b.py"]);
    assert!(look.inventory.files.iter().all(|file| file.symbols.is_empty() && file.purpose.is_empty()));
    let later = sample.look_of(&workspace, &config());
    assert!(later.complete && later.inventory.files[1].purpose == "Adds numbers up.");
    assert_eq!(later.pairs, sample.look().pairs);
    let none = sample.workspace().look(&config(), now, &|_| true, &mut |_, _| ());
    assert!(!none.complete && none.findings.iter().any(|finding| finding.code == "look-unfinished"));
}

#[test]
fn an_empty_project_has_the_pair_of_its_root() {
    let sample = Sample::new(&[]);
    let look = sample.look();
    assert!(look.complete && look.pairs.len() == 1 && look.files == 0);
}

#[test]
fn kept_pairs_that_are_older_or_broken_are_made_anew() {
    let sample = Sample::new(FILES);
    let first = sample.look();
    let pairs = sample.workspace().project.folder().expect("a folder").join("map-pairs");
    assert_eq!(fs::metadata(&pairs).expect("a file").permissions().mode() & 0o777, 0o600);
    let old = fs::read(&pairs).expect("the pairs");
    sample.write("src/b.py", "def other(): pass\n");
    let whole = sample.look();
    assert_ne!(whole.pairs, first.pairs);
    for bytes in [&old[..], b"nonsense", b""] {
        fs::write(&pairs, bytes).expect("room");
        let known = sample.workspace().known(&config()).expect("what was seen");
        assert_eq!((&known.pairs, &known.texts), (&whole.pairs, &whole.texts));
        assert_ne!(fs::read(&pairs).expect("the pairs"), bytes, "they are kept again");
    }
    // What other settings make is another matter.
    let other = Config { small_package_threshold: 2, tag_cap: 1, ..config() };
    let known = sample.workspace().known(&other).expect("what was seen");
    assert_ne!(known.pairs, whole.pairs);
    assert_eq!(sample.look().pairs, whole.pairs);
}
