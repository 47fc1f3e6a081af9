//! What a project looked like at a look: a hash for every file, every folder and the whole, and what changed since.

use sha2::{Digest, Sha256};

use crate::{
    finding::{Findings, Problem},
    index::Hash,
    walk::{Entry, Stat},
};

mod disk;
mod format;
mod look;

pub(crate) use disk::Hurried;
pub use disk::{Disk, Looked, SAMPLED_ABOVE, Source};
pub use format::{Broken, Summary, VERSION};

/// A kernel gives files the time of its last tick, up to 10 ms ago; twice that is beyond doubt.
const TICK_NS: i64 = 20_000_000;
/// Times without a fraction come from a disk that keeps none; FAT rounds to two seconds.
const COARSE_NS: i64 = 2_000_000_000;

/// Files above this many bytes are read after the others.
const LARGE: u64 = 1 << 20;

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    /// What the system said when the file was read. A file that kept changing has a time of `i64::MIN`, which no file
    /// has, so that it counts as changed at the next look.
    pub stat: Stat,
    /// SHA-256 of its bytes; of samples when it is larger than [`SAMPLED_ABOVE`].
    pub hash: Hash,
}

/// All files of a project at one moment. Names and states each lie in one piece, so that loading is copying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    names: String,
    ends: Vec<u32>,
    states: Vec<FileState>,
    looked_ns: i64,
    looks: u64,
    root: Hash,
    unread: u32,
    left_out: u32,
}

/// What differs from the look before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that were not there, sorted.
    pub added: Vec<String>,
    /// Files whose content is another, sorted.
    pub modified: Vec<String>,
    /// Files that are gone, sorted.
    pub deleted: Vec<String>,
    /// Files that could not be read, or not in one state.
    pub findings: Findings,
}

impl Changes {
    /// Whether everything is as it was.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.modified.is_empty() && self.deleted.is_empty()
    }
}

impl FileState {
    /// The same content with a time that no file has, so that it is read at the next look.
    fn outdated(self) -> Self {
        Self { stat: Stat { mtime_ns: i64::MIN, ..self.stat }, ..self }
    }
}

impl Default for Snapshot {
    /// Gives one without files, from before all time.
    fn default() -> Self {
        let (names, ends, states) = (String::new(), Vec::new(), Vec::new());
        Self {
            names,
            ends,
            states,
            looked_ns: i64::MIN,
            looks: 0,
            root: Sha256::digest([]).into(),
            unread: 0,
            left_out: 0,
        }
    }
}

