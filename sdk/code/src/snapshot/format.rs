//! How a snapshot is kept: one header, then all states, then where names end, then all names. Numbers have the least
//! byte first.

use super::{FileState, Snapshot};
use crate::walk::Stat;

/// The version of the form; another is not read but made anew.
pub const VERSION: u32 = 2;

const MAGIC: [u8; 4] = *b"cxsn";
/// Magic, version, checksum, number of files, bytes of names, time of the look, number of
/// looks, hash of the whole, number of files that were not read and of those that are left out.
const HEADER: usize = 4 + 4 + 8 + 4 + 4 + 8 + 8 + 32 + 4 + 4;
/// What the checksum does not cover: itself and what is in front of it.
const UNCHECKED: usize = 16;
const STATE: usize = 8 + 8 + 8 + 8 + 4 + 32;

/// What the beginning of a kept snapshot says of it, unchecked: enough to see whether reading it is worthwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// See [`Snapshot::looked_ns`].
    pub looked_ns: i64,
    /// See [`Snapshot::looks`].
    pub looks: u64,
}

impl Summary {
    /// How many bytes it takes.
    pub const BYTES: usize = HEADER;

    /// Reads the beginning of kept bytes; `None` when they are of another version.
    pub fn of(bytes: &[u8; HEADER]) -> Option<Self> {
        let mut bytes = Reader(bytes);
        if bytes.take::<4>()? != MAGIC || u32::from_le_bytes(bytes.take()?) != VERSION {
            return None;
        }
        bytes.take::<16>()?;
        Some(Self { looked_ns: i64::from_le_bytes(bytes.take()?), looks: u64::from_le_bytes(bytes.take()?) })
    }
}

/// The bytes are no snapshot of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no snapshot of this version, or a broken one")]
pub struct Broken;

impl Snapshot {
    /// Gives the bytes to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.len() * (STATE + 4) + self.names.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 8]);
        // Ends are 32 bits, so that neither number can be larger.
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend((self.names.len() as u32).to_le_bytes());
        bytes.extend(self.looked_ns.to_le_bytes());
        bytes.extend(self.looks.to_le_bytes());
        bytes.extend(self.root);
        bytes.extend(self.unread.to_le_bytes());
        bytes.extend(self.left_out.to_le_bytes());
        self.states.iter().for_each(|state| put(state, &mut bytes));
        self.ends.iter().for_each(|end| bytes.extend(end.to_le_bytes()));
        bytes.extend(self.names.as_bytes());
        let checksum = checksum(&bytes[UNCHECKED..]);
        bytes[8..UNCHECKED].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads kept bytes.
    ///
    /// # Errors
    ///
    /// When they are of another version, cut short or changed; nothing of them is used then.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Broken> {
        Self::read(bytes).ok_or(Broken)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        let mut header = Reader(header);
        if header.take::<4>()? != MAGIC || u32::from_le_bytes(header.take()?) != VERSION {
            return None;
        }
        if u64::from_le_bytes(header.take()?) != checksum(&bytes[UNCHECKED..]) {
            return None;
        }
        let count = u32::from_le_bytes(header.take()?) as usize;
        let names = u32::from_le_bytes(header.take()?) as usize;
        if count.checked_mul(STATE + 4)?.checked_add(names)? != rest.len() {
            return None;
        }
        let (states, rest) = rest.split_at(count * STATE);
        let (ends, names) = rest.split_at(count * 4);
        let snapshot = Self {
            names: str::from_utf8(names).ok()?.to_owned(),
            ends: ends
                .chunks_exact(4)
                .map(|end| Reader(end).take().map(u32::from_le_bytes))
                .collect::<Option<_>>()?,
            states: states.chunks_exact(STATE).map(state).collect::<Option<_>>()?,
            looked_ns: i64::from_le_bytes(header.take()?),
            looks: u64::from_le_bytes(header.take()?),
            root: header.take()?,
            unread: u32::from_le_bytes(header.take()?),
            left_out: u32::from_le_bytes(header.take()?),
        };
        snapshot.is_sound().then_some(snapshot)
    }

    /// Whether names end at letters and are sorted, on which all else relies.
    fn is_sound(&self) -> bool {
        let whole = self.ends.last().map_or(0, |end| *end as usize) == self.names.len();
        let letters = self.ends.iter().all(|end| self.names.is_char_boundary(*end as usize));
        whole
            && letters
            && self.ends.is_sorted()
            && (1..self.len()).all(|at| self.name(at - 1) < self.name(at))
    }
}

fn put(state: &FileState, bytes: &mut Vec<u8>) {
    let stat = &state.stat;
    bytes.extend(stat.size.to_le_bytes());
    bytes.extend(stat.mtime_ns.to_le_bytes());
    bytes.extend(stat.inode.to_le_bytes());
    bytes.extend(stat.ctime_ns.to_le_bytes());
    bytes.extend(stat.mode.to_le_bytes());
    bytes.extend(state.hash);
}

fn state(bytes: &[u8]) -> Option<FileState> {
    let mut bytes = Reader(bytes);
    let stat = Stat {
        size: u64::from_le_bytes(bytes.take()?),
        mtime_ns: i64::from_le_bytes(bytes.take()?),
        inode: u64::from_le_bytes(bytes.take()?),
        ctime_ns: i64::from_le_bytes(bytes.take()?),
        mode: u32::from_le_bytes(bytes.take()?),
    };
    Some(FileState { stat, hash: bytes.take()? })
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }
}

/// Mixes eight bytes at a time: it has to notice a disk's faults, not an enemy, in a millisecond.
fn checksum(bytes: &[u8]) -> u64 {
    // The first 64 bits of the golden ratio's fraction, odd, so that multiplying loses nothing.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    let mixed = words.fold(bytes.len() as u64, |sum, word| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29));
    mixed ^ (mixed >> 32)
}
