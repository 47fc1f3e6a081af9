//! Comments and texts blanked, with every place kept.

use std::ops::Range;

use super::family::Lexis;

/// A text of one letter has at most so many bytes between its quotes: `'\u{10FFFF}'`.
const LETTER_CAP: usize = 12;

/// Stands for what is not looked into, such as an example: it is not blank, so that it belongs to what is around it.
pub(super) const OPAQUE: u8 = 0;

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

/// How it begins and ends.
type Block = (&'static str, &'static str);

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
        let blocks = lexis.block.iter().chain(lexis.opaque).map(|(begin, _)| begin);
        for text in texts.chain(blocks) {
            starts[usize::from(text.trim_start_matches('\n').as_bytes()[0])] = true;
        }
        for quote in lexis.quotes {
            starts[usize::from(*quote)] = true;
        }
        starts[usize::from(b'\'')] |= lexis.letters;
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
        if let Some((begin, end)) = self.block(self.lexis.block, rest) {
            self.comment(self.block_end(begin, end));
            return true;
        }
        if let Some((begin, end)) = self.block(self.lexis.opaque, rest) {
            let end = self.block_end(begin, end);
            self.blank(self.at..end, OPAQUE);
            self.move_to(end);
            return true;
        }
        if self.begins_line_comment(rest) {
            self.comment(self.line_end(self.at));
            return true;
        }
        let end = match byte {
            _ if self.lexis.quotes.contains(&byte) => Some(self.quoted_end(byte)),
            b'\'' if self.lexis.letters => self.letter_end(),
            _ => None,
        };
        let Some(end) = end else { return false };
        self.quoted.push(self.at..end);
        // A text that its line cuts off has no quote at its end.
        let closed = usize::from(self.source[end - 1] == byte && end - 1 > self.at);
        self.blank(self.at + 1..end - closed, b' ');
        self.move_to(end);
        true
    }

    fn block(&self, blocks: &[Block], rest: &[u8]) -> Option<Block> {
        let begins = |begin: &str| match begin.strip_prefix('\n') {
            Some(begin) => self.at == self.line_start && rest.starts_with(begin.as_bytes()),
            None => rest.starts_with(begin.as_bytes()),
        };
        blocks.iter().find(|(begin, _)| begins(begin)).copied()
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

    fn quoted_end(&self, quote: u8) -> usize {
        if self.lexis.triple && self.source[self.at..].starts_with(&[quote; 3]) {
            let from = self.at + 3;
            return find(&self.source[from..], &[quote; 3]).map_or(self.source.len(), |at| from + at + 3);
        }
        let long = self.lexis.long_quotes.contains(&quote);
        let mut at = self.at + 1;
        while let Some(&byte) = self.source.get(at) {
            match byte {
                b'\n' if !long => return at,
                b'\\' if self.lexis.backslash && self.source.get(at + 1) != Some(&b'\n') => at += 1,
                _ if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.source.len()
    }

    /// Gives the end of a text of one letter, or `None` where none begins: `f'`, `'a`, `4'b0`.
    fn letter_end(&self) -> Option<usize> {
        let before = self.at.checked_sub(1).map_or(b' ', |before| self.source[before]);
        if before.is_ascii_alphanumeric() || before == b'_' {
            return None;
        }
        let from = self.at + 1;
        let escaped = usize::from(self.source.get(from) == Some(&b'\\'));
        let rest = self.source.get(from + escaped..)?;
        let rest = &rest[..rest.len().min(LETTER_CAP)];
        let length = rest.iter().skip(1).position(|byte| *byte == b'\'')? + 1;
        let one =
            escaped == 1 || std::str::from_utf8(&rest[..length]).is_ok_and(|text| text.chars().count() == 1);
        (one && !rest[..length].contains(&b'\n')).then_some(from + escaped + length + 1)
    }

    fn comment(&mut self, end: usize) {
        self.comments.push(self.at..end);
        self.blank(self.at..end, b' ');
        self.move_to(end);
    }

    fn move_to(&mut self, end: usize) {
        if let Some(newline) = self.source[self.at..end].iter().rposition(|byte| *byte == b'\n') {
            self.line_start = self.at + newline + 1;
        }
        self.at = end;
    }

    fn blank(&mut self, bytes: Range<usize>, with: u8) {
        if let Some(bytes) = self.out.get_mut(bytes) {
            bytes.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = with);
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
