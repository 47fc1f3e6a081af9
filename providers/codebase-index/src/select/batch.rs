//! Which files go into one request.

use ctxhost_sdk::protocol::codebase_index::{Chunk, FileRef, IndexRequest};

/// What the reference backend takes in one call; a backend that takes less says 413.
const MOST_CHUNKS: usize = 512;

/// A file that is larger than a batch still goes in one piece up to here: a backend that knows only the document would take
/// its second half for a new state of it.
const MOST_BYTES: usize = 4 << 20;

/// What brackets and names around the chunks take.
const FRAME: usize = 64;

/// A file that is ready to be sent; without chunks it has nothing to index.
#[derive(Clone, Debug)]
pub(crate) struct Ready {
    /// Which file it is.
    pub(crate) file: FileRef,
    /// Its chunks.
    pub(crate) chunks: Vec<Chunk>,
    /// How many bytes they take in a request.
    pub(crate) bytes: usize,
}

/// A request on its way, and the files that are sent in full when it has been taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// What is sent.
    pub(crate) request: IndexRequest,
    /// How many files it has, or ends.
    pub(crate) files: usize,
    /// About how many bytes it takes.
    pub(crate) bytes: usize,
}

/// Gathers files until a batch is full.
#[derive(Debug)]
pub(crate) struct Gatherer {
    most_bytes: usize,
    open: Batch,
}

/// Measures a chunk in a request.
pub(crate) fn bytes_of(chunk: &Chunk) -> usize {
    ctxhost_sdk::serde_json::to_vec(chunk).map_or(0, |bytes| bytes.len() + 1)
}

impl Gatherer {
    /// Begins with nothing; a batch has about so many bytes.
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { most_bytes: most_bytes.clamp(1 << 10, MOST_BYTES), open: Batch::default() }
    }

    /// Adds a file, and gives the batches that are full. A file is only cut when no request could carry it.
    pub(crate) fn add(&mut self, ready: Ready) -> Vec<Batch> {
        if ready.chunks.len() > MOST_CHUNKS || ready.bytes > MOST_BYTES {
            return self.add_in_parts(ready);
        }
        let mut full = Vec::new();
        if !self.fits(&ready) {
            full.extend(self.finish());
        }
        self.open.files += 1;
        self.open.bytes += ready.bytes + FRAME;
        if ready.chunks.is_empty() {
            self.open.bytes += ready.file.path.len() + ready.file.repo.len() + FRAME;
            self.open.request.remove.push(ready.file);
        } else {
            self.open.request.chunks.extend(ready.chunks);
        }
        full
    }

    /// Gives what is left.
    pub(crate) fn finish(&mut self) -> Option<Batch> {
        let open = std::mem::take(&mut self.open);
        (open.files > 0).then_some(open)
    }

    fn fits(&self, ready: &Ready) -> bool {
        let Batch { request, files, bytes } = &self.open;
        let entries = request.chunks.len() + request.remove.len() + ready.chunks.len().max(1);
        *files == 0 || bytes + ready.bytes <= self.most_bytes && entries <= MOST_CHUNKS
    }

    fn add_in_parts(&mut self, ready: Ready) -> Vec<Batch> {
        let mut full: Vec<_> = self.finish().into_iter().collect();
        let mut part = Batch::default();
        for chunk in ready.chunks {
            let bytes = bytes_of(&chunk);
            let is_full = part.bytes + bytes > self.most_bytes || part.request.chunks.len() == MOST_CHUNKS;
            if is_full && !part.request.chunks.is_empty() {
                full.push(std::mem::take(&mut part));
            }
            part.bytes += bytes;
            part.request.chunks.push(chunk);
        }
        part.files = 1;
        full.push(part);
        full
    }
}

