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
    let mut before = None;
    for _ in 0..ATTEMPTS {
        let Some(manifest) = Manifest::load(folder, version)? else { return Ok(None) };
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
