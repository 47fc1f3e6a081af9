//! What is known of sessions: what of the root's pair they show, and the turn they are in.

use std::path::Path;

use ctxhost_sdk::protocol::envelope::Visible;
use serde::{Deserialize, Serialize};

use crate::select::{pair::Kind, policy::Seen, shown::Shown};

/// How many files count as edited lately.
const RECENT: usize = 20;

/// All sessions.
pub(super) type Sessions = ctxhost_sdk::Sessions<Known>;

/// Sessions of which files are kept below the provider's own folder. An event that does not get the lock is kept all the
/// same: what it forgot would be offered again, which the host leaves out.
pub(super) fn below(state: Option<&Path>) -> Sessions {
    Sessions::below(state, "sessions").kept_without_lock()
}

/// What is known of one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Known {
    index: Shown,
    map: Shown,
    /// Whether the root's pair was offered.
    pub(super) offered: bool,
    /// Whether the hint was given.
    pub(super) hinted: bool,
    /// Whether a summary has taken the conversation's place since the last prompt.
    pub(super) compacted: bool,
    /// Whether this turn was told to look at the maps first.
    pub(super) guided: bool,
    /// Whether it was told why nothing is blocked here.
    pub(super) lack_told: bool,
    /// Whether the root's pair found no room when it was last wanted, and whether that was told.
    pub(super) no_room: bool,
    pub(super) no_room_told: bool,
    /// Whether it was told that maps stay as they are for lack of grammars.
    pub(super) spared_told: bool,
    /// The assistant's justification in this turn.
    pub(super) bypass: Option<String>,
    /// The files that were edited lately, the last one first.
    pub(super) recent: Vec<String>,
}

impl Known {
    /// A prompt begins a turn.
    pub(super) fn turn_begins(&mut self) {
        self.guided = false;
        self.bypass = None;
    }

    /// A file is about to be edited.
    pub(super) fn edits(&mut self, path: &str) {
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
    }

    /// What the conversation shows of a half, by the host's word.
    pub(super) fn see(&mut self, kind: Kind, visible: &[Visible], pair: &str) -> Seen {
        // Of several under one key the latest is what the conversation says.
        let shown = visible.iter().rev().find(|shown| shown.provider == crate::ID && shown.key == key(kind));
        self.half(kind).see(shown.map(|shown| shown.id.as_str()), pair)
    }

    /// A half is offered as part of this pair.
    pub(super) fn offers(&mut self, kind: Kind, pair: &str) {
        self.offered = true;
        self.half(kind).offer(pair);
    }

    fn half(&mut self, kind: Kind) -> &mut Shown {
        match kind {
            Kind::Index => &mut self.index,
            Kind::Map => &mut self.map,
        }
    }
}

/// The key of a half's section.
pub(super) fn key(kind: Kind) -> &'static str {
    match kind {
        Kind::Index => "index",
        Kind::Map => "map",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_sections_count() {
        let shown = |provider: &str, key: &str, id: &str| Visible {
            provider: provider.to_owned(),
            key: key.to_owned(),
            id: id.to_owned(),
        };
        let mut known = Known::default();
        known.offers(Kind::Index, "r");
        let foreign = [shown("other", "index", "1"), shown(crate::ID, "pair/index", "2")];
        assert_eq!(known.see(Kind::Index, &foreign, "r"), Seen::None);
        let own =
            [shown(crate::ID, "index", "0"), shown(crate::ID, "index", "1"), shown("other", "index", "2")];
        assert_eq!(known.see(Kind::Index, &own, "r"), Seen::Same);
        assert_eq!(known.see(Kind::Map, &own, "r"), Seen::None);
    }
}
