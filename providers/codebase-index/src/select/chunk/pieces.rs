//! Laying out pieces one after the other, so that no line is lost.

use super::lines::Lines;

/// A run of lines under a name; both ends are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) name: String,
    pub(super) first: usize,
    pub(super) last: usize,
    /// The line on which its documentation has ended, where it is best cut.
    pub(super) seam: Option<usize>,
}

/// The pieces of a file while they are laid out from its beginning to its end.
pub(super) struct Layout<'a> {
    lines: &'a Lines<'a>,
    file: &'a str,
    pieces: Vec<Piece>,
    /// The lines up to here are in a piece, or wait.
    next: usize,
    /// Where lines begin that wait to be the beginning of the next piece.
    waiting: Option<usize>,
    loose: usize,
}

impl<'a> Layout<'a> {
    pub(super) fn new(lines: &'a Lines<'a>, file: &'a str) -> Self {
        Self { lines, file, pieces: Vec::new(), next: 0, waiting: None, loose: 0 }
    }

    /// The first line that is not laid out yet.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// Lays out lines up to `last` under a name; lines that wait come in front.
    pub(super) fn piece(&mut self, name: &str, last: usize) {
        self.piece_with_seam(name, last, None);
    }

    /// As [`Layout::piece`], with a line at which it is best cut.
    pub(super) fn piece_with_seam(&mut self, name: &str, last: usize, seam: Option<usize>) {
        let first = self.waiting.take().unwrap_or(self.next);
        self.next = self.next.max(last + 1);
        if let Some((first, last)) = self.lines.trimmed(first, last) {
            self.pieces.push(Piece { name: name.to_owned(), first, last, seam });
        }
    }

    /// Lets lines up to before `end` be the beginning of the next piece.
    pub(super) fn wait(&mut self, end: usize) {
        if end > self.next {
            self.waiting.get_or_insert(self.next);
            self.next = end;
        }
    }

    /// Lays out what lies in front of a definition that begins at `end`. Slight lines directly above it join it.
    pub(super) fn gap_before(&mut self, container: Option<&str>, end: usize) {
        let touches = self.lines.trimmed(self.next, end.saturating_sub(1)).is_some_and(|(first, last)| {
            last + 1 == end && self.lines.is_slight(first, last) && !self.lines.is_wordless(first, last)
        });
        if touches && end > self.next { self.wait(end) } else { self.gap(container, end) }
    }

    /// Lays out what lies up to before `end`. Lines without a word and slight ones join what stands before them, or what
    /// follows at the file's beginning; others are a piece of the container that they lie in, or else of the file.
    pub(super) fn gap(&mut self, container: Option<&str>, end: usize) {
        let Some(last) = end.checked_sub(1).filter(|last| *last >= self.next) else { return };
        let found = self.lines.trimmed(self.next, last);
        if let Some((first, last)) = found {
            let slight = self.lines.is_wordless(first, last) || self.lines.is_slight(first, last);
            match (slight, self.waiting, self.pieces.last_mut()) {
                // They are in the lines that wait.
                (true, Some(_), _) => {}
                (true, None, Some(before)) => before.last = last,
                (true, None, None) => self.waiting = Some(first),
                (false, ..) => match container {
                    Some(name) => self.piece(name, last),
                    None => self.loose(last),
                },
            }
        }
        self.next = end;
    }

    /// Lays out lines that belong to the file alone.
    pub(super) fn loose(&mut self, last: usize) {
        self.loose += 1;
        let name = format!("{}#{}", self.file, self.loose);
        self.piece(&name, last);
    }

    /// Lays out the rest, and gives all pieces.
    pub(super) fn finish(mut self) -> Vec<Piece> {
        self.gap(None, self.lines.len());
        if let (Some(first), Some(last)) = (self.waiting, self.lines.len().checked_sub(1)) {
            self.next = first;
            self.loose(last);
        }
        self.pieces
    }
}
