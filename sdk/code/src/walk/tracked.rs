//! The files that git tracks, read from its index.
//!
//! A parser of our own, since the crates that read an index bring seventy others; only names are kept. An index is as
//! hostile as any file of a repository that came from elsewhere: nothing is believed before it is checked.

use std::{fs::File, io::Read, path::Path};

/// Larger indexes belong to repositories of a million files and more, beyond what is looked at.
const LARGEST: u64 = 256 << 20;
/// No system opens a longer path.
const LONGEST_PATH: usize = 4096;
/// Names packed against each other could unfold to sixty times the file.
const MOST_NAMES: usize = 128 << 20;
/// What stands in front of an entry's hash: times, device, inode, mode, owner, size.
const STAT: usize = 40;
/// Where the mode stands in it.
const MODE: usize = 24;

/// What git tracks at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrackedKind {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A commit of another repository: a submodule, whose files are tracked there and not here.
    Repository,
}

/// The paths that git tracks, below the work tree's top, sorted by their bytes; of a file in conflict, once.
#[derive(Debug, Default)]
pub struct Tracked {
    names: Vec<u8>,
    ends: Vec<u32>,
    kinds: Vec<TrackedKind>,
}

impl Tracked {
    /// Reads the index of a git folder; what could not be read is said beside what could.
    pub(super) fn read(git_folder: &Path, hash: usize) -> (Self, Option<String>) {
        let path = git_folder.join("index");
        if !path.exists() {
            return (Self::default(), None);
        }
        match load(&path).and_then(|data| Self::parse(&data, hash)) {
            Err(problem) => (Self::default(), Some(problem)),
            Ok((own, extensions)) => match extensions.shared {
                Some(base) => own.with_base(git_folder, &base, hash),
                None if extensions.sparse => (own, Some("the index is sparse".to_owned())),
                None => (own, None),
            },
        }
    }

    /// Whether a path is tracked, as a file, a link or a submodule.
    pub fn has(&self, path: &[u8]) -> bool {
        self.get(path).is_some()
    }

    /// Says what is tracked at a path.
    pub fn get(&self, path: &[u8]) -> Option<TrackedKind> {
        let at = self.from(path);
        (at < self.len() && self.name(at) == path).then(|| self.kinds[at])
    }

    /// Whether anything tracked lies below a folder.
    pub fn has_below(&self, folder: &[u8]) -> bool {
        let below = [folder, b"/"].concat();
        let at = self.from(&below);
        at < self.len() && self.name(at).starts_with(&below)
    }

    /// Gives all paths. They are the bytes that git has: a path need not be UTF-8, and nothing need be there.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u8], TrackedKind)> {
        (0..self.len()).map(|at| (self.name(at), self.kinds[at]))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A split index names files that it does not hold itself. Its list of deleted ones is packed bits; without them too
    /// many files are taken for tracked, which keeps a file that git would leave out but loses none.
    fn with_base(self, git_folder: &Path, base: &str, hash: usize) -> (Self, Option<String>) {
        let read = load(&git_folder.join(format!("sharedindex.{base}")));
        match read.and_then(|data| Self::parse(&data, hash)) {
            Err(problem) => (self, Some(format!("the index is split: {problem}"))),
            Ok((shared, _)) => {
                let all = self.iter().chain(shared.iter()).map(|(name, kind)| (name.to_vec(), kind));
                (
                    Self::sorted(all.collect()),
                    Some("the index is split, so files removed from it count as tracked".to_owned()),
                )
            }
        }
    }

    fn parse(data: &[u8], hash: usize) -> Result<(Self, Extensions), String> {
        let (version, count) = header(data).ok_or("the index is none")?;
        if !(2..=4).contains(&version) {
            return Err(format!("the index has version {version}"));
        }
        let mut tracked = Self::default();
        let mut name = Vec::new();
        let mut rest = &data[12..];
        let mut sparse = false;
        for _ in 0..count {
            let entry =
                Entry::read(rest, version, hash, &mut name).ok_or("the index is cut short or broken")?;
            rest = &rest[entry.length..];
            // A sparse index lists a folder that is not there instead of its files.
            let Some(kind) = entry.kind else {
                sparse = true;
                continue;
            };
            tracked.push(&name, kind)?;
        }
        let mut extensions = Extensions::read(rest, hash);
        extensions.sparse |= sparse;
        Ok((tracked.in_order(), extensions))
    }

