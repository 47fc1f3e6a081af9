//! Says quickly that a text has none of the query's words, which is so of almost all texts.

use super::query::Query;

/// For three letters of five bits each, whether a word of the query begins so.
pub(super) struct Sieve(Vec<bool>);

impl Sieve {
    pub(super) fn new(query: &Query) -> Self {
        let mut begins = vec![false; 1 << 15];
        for word in query.lookup.keys().filter(|word| word.is_ascii()) {
            let bytes = word.as_bytes();
            match *bytes {
                // A stem of three letters may end otherwise than the word: `using` has `use`.
                [first, second] | [first, second, _] => {
                    let at = place(first, second, 0);
                    begins[at..at + 32].fill(true);
                }
                [first, second, third, ..] => begins[place(first, second, third)] = true,
                _ => {}
            }
        }
        Self(begins)
    }

    /// Whether the text may have one of the words; letters beyond ASCII always may.
    pub(super) fn may_have(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let last = match *bytes {
            [.., first, second] => self.0[place(first, second, 0)],
            _ => false,
        };
        last || bytes.windows(3).any(|three| self.0[place(three[0], three[1], three[2])]) || !text.is_ascii()
    }
}

fn place(first: u8, second: u8, third: u8) -> usize {
    let bits = |byte: u8| usize::from(byte & 31);
    bits(first) << 10 | bits(second) << 5 | bits(third)
}
