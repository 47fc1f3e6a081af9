//! A place of its own for each test: a project that git knows, a home, folders for cache and state, and a backend.

pub(crate) mod backend;

use std::{
    fs,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use codebase_index::CodebaseIndex;
use ctxhost_sdk::{
    prelude::*,
    protocol::{
        codebase_index::{Contribution, State},
        envelope::Life,
    },
    serde_json::{self, Value},
};
use ctxhost_testkit::{Harness, HarnessBuilder};
use tempfile::TempDir;

use backend::Backend;

pub(crate) struct Place {
    root: TempDir,
    pub(crate) now: f64,
}

impl Place {
    /// A small project; its origin is `acme/shop`.
    pub(crate) fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
        let place = Self { root, now };
        fs::create_dir_all(place.path("home")).expect("folders");
        place.write(
            "project/src/renewal.rs",
            "/// Renews a subscription.\npub fn renew_subscription(id: u32) -> u32 {\n    id + 1\n}\n",
        );
        place.write("project/src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n");
        place.write("project/.env", "SECRET=1\n");
        place.git(&["init", "-q"]);
        place.git(&["remote", "add", "origin", "https://git.example/acme/shop.git"]);
        place.git(&["add", "-f", "."]);
        place
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let status = Command::new("git").current_dir(self.path("project")).args(args).status();
        assert!(status.expect("git runs").success());
    }

    /// A path below the place's root.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().canonicalize().expect("it exists").join(below)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("project")
    }

    pub(crate) fn write(&self, below: &str, content: &str) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    /// The provider's own state folder.
    pub(crate) fn state(&self, below: &str) -> PathBuf {
        self.path("kept/ctxhost/providers/codebase-index").join(below)
    }

    /// Writes a file that only the person may read into the provider's state folder.
    pub(crate) fn keep(&self, name: &str, document: &Value) {
        keep_at(&self.state(""), name, document);
    }

    /// Writes a login at a backend, as the provider keeps it.
    pub(crate) fn log_in(&self, backend: &Backend, token: &str, refresh_token: &str, ends: f64) {
        let login = json!({"token": token, "refresh_token": refresh_token, "username": "ada", "ends": ends});
        self.keep("credentials.json", &json!({"v": 1, "backends": {&backend.url: login}}));
    }

    pub(crate) fn login(&self, backend: &Backend) -> Value {
        let text = fs::read_to_string(self.state("credentials.json")).unwrap_or_else(|_| "{}".to_owned());
        let document: Value = serde_json::from_str(&text).expect("it is JSON");
        document["backends"][&backend.url].clone()
    }

    pub(crate) fn builder(&self, settings: Value) -> HarnessBuilder<CodebaseIndex> {
        Harness::<CodebaseIndex>::builder()
            .home(self.path("home"))
            .state_dir(self.path("kept"))
            .cache_dir(self.path("cache"))
            // No test opens a browser.
            .env("BROWSER", "/bin/true")
            .settings(settings)
            .now(self.now)
    }

    /// A provider that is logged in to the backend.
    pub(crate) fn harness(&self, backend: &Backend) -> Harness<CodebaseIndex> {
        self.log_in(backend, &backend.token(), "refresh-0", self.now + 3_600.0);
        self.builder(json!({"url": backend.url})).build().expect("it starts")
    }
}

pub(crate) fn keep_at(folder: &Path, name: &str, document: &Value) {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).expect("a folder");
    let file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(folder.join(name));
    file.expect("a file").write_all(document.to_string().as_bytes()).expect("it is written");
}

/// An event of the place's project.
pub(crate) fn event(
    place: &Place,
    harness: &Harness<CodebaseIndex>,
    life: Life,
    name: &str,
    data: Value,
) -> Reply {
    let mut request = harness.request(name, place.project());
    request.session.id = Some("talk".to_owned());
    request.session.life = life;
    request.data = data;
    harness.event(&request).expect("a reply")
}

pub(crate) fn prompt(place: &Place, harness: &Harness<CodebaseIndex>, text: &str) -> Reply {
    event(place, harness, Life::Long, "prompt", json!({"text": text, "source": "user", "first": true}))
}

/// What a reply says of how things stand.
pub(crate) fn said(reply: &Reply) -> Contribution {
    serde_json::from_value(reply.data.clone()).expect("the host has validated it")
}

pub(crate) fn state(reply: &Reply) -> (State, String) {
    let said = said(reply);
    (said.state, said.reason.unwrap_or_default())
}

/// Asks until something holds; the background needs a moment.
pub(crate) fn until(mut holds: impl FnMut() -> bool) {
    for _ in 0..1_500 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came to hold");
}

/// A document holds the schema of the spec, as the host checks it.
pub(crate) fn fits(schema: &str, document: &Value) {
    let faults = ctxhost_testkit::faults("codebase-index/v1", schema, document);
    assert_eq!(faults, Vec::<String>::new(), "{document:#}");
}
