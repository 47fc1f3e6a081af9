//! Reading what facts are made of: the index and the beginning of each file.

use std::{
    io::Read,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use ctxhost_code::{
    index::Reader,
    language::{self, Language},
    project::holds_secrets,
    snapshot::{Disk, FileState},
    symbols::Extracted,
    walk::{is_test, kind_of},
};

use crate::select::{
    facts::{self, Read as Facts},
    inventory::FileFacts,
    manifest,
};

/// So much of a file's beginning is read, and so much of a manifest.
const HEAD: u64 = 8 * 1024;
const MANIFEST: u64 = 256 * 1024;
/// More threads only wait for the disk.
const THREADS: usize = 2;

/// A file that is to be read, in the state that was seen.
pub(super) type Task<'a> = (&'a str, FileState);

/// What is known of a file beside its beginning.
pub(super) struct Indexed {
    pub(super) language: Option<Language>,
    pub(super) lines: u32,
    pub(super) generated: bool,
    pub(super) extracted: Extracted,
}

/// Makes the facts of files from the index, on two threads. `None` for what is not indexed in this state, or has changed.
pub(super) fn from_index(disk: &Disk, reader: &Reader, tasks: &[Task<'_>]) -> Vec<Option<FileFacts>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some((path, state)) = tasks.get(at)
        {
            made.push((at, of(disk, path, state, |path| indexed(reader, path, state))));
        }
        made
    };
    let mut all: Vec<Option<FileFacts>> = vec![None; tasks.len()];
    let made = thread::scope(|scope| {
        let threads = THREADS.min(tasks.len().div_ceil(64)).max(1);
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            made.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        made
    });
    made.into_iter().for_each(|(at, facts)| all[at] = facts);
    all
}

fn indexed(reader: &Reader, path: &str, state: &FileState) -> Option<Indexed> {
    let file = reader.find(path).filter(|file| *file.hash() == state.hash)?;
    let language = file.language();
    let wanted = language.is_some_and(|language| language.is_code() || language.id() == "markdown");
    let extracted =
        if wanted { reader.extracted(file.doc).ok()?.unwrap_or_default() } else { Extracted::default() };
    Some(Indexed { language, lines: file.lines(), generated: file.is_generated(), extracted })
}

/// Makes the facts of one file; `None` when it is not, or not any more, in this state.
pub(super) fn of(
    disk: &Disk,
    path: &str,
    state: &FileState,
    indexed: impl FnOnce(&str) -> Option<Indexed>,
) -> Option<FileFacts> {
    if holds_secrets(path) {
        let bare = facts::bare(path, state.hash, state.stat.size, language::detect(path, b""), is_test(path));
        return Some(FileFacts { secret: true, ..bare });
    }
    let Indexed { language, lines, generated, extracted } = indexed(path)?;
    let (file, stat) = disk.open(path).ok()?;
    if stat != state.stat {
        return None;
    }
    let most = if manifest::is_manifest(path) { MANIFEST } else { HEAD };
    let mut head = Vec::new();
    file.take(most).read_to_end(&mut head).ok()?;
    let kind = kind_of(path, &head);
    let text = String::from_utf8_lossy(&head);
    Some(facts::of(&Facts {
        path,
        hash: state.hash,
        bytes: state.stat.size,
        lines,
        language,
        test: kind.test,
        foreign: generated || kind.binary,
        text: &text,
        extracted: &extracted,
    }))
}

/// What the path and the state of a file say, when there was no time for more.
pub(super) fn bare(path: &str, state: &FileState) -> FileFacts {
    let bare = facts::bare(path, state.hash, state.stat.size, language::detect(path, b""), is_test(path));
    FileFacts { secret: holds_secrets(path), foreign: kind_of(path, b"").is_foreign(), ..bare }
}
