//! A place of its own for each test: a project, a home, and folders for cache and state.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ctxhost_sdk::{
    prelude::*,
    protocol::{envelope::Life, pilot_index::Contribution},
    serde_json::{self, Value},
};
use ctxhost_testkit::{Failure, Harness, HarnessBuilder};
use pilot_index::PilotIndex;
use tempfile::TempDir;

pub(crate) struct Place {
    root: TempDir,
    pub(crate) now: f64,
}

/// A small project: a registry, what uses it, its test, and something else.
pub(crate) const REGISTRY: &str = "\
\"\"\"Keeps names.\"\"\"


class Registry:
    \"\"\"All names that were added.\"\"\"

    def add_name(self, name):
        \"\"\"Adds a name once.\"\"\"
        if name in self.names:
            return False
        self.names.append(name)
        return True

    def drop_name(self, name):
        self.names.remove(name)
";
const SERVER: &str = "\
from registry import Registry


def start_server(port):
    \"\"\"Listens on a port.\"\"\"
    registry = Registry()
    registry.add_name('server')
    return port
";
const TEST: &str = "\
from registry import Registry


def test_add_name():
    assert Registry().add_name('a')
";

impl Place {
    pub(crate) fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        // The clock of a host that runs now: files that are being written may not look older than they are.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
        let place = Self { root, now };
        place.write("project/.git/HEAD", "ref: refs/heads/main\n");
        for folder in ["objects", "refs"] {
            fs::create_dir_all(place.path("project/.git").join(folder)).expect("folders");
        }
        fs::create_dir_all(place.path("home")).expect("folders");
        place.write("project/src/registry.py", REGISTRY);
        place.write("project/src/server.py", SERVER);
        place.write("project/tests/test_registry.py", TEST);
        place.write("project/README.md", "# Names\n\nA registry of names.\n");
        place
    }

    /// A path below the place's root.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().canonicalize().expect("it exists").join(below)
    }

    pub(crate) fn write(&self, below: &str, content: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    pub(crate) fn read(&self, below: &str) -> String {
        fs::read_to_string(self.path(below)).unwrap_or_default()
    }

    pub(crate) fn builder(&self, settings: Value) -> HarnessBuilder<PilotIndex> {
        Harness::<PilotIndex>::builder()
            .home(self.path("home"))
            .state_dir(self.path("kept"))
            .cache_dir(self.path("cache"))
            .settings(settings)
            .now(self.now)
    }

    pub(crate) fn harness(&self) -> Harness<PilotIndex> {
        self.harness_with(json!({}))
    }

    pub(crate) fn harness_with(&self, settings: Value) -> Harness<PilotIndex> {
        self.builder(settings).build().expect("it starts")
    }
}

/// A session of the place's project with a name, so that something is kept of it.
pub(crate) struct Talk<'a> {
    pub(crate) place: &'a Place,
    pub(crate) harness: &'a Harness<PilotIndex>,
    pub(crate) id: &'a str,
    pub(crate) life: Life,
    pub(crate) trusted: bool,
    pub(crate) can: &'a [&'a str],
}

impl<'a> Talk<'a> {
    pub(crate) fn new(place: &'a Place, harness: &'a Harness<PilotIndex>) -> Self {
        let can = &["inject.prompt", "rewrite"];
        Self { place, harness, id: "talk", life: Life::Long, trusted: true, can }
    }

    pub(crate) fn event(&self, event: &str, data: Value) -> Result<Reply, Failure> {
        let mut request = self.harness.request(event, self.place.path("project"));
        request.session.id = Some(self.id.to_owned());
        request.session.life = self.life;
        request.session.trusted = self.trusted;
        request.agent.can = self.can.iter().map(|can| (*can).to_owned()).collect();
        request.data = data;
        self.harness.event(&request)
    }

    pub(crate) fn prompt(&self, text: &str) -> Reply {
        self.event("prompt", json!({"text": text, "source": "user", "first": true})).expect("a reply")
    }

    /// A call of a tool that changes a file, before and after it, with the file written between.
    pub(crate) fn edit(&self, kind: &str, path: &str, input: Value, content: &str) -> Reply {
        let paths = json!([self.place.path("project").join(path)]);
        let call = json!({"id": "1", "name": kind, "kind": kind, "paths": paths, "input": input});
        self.event("tool.before", call.clone()).expect("a reply");
        self.place.write(&format!("project/{path}"), content);
        let mut after = call;
        after["content"] = json!([]);
        after["is_error"] = json!(false);
        self.event("tool.after", after).expect("a reply")
    }

    pub(crate) fn turn_end(&self, text: &str) -> Reply {
        self.event("turn.end", json!({"assistant_text": text})).expect("a reply")
    }
}

/// What a reply says of how things stand.
pub(crate) fn said(reply: &Reply) -> Contribution {
    serde_json::from_value(reply.data.clone()).expect("the host has validated it")
}

/// The keys of a reply's sections.
pub(crate) fn keys(reply: &Reply) -> Vec<&str> {
    reply.sections.iter().map(|section| section.key.as_str()).collect()
}

/// The fullest text of a section; empty where there is none of that key.
pub(crate) fn body<'a>(reply: &'a Reply, key: &str) -> &'a str {
    let section = reply.sections.iter().find(|section| section.key == key);
    section.map_or("", |section| section.variants[0].body.as_str())
}

/// The codes of a reply's findings.
pub(crate) fn codes(reply: &Reply) -> Vec<&str> {
    reply.findings.iter().map(|finding| finding.code.as_str()).collect()
}

/// Asks until something holds; the background needs a moment.
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    for _ in 0..2_000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came to hold");
}

/// The schema of a tool's result holds.
pub(crate) fn structured<T: serde::de::DeserializeOwned>(reply: &ToolReply) -> T {
    let document = reply.structured.clone().expect("there is a document");
    serde_json::from_value(document).expect("it is the result's type")
}

pub(crate) fn text_of(reply: &ToolReply) -> &str {
    match &reply.content[0] {
        Content::Text { text } => text,
        Content::Image { .. } => "",
    }
}

pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}
