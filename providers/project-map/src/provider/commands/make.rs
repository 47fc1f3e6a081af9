//! `init` and `reinit`: all maps.

use ctxhost_sdk::prelude::*;

use super::{On, elsewhere, unheard};
use crate::{
    provider::writing::carry_out,
    select::standing::{Reach, Standing, Stood},
    source::{
        artifacts::{Found, Store},
        project_file,
    },
};

impl On<'_> {
    /// Makes the maps of a project that has none.
    pub(super) fn init(&self, write_config: bool) -> CommandReply {
        let _alone = self.alone();
        let store = self.store();
        let found = store.read_all();
        if let Some(refused) = refused(&found) {
            return refused;
        }
        let mut more = Vec::new();
        if write_config {
            // Before the look: it is a file of the project.
            match project_file::write(self.root, self.config) {
                Ok(true) => more.push("wrote `.pi-project-map.json` with what holds now".to_owned()),
                Ok(false) => {
                    more.push("`.pi-project-map.json` is there already and stays as it is".to_owned())
                }
                Err(problem) => more.push(format!("`.pi-project-map.json` {problem}: it is not written")),
            }
        }
        self.make("made", &store, &refused, more)
    }

    /// Makes all maps anew.
    pub(super) fn reinit(&self) -> CommandReply {
        let _alone = self.alone();
        let store = self.store();
        self.make("made anew", &store, &|_| None, Vec::new())
    }

    fn make(
        &self,
        what: &str,
        store: &Store,
        refused: &dyn Fn(&Found) -> Option<CommandReply>,
        mut more: Vec<String>,
    ) -> CommandReply {
        let look = match self.look() {
            Ok(look) => look,
            Err(incomplete) => return incomplete,
        };
        let dirs: Vec<&str> = look.pairs.iter().map(|pair| pair.dir.as_str()).collect();
        let found = store.read_with(&dirs);
        if let Some(refused) = refused(&found) {
            return refused;
        }
        more.extend(self.exclude());
        store.sweep(&found.leftovers);
        let stood = look.stood(&found.artifacts);
        let mut progress = |done, total| self.progress(done, total, "writing maps");
        let done = carry_out(store, &stood, Reach::All, &|| self.stopped(), &mut progress);
        more.extend(self.read_otherwise(&stood));
        more.extend(overwritten(&stood));
        let foreign = foreign(&stood);
        let stays = foreign.is_some();
        more.extend(foreign);
        more.extend(kept(&stood));
        more.extend(elsewhere(store, &stood));
        more.extend(unheard(&found.findings, &look).map(|finding| finding.message.clone()));
        let made = self.made(what, &look, &stood, &done, more);
        // What was asked for is not all there.
        let exit = if stays { made.exit.max(exit::FINDINGS) } else { made.exit };
        CommandReply { exit, ..made }
    }
}

/// Where there are maps, they are not made a first time.
fn refused(found: &Found) -> Option<CommandReply> {
    let first = found.artifacts.first()?;
    let text = format!(
        "there are maps already, such as `{}`: `validate` says whether they are fresh, `reinit` makes all anew",
        first.path
    );
    Some(CommandReply::said(exit::USAGE, text))
}

/// What stands in the way of a map and may be anybody's.
fn foreign(stood: &[Stood<'_>]) -> Option<String> {
    let is_foreign = |stood: &&Stood<'_>| {
        matches!(stood.standing, Standing::Edited | Standing::Orphaned) && stood.is_headless()
    };
    let foreign: Vec<_> = stood.iter().filter(is_foreign).collect();
    let first = foreign.first()?.disk?;
    Some(format!(
        "{} have no header of ours, may be anybody's and stay as they are, such as `{}`: move them away for a map",
        foreign.len(),
        first.path
    ))
}

/// What becomes of text that a hand changed.
fn overwritten(stood: &[Stood<'_>]) -> Option<String> {
    let is_gone = |stood: &&Stood<'_>| stood.standing == Standing::Edited && !stood.is_headless();
    let edited: Vec<_> = stood.iter().filter(is_gone).collect();
    let first = edited.first()?.disk?;
    let number = edited.len();
    Some(format!(
        "{number} were changed by hand outside of their notes, such as `{}`: that text is gone, their notes are kept",
        first.path
    ))
}

/// Orphans that stay.
fn kept(stood: &[Stood<'_>]) -> Option<String> {
    let stays = |stood: &&Stood<'_>| {
        stood.standing == Standing::Orphaned
            && stood.action(Reach::All) == crate::select::standing::Action::Nothing
    };
    let kept: Vec<_> = stood.iter().filter(stays).collect();
    let first = kept.first()?.disk?;
    let number = kept.len();
    Some(format!(
        "{number} belong to no directory with a map and stay for the notes in them or because they are not ours, such as \
         `{}`",
        first.path
    ))
}
