//! Reads files to hash them, several at once.

use std::{
    io::ErrorKind,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use super::{FileState, Source};

/// A file that changes this often while it is read is being written to all the time, as logs are.
const TRIES: usize = 3;

/// What came of a file.
pub(super) enum Outcome {
    Read(FileState),
    /// It changed each time while it was read; the time in the state is none that a file has.
    Changing(FileState),
    Gone,
    Failed(String),
}

/// Reads files, in the order given.
pub(super) fn at_all(paths: &[&str], source: &dyn Source, threads: usize) -> Vec<Outcome> {
    // Starting a thread costs as much as hashing a few files.
    let threads = threads.clamp(1, 16).min(paths.len().div_ceil(8)).max(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = paths.get(at) else { return done };
            done.push((at, at_one(path, source)));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, outcome)| outcome).collect()
}

fn at_one(path: &str, source: &dyn Source) -> Outcome {
    let mut last = None;
    for _ in 0..TRIES {
        match source.look(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Outcome::Gone,
            Err(error) => return Outcome::Failed(error.to_string()),
            Ok(looked) if looked.before == looked.after => {
                return Outcome::Read(FileState { stat: looked.after, hash: looked.hash });
            }
            Ok(looked) => last = Some(looked),
        }
    }
    let looked = last.expect("at least one try was made");
    let mut stat = looked.after;
    stat.mtime_ns = i64::MIN;
    Outcome::Changing(FileState { stat, hash: looked.hash })
}
