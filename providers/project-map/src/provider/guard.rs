//! Before a tool runs: reminders, blocks and what goes past them.

use std::{path::Path, sync::Arc};

use ctxhost_sdk::{
    prelude::*,
    protocol::{
        envelope::{Decision, ToolBeforeData, ToolKind},
        project_map::{Artifacts, Contribution, Mode, PROJECT_FILE},
    },
};

use super::events::Asked;
use crate::{
    select::{
        bypass,
        inventory::Inventory,
        pair::Kind,
        policy::{self, Call, Face, Lack, Moment, Situation},
        sensitive::{self, Ground},
    },
    settings::Config,
    shape::hint,
    source::{artifacts::Store, workspace::Workspace},
};

/// What is mapped, as far as is known.
struct Mapped<'a> {
    root: &'a Path,
    workspace: &'a Workspace,
    config: &'a Config,
    inventory: Option<Arc<Inventory>>,
    /// What must stay as it is for `strict` to hold; empty in other modes.
    guards: Vec<String>,
}

impl Ground for Mapped<'_> {
    fn is_mapped(&self, path: &str) -> bool {
        match &self.inventory {
            Some(inventory) if has(inventory, path) => true,
            // What is there and is not known is ignored.
            Some(_) if self.root.join(path).symlink_metadata().is_ok() => false,
            // What is not there yet may come with folders of its own. Of nothing that is known everything may be mapped.
            _ => self.may_stand(path) && self.workspace.would_map(self.config, path),
        }
    }

    fn is_there(&self, path: &str) -> bool {
        match &self.inventory {
            None => self.root.join(path).exists() && self.workspace.would_show(path),
            Some(inventory) => has(inventory, path),
        }
    }

    fn is_guard(&self, path: &str) -> bool {
        let holds = |guard: &String| guard.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let is = |guard: &String| path.is_empty() || guard == path || holds(guard);
        self.guards.iter().any(is)
    }
}

impl Mapped<'_> {
    /// Whether all that is there on the way to a path are folders of the project; a link may lead out of it.
    fn may_stand(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(at, _)| self.root.join(&path[..at]).symlink_metadata());
        above.take_while(Result::is_ok).flatten().all(|stat| stat.is_dir())
    }
}

/// Whether a file or a directory of files is known.
fn has(inventory: &Inventory, path: &str) -> bool {
    let files = &inventory.files;
    let at = files.partition_point(|file| file.path.as_str() < path);
    let is_file = files.get(at).is_some_and(|file| file.path == path);
    let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
    let below = files.partition_point(|file| file.path.as_str() < folder.as_str());
    is_file || files.get(below).is_some_and(|file| file.path.starts_with(&folder))
}

