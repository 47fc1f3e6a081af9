//! Comments and texts blanked, with every place kept.

use std::ops::Range;

use super::family::Lexis;

/// A text of one letter has at most so many bytes between its quotes: `'\u{10FFFF}'`; what is longer is no such text
/// but a lifetime, a quoted name or an apostrophe.
const LETTER_CAP: usize = 12;

/// A source without what defines nothing.
pub(super) struct Scrubbed {
    /// As long as the source: what stood in comments and texts is blank, the quotes are still there.
    pub(super) text: String,
    /// Where comments stand, in order.
    pub(super) comments: Vec<Range<usize>>,
    /// Where texts stand, quotes included, in order.
    pub(super) quoted: Vec<Range<usize>>,
}

pub(super) fn scrub(lexis: &Lexis, source: &str) -> Scrubbed {
    let mut scrubber = Scrubber::new(lexis, source.as_bytes());
    scrubber.run();
    let Scrubber { out, comments, quoted, .. } = scrubber;
    // What is blanked begins and ends at ASCII signs or at the end, so that no letter is cut.
    let text = String::from_utf8(out)
        .unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned());
    Scrubbed { text, comments, quoted }
}

struct Scrubber<'a> {
    lexis: &'a Lexis,
    source: &'a [u8],
    out: Vec<u8>,
    at: usize,
    line_start: usize,
    comments: Vec<Range<usize>>,
    quoted: Vec<Range<usize>>,
    /// Whether a comment or a text may begin with a byte.
    starts: [bool; 256],
}

impl<'a> Scrubber<'a> {
    fn new(lexis: &'a Lexis, source: &'a [u8]) -> Self {
        let mut starts = [false; 256];
        let texts = lexis.line.iter().chain(lexis.line_at.iter().map(|(_, text)| text));
        let blocks = lexis.block.iter().map(|(begin, _)| begin);
        for text in texts.chain(blocks) {
            starts[usize::from(text.trim_start_matches('\n').as_bytes()[0])] = true;
        }
        for quote in lexis.quotes {
            starts[usize::from(*quote)] = true;
        }
        let out = source.to_vec();
        Self { lexis, source, out, at: 0, line_start: 0, comments: Vec::new(), quoted: Vec::new(), starts }
    }

    fn run(&mut self) {
        while let Some(&byte) = self.source.get(self.at) {
            if byte == b'\n' {
                self.line_start = self.at + 1;
            } else if self.lexis.backslash && byte == b'\\' && self.source.get(self.at + 1) != Some(&b'\n') {
                self.at += 1;
            } else if self.starts[usize::from(byte)] && self.begin(byte) {
                continue;
            }
            self.at += 1;
        }
    }

    /// Passes over what begins here, if something does.
    fn begin(&mut self, byte: u8) -> bool {
        let rest = &self.source[self.at..];
        if let Some((begin, end)) = self.block(rest) {
            let end = self.block_end(begin, end);
            self.comment(end);
            return true;
        }
        if self.begins_line_comment(rest) {
            self.comment(self.line_end(self.at));
            return true;
        }
        let Some(end) = self.lexis.quotes.contains(&byte).then(|| self.quoted_end(byte)).flatten() else {
            return false;
        };
        self.quoted.push(self.at..end);
        self.blank(self.at + 1..end.saturating_sub(1));
        self.move_to(end);
        true
    }

    fn block(&self, rest: &[u8]) -> Option<(&'static str, &'static str)> {
        let begins = |begin: &str| match begin.strip_prefix('\n') {
            Some(begin) => self.at == self.line_start && rest.starts_with(begin.as_bytes()),
            None => rest.starts_with(begin.as_bytes()),
        };
        self.lexis.block.iter().find(|(begin, _)| begins(begin)).copied()
    }

    fn begins_line_comment(&self, rest: &[u8]) -> bool {
        let column = self.at - self.line_start;
        if self.lexis.line_at.iter().any(|(at, text)| *at == column && rest.starts_with(text.as_bytes())) {
            return true;
        }
        let before = self.at.checked_sub(1).map_or(b'\n', |before| self.source[before]);
        let fits = |text: &&&str| match text.as_bytes() {
            // `$#`, `a#b` and `\%` are none.
            b"#" => before.is_ascii_whitespace() || b";(){}[],".contains(&before),
            b"%" | b";" => before != b'\\',
            _ => true,
        };
        self.lexis.line.iter().filter(fits).any(|text| rest.starts_with(text.as_bytes()))
    }

    fn block_end(&self, begin: &str, end: &str) -> usize {
        let from = self.at + begin.trim_start_matches('\n').len();
        let rest = &self.source[from..];
        let found = match end.strip_prefix('\n') {
            // The whole line that begins so.
            Some(end) => find_line(rest, end.as_bytes()).map(|at| self.line_end(from + at)),
            None => find(rest, end.as_bytes()).map(|at| from + at + end.len()),
        };
        found.unwrap_or(self.source.len())
    }

    /// Gives the end of a text, or `None` where the quote begins none.
    fn quoted_end(&self, quote: u8) -> Option<usize> {
        let triple = self.lexis.triple && self.source[self.at..].starts_with(&[quote; 3]);
        if triple {
            let from = self.at + 3;
            let found = find(&self.source[from..], &[quote; 3]);
            return Some(found.map_or(self.source.len(), |at| from + at + 3));
        }
        let long = self.lexis.long_quotes.contains(&quote);
        let letter = quote == b'\'' && self.lexis.quotes.contains(&b'"') && !long;
        let mut at = self.at + 1;
        while let Some(&byte) = self.source.get(at) {
            match byte {
                b'\n' if !long => return (!letter).then_some(at),
                b'\\' if self.lexis.backslash => at += 1,
                _ if byte == quote => return Some(at + 1),
                _ if letter && at > self.at + LETTER_CAP => return None,
                _ => {}
            }
            at += 1;
        }
        (!letter).then_some(self.source.len())
    }

    fn comment(&mut self, end: usize) {
        self.comments.push(self.at..end);
        self.blank(self.at..end);
        self.move_to(end);
    }

    fn move_to(&mut self, end: usize) {
        if let Some(newline) = self.source[self.at..end].iter().rposition(|byte| *byte == b'\n') {
            self.line_start = self.at + newline + 1;
        }
        self.at = end;
    }

    fn blank(&mut self, bytes: Range<usize>) {
        if let Some(bytes) = self.out.get_mut(bytes) {
            bytes.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        }
    }

    fn line_end(&self, from: usize) -> usize {
        let rest = &self.source[from..];
        from + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn find_line(text: &[u8], start: &[u8]) -> Option<usize> {
    let mut at = 0;
    text.split(|byte| *byte == b'\n').find_map(|line| {
        let begins = (at > 0 && line.starts_with(start)).then_some(at);
        at += line.len() + 1;
        begins
    })
}
