//! A place of its own for each test: a runtime folder, a home, a project, and editors that live as long as the test.

use std::{
    fs::{self, File, FileTimes},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, SystemTime},
};

use ctxhost_sdk::{
    prelude::*,
    protocol::ide_context::Contribution,
    serde_json::{self, Value},
};
use ctxhost_testkit::{Failure, Harness};
use ide_context::IdeContext;
use tempfile::TempDir;

/// The clock of all tests.
pub(crate) const NOW: f64 = 1_700_000_000.0;

pub(crate) struct Place {
    root: TempDir,
    editors: Vec<Child>,
}

impl Drop for Place {
    fn drop(&mut self) {
        for editor in &mut self.editors {
            let _ = editor.kill();
            let _ = editor.wait();
        }
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { root: TempDir::new().expect("a folder"), editors: Vec::new() };
        for folder in ["run/pi-ide", "home/.pi/agent", "project/src"] {
            private_folder(&place.path(folder));
        }
        place
    }

    /// A path below the place's root.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().canonicalize().expect("it exists").join(below)
    }

    pub(crate) fn text(&self, below: &str) -> String {
        self.path(below).to_str().expect("it is text").to_owned()
    }

    pub(crate) fn write(&self, below: &str, content: impl AsRef<[u8]>) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    pub(crate) fn states(&self) -> PathBuf {
        self.path("run/pi-ide")
    }

    pub(crate) fn state_file(&self, pid: u32) -> PathBuf {
        self.states().join(format!("{pid}.json"))
    }

    pub(crate) fn harness(&self) -> Harness<IdeContext> {
        self.harness_with(json!({}))
    }

    pub(crate) fn harness_with(&self, settings: Value) -> Harness<IdeContext> {
        Harness::<IdeContext>::builder()
            .env("XDG_RUNTIME_DIR", self.path("run"))
            .home(self.path("home"))
            .state_dir(self.path("kept"))
            .cache_dir(self.path("cache"))
            .settings(settings)
            .now(NOW)
            .build()
            .expect("it starts")
    }

    /// A process that lives until the test ends, to stand for an editor.
    pub(crate) fn process(&mut self) -> u32 {
        let child = Command::new("sleep").arg("1000").stdin(Stdio::null()).stdout(Stdio::null()).spawn();
        self.editors.push(child.expect("a process"));
        self.editors.last().expect("it was pushed").id()
    }

    /// An editor with a file of the project open.
    pub(crate) fn editor(&mut self, file: &str) -> u32 {
        let pid = self.process();
        self.put(pid, &self.state(pid, "project", file));
        pid
    }

    /// A state in the form that clients write; paths are below the place's root.
    pub(crate) fn state(&self, pid: u32, cwd: &str, file: &str) -> Value {
        json!({
            "pid": pid, "cwd": self.text(cwd), "timestamp": NOW, "app": "nvim", "argv": [],
            "active_buffer": {
                "file": self.text(file), "name": Path::new(file).file_name().and_then(|name| name.to_str()),
                "language": null, "cursor": {"line": 3, "column": 1}, "selection": null, "modified": false,
                "lines_total": 9
            }
        })
    }

    /// Writes a state as a client does.
    pub(crate) fn put(&self, pid: u32, state: &Value) {
        self.put_bytes(pid, state.to_string());
    }

    pub(crate) fn put_bytes(&self, pid: u32, bytes: impl AsRef<[u8]>) {
        let beside = self.state_file(pid).with_extension("json.tmp");
        fs::write(&beside, bytes).expect("a file");
        fs::rename(beside, self.state_file(pid)).expect("it is ours");
    }

    /// Sets when a state file was last written, in seconds from now.
    pub(crate) fn age(&self, pid: u32, seconds: u64) {
        let time = SystemTime::now() - Duration::from_secs(seconds);
        let file = File::options().write(true).open(self.state_file(pid)).expect("it is there");
        file.set_times(FileTimes::new().set_modified(time)).expect("it is ours");
    }

    pub(crate) fn kill(&mut self, pid: u32) {
        let editor = self.editors.iter_mut().find(|editor| editor.id() == pid).expect("it is ours");
        editor.kill().expect("it is ours");
    }
}

pub(crate) fn private_folder(path: &Path) {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path).expect("folders");
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("it is ours");
}

/// A selection in the form that clients write.
pub(crate) fn selection(text: &str, selected_at: f64) -> Value {
    json!({
        "start": {"line": 2, "column": 1}, "end": {"line": 3, "column": 4}, "text": text, "selected_at": selected_at
    })
}

/// What a reply says of how things stand.
pub(crate) fn contribution(reply: &Reply) -> Contribution {
    serde_json::from_value(reply.data.clone()).expect("the host has validated it")
}

/// The fullest text that a reply offers; empty when it offers none.
pub(crate) fn fullest(reply: &Reply) -> &str {
    reply.sections.first().map_or("", |section| section.variants[0].body.as_str())
}

/// Asks about a prompt in a session of the place's project.
pub(crate) fn ask(harness: &Harness<IdeContext>, place: &Place) -> Result<Reply, Failure> {
    harness.prompt("what is this?", place.path("project"))
}

/// The codes of a reply's findings.
pub(crate) fn codes(reply: &Reply) -> Vec<&str> {
    reply.findings.iter().map(|finding| finding.code.as_str()).collect()
}
