//! Reading and cutting files on threads of their own, ahead of what is sent.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use ctxhost_code::{
    grammar::Grammars,
    language,
    symbols::{Extractor, families},
};
use ctxhost_sdk::protocol::codebase_index::FileHash;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::reference;
use crate::{
    select::{
        batch::{Ready, bytes_of},
        chunk::chunks,
        root::hex,
    },
    source::{beneath, stop::Stop, workspace::Repo},
};

/// What came of a file.
pub(super) enum Cut {
    Ready(Ready),
    /// It is not what was announced any more.
    Changed,
}

/// The work that the threads share.
struct Work {
    repo: Repo,
    files: Vec<FileHash>,
    next: AtomicUsize,
    grammars: Grammars,
    stop: Stop,
}

/// Begins to cut files; they come in any order.
pub(super) fn begin(
    repo: &Repo,
    files: Vec<FileHash>,
    grammars: &Grammars,
    threads: usize,
    stop: Stop,
) -> Receiver<Cut> {
    let threads = threads.clamp(1, 8).min(files.len());
    // A few wait for whoever takes them; more would only be memory.
    let (give, take) = channel(2 * threads.max(1));
    let (repo, grammars, next) = (repo.clone(), grammars.clone(), AtomicUsize::new(0));
    let work = Arc::new(Work { repo, files, next, grammars, stop });
    for _ in 0..threads {
        let (work, give) = (Arc::clone(&work), give.clone());
        tokio::task::spawn_blocking(move || work.run(&give));
    }
    take
}

impl Work {
    fn run(&self, give: &Sender<Cut>) {
        let mut extractor = Extractor::new(&self.grammars);
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(next).filter(|_| !self.stop.is_stopped()) else { return };
            if give.blocking_send(self.cut(&mut extractor, file)).is_err() {
                return;
            }
        }
    }

    fn cut(&self, extractor: &mut Extractor, file: &FileHash) -> Cut {
        // Only the text that was announced is sent: another one would be indexed under a wrong hash.
        let Ok(text) = beneath::read(&self.repo.root, &file.path) else { return Cut::Changed };
        if hex(&text.hash) != file.hash {
            return Cut::Changed;
        }
        let language = language::detect(&file.path, &text.bytes);
        // What is no UTF-8 is blanked, and every place stays the same.
        let plain = families::text(&text.bytes);
        let extracted = match language.filter(|language| language.is_code()) {
            Some(_) => extractor.extract(language, plain.as_bytes()),
            None => Default::default(),
        };
        let chunks = chunks(&self.repo, file, &plain, &extracted, language);
        let bytes = chunks.iter().map(bytes_of).sum();
        Cut::Ready(Ready { file: reference(&self.repo, &file.path), chunks, bytes })
    }
}