impl Asked<'_> {
    /// Decides about a tool's call.
    pub(super) fn before(&self) -> Result<Reply> {
        let data: ToolBeforeData = self.request.data_as()?;
        if matches!(data.kind, ToolKind::Edit | ToolKind::Write) {
            self.remember_edits(&data.paths);
        }
        if self.config.mode < Mode::Strong
            || !matches!(data.kind, ToolKind::Edit | ToolKind::Write | ToolKind::Run)
        {
            return self.quiet();
        }
        let artifacts = self.root_artifacts();
        if artifacts == Artifacts::None {
            return self.quiet();
        }
        let face = Face {
            blocks: self.request.agent.can.iter().any(|can| can == "block"),
            sees_text: data.assistant_text.is_some(),
        };
        let said = data.assistant_text.as_deref().and_then(bypass::justification);
        let situation = self.known(|known| {
            if self.config.mode == Mode::Strict && said.is_some() {
                known.bypass.clone_from(&said);
            }
            let [index, map] = Kind::BOTH.map(|kind| known.see(kind, &self.request.visible, ""));
            let moment = Moment::Tool { sensitive: false };
            let bypassed = known.bypass.is_some();
            let no_room = known.no_room;
            Situation { index, map, bypassed, no_room, face, ..self.situation(artifacts, moment) }
        });
        let sensitive = !situation.has_protocol_path() && self.is_sensitive(&data);
        let action = policy::decide(&Situation { moment: Moment::Tool { sensitive }, ..situation });
        let mut reply = self.decided(artifacts, action.call)?;
        if sensitive {
            reply.findings.extend(self.unread());
        }
        Ok(reply)
    }

    fn decided(&self, artifacts: Artifacts, call: Call) -> Result<Reply> {
        let mut data = Contribution { mode: self.config.mode, artifacts, ..Contribution::default() };
        let mut finding = None;
        let mut decision = Decision::default();
        match call {
            Call::Runs => {}
            Call::Guided => decision.guidance = self.guidance(),
            Call::GuidedInstead(lack) => {
                decision.guidance = self.guidance();
                finding = self.known(|known| !std::mem::replace(&mut known.lack_told, true)).then(|| {
                    let why = match lack {
                        Lack::Block => "this agent cannot be kept from running a tool",
                        Lack::Text => "this agent does not show what the assistant writes, so that no bypass could be seen",
                        Lack::Room => "the root's index and map find no room, so that nothing would end a block",
                    };
                    (Level::Warning, "strict-is-guidance", format!("strict mode only guides here: {why}"))
                });
            }
            Call::Blocked => {
                decision = Decision { block: true, reason: Some(hint::BLOCK.to_owned()), guidance: None };
                data.block = decision.reason.clone();
            }
            Call::Bypassed => {
                data.bypass = self.known(|known| known.bypass.clone());
                let why = data.bypass.clone().unwrap_or_default();
                finding =
                    Some((Level::Info, "map-bypassed", format!("an edit went past the project map: {why}")));
            }
        }
        data.reminder.clone_from(&decision.guidance);
        let mut reply = Reply::new().data(data)?;
        reply.decision = Some(decision).filter(|decision| *decision != Decision::default());
        Ok(match finding {
            Some((level, code, message)) => reply.finding(level, code, message),
            None => reply,
        })
    }

    /// The guidance, once a turn.
    fn guidance(&self) -> Option<String> {
        let first = self.known(|known| !std::mem::replace(&mut known.guided, true));
        first.then(|| hint::GUIDANCE.to_owned())
    }

    fn is_sensitive(&self, call: &ToolBeforeData) -> bool {
        let inventory = self.workspace.known(self.config).map(|look| look.inventory);
        let Self { root, workspace, config, .. } = *self;
        let ground = Mapped { root, workspace, config, inventory, guards: self.guards() };
        self.places().iter().any(|(root, cwd)| sensitive::is_sensitive(call, root, cwd, &ground))
    }

    /// The root and where the session works: a path may have been written with the links that lead to the project, or
    /// without them.
    fn places(&self) -> [(String, String); 2] {
        [self.root, self.workspace.root()].map(|root| {
            let text = |path: &Path| path.to_string_lossy().into_owned();
            (text(root), text(&root.join(self.from)))
        })
    }

    /// Without the root's pair nothing is protected, and a project's settings may lower the mode: both are as good as a
    /// bypass, and nobody has justified it.
    fn guards(&self) -> Vec<String> {
        if self.config.mode != Mode::Strict {
            return Vec::new();
        }
        let store = Store::at(self.root, self.config);
        let settings = [PROJECT_FILE, ".ctxhost.toml"].map(str::to_owned);
        // The host reads its settings where the session works.
        let own = (!self.from.is_empty()).then(|| format!("{}/.ctxhost.toml", self.from));
        Kind::BOTH.into_iter().map(|kind| store.path("", kind)).chain(settings).chain(own).collect()
    }

    fn remember_edits(&self, paths: &[String]) {
        let places = self.places();
        let relative = |path: &String| {
            let below = places.iter().find_map(|(root, cwd)| sensitive::below(root, cwd, path));
            below.filter(|path| !path.is_empty())
        };
        let edited: Vec<String> = paths.iter().take(20).filter_map(relative).collect();
        if !edited.is_empty() {
            self.known(|known| edited.iter().for_each(|path| known.edits(path)));
        }
    }
}