impl Batch {
    /// Cuts it in two, between files when it has several; `None` when there is nothing to cut.
    pub(crate) fn halves(self) -> Option<[Self; 2]> {
        let Self { request: IndexRequest { mut chunks, mut remove }, files, bytes } = self;
        let middle = chunks.len() / 2;
        let is_edge = |at: &usize| chunks[at - 1].path != chunks[*at].path;
        let edge = (1..chunks.len()).filter(is_edge).min_by_key(|at| at.abs_diff(middle));
        let other_chunks =
            chunks.split_off(edge.unwrap_or(if remove.is_empty() { middle } else { chunks.len() }));
        let other_remove = if other_chunks.is_empty() && chunks.is_empty() {
            remove.split_off(remove.len() / 2)
        } else {
            std::mem::take(&mut remove)
        };
        let half = |chunks: Vec<Chunk>, remove: Vec<FileRef>, files| Self {
            request: IndexRequest { chunks, remove },
            files,
            bytes: bytes / 2,
        };
        let halves = [half(chunks, remove, 0), half(other_chunks, other_remove, files)];
        let empty = |half: &Self| half.request.chunks.is_empty() && half.request.remove.is_empty();
        (!halves.iter().any(empty)).then_some(halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready(path: &str, chunks: usize, letters: usize) -> Ready {
        let chunk = |number: usize| Chunk {
            path: path.into(),
            symbol: number.to_string(),
            content: "x".repeat(letters),
            ..Chunk::default()
        };
        let chunks: Vec<_> = (0..chunks).map(chunk).collect();
        let bytes = chunks.iter().map(bytes_of).sum();
        Ready { file: FileRef { repo: "r".into(), path: path.into(), reference: None }, chunks, bytes }
    }

    /// The paths of each batch with how many chunks they have, and how many are taken back.
    fn gathered(most_bytes: usize, files: Vec<Ready>) -> Vec<(Vec<(String, usize)>, usize)> {
        let mut gatherer = Gatherer::new(most_bytes);
        let mut all: Vec<_> = files.into_iter().flat_map(|file| gatherer.add(file)).collect();
        all.extend(gatherer.finish());
        let paths = |batch: &Batch| {
            let mut paths: Vec<(String, usize)> = Vec::new();
            for chunk in &batch.request.chunks {
                match paths.last_mut().filter(|(path, _)| *path == chunk.path) {
                    Some((_, count)) => *count += 1,
                    None => paths.push((chunk.path.clone(), 1)),
                }
            }
            (paths, batch.request.remove.len())
        };
        all.iter().map(paths).collect()
    }

    fn of(path: &str, count: usize) -> (String, usize) {
        (path.into(), count)
    }

    #[test]
    fn files_stay_whole() {
        let files = vec![
            ready("a", 3, 1_000),
            ready("b", 3, 1_000),
            ready("c", 1, 10),
            ready("d", 0, 0),
            ready("e", 9, 1_000),
        ];
        let expected = [
            (vec![of("a", 3)], 0),
            (vec![of("b", 3), of("c", 1)], 1),
            // Larger than a batch, and still in one piece.
            (vec![of("e", 9)], 0),
        ];
        assert_eq!(gathered(5_000, files), expected);
    }

    #[test]
    fn only_what_no_request_carries_is_cut() {
        let parts = gathered(1 << 20, vec![ready("a", 2, 10), ready("b", 1_100, 10), ready("c", 1, 10)]);
        let expected = [
            (vec![of("a", 2)], 0),
            (vec![of("b", 512)], 0),
            (vec![of("b", 512)], 0),
            (vec![of("b", 76)], 0),
            (vec![of("c", 1)], 0),
        ];
        assert_eq!(parts, expected);
        assert_eq!(gathered(1 << 20, vec![ready("a", 300, 20_000)]).len(), 6);
        assert!(gathered(1 << 20, Vec::new()).is_empty());
    }

    #[test]
    fn halves_are_cut_between_files() {
        let batch = |files: Vec<Ready>| {
            let mut gatherer = Gatherer::new(1 << 20);
            files.into_iter().for_each(|file| assert!(gatherer.add(file).is_empty()));
            gatherer.finish().unwrap()
        };
        let sizes = |halves: [Batch; 2]| {
            halves.map(|half| (half.request.chunks.len(), half.request.remove.len(), half.files))
        };
        let cut = |files| batch(files).halves().map(sizes);
        assert_eq!(cut(vec![ready("a", 1, 1), ready("b", 5, 1)]), Some([(1, 0, 0), (5, 0, 2)]));
        assert_eq!(cut(vec![ready("a", 5, 1)]), Some([(2, 0, 0), (3, 0, 1)]));
        assert_eq!(cut(vec![ready("a", 5, 1), ready("b", 0, 0)]), Some([(5, 0, 0), (0, 1, 2)]));
        assert_eq!(cut(vec![ready("a", 0, 0), ready("b", 0, 0)]), Some([(0, 1, 0), (0, 1, 2)]));
        assert_eq!(cut(vec![ready("a", 1, 1)]), None);
    }
}
