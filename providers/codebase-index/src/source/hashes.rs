//! What files hold, without reading again those that have not changed.
//!
//! A file is known by path, size, times and number on the disk; one that was written within a tick of the last look is read
//! again, since it may have been written once more with the same times (the rule of `ctxhost_code::snapshot`).

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use ctxhost_code::{
    finding::{Findings, Problem},
    snapshot::{Looked, Snapshot, Source},
    walk::Entry,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{beneath, private, stop::Stop};
use crate::{
    error::SourceError,
    select::{
        filter::{LeftOut, by_text},
        root::short,
    },
};

/// The form of what is kept, and of the rules by which texts are left out; another is made anew.
const VERSION: u32 = 1;

/// A snapshot of 200,000 files has some 40 MB.
const MOST_KEPT: u64 = 128 << 20;

/// So many work trees are remembered.
const MOST_TREES: usize = 128;

/// The hashes of files, and what their texts keep out.
#[derive(Debug, Default)]
pub(crate) struct Hashed {
    /// The files to send, by path, with SHA-256 of their bytes.
    pub(crate) files: Vec<(String, [u8; 32])>,
    /// The others.
    pub(crate) left_out: Vec<(String, LeftOut)>,
    /// What could not be kept, and which files kept changing.
    pub(crate) findings: Findings,
    /// How many files were read.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests count it"))]
    pub(crate) read: usize,
}

/// What is kept between runs.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    snapshot: Vec<u8>,
    /// The numbers of the reasons, for texts that are in the snapshot and not sent.
    left_out: Vec<(String, u8)>,
}

/// Reads files below a root for a snapshot, and judges their texts.
struct Judge<'a> {
    root: &'a Path,
    judged: Mutex<HashMap<String, Option<LeftOut>>>,
}

impl Source for Judge<'_> {
    fn look(&self, path: &str) -> io::Result<Looked> {
        let text = beneath::read(self.root, path)?;
        let verdict = by_text(path, &text.bytes);
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), verdict);
        let [before, after] = text.stats;
        Ok(Looked { before, after, hash: text.hash })
    }
}

/// Hashes files below a root, sorted by path; `cache` is the folder of what is kept.
///
/// # Errors
///
/// When it was stopped; what was read by then is kept.
pub(crate) fn hash(
    root: &Path,
    entries: &[Entry],
    cache: Option<&Path>,
    threads: usize,
    now: SystemTime,
    stop: &Stop,
) -> Result<Hashed, SourceError> {
    let now = nanoseconds(now);
    let file = cache.map(|cache| place(cache, root));
    let (known, mut left_out) = file.as_deref().and_then(load).unwrap_or_default();
    let judge = Judge { root, judged: Mutex::default() };
    let (next, changes) = known.update_until(entries, &judge, now, threads, &|| stop.is_stopped());
    let judged = judge.judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    let read = judged.len();
    for (path, verdict) in judged {
        match verdict {
            Some(reason) => left_out.insert(path, reason),
            None => left_out.remove(&path),
        };
    }
    left_out.retain(|path, _| next.get(path).is_some());
    let mut hashed = Hashed { read, findings: changes.findings, ..Hashed::default() };
    // An unchanged tree is not written again, but for files that were read because they were recent.
    if read > 0 || next.len() != known.len() {
        keep(file.as_deref(), &next, &left_out, &mut hashed.findings);
    }
    if next.unread() > 0 {
        return Err(SourceError::Stopped);
    }
    for (path, state) in next.files() {
        match left_out.get(path) {
            Some(reason) => hashed.left_out.push((path.to_owned(), *reason)),
            None => hashed.files.push((path.to_owned(), state.hash)),
        }
    }
    let unread = entries.iter().filter(|entry| next.get(&entry.path).is_none());
    hashed.left_out.extend(unread.map(|entry| (entry.path.clone(), LeftOut::Unreadable)));
    Ok(hashed)
}

fn place(cache: &Path, root: &Path) -> PathBuf {
    cache.join("hashes").join(short(root.as_os_str().as_encoded_bytes(), 32))
}

fn load(file: &Path) -> Option<(Snapshot, HashMap<String, LeftOut>)> {
    let bytes = private::read(file, MOST_KEPT)?;
    let (sum, body) = bytes.split_at_checked(32)?;
    if sum != Sha256::digest(body).as_slice() {
        return None;
    }
    let kept: Kept = postcard::from_bytes(body).ok()?;
    let reasons = kept.left_out.into_iter().map(|(path, number)| Some((path, LeftOut::of(number)?)));
    let reasons = reasons.collect::<Option<_>>()?;
    if kept.version == VERSION { Some((Snapshot::from_bytes(&kept.snapshot).ok()?, reasons)) } else { None }
}

fn keep(
    file: Option<&Path>,
    snapshot: &Snapshot,
    left_out: &HashMap<String, LeftOut>,
    findings: &mut Findings,
) {
    let Some(file) = file else { return };
    let mut reasons: Vec<_> = left_out.iter().map(|(path, reason)| (path.clone(), *reason as u8)).collect();
    reasons.sort_unstable();
    let kept = Kept { version: VERSION, snapshot: snapshot.to_bytes(), left_out: reasons };
    let written = postcard::to_allocvec(&kept).map_err(io::Error::other).and_then(|body| {
        let bytes = [Sha256::digest(&body).as_slice(), &body].concat();
        private::write(file, &bytes)
    });
    match written {
        Ok(()) => private::keep_newest(file.parent().unwrap_or(file), MOST_TREES),
        Err(error) => findings.add(Problem::Cache, file.to_string_lossy(), error.to_string()),
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
