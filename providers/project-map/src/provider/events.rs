//! What each event is answered with.

use std::path::Path;

use ctxhost_sdk::{
    Clock,
    prelude::*,
    protocol::{
        envelope::{CompactData, Phase, SessionStartData},
        project_map::{Artifacts, Contribution, Mode},
    },
    system_time,
};

use super::{ProjectMap, sessions::Known};
use crate::{
    select::pair::Kind,
    settings::Config,
    source::{
        artifacts::{self, Store},
        workspace::{Look, Workspace},
    },
};

/// The part of an event's time that the look at the files may take; the rest is for the answer.
const LOOK: f64 = 0.7;

/// How many directories are asked for artifacts where the root has none.
const ASKED: usize = 64;

/// An event on its way.
pub(super) struct Asked<'a> {
    pub(super) provider: &'a ProjectMap,
    pub(super) cx: &'a Cx<'a>,
    pub(super) request: &'a Request,
    pub(super) root: &'a Path,
    /// Where the session works, below the root.
    pub(super) from: &'a str,
    pub(super) workspace: &'a Workspace,
    pub(super) config: &'a Config,
    pub(super) clock: Clock<'a, 'a>,
}

/// Answers an event. `findings` are about the settings.
pub(super) fn answer(asked: &Asked<'_>, findings: &[Finding]) -> Result<Reply> {
    let mut reply = match asked.request.event.as_str() {
        "session.start" => asked.start(),
        "prompt" => asked.prompt(),
        "tool.before" => asked.before(),
        "compact" => asked.compact(),
        "session.end" => {
            asked.provider.sessions.end(&asked.request.session);
            asked.quiet()
        }
        _ => asked.quiet(),
    }?;
    reply.findings.extend(findings.iter().cloned());
    Ok(reply)
}

/// What is said where there is no project to speak of.
pub(super) fn refused(why: &str) -> Result<Reply> {
    let message = format!("{why}; work in a project's folder");
    Ok(Reply::new().data(Contribution::default())?.finding(Level::Warning, "project-refused", message))
}

impl Asked<'_> {
    /// Uses what is known of the session.
    pub(super) fn known<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        self.provider.sessions.with(&self.request.session, act)
    }

    /// Only how things stand, and only as far as it costs nothing.
    pub(super) fn quiet(&self) -> Result<Reply> {
        Reply::new().data(Contribution {
            mode: self.config.mode,
            artifacts: self.root_artifacts(),
            ..Contribution::default()
        })
    }

    /// What there is of the root's pair; it costs next to nothing, for a tool waits for it.
    pub(super) fn root_artifacts(&self) -> Artifacts {
        match artifacts::root_pair(self.root, self.config) {
            ([true, true], None) => Artifacts::Ready,
            ([false, false], _) => Artifacts::None,
            _ => Artifacts::Partial,
        }
    }

    /// Says which of the root's pair cannot be read.
    pub(super) fn unread(&self) -> Option<Finding> {
        artifacts::root_pair(self.root, self.config).1
    }

    /// Which artifacts there are. Nothing is looked for where nothing is known to be.
    pub(super) fn artifacts(&self) -> Artifacts {
        match self.root_artifacts() {
            Artifacts::None if self.has_artifacts_below() => Artifacts::Partial,
            artifacts => artifacts,
        }
    }

    fn has_artifacts_below(&self) -> bool {
        let Some(look) = self.workspace.known(self.config) else { return false };
        let store = Store::at(self.root, self.config);
        let dirs = look.pairs.iter().map(|pair| pair.dir.as_str()).filter(|dir| !dir.is_empty());
        dirs.take(ASKED).any(|dir| Kind::BOTH.iter().any(|kind| !matches!(store.read(dir, *kind), Ok(None))))
    }

    /// The pairs as they ought to be, from a look at the files for as long as there is time.
    pub(super) fn look(&self) -> Look {
        let over = |part: f64| self.clock.used(part * LOOK);
        self.workspace.look(self.config, system_time(self.request.now), &over, &mut |_, _| ())
    }

    /// Looks at the files before anybody asks. Behind a summary this is where an agent that takes text at a start gets
    /// everything back.
    fn start(&self) -> Result<Reply> {
        let data: SessionStartData = self.request.data_as()?;
        if data.reason == "compact" {
            self.known(|known| known.compacted = true);
            return self.offer("", false);
        }
        if self.config.mode != Mode::Off && self.artifacts() != Artifacts::None {
            self.look();
        }
        self.quiet()
    }

    fn prompt(&self) -> Result<Reply> {
        let data: PromptData = self.request.data_as()?;
        self.known(Known::turn_begins);
        let reply = self.offer(&data.text, data.first)?;
        // What is offered with a start is not sure to be delivered; what is offered with a prompt is.
        self.known(|known| known.compacted = false);
        Ok(reply)
    }

    fn compact(&self) -> Result<Reply> {
        let data: CompactData = self.request.data_as()?;
        if data.phase == Phase::After {
            self.known(|known| known.compacted = true);
        }
        self.quiet()
    }
}
