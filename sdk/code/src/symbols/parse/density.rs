//! How hard the parser works at each part of a text.
//!
//! At the end of a file that could not be parsed, tree-sitter takes memory that is quadratic in how many readings of the
//! text it merged on the way: 1.4 GB for 10 KB of `a => ` as C. All of it comes between two reports, so that it must be
//! seen before: many readings take many steps for each word. What is shorter than the window is not seen; it takes up to
//! 66 MB while it is parsed (2,000 bytes of C, of all sizes and texts that were tried).

/// So many reports in a row are looked at; the parser reports once in a hundred steps.
const WINDOW: usize = 64;

/// More reports for each 1,000 marks in a window mean a text that is made to be hard: 36.
///
/// Measured: of 4,663 files of three repositories (Python, Rust, JavaScript, TypeScript, Markdown) one has a window of
/// more, a table in Markdown, and the others at most 33; of 10,000 files of Rust and C libraries some 30 have, all of them
/// tables of constants and macros, which the family reads as well. Texts whose readings multiply have 38 to 120 over
/// their whole length, in each grammar that takes much memory for them, however long their names are.
///
/// By plain bytes instead of marks, files of people have 14 at most (14,000 Python and 4,000 C files), 18 in another
/// language's grammar, and tables of constants 47; such texts have 30 and more, but only 17 when blanks fill them.
const REPORTS_PER_1000_MARKS: usize = 36;

/// A window that covers less is hard.
const MARKS_AT_LEAST: usize = WINDOW * 1000 / REPORTS_PER_1000_MARKS;

/// Of a word, so many bytes are marks: 2. Otherwise long names would hide that each of them is hard.
const WORD_MARKS: u32 = 2;

/// The marks are summed up for each 512 bytes, so that few are counted at each report.
const BLOCK: usize = 512;

/// How many marks a text has up to any byte: bytes that are no blanks, of long words only the first.
///
/// What still hides a hard text is a comment in front of each word: nothing here bounds the memory for that.
pub(super) struct Marks<'a> {
    source: &'a [u8],
    /// How many marks come before each block.
    before: Vec<u32>,
    /// Where the last mark ends.
    end: usize,
}

impl Marks<'_> {
    pub(super) fn of(source: &[u8]) -> Marks<'_> {
        let mut sum = 0;
        let blocks = source.chunks(BLOCK).map(|block| {
            let before = sum;
            sum += count(block);
            before
        });
        let before = blocks.collect();
        Marks { source, before, end: source.trim_ascii_end().len() }
    }

    fn up_to(&self, at: usize) -> usize {
        let block = at.min(self.source.len().saturating_sub(1)) / BLOCK;
        let Some(before) = self.before.get(block) else { return 0 };
        let rest = self.source.get(block * BLOCK..at.min(self.source.len())).unwrap_or_default();
        (before + count(rest)) as usize
    }
}

fn count(bytes: &[u8]) -> u32 {
    let (mut sum, mut word) = (0, 0);
    for byte in bytes {
        let in_word = byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        word = if in_word { word + 1 } else { 0 };
        sum += u32::from(*byte > b' ' && word <= WORD_MARKS);
    }
    sum
}

/// The last reports of a parse.
pub(super) struct Density<'a> {
    marks: &'a Marks<'a>,
    /// How many marks the parser had behind it at each, the oldest at `next`.
    window: [usize; WINDOW],
    next: usize,
    full: bool,
}

impl<'a> Density<'a> {
    pub(super) fn new(marks: &'a Marks<'a>) -> Density<'a> {
        Density { marks, window: [0; WINDOW], next: 0, full: false }
    }

    /// Takes a report and says whether the last ones are too many for the text that they cover.
    pub(super) fn is_hard(&mut self, at: usize) -> bool {
        if at >= self.marks.end {
            // The text is read; the parser balances the tree, which takes steps without going on.
            return false;
        }
        let now = self.marks.up_to(at);
        let oldest = std::mem::replace(&mut self.window[self.next], now);
        self.next = (self.next + 1) % WINDOW;
        let hard = self.full && now.saturating_sub(oldest) < MARKS_AT_LEAST;
        self.full |= self.next == 0;
        hard
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Density, Marks, WINDOW};

    fn check(source: &str, expected: usize) {
        assert_eq!(Marks::of(source.as_bytes()).up_to(source.len()), expected, "{source:?}");
    }

    #[test]
    fn blanks_are_no_marks_and_long_words_have_few() {
        check("", 0);
        check(" \t\r\n", 0);
        check("a => b", 4);
        check("snake_case_of_more_than_16 ", 2);
        check(&"größe ".repeat(1_000), 2_000);
        check(&"a".repeat(BLOCK + 10), 4);
        check(&"+".repeat(BLOCK), BLOCK);
    }

    #[test]
    fn marks_up_to_a_byte_are_those_before_it() {
        let source = "ab  ".repeat(BLOCK);
        let marks = Marks::of(source.as_bytes());
        for at in 0..source.len() {
            assert_eq!(marks.up_to(at), at / 4 * 2 + (at % 4).min(2), "{at}");
        }
        assert_eq!(marks.up_to(usize::MAX), BLOCK * 2);
    }

    /// Says at which report a parser is stopped that goes on by so many bytes each time.
    fn stopped(source: &str, step: usize) -> Option<usize> {
        let marks = Marks::of(source.as_bytes());
        let mut density = Density::new(&marks);
        (0..source.len() / step).position(|report| density.is_hard(report * step))
    }

    #[test]
    fn only_many_reports_for_little_text_are_hard() {
        let source = "+".repeat(100_000);
        assert_eq!(stopped(&source, 28), None);
        assert_eq!(stopped(&source, 27), Some(WINDOW));
        assert_eq!(stopped(&"+ ".repeat(50_000), 54), Some(WINDOW), "blanks are not text");
        assert_eq!(stopped(&"+ ".repeat(50_000), 56), None);
    }

    #[test]
    fn reports_at_the_end_of_the_text_are_not_counted() {
        let marks = Marks::of(b"int a;\n\n");
        let mut density = Density::new(&marks);
        assert!((0..1_000).all(|_| !density.is_hard(6)));
        assert!((0..=WINDOW).any(|_| density.is_hard(5)));
    }
}
