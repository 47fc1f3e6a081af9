//! Which segments are merged.

use super::super::view::Part;

/// More are too many: every word of a question is looked up in each.
const SEGMENTS: usize = 8;

/// Gives the places of those that should become one: the small ones when there are too many, each time so many that
/// a document is copied a few times in all; and those of which more is gone than left.
pub(super) fn choose(parts: &[Part]) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..parts.len()).filter(|&at| mostly_dead(&parts[at])).collect();
    if parts.len() <= SEGMENTS {
        return chosen;
    }
    let mut by_size: Vec<usize> = (0..parts.len()).collect();
    by_size.sort_by_key(|&at| parts[at].segment.size());
    let mut sum = 0;
    let small = by_size.into_iter().enumerate().take_while(|&(rank, at)| {
        let size = parts[at].segment.size();
        let joins = rank < 2 || size <= 2 * sum;
        sum += size;
        joins
    });
    chosen.extend(small.map(|(_, at)| at));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

fn mostly_dead(part: &Part) -> bool {
    u64::from(part.dead.count()) * 2 > u64::from(part.segment.documents())
}