    fn push(&mut self, name: &[u8], kind: TrackedKind) -> Result<(), String> {
        // Conflicts list a file several times; a split index lists what replaces another without a name.
        if name.is_empty() || self.iter().next_back().is_some_and(|(last, _)| last == name) {
            return Ok(());
        }
        if self.names.len() + name.len() > MOST_NAMES {
            return Err("the index has more names than are read".to_owned());
        }
        self.names.extend_from_slice(name);
        self.ends.push(u32::try_from(self.names.len()).map_err(|_| "the index is too large")?);
        self.kinds.push(kind);
        Ok(())
    }

    fn in_order(self) -> Self {
        if self.iter().map(|(name, _)| name).is_sorted() {
            return self;
        }
        Self::sorted(self.iter().map(|(name, kind)| (name.to_vec(), kind)).collect())
    }

    fn sorted(mut all: Vec<(Vec<u8>, TrackedKind)>) -> Self {
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut tracked = Self::default();
        // What is beyond the most is not tracked, as if the index ended there.
        let _ = all.iter().try_for_each(|(name, kind)| tracked.push(name, *kind));
        tracked
    }

    fn name(&self, at: usize) -> &[u8] {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.names[begin..self.ends[at] as usize]
    }

    /// Gives the place of the first path that is not before this one.
    fn from(&self, path: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.name(middle) < path { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// What the parts behind the entries say.
#[derive(Default)]
struct Extensions {
    /// The name of the index that this one builds on.
    shared: Option<String>,
    sparse: bool,
}

impl Extensions {
    fn read(mut rest: &[u8], hash: usize) -> Self {
        let mut found = Self::default();
        // The checksum at the end is as long as a hash and no extension.
        while rest.len() >= hash + 8 {
            let Some(length) = number(rest, 4) else { break };
            let Some(data) = rest[8..].get(..length as usize) else { break };
            match &rest[..4] {
                b"link" => {
                    found.shared = data.get(..hash).map(hex).filter(|base| base.contains(|c| c != '0'))
                }
                b"sdir" => found.sparse = true,
                _ => {}
            }
            rest = &rest[8 + data.len()..];
        }
        found
    }
}

struct Entry {
    length: usize,
    /// `None` for a folder.
    kind: Option<TrackedKind>,
}

impl Entry {
    /// Reads one entry and leaves its path in `name`, which holds the path of the one before.
    fn read(data: &[u8], version: u32, hash: usize, name: &mut Vec<u8>) -> Option<Self> {
        let flags = data.get(STAT + hash..STAT + hash + 2)?;
        let extended = version >= 3 && flags[0] & 0x40 != 0;
        let start = STAT + hash + if extended { 4 } else { 2 };
        let packed = data.get(start..)?;
        let (kept, packed_start) = if version == 4 { kept(packed, name.len())? } else { (0, 0) };
        let rest = &packed[packed_start..];
        let end = rest.iter().take(LONGEST_PATH + 1).position(|byte| *byte == 0)?;
        name.truncate(kept);
        name.extend_from_slice(&rest[..end]);
        if name.len() > LONGEST_PATH {
            return None;
        }
        let unpadded = start + packed_start + end;
        // Up to eight zeros end an entry, so that the next begins at a multiple of eight.
        let length = if version == 4 { unpadded + 1 } else { (unpadded + 8) & !7 };
        let kind = match number(data, MODE)? & 0o170_000 {
            0o040_000 => None,
            0o120_000 => Some(TrackedKind::Link),
            0o160_000 => Some(TrackedKind::Repository),
            _ => Some(TrackedKind::File),
        };
        (length <= data.len()).then_some(Self { length, kind })
    }
}

/// Reads how many bytes of the path before are cut off; gives how many stay and where the rest begins.
fn kept(data: &[u8], before: usize) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in data.iter().enumerate().take(4) {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((before.checked_sub(value)?, at + 1));
        }
        value += 1;
    }
    None
}

fn header(data: &[u8]) -> Option<(u32, u32)> {
    data.starts_with(b"DIRC").then_some((number(data, 4)?, number(data, 8)?))
}

fn number(data: &[u8], at: usize) -> Option<u32> {
    data.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn load(path: &Path) -> Result<Vec<u8>, String> {
    let say = |error: std::io::Error| error.to_string();
    let file = File::open(path).map_err(say)?;
    let length = file.metadata().map_err(say)?;
    if !length.is_file() || length.len() > LARGEST {
        return Err("the index is no file or too large".to_owned());
    }
    let mut data = Vec::new();
    file.take(LARGEST).read_to_end(&mut data).map_err(say)?;
    Ok(data)
}

#[cfg(test)]
mod tests;
