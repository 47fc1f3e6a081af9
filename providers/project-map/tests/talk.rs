//! A conversation: what is asked in it, and what it shows.

use std::{
    cell::RefCell,
    hash::{DefaultHasher, Hash, Hasher},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use ctxhost_sdk::{
    prelude::*,
    protocol::{
        envelope::{Agent, Life, Model, Visible},
        project_map::Contribution,
    },
    serde_json::{self, Value},
};
use ctxhost_testkit::Harness;
use project_map::ProjectMap;

use crate::support::Place;

/// Three files are worth a map.
pub(crate) fn settings(mode: &str) -> Value {
    json!({"smallPackageThreshold": 3, "promptInjectionMode": mode})
}

pub(crate) struct Talk<'a> {
    pub(crate) place: &'a Place,
    /// Where it works, below the project.
    pub(crate) below: &'static str,
    pub(crate) harness: Harness<ProjectMap>,
    pub(crate) life: Life,
    pub(crate) trusted: bool,
    pub(crate) window: Option<u64>,
    pub(crate) can: Vec<String>,
    pub(crate) first: RefCell<bool>,
    pub(crate) visible: RefCell<Vec<Visible>>,
}

/// An answer, and the keys of what reached the conversation of it.
pub(crate) struct Said {
    pub(crate) reply: Reply,
    pub(crate) shown: Vec<String>,
}

impl Said {
    pub(crate) fn data(&self) -> Contribution {
        serde_json::from_value(self.reply.data.clone()).expect("the host has validated it")
    }

    /// The fullest text of a section; empty where there is none of that key.
    pub(crate) fn body(&self, key: &str) -> &str {
        let section = self.reply.sections.iter().find(|section| section.key == key);
        section.map_or("", |section| section.variants[0].body.as_str())
    }

    pub(crate) fn codes(&self) -> Vec<&str> {
        self.reply.findings.iter().map(|finding| finding.code.as_str()).collect()
    }
}

impl<'a> Talk<'a> {
    pub(crate) fn new(place: &'a Place, mode: &str) -> Self {
        Self::with(place, settings(mode))
    }

    pub(crate) fn with(place: &'a Place, settings: Value) -> Self {
        let harness = place.harness(settings);
        // A walk of another process no more than 100 ms ago counts as a new one, and a test changes files faster.
        let soon = SystemTime::now() + Duration::from_secs(1);
        harness.set_now(soon.duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64());
        Self {
            place,
            below: "",
            harness,
            life: Life::Long,
            trusted: true,
            window: Some(200_000),
            can: ["inject.prompt", "block"].map(str::to_owned).to_vec(),
            first: RefCell::new(true),
            visible: RefCell::default(),
        }
    }

    pub(crate) fn event(&self, event: &str, data: Value) -> Said {
        let mut request = self.harness.request(event, self.place.path(self.below));
        request.session.id = Some("talk".to_owned());
        request.session.life = self.life;
        request.session.trusted = self.trusted;
        let model = Some(Model { id: "m".to_owned(), context_window: self.window });
        request.agent = Agent { can: self.can.clone(), model, ..request.agent };
        request.visible = self.visible.borrow().clone();
        request.data = data;
        let reply = self.harness.event(&request).expect("a reply");
        Said { reply, shown: Vec::new() }
    }

    /// A prompt whose answer reaches the conversation.
    pub(crate) fn prompt(&self, text: &str) -> Said {
        let first = self.first.replace(false);
        let said = self.event("prompt", json!({"text": text, "source": "user", "first": first}));
        self.shows(said)
    }

    /// The host leaves out what the conversation shows already, and gives an id to what it does not.
    pub(crate) fn shows(&self, mut said: Said) -> Said {
        let mut visible = self.visible.borrow_mut();
        for section in &said.reply.sections {
            let mut hasher = DefaultHasher::new();
            section.variants.iter().for_each(|variant| variant.body.hash(&mut hasher));
            let id = format!("{:x}", hasher.finish());
            let latest = visible.iter().rev().find(|shown| shown.key == section.key);
            if latest.is_none_or(|latest| latest.id != id) {
                visible.push(Visible { provider: "project-map".to_owned(), key: section.key.clone(), id });
                said.shown.push(section.key.clone());
            }
        }
        said
    }

    /// A summary takes the conversation's place.
    pub(crate) fn compacts(&self) {
        self.event("compact", json!({"phase": "before", "reason": "manual"}));
        self.visible.borrow_mut().clear();
        let said = self.event("compact", json!({"phase": "after", "reason": "manual"}));
        assert!(said.reply.sections.is_empty());
    }

    /// What the conversation does not show any more.
    pub(crate) fn loses(&self, key: &str) {
        self.visible.borrow_mut().retain(|shown| shown.key != key);
    }

    /// A tool is about to run.
    pub(crate) fn call(&self, kind: &str, path: &str, input: Value, assistant_text: Option<&str>) -> Said {
        let paths = if path.is_empty() { json!([]) } else { json!([self.place.path(path)]) };
        let data = json!({"id": "1", "name": kind, "kind": kind, "paths": paths, "input": input,
            "assistant_text": assistant_text});
        self.event("tool.before", data)
    }

    pub(crate) fn edit(&self, path: &str, assistant_text: Option<&str>) -> Said {
        self.call("edit", path, json!({"newText": "x"}), assistant_text)
    }
}
