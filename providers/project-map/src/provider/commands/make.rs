//! `init` and `reinit`: all maps.

use super::{On, Said, exit, said, unheard};
use crate::{
    provider::writing::carry_out,
    select::standing::{Reach, Standing, Stood, compare},
    source::project_file,
};

impl On<'_> {
    /// Makes the maps of a project that has none.
    pub(super) fn init(&self, write_config: bool) -> Said {
        let _alone = self.alone();
        let store = self.store();
        let found = store.read_all();
        if let Some(first) = found.artifacts.first() {
            let text = format!(
                "there are maps already, such as `{}`: `validate` says whether they are fresh, `reinit` makes all anew",
                first.path
            );
            return said(exit::USAGE, text);
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
        self.make("made", &store, found, more)
    }

    /// Makes all maps anew.
    pub(super) fn reinit(&self) -> Said {
        let _alone = self.alone();
        let store = self.store();
        let found = store.read_all();
        self.make("made anew", &store, found, Vec::new())
    }

    fn make(
        &self,
        what: &str,
        store: &crate::source::artifacts::Store,
        found: crate::source::artifacts::Found,
        mut more: Vec<String>,
    ) -> Said {
        let look = match self.look() {
            Ok(look) => look,
            Err(incomplete) => return incomplete,
        };
        more.extend(self.exclude());
        store.sweep(&found.leftovers);
        let stood = compare(&look.pairs, &found.artifacts);
        let mut progress = |done, total| self.progress(done, total, "writing maps");
        let done = carry_out(store, &stood, Reach::All, &|| self.stopped(), &mut progress);
        more.extend(overwritten(&stood));
        more.extend(kept(&stood));
        more.extend(unheard(&found.findings, &look).map(|finding| finding.message.clone()));
        self.made(what, &look, &stood, &done, more)
    }
}

/// What becomes of text that a hand changed.
fn overwritten(stood: &[Stood<'_>]) -> Option<String> {
    let edited: Vec<_> = stood.iter().filter(|stood| stood.standing == Standing::Edited).collect();
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
