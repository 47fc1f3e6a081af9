//! What a process remembers of a project, and what it shares with others through the cache.

use std::{
    panic,
    sync::{Arc, MutexGuard, PoisonError},
    thread,
};

use ctxhost_code::finding::{Findings, Problem};

use super::{Look, Workspace, drawn::Drawn, mapped::mapped};
use crate::{
    select::{
        inventory::{Hash, Inventory},
        map,
        pair::Pair,
    },
    settings::Config,
    source::kept::{Kept, Made, Seal, Shelf},
};

#[derive(Default)]
pub(super) struct State {
    pub(super) known: Option<Kept>,
    /// By what the kept file was told when it was read or written last.
    seal: Option<Seal>,
    /// Whether memory is ahead of the disk, which cannot be written.
    ahead: bool,
    /// What was made last, and of what.
    pub(super) made: Option<(Kept, Config, Look)>,
    /// The last pairs of all, of which the next ones take what is the same.
    drawn: Option<Drawn>,
}

impl Workspace {
    /// What this or another process knew last.
    pub(super) fn last(&self) -> Option<Kept> {
        let shelf = self.shelf.as_ref();
        let mut state = self.state();
        let seal = shelf.and_then(Shelf::seal);
        if state.known.is_none() || seal != state.seal && !state.ahead {
            let loaded = shelf.and_then(Shelf::load);
            state.known = loaded.or(state.known.take());
            state.seal = seal;
        }
        state.known.clone()
    }

    /// Keeps what is known, and makes pairs of what is shown meanwhile. What cannot be kept is in memory alone.
    pub(super) fn keep_and_make(
        &self,
        kept: &Kept,
        shown: &Kept,
        config: &Config,
        findings: &mut Findings,
    ) -> Look {
        let unsaved = {
            let mut state = self.state();
            let known = state.known.replace(kept.clone());
            state.ahead || !known.is_some_and(|known| known.is(kept))
        };
        let Some(shelf) = self.shelf.as_ref().filter(|_| unsaved) else { return self.made(shown, config) };
        let (look, saved) = thread::scope(|scope| {
            let saving = scope.spawn(|| shelf.save(kept));
            let look = self.made(&Kept { stamp: None, ..shown.clone() }, config);
            (look, saving.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
        });
        let stamp = saved.as_ref().ok().copied();
        {
            let mut state = self.state();
            state.ahead = saved.is_err();
            state.seal = shelf.seal();
            state.known = Some(Kept { stamp, ..kept.clone() });
        }
        if shown.is(kept) {
            let drawn = Drawn { pairs: Arc::clone(&look.pairs), texts: Arc::clone(&look.texts) };
            self.keep_pairs(&drawn, stamp, config);
        }
        if let Err(error) = saved {
            // The index says the same of the same folder, and once is enough.
            findings.add(Problem::Cache, "map-facts", error.to_string());
        }
        look
    }

    /// Makes pairs, unless the last ones were made of the same, by this process or another.
    pub(super) fn made(&self, kept: &Kept, config: &Config) -> Look {
        if let Some((of, by, look)) = &self.state().made
            && of.is(kept)
            && by == config
        {
            return look.clone();
        }
        let inventory = mapped(&kept.inventory, config);
        let Drawn { pairs, texts } = self.drawn(kept, &inventory, config);
        let files = inventory.files.len();
        let look = Look { pairs, texts, complete: kept.complete, findings: Vec::new(), files, inventory };
        self.state().made = Some((kept.clone(), config.clone(), look.clone()));
        look
    }

    fn drawn(&self, kept: &Kept, inventory: &Inventory, config: &Config) -> Drawn {
        let before = self.state().drawn.clone();
        let loads = before.is_none() || kept.stamp.is_some();
        let made = self.shelf.as_ref().filter(|_| loads).and_then(Shelf::load_pairs);
        let same = made.as_ref().zip(kept.stamp).is_some_and(|(made, stamp)| made.is_of(stamp, config));
        let made = made.map(Made::drawn);
        let drawn = match made {
            Some(made) if same => made,
            made => {
                let drawn = Drawn::of(
                    self.anonymous(map::make(inventory, config)),
                    &before.or(made).unwrap_or_default(),
                );
                self.keep_pairs(&drawn, kept.stamp, config);
                drawn
            }
        };
        self.state().drawn = Some(drawn.clone());
        drawn
    }

    /// Says of pairs by what they were made, and takes out of them what says where the project lies.
    fn anonymous(&self, mut pairs: Vec<Pair>) -> Vec<Pair> {
        self.own.take_from(&mut pairs);
        let patterns = self.lacks_grammars().is_some();
        pairs.iter_mut().for_each(|pair| pair.patterns = patterns);
        pairs
    }

    /// Keeps pairs for the next process, which makes them again where they cannot be kept.
    fn keep_pairs(&self, drawn: &Drawn, stamp: Option<Hash>, config: &Config) {
        if let Some((shelf, stamp)) = self.shelf.as_ref().zip(stamp) {
            let _ = shelf.save_pairs(drawn, stamp, config);
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