impl Snapshot {
    /// Compares with what a walk found, reads what is new or may have changed, and gives the present state.
    ///
    /// A file whose size, times and number on the disk are the same is not read again, unless it was written so shortly
    /// before the last look (`looked_ns` then) that it may have been written again within the same tick of the clock.
    /// That is git's rule for its index, and it does not trust the clock: a time from after the look counts as "shortly
    /// before", so that a clock that went backwards only means more reading.
    ///
    /// `now_ns` is the time before the walk began, in nanoseconds since 1970. `threads` read at once.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use ctxhost_code::{snapshot::{Disk, Snapshot}, walk::{WalkSettings, Walker}};
    /// std::fs::write(folder.path().join("a.txt"), "one")?;
    /// let walker = Walker::new(folder.path(), WalkSettings::default());
    /// let disk = Disk::new(folder.path());
    ///
    /// let (first, _) = Snapshot::default().update(&walker.walk().files, &disk, 0, 2);
    /// std::fs::write(folder.path().join("a.txt"), "two")?;
    /// let (second, changes) = first.update(&walker.walk().files, &disk, 0, 2);
    /// assert_eq!(changes.modified, ["a.txt"]);
    /// assert_ne!(first.root(), second.root());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn update(
        &self,
        walked: &[Entry],
        source: &dyn Source,
        now_ns: i64,
        threads: usize,
    ) -> (Self, Changes) {
        self.update_until(walked, source, now_ns, threads, &|| false)
    }

    /// As [`Snapshot::update`], but reads no further file once `stop` says so. Large files are read last, so that none holds
    /// up the others.
    ///
    /// A file that was not read is left out when it is new; otherwise it stays in the state that was known, and counts as
    /// changed at the next update, as one does that kept changing. So each of several updates that are all stopped
    /// takes up where the last one was, and what a finished one gives does not depend on those before.
    /// [`Snapshot::unread`] says how many are left.
    pub fn update_until(
        &self,
        walked: &[Entry],
        source: &dyn Source,
        now_ns: i64,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> (Self, Changes) {
        let known: Vec<_> = self.joined(walked).collect();
        let mut doubtful: Vec<_> =
            (0..walked.len()).filter(|at| self.in_doubt(&walked[*at], known[*at])).collect();
        doubtful.sort_by_key(|at| (walked[*at].stat.size > LARGE, *at));
        let paths: Vec<_> = doubtful.iter().map(|at| walked[*at].path.as_str()).collect();
        let outcomes = look::at_all(&paths, source, threads, stop);
        let mut read: Vec<_> = doubtful.into_iter().zip(outcomes).collect();
        read.sort_unstable_by_key(|(at, _)| *at);
        let mut read = read.into_iter().peekable();

        let mut next = Self { looked_ns: now_ns, looks: self.looks + 1, ..Self::default() };
        let mut findings = Findings::default();
        for (at, entry) in walked.iter().enumerate() {
            let state = match read.next_if(|(read, _)| *read == at) {
                Some((_, Some(outcome))) => outcome.state(&entry.path, &mut findings),
                Some((_, None)) => {
                    next.unread += 1;
                    next.left_out += u32::from(known[at].is_none());
                    known[at].map(|known| self.states[known].outdated())
                }
                None => known[at].map(|known| self.states[known]),
            };
            if let Some(state) = state {
                next.push(&entry.path, state);
            }
        }
        let changes = Changes { findings, ..self.compare(&next) };
        next.root =
            if changes.is_empty() { self.root } else { next.folder(0..next.len(), 0, &mut Vec::new()) };
        (next, changes)
    }

    /// Says what a later snapshot has otherwise; no file is read.
    pub fn compare(&self, later: &Self) -> Changes {
        let mut changes = Changes::default();
        let mut old = self.files().peekable();
        for (path, state) in later.files() {
            while let Some((gone, _)) = old.next_if(|(before, _)| *before < path) {
                changes.deleted.push(gone.to_owned());
            }
            match old.next_if(|(before, _)| *before == path) {
                None => changes.added.push(path.to_owned()),
                Some((_, before)) if before.hash != state.hash => changes.modified.push(path.to_owned()),
                Some(_) => {}
            }
        }
        changes.deleted.extend(old.map(|(gone, _)| gone.to_owned()));
        changes
    }

    /// Gives all files, sorted by path.
    pub fn files(&self) -> impl DoubleEndedIterator<Item = (&str, &FileState)> + ExactSizeIterator {
        (0..self.len()).map(|at| self.at(at))
    }

    /// Gives the file at a position.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    pub fn at(&self, position: usize) -> (&str, &FileState) {
        (self.name(position), &self.states[position])
    }

    /// Gives what is known of a file.
    pub fn get(&self, path: &str) -> Option<&FileState> {
        self.position(path).ok().map(|at| &self.states[at])
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Gives the hash of the whole: equal for equal names and contents, whatever the times.
    pub fn root(&self) -> Hash {
        self.root
    }

    /// When the walk behind this began, in nanoseconds since 1970, by the clock that was handed in.
    pub fn looked_ns(&self) -> i64 {
        self.looked_ns
    }

    /// How many files were not read in time, and are left out or in the state of an earlier look; none in a finished look,
    /// and at least one after a walk that did not see all.
    pub fn unread(&self) -> usize {
        self.unread as usize
    }

    /// Notes that the walk behind this did not see all: at least one file counts as not read.
    pub(crate) fn note_unseen(&mut self) {
        self.unread = self.unread.max(1);
    }

    /// How many of those are left out, since nothing is known of them.
    pub fn left_out(&self) -> usize {
        self.left_out as usize
    }

    /// How many looks led here.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Gives the hash of every folder, sorted by path; the top has an empty path and the hash of the whole.
    ///
    /// A folder's hash is SHA-256 over its entries, sorted by name: the name, a zero, `f` or `d`, and the entry's hash.
    pub fn folders(&self) -> Vec<(String, Hash)> {
        let mut folders = Vec::new();
        self.folder(0..self.len(), 0, &mut folders);
        folders.sort_unstable();
        folders
    }

    /// Hashes a folder: the files of a range, whose paths agree up to `above`.
    fn folder(&self, range: std::ops::Range<usize>, above: usize, folders: &mut Vec<(String, Hash)>) -> Hash {
        let path = range
            .clone()
            .next()
            .map_or("", |first| self.name(first)[..above].trim_end_matches('/'))
            .to_owned();
        let mut entries = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let name = self.name(at);
            let (own, end) = match name[above..].find('/') {
                None => ((&name[above..], b'f', self.states[at].hash), at + 1),
                Some(length) => {
                    let below = &name[..above + length + 1];
                    let end = at + (at..range.end).take_while(|at| self.name(*at).starts_with(below)).count();
                    ((&name[above..above + length], b'd', self.folder(at..end, below.len(), folders)), end)
                }
            };
            entries.push(own);
            at = end;
        }
        entries.sort_unstable();
        let mut hash = Sha256::new();
        for (name, kind, own) in entries {
            hash.update(name);
            hash.update([0, kind]);
            hash.update(own);
        }
        let hash = hash.finalize().into();
        folders.push((path, hash));
        hash
    }

    fn push(&mut self, path: &str, state: FileState) {
        // 200,000 paths of 4,096 bytes do not fit, but no disk has those; what does not fit is not looked at.
        let Ok(end) = u32::try_from(self.names.len() + path.len()) else { return };
        self.names.push_str(path);
        self.ends.push(end);
        self.states.push(state);
    }

    fn name(&self, at: usize) -> &str {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.names[begin..self.ends[at] as usize]
    }

    fn position(&self, path: &str) -> Result<usize, usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.name(middle).cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Err(low)
    }

    /// Finds each walked file among the known ones; both are sorted, so that one pass does.
    fn joined(&self, walked: &[Entry]) -> impl Iterator<Item = Option<usize>> {
        let mut at = 0;
        walked.iter().map(move |entry| {
            while at < self.len() && self.name(at) < entry.path.as_str() {
                at += 1;
            }
            (at < self.len() && self.name(at) == entry.path).then_some(at)
        })
    }

    fn in_doubt(&self, entry: &Entry, known: Option<usize>) -> bool {
        known.is_none_or(|known| {
            let state = &self.states[known];
            state.stat != entry.stat || self.is_recent(state)
        })
    }

    /// Whether a file was written so shortly before this look, or since, that it may have been written again with the
    /// same size and times.
    pub(crate) fn is_recent(&self, state: &FileState) -> bool {
        [state.stat.mtime_ns, state.stat.ctime_ns].into_iter().any(|time| is_recent(time, self.looked_ns))
    }
}

fn is_recent(time_ns: i64, looked_ns: i64) -> bool {
    let doubt = if time_ns % 1_000_000_000 == 0 { COARSE_NS } else { TICK_NS };
    time_ns >= looked_ns.saturating_sub(doubt)
}

impl look::Outcome {
    fn state(self, path: &str, findings: &mut Findings) -> Option<FileState> {
        match self {
            Self::Read(state) => Some(state),
            Self::Gone => None,
            Self::Changing(state) => {
                findings.add(Problem::Changing, path, "kept changing while it was read");
                Some(state)
            }
            Self::Failed(error) => {
                findings.add(Problem::File, path, error);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
