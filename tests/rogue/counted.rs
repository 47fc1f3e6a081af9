//! A provider that logs when an instance of it is made and when it ends, and says where it is asked.

#![allow(missing_docs, reason = "a library for tests")]

use ctxhost_sdk::prelude::*;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Settings {
    /// A setting that a trusted project may make.
    word: Option<String>,
}

struct Counted {
    settings: Settings,
    host: HostHandle,
}

impl Provider for Counted {
    type Settings = Settings;

    fn new(setup: Setup, settings: Settings) -> Result<Self> {
        setup.host.log(Level::Info, "made one");
        Ok(Counted { settings, host: setup.host })
    }

    fn manifest(head: Manifest) -> Manifest {
        let schema = json!({"properties": {"word": {"type": "string", "x-ctxhost-project": "trusted"}}});
        Manifest { settings_schema: Some(schema), ..head }
    }

    fn event(&self, _: &Cx<'_>, request: Request) -> Result<Reply> {
        let word = self.settings.word.as_deref().unwrap_or("none");
        let body =
            format!("cwd: {}, trusted: {}, word: {word}", request.session.cwd, request.session.trusted);
        Ok(Reply::new().section(Section::prompt("cwd", Trust::Workspace).body(body)))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.host.log(Level::Info, "ended one");
    }
}

export_provider!(Counted, id = "counted", title = "Counted", spec = "envelope/v1", events = ["prompt"]);
