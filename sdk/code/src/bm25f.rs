//! BM25F: how well a document of several fields fits some words.
//!
//! Every field is saturated by itself and then weighed, so that a word that stands in a file's path, in the names that
//! it defines and in its body counts three times, while the hundredth time in the body adds nothing. A word's rarity is
//! the mean of two: how few documents hold it at all, and how few hold it in that field. `time` stands in most files of
//! a code base and in few paths; where it does, it says a lot.
//!
//! ```
//! use ctxhost_code::bm25f::{Bm25f, Lengths, Rarity};
//!
//! let formula = Bm25f::default();
//! let lengths = Lengths { documents: 100, average: [4.0, 30.0, 200.0, 800.0] };
//! // 12 documents hold the word: 2 of them in the path, 3 in a name, none in a comment, all in the text.
//! let rarity = Rarity::new(lengths.documents, 12, [2, 3, 0, 12]);
//! let named = formula.score(&rarity, &[1, 1, 0, 9], &[3, 25, 150, 700], &lengths);
//! let mentions = formula.score(&rarity, &[0, 0, 0, 9], &[3, 25, 150, 700], &lengths);
//! assert!(named > 2.0 * mentions);
//! ```

/// A part of a file that words are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(usize)]
pub enum Field {
    /// The file's path.
    Path = 0,
    /// The names that it defines.
    Names = 1,
    /// The doc comments of what it defines.
    Docs = 2,
    /// The whole text.
    Body = 3,
}

/// How many fields there are.
pub const FIELDS: usize = 4;

/// The formula's constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25f {
    /// What a field counts for.
    pub weights: [f64; FIELDS],
    /// How fast a word that comes again stops adding: BM25's k1.
    pub saturation: f64,
    /// How much a longer field counts against a document, from 0, not at all, to 1, in full: BM25's b.
    pub length: f64,
}

impl Default for Bm25f {
    /// k1 and b are BM25's usual 1.2 and 0.75. The weights are those of the development rows (three repositories, 150
    /// changes); anything from 1.5 to 3 for the path and from 0.5 to 1 for names and docs ranks about the same.
    fn default() -> Self {
        Self { weights: [2.0, 1.0, 0.5, 1.0], saturation: 1.2, length: 0.75 }
    }
}

/// What all documents have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// How many there are.
    pub documents: u32,
    /// How many words each field has on average.
    pub average: [f64; FIELDS],
}

/// How much a word says in each field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rarity([f64; FIELDS]);

impl Rarity {
    /// Weighs a word that `holding` of so many documents hold, and `by_field` of them in each field.
    pub fn new(documents: u32, holding: u32, by_field: [u32; FIELDS]) -> Self {
        let anywhere = inverse_frequency(documents, holding);
        Self(by_field.map(|field| f64::midpoint(anywhere, inverse_frequency(documents, field))))
    }
}

/// Gives how much a word says that `holding` of so many documents hold: BM25's inverse document frequency, which is
/// never negative.
pub fn inverse_frequency(documents: u32, holding: u32) -> f64 {
    let (documents, holding) = (f64::from(documents.max(holding)), f64::from(holding));
    ((documents - holding + 0.5) / (holding + 0.5)).ln_1p()
}

/// Gives what a word adds that stands `count` times in a text of `length` words, from 0 to `1 + saturation`.
pub fn saturate(count: f64, length: f64, average: f64, formula: &Bm25f) -> f64 {
    if count <= 0.0 {
        return 0.0;
    }
    let relative = if average > 0.0 { length / average } else { 1.0 };
    let count = count / (1.0 - formula.length + formula.length * relative);
    count * (formula.saturation + 1.0) / (count + formula.saturation)
}

impl Bm25f {
    /// Gives what one word adds to a document that holds it `counts` times in fields of so many words.
    pub fn score(
        &self,
        rarity: &Rarity,
        counts: &[u16; FIELDS],
        words: &[u32; FIELDS],
        lengths: &Lengths,
    ) -> f64 {
        let field = |field: usize| {
            let count = f64::from(counts[field]);
            let saturated = saturate(count, f64::from(words[field]), lengths.average[field], self);
            self.weights[field] * rarity.0[field] * saturated
        };
        (0..FIELDS).filter(|&at| counts[at] > 0).map(field).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: Lengths = Lengths { documents: 1000, average: [4.0, 30.0, 100.0, 500.0] };

    fn score(holding: u32, counts: [u16; FIELDS], words: [u32; FIELDS]) -> f64 {
        Bm25f::default().score(&Rarity::new(1000, holding, [holding; FIELDS]), &counts, &words, &LENGTHS)
    }

    #[test]
    fn rare_words_say_more_and_none_says_less_than_nothing() {
        assert!(score(3, [0, 0, 0, 1], [4, 30, 100, 500]) > score(300, [0, 0, 0, 1], [4, 30, 100, 500]));
        assert!(inverse_frequency(1000, 1000) > 0.0);
        assert!(inverse_frequency(0, 0).is_finite() && inverse_frequency(2, 9) >= 0.0);
    }

    #[test]
    fn repetition_saturates() {
        let at = |count| score(10, [0, 0, 0, count], [4, 30, 100, 500]);
        assert!(at(2) > at(1) && at(2) - at(1) > at(60) - at(30));
        assert!(at(u16::MAX) < 2.2 * inverse_frequency(1000, 10) + 1e-9);
    }

    #[test]
    fn longer_fields_count_less() {
        assert!(score(10, [0, 0, 0, 3], [4, 30, 100, 100]) > score(10, [0, 0, 0, 3], [4, 30, 100, 5000]));
    }

    #[test]
    fn a_word_of_average_length_fields_follows_the_formula() {
        // Once in a body of average length: the saturated count is 1, so the score is the word's rarity.
        let rarity = (990.5f64 / 10.5).ln_1p();
        assert!((score(10, [0, 0, 0, 1], [4, 30, 100, 500]) - rarity).abs() < 1e-12);
        assert!((score(10, [1, 0, 0, 0], [4, 30, 100, 500]) - 2.0 * rarity).abs() < 1e-12);
        assert!((score(10, [1, 1, 1, 1], [4, 30, 100, 500]) - 4.5 * rarity).abs() < 1e-12);
    }

    #[test]
    fn nothing_is_divided_by_an_empty_field() {
        let lengths = Lengths { documents: 1, average: [0.0; FIELDS] };
        let rarity = Rarity::new(1, 1, [1; FIELDS]);
        assert!(Bm25f::default().score(&rarity, &[1; FIELDS], &[0; FIELDS], &lengths).is_finite());
    }
}
