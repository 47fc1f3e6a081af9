//! Scenario folders: what holds passes, what differs is named with its place.

use std::{fs, panic::catch_unwind, path::Path};

use ctxhost_sdk::{Exported, Head, prelude::*};
use ctxhost_testkit::{run_scenario, scenarios};

use crate::head;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    file: String,
}

/// Shows a file of its session's directory.
struct Shows {
    file: String,
    setup: Setup,
}

impl Exported for Shows {
    const HEAD: Head = head("shows");
}

impl Provider for Shows {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        let file = if settings.file.is_empty() { "note.txt".to_owned() } else { settings.file };
        Ok(Self { file, setup })
    }

    fn manifest(head: Manifest) -> Manifest {
        Manifest { environment: vec!["XDG_RUNTIME_DIR".to_owned()], ..head }
    }

    fn event(&self, _: &Cx<'_>, request: Request) -> Result<Reply> {
        let path = Path::new(&request.session.cwd).join(&self.file);
        let text = fs::read_to_string(&path)?;
        let home = self.setup.home_dir().map(|home| home.to_string_lossy().into_owned());
        Reply::new()
            .section(Section::prompt("file", Trust::Workspace).body(text).source(self.file.clone(), None))
            .data(json!({
                "now": request.now,
                "first": request.data["first"],
                "cwd": request.session.cwd,
                "home": home,
                "run": self.setup.env("XDG_RUNTIME_DIR"),
            }))
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios").join(name)
}

#[test]
fn scenarios_that_hold_pass() {
    scenarios::<Shows>(folder("holds"));
}

#[test]
fn a_difference_is_told_with_its_place() {
    let differs = |case: &str| run_scenario::<Shows>(&folder("differs").join(case)).expect_err("it differs");
    for (case, says) in [
        ("other-text", "at /sections/0/variants/0/body: \"as it is\\n\" instead of \"as it was\\n\""),
        ("part-of-text", "at /sections/0/variants/0/body: \"as it is\\n\" instead of \"{{contains:was}}\""),
        ("other-number", "at /data/now: 1700000000.0 instead of 5"),
        ("more-sections", "at /sections: ["),
        ("missing-field", "at /data/missing: null instead of 1"),
        ("unexpected-field", "at /data/cwd: \""),
        ("no-expected", "expected.json: "),
        ("bad-request", "request.json: "),
        ("no-file", "No such file"),
        ("bad-settings", "setting `file`"),
        ("talk-reply", "step 2: at /data/first: false instead of true"),
        ("talk-shown", "step 2: shown: at : [] instead of [{\"key\":\"file\"}]"),
        ("talk-too-much", "step 1: "),
        ("talk-command", "step 1: "),
        ("talk-unknown-step", "step 1: conversation.json: unknown variant `say`"),
        ("talk-unknown-key", "step 1: conversation.json: unknown field `showed`"),
        ("talk-no-file", "step 1: none.txt: No such file"),
    ] {
        let told = differs(case);
        assert!(told.contains(says), "{case}: {told}");
    }
    let told = differs("other-text");
    assert!(told.contains("the whole reply: {"), "{told}");
}

#[test]
fn every_failing_scenario_is_counted_and_named() {
    let panic = catch_unwind(|| scenarios::<Shows>(folder("differs"))).expect_err("they fail");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.starts_with("17 of 18 scenarios fail:\n"), "{message}");
    assert!(
        message.contains("/differs/other-text: at /sections/0") && !message.contains("/holds-after-all:"),
        "{message}"
    );
}

#[test]
fn a_folder_without_scenarios_is_a_failure() {
    let empty = tempfile::tempdir().expect("a folder");
    for path in [empty.path(), Path::new("/no/such/folder")] {
        let panic = catch_unwind(|| scenarios::<Shows>(path)).expect_err("it fails");
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains(&*path.to_string_lossy()), "{message}");
    }
}
