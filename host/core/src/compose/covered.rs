//! Which sections another one shows in full.

use std::collections::{BTreeMap, BTreeSet};

use ctxhost_protocol::envelope::{Placement, Source};

use super::{Offer, budget::Choice};

/// For each covered offer the one that covers it.
#[derive(Debug, Default)]
pub(super) struct Covers(BTreeMap<usize, usize>);

impl Covers {
    pub(super) fn of(&self, index: usize) -> Option<usize> {
        self.0.get(&index).copied()
    }
}

/// Offers whose cover turned out not to be there in full.
#[derive(Debug, Default)]
pub(super) struct Kept(BTreeSet<usize>);

impl Kept {
    /// Remembers the offers whose cover is not there in its fullest size; true when there is a new one.
    pub(super) fn add_broken(&mut self, covers: &Covers, chosen: &[Choice]) -> bool {
        let before = self.0.len();
        self.0.extend(
            covers.0.iter().filter(|(_, by)| chosen[**by] != Choice::Variant(0)).map(|(index, _)| *index),
        );
        self.0.len() > before
    }
}

/// Finds the offers all of whose sources a fuller offer shows.
///
/// What stands at the start of a conversation is never left out this way: it is what the rest leans on.
pub(super) fn find(offers: &[Offer], kept: &Kept) -> Covers {
    let mut covers = BTreeMap::new();
    for (index, offer) in offers.iter().enumerate() {
        if offer.sources.is_empty() || offer.placement == Placement::Session || kept.0.contains(&index) {
            continue;
        }
        let by = offers.iter().enumerate().find(|(other, candidate)| {
            *other != index
                && !covers.contains_key(other)
                && offer.sources.iter().all(|source| shows(&candidate.sources, source))
                && is_fuller(candidate, *other, offer, index)
        });
        if let Some((by, _)) = by {
            covers.insert(index, by);
        }
    }
    Covers(covers)
}

/// Of two offers the one that shows more text is fuller; of two equal ones the first.
fn is_fuller(candidate: &Offer, candidate_index: usize, offer: &Offer, index: usize) -> bool {
    let length = |offer: &Offer| offer.bodies.first().map_or(0, String::len);
    (length(candidate), std::cmp::Reverse(candidate_index)) > (length(offer), std::cmp::Reverse(index))
}

/// Whether the lines of `wanted` lie inside `sources`, which may join.
fn shows(sources: &[Source], wanted: &Source) -> bool {
    let mut ranges: Vec<(u64, u64)> = sources
        .iter()
        .filter(|source| source.path == wanted.path)
        .map(|source| (source.start.unwrap_or(1), source.end.unwrap_or(u64::MAX)))
        .collect();
    ranges.sort_unstable();
    let (mut next, last) = (wanted.start.unwrap_or(1), wanted.end.unwrap_or(u64::MAX));
    for (start, end) in ranges {
        if start > next {
            return false;
        }
        if end >= last {
            return true;
        }
        next = next.max(end.saturating_add(1));
    }
    false
}
