//! Lines of a stream, none of them longer than it may be.

use std::io::{BufRead as _, BufReader, ErrorKind, Read};

/// One line of the stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// A line without its end, not blank.
    Line(&'a [u8]),
    /// A line that was too long; it was read to its end and forgotten.
    TooLong,
}

/// Reads a stream line by line in bounded memory.
pub(super) struct Frames<R> {
    stream: BufReader<R>,
    cap: usize,
    line: Vec<u8>,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(stream: R, cap: usize) -> Self {
        Self { stream: BufReader::with_capacity(64 * 1024, stream), cap, line: Vec::new() }
    }

    /// The next line that is not blank; `None` at the end, or when nothing can be read any more.
    pub(super) fn next(&mut self) -> Option<Frame<'_>> {
        loop {
            // A large line's memory is not kept for the small ones after it.
            self.line.clear();
            self.line.shrink_to(64 * 1024);
            let (ended, too_long) = self.read_line()?;
            if too_long {
                return Some(Frame::TooLong);
            }
            if self.line.iter().any(|byte| !byte.is_ascii_whitespace()) {
                return Some(Frame::Line(&self.line));
            }
            if ended {
                return None;
            }
        }
    }

    /// Reads up to a line's end or the stream's: whether it was the stream's, and whether the line was too long.
    fn read_line(&mut self) -> Option<(bool, bool)> {
        let mut too_long = false;
        let mut any = false;
        loop {
            let read = match self.stream.fill_buf() {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            if read.is_empty() {
                return if any { Some((true, too_long)) } else { None };
            }
            any = true;
            let end = read.iter().position(|byte| *byte == b'\n');
            let piece = &read[..end.unwrap_or(read.len())];
            // A `\r` before the end belongs to the end, and JSON does not mind it.
            if self.line.len() + piece.len() > self.cap {
                too_long = true;
                self.line.clear();
            }
            if !too_long {
                self.line.extend_from_slice(piece);
            }
            let used = end.map_or(read.len(), |end| end + 1);
            self.stream.consume(used);
            if end.is_some() {
                return Some((false, too_long));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &[u8], cap: usize) -> Vec<Option<Vec<u8>>> {
        let mut frames = Frames::new(text, cap);
        let mut all = Vec::new();
        while let Some(frame) = frames.next() {
            all.push(match frame {
                Frame::Line(line) => Some(line.to_vec()),
                Frame::TooLong => None,
            });
        }
        all
    }

    #[test]
    fn lines_end_with_and_without_a_line_end_and_blank_ones_are_nothing() {
        let line = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(frames(b"a\r\n\n  \nb\nc", 10), [line("a\r"), line("b"), line("c")]);
        assert_eq!(frames(b"", 10), []);
        assert_eq!(frames(b"\n\n", 10), []);
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself() {
        let long = vec![b'x'; 200_000];
        let text = [b"a\n".as_slice(), &long, b"\nb\n", &long].concat();
        assert_eq!(frames(&text, 100_000), [Some(b"a".to_vec()), None, Some(b"b".to_vec()), None]);
        assert_eq!(frames(b"12345\n123456\n", 5), [Some(b"12345".to_vec()), None]);
    }
}
