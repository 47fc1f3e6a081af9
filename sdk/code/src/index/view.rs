//! The segments as one: what a reader sees and what a writer works on.

use super::{
    IndexError,
    dead::Dead,
    files::Row,
    manifest::{Listed, Manifest, segment_path},
    segment::Segment,
    source::Source,
};
use std::{io, path::Path, sync::Arc};

/// A segment with what is gone of it.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) segment: Arc<Segment>,
    pub(super) dead: Arc<Dead>,
    /// The number in its file's name; `None` when it could only be kept in memory.
    pub(super) number: Option<u64>,
}

impl Part {
    pub(super) fn living(&self) -> impl Iterator<Item = (u32, &Row)> {
        (0..).zip(&self.segment.rows).filter(|(doc, _)| !self.dead.contains(*doc))
    }

    pub(super) fn find(&self, path: &str) -> Option<u32> {
        self.segment.at_path(path).iter().copied().find(|&doc| !self.dead.contains(doc))
    }

    pub(super) fn listed(&self) -> Option<Listed> {
        let (sum, documents) = (self.segment.sum, self.segment.documents());
        self.number.map(|number| Listed { number, sum, documents, dead: self.dead.iter().collect() })
    }
}

/// How often the list is read again when a segment of it is gone: a merge removes files once, and two in a row while a
/// reader opens are already rare.
const ATTEMPTS: usize = 8;

/// Opens what is there; segments that `known` has are not opened again.
pub(super) fn open(
    folder: &Path,
    version: u64,
    known: &[Part],
) -> Result<Option<(Manifest, Vec<Part>)>, IndexError> {
    settle(folder, known, || Manifest::load(folder, version))
}

fn settle(
    folder: &Path,
    known: &[Part],
    mut load: impl FnMut() -> Result<Option<Manifest>, IndexError>,
) -> Result<Option<(Manifest, Vec<Part>)>, IndexError> {
    let mut before = None;
    for _ in 0..ATTEMPTS {
        let Some(manifest) = load()? else { return Ok(None) };
        let opened: Result<Vec<Part>, IndexError> =
            manifest.segments.iter().map(|listed| part(folder, listed, known)).collect();
        match opened {
            Ok(parts) => return Ok(Some((manifest, parts))),
            // The list still names it: nobody took it away for another.
            Err(error) if before == Some(manifest.generation) => return Err(lasting(error)),
            Err(error) if passes(&error) => before = Some(manifest.generation),
            Err(error) => return Err(error),
        }
    }
    Err(IndexError::Unsettled)
}

fn part(folder: &Path, listed: &Listed, known: &[Part]) -> Result<Part, IndexError> {
    let same = |part: &&Part| part.number == Some(listed.number) && part.segment.sum == listed.sum;
    let segment = match known.iter().find(same) {
        Some(part) => Arc::clone(&part.segment),
        None => Arc::new(segment(folder, listed.number)?),
    };
    if segment.sum != listed.sum || segment.documents() != listed.documents {
        return Err(IndexError::Broken { part: "a segment" });
    }
    let dead = Arc::new(Dead::of(listed.dead.iter().copied()));
    Ok(Part { segment, dead, number: Some(listed.number) })
}

pub(super) fn segment(folder: &Path, number: u64) -> Result<Segment, IndexError> {
    let path = segment_path(folder, number);
    let read = |source| IndexError::Read { file: format!("{number:016x}.segment"), source };
    Segment::open(Source::open(&path).map_err(read)?)
}

fn passes(error: &IndexError) -> bool {
    matches!(error, IndexError::Read { source, .. } if source.kind() == io::ErrorKind::NotFound)
}

/// A segment that stays away is a broken index, not a passing trouble.
fn lasting(error: IndexError) -> IndexError {
    if passes(&error) { IndexError::Broken { part: "a segment" } } else { error }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives the lists one after the other, the last again and again; each names no segment or one that is not there.
    fn check(lists: &[(u64, bool)], expected: &str) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut at = 0;
        let found = settle(folder.path(), &[], || {
            let (generation, gone) = lists[at.min(lists.len() - 1)];
            at += 1;
            let segments = gone.then_some(Listed { number: 1, sum: 0, documents: 0, dead: Vec::new() });
            Ok(Some(Manifest { generation, segments: segments.into_iter().collect(), ..Manifest::default() }))
        });
        let found = match found {
            Ok(found) => format!("generation {}", found.expect("a list").0.generation),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{lists:?}");
    }

    #[test]
    fn a_segment_that_was_merged_away_is_looked_for_in_the_next_list() {
        check(&[(1, false)], "generation 1");
        check(&[(1, true), (2, false)], "generation 2");
        check(&[(1, true), (2, true), (3, false)], "generation 3");
        check(&[(1, true)], "a segment of the index is broken");
        check(&[(1, true), (2, true)], "a segment of the index is broken");
        let ever_new: Vec<(u64, bool)> = (0..20).map(|generation| (generation, true)).collect();
        check(&ever_new, "the index was replaced while it was opened");
    }
}
