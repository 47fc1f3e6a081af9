//! Sections that are offered again with each prompt, until the conversation shows them.

use std::sync::Mutex;

use ctxhost_protocol::envelope::{Placement, Section};

use super::{lock, workspace::Heard};
use crate::{ask::REPLY_CAP, compose::Placed, validate::Contribution};

/// How many sections of one provider stand, the latest ones: as many as one reply may hold.
const SECTIONS: usize = 256;

/// What providers offered outside a prompt, or once for the whole conversation.
#[derive(Default)]
pub(super) struct Standing(Mutex<List>);

#[derive(Default)]
struct List {
    entries: Vec<Entry>,
    /// How many entries there ever were.
    count: u64,
}

/// One section that stands.
struct Entry {
    /// It alone.
    contribution: Contribution,
    key: String,
    placement: Placement,
    bytes: usize,
    /// When it was offered.
    moment: u64,
    /// Which of all entries it is.
    number: u64,
}

/// What stood when a prompt was asked about.
pub(super) struct Offering {
    /// Later entries were not among it.
    before: u64,
}

impl Standing {
    /// What stands and is neither taken back nor said anew by these.
    pub(super) fn beside(&self, fresh: &[Contribution], heard: &Heard) -> (Vec<Contribution>, Offering) {
        let mut list = lock(&self.0);
        list.entries.retain(|e| !heard.is_taken_back(e.contribution.provider(), &e.key, e.moment));
        let said_anew = |entry: &Entry| {
            let same = fresh.iter().filter(|fresh| fresh.provider() == entry.contribution.provider());
            same.flat_map(Contribution::sections).any(|section| section.key == entry.key)
        };
        let standing = list.entries.iter().filter(|entry| !said_anew(entry));
        (standing.map(|entry| entry.contribution.clone()).collect(), Offering { before: list.count })
    }

    /// Forgets what was delivered: all but what belongs to the whole conversation.
    pub(super) fn settle(&self, offering: &Offering, placed: &[Placed]) {
        let delivered = |entry: &Entry| {
            placed.iter().any(|placed| {
                placed.provider == entry.contribution.provider()
                    && placed.key == entry.key
                    && (entry.placement, placed.placement) != (Placement::Session, Placement::Session)
            })
        };
        lock(&self.0).entries.retain(|entry| entry.number >= offering.before || !delivered(entry));
    }

    /// Forgets what these providers offered earlier.
    pub(super) fn forget_those_of(&self, fresh: &[Contribution]) {
        let is_fresh = |entry: &Entry| fresh.iter().any(|c| c.provider() == entry.contribution.provider());
        lock(&self.0).entries.retain(|entry| !is_fresh(entry));
    }

    /// Adds the sections that are to be offered later.
    pub(super) fn add(&self, fresh: &[Contribution], moment: u64, stands: impl Fn(&Section) -> bool) {
        let mut list = lock(&self.0);
        for contribution in fresh {
            let provider = contribution.provider();
            for section in contribution.sections().iter().filter(|section| stands(section)) {
                list.entries.retain(|e| !(e.contribution.provider() == provider && e.key == section.key));
                let number = list.count;
                list.count += 1;
                list.entries.push(Entry {
                    contribution: contribution.only(|other| other.key == section.key),
                    key: section.key.clone(),
                    placement: section.placement,
                    bytes: section.variants.iter().map(|variant| variant.body.len()).sum(),
                    moment,
                    number,
                });
            }
            list.bound(provider);
        }
    }
}

impl List {
    /// Forgets the oldest of a provider's entries, so that all of them are no more than one reply may be.
    fn bound(&mut self, provider: &str) {
        let (mut sections, mut bytes) = (0, 0_usize);
        let mut first = self.count;
        for entry in self.entries.iter().rev().filter(|e| e.contribution.provider() == provider) {
            sections += 1;
            bytes = bytes.saturating_add(entry.bytes);
            if sections > SECTIONS || bytes > REPLY_CAP {
                break;
            }
            first = entry.number;
        }
        self.entries.retain(|e| e.contribution.provider() != provider || e.number >= first);
    }
}

#[cfg(test)]
mod tests {
    use ctxhost_protocol::envelope::Variant;

    use super::*;

    fn offers(provider: &str, keys: impl Iterator<Item = usize>, bytes: usize) -> Vec<Contribution> {
        let section = |key| Section {
            key: format!("{key}"),
            placement: Placement::Session,
            variants: vec![Variant { tokens: 0, body: "x".repeat(bytes) }],
            ..Section::default()
        };
        vec![Contribution::of(provider, keys.map(section).collect())]
    }

    fn keys(standing: &Standing, provider: &str) -> Vec<String> {
        let (standing, _) = standing.beside(&[], &Heard::default());
        let own = standing.iter().filter(|contribution| contribution.provider() == provider);
        own.flat_map(Contribution::sections).map(|section| section.key.clone()).collect()
    }

    #[test]
    fn what_stands_of_one_provider_is_no_more_than_one_reply() {
        let standing = Standing::default();
        standing.add(&offers("other", 0..3, 10), 1, |_| true);
        for number in 0..3 * SECTIONS {
            standing.add(&offers("p", number..=number, 10), 1, |_| true);
        }
        let left = keys(&standing, "p");
        assert_eq!((left.len(), left[0].as_str()), (SECTIONS, "512"), "the oldest are forgotten");
        standing.add(&offers("p", 2_000..2_010, REPLY_CAP / 10), 1, |_| true);
        assert_eq!(keys(&standing, "p").len(), 10);
        assert_eq!(keys(&standing, "other"), ["0", "1", "2"]);
    }
}
