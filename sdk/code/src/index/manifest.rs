//! The list of segments: the one file that changes, replaced as a whole.

use super::{
    IndexError,
    bytes::{Broken, Cursor, put_number, sum},
    segment::FORMAT,
};
use std::{
    io,
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 8] = b"ctxparts";
const NAME: &str = "parts";
const PART: &str = "the list of segments";

/// Larger ones were not written by us: a segment takes some bytes, and a dead document about one.
const SIZE_LIMIT: u64 = 64 << 20;

/// What the index is made of.
#[derive(Default)]
pub(super) struct Manifest {
    /// How the words and symbols in it were made, as the writer's caller says.
    pub(super) version: u64,
    /// Counts the manifests, to see whether anything has changed.
    pub(super) generation: u64,
    /// The number of the next segment; none is ever used twice.
    pub(super) next: u64,
    pub(super) segments: Vec<Listed>,
}

/// A segment of the index.
pub(super) struct Listed {
    pub(super) number: u64,
    /// The segment's sum, so that another file of that name is not taken for it.
    pub(super) sum: u64,
    pub(super) documents: u32,
    /// The documents that are gone, in order.
    pub(super) dead: Vec<u32>,
}

pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

pub(super) fn segment_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:016x}.segment"))
}

impl Manifest {
    /// Reads it; `None` when there is no index yet.
    pub(super) fn load(folder: &Path, version: u64) -> Result<Option<Self>, IndexError> {
        let read = |source| IndexError::Read { file: NAME.to_owned(), source };
        let bytes = match std::fs::metadata(path(folder)) {
            Ok(file) if file.len() > SIZE_LIMIT => return Err(IndexError::Broken { part: PART }),
            Ok(_) => std::fs::read(path(folder)).map_err(read)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(read(error)),
        };
        let manifest = Self::decode(&bytes)?;
        if manifest.version == version { Ok(Some(manifest)) } else { Err(IndexError::Version) }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put_number(&mut out, FORMAT);
        out.extend_from_slice(&self.version.to_le_bytes());
        put_number(&mut out, self.generation);
        put_number(&mut out, self.next);
        put_number(&mut out, self.segments.len() as u64);
        for segment in &self.segments {
            put_segment(&mut out, segment);
        }
        let whole = sum(&out);
        out.extend_from_slice(&whole.to_le_bytes());
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, IndexError> {
        let broken = || IndexError::Broken { part: PART };
        let (body, whole) = bytes.split_last_chunk::<8>().ok_or_else(broken)?;
        let body_after = body.strip_prefix(MAGIC).ok_or_else(broken)?;
        if sum(body) != u64::from_le_bytes(*whole) {
            return Err(broken());
        }
        let mut cursor = Cursor::new(body_after);
        if cursor.number().map_err(Broken::of(PART))? != FORMAT {
            return Err(IndexError::Version);
        }
        Self::decode_body(&mut cursor).map_err(Broken::of(PART))
    }

    fn decode_body(cursor: &mut Cursor<'_>) -> Result<Self, Broken> {
        let version = u64::from_le_bytes(cursor.array()?);
        let (generation, next) = (cursor.number()?, cursor.number()?);
        let count = cursor.count()?;
        let mut segments = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            segments.push(segment(cursor)?);
        }
        Ok(Self { version, generation, next, segments })
    }
}

fn put_segment(out: &mut Vec<u8>, segment: &Listed) {
    put_number(out, segment.number);
    out.extend_from_slice(&segment.sum.to_le_bytes());
    put_number(out, u64::from(segment.documents));
    put_number(out, segment.dead.len() as u64);
    let mut next = 0;
    for &doc in &segment.dead {
        put_number(out, u64::from(doc - next));
        next = doc + 1;
    }
}

fn segment(cursor: &mut Cursor<'_>) -> Result<Listed, Broken> {
    let number = cursor.number()?;
    let sum = u64::from_le_bytes(cursor.array()?);
    let documents = cursor.u32()?;
    let count = cursor.count()?;
    let mut dead = Vec::with_capacity(count);
    let mut next = 0u32;
    for _ in 0..count {
        let doc = next.checked_add(cursor.u32()?).filter(|&doc| doc < documents).ok_or(Broken)?;
        dead.push(doc);
        next = doc + 1;
    }
    Ok(Listed { number, sum, documents, dead })
}
