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

/// Reads files, in the order given, until `stop` says so; nothing came of those that were not read by then.
pub(super) fn at_all(
    paths: &[&str],
    source: &dyn Source,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) -> Vec<Option<Outcome>> {
    // Starting a thread costs as much as hashing a few files.
    let threads = threads.clamp(1, 16).min(paths.len().div_ceil(8)).max(1);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = paths.get(at).filter(|_| !stop()) else { return done };
            if let Some(outcome) = at_one(path, source) {
                done.push((at, outcome));
            }
        }
    };
    let done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    let mut all: Vec<_> = paths.iter().map(|_| None).collect();
    done.into_iter().for_each(|(at, outcome)| all[at] = Some(outcome));
    all
}

/// Reads a file; `None` when that was broken off.
fn at_one(path: &str, source: &dyn Source) -> Option<Outcome> {
    let mut last = None;
    for _ in 0..TRIES {
        match source.look(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Some(Outcome::Gone),
            Err(error) if error.kind() == ErrorKind::Interrupted => return None,
            Err(error) => return Some(Outcome::Failed(error.to_string())),
            Ok(looked) if looked.before == looked.after => {
                return Some(Outcome::Read(FileState { stat: looked.after, hash: looked.hash }));
            }
            Ok(looked) => last = Some(looked),
        }
    }
    let looked = last.expect("at least one try was made");
    let state = FileState { stat: looked.after, hash: looked.hash };
    Some(Outcome::Changing(state.outdated()))
}
