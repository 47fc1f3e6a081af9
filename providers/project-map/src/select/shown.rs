//! What a conversation shows of one half of the root's pair, as the host's ids tell it from one event to the next.
//!
//! The host says which ids a conversation shows and not what they stand for; which text an offer of ours had, we know.
//! An id that appears after an offer is the id of what was offered.

use serde::{Deserialize, Serialize};

use super::policy::Seen;

/// What is known of one half.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Shown {
    /// The id that the conversation showed last, and the hash of the pair that it stands for; an empty one is unknown.
    known: Option<(String, String)>,
    /// The hash of the pair that was offered last, and is not known to be shown.
    offered: Option<String>,
    /// Of an id that stands for nobody knows what, the hash of the pair as it was when the id was met.
    met: String,
}

impl Shown {
    /// Takes in which id is shown now, and says how it stands to the pair as it is.
    pub(crate) fn see(&mut self, id: Option<&str>, pair: &str) -> Seen {
        // What an id stands for is remembered while it is not shown: the host may bring the same text again.
        let Some(id) = id else { return Seen::None };
        if self.known.as_ref().is_none_or(|(known, _)| known != id) {
            self.known = Some((id.to_owned(), self.offered.take().unwrap_or_default()));
            self.met.clear();
        }
        match self.known.as_ref().map_or("", |(_, of)| of) {
            "" if self.met.is_empty() || self.met == pair => {
                pair.clone_into(&mut self.met);
                Seen::Unknown
            }
            of if of == pair => Seen::Same,
            _ => Seen::Other,
        }
    }

    /// The half is offered as part of this pair.
    pub(crate) fn offer(&mut self, pair: &str) {
        self.offered = Some(pair.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_after_an_offer_is_that_of_what_was_offered() {
        let mut shown = Shown::default();
        assert_eq!(shown.see(None, "r1"), Seen::None);
        shown.offer("r1");
        assert_eq!(shown.see(None, "r1"), Seen::None, "the host had no room");
        assert_eq!(shown.see(Some("a"), "r1"), Seen::Same);
        assert_eq!(shown.see(Some("a"), "r2"), Seen::Other);
        shown.offer("r2");
        assert_eq!(shown.see(Some("a"), "r2"), Seen::Other, "the offer was not delivered");
        shown.offer("r3");
        assert_eq!(shown.see(Some("b"), "r3"), Seen::Same);
        assert_eq!(shown.see(Some("b"), "r2"), Seen::Other);
        // Compacted, and offered anew.
        assert_eq!(shown.see(None, "r3"), Seen::None);
        shown.offer("r3");
        assert_eq!(shown.see(Some("b"), "r3"), Seen::Same);
    }

    #[test]
    fn what_nobody_knows_of_is_told_from_what_has_changed() {
        let mut shown = Shown::default();
        // A tool's call asks without a pair.
        for pair in ["", "r1", "r1"] {
            assert_eq!(shown.see(Some("a"), pair), Seen::Unknown);
        }
        assert_eq!(shown.see(Some("a"), "r2"), Seen::Other, "it has changed since, whatever it was");
        shown.offer("r2");
        assert_eq!(shown.see(Some("b"), "r2"), Seen::Same);
        assert_eq!(shown.see(Some("c"), "r2"), Seen::Unknown);
    }
}
