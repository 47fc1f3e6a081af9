//! How host and providers estimate tokens without a tokenizer.

/// Estimates how many tokens a model counts for a text: a quarter of its characters, rounded up, and one for each
/// character of a script that is written without spaces.
///
/// The quarter is the figure that Pi uses for its own estimates.
///
/// ```
/// assert_eq!(ctxhost_protocol::tokens::estimate("fn main() {}"), 3);
/// assert_eq!(ctxhost_protocol::tokens::estimate("日本語"), 3);
/// assert_eq!(ctxhost_protocol::tokens::estimate(""), 0);
/// ```
pub fn estimate(text: &str) -> u64 {
    Weight::of(text).tokens()
}

/// What a text counts for before it is rounded, so that the parts of a text can be weighed one by one.
///
/// ```
/// use ctxhost_protocol::tokens::{Weight, estimate};
/// let (one, two) = ("fn main", "() {} // \u{65e5}\u{672c}");
/// assert_eq!((Weight::of(one) + Weight::of(two)).tokens(), estimate(&format!("{one}{two}")));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    dense: u64,
    rest: u64,
}

impl Weight {
    /// Weighs a text.
    pub fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self { dense: 0, rest: text.len() as u64 };
        }
        let (mut dense, mut rest) = (0u64, 0u64);
        for character in text.chars() {
            if is_dense(character) {
                dense += 1;
            } else {
                rest += 1;
            }
        }
        Self { dense, rest }
    }

    /// The estimated tokens.
    pub fn tokens(self) -> u64 {
        self.dense + self.rest.div_ceil(4)
    }
}

impl std::ops::Add for Weight {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { dense: self.dense + other.dense, rest: self.rest + other.rest }
    }
}

impl std::ops::Sub for Weight {
    type Output = Self;

    /// Takes away what a part counts for; of what is not in there nothing is left.
    fn sub(self, part: Self) -> Self {
        Self { dense: self.dense.saturating_sub(part.dense), rest: self.rest.saturating_sub(part.rest) }
    }
}

impl std::iter::Sum for Weight {
    fn sum<I: Iterator<Item = Self>>(weights: I) -> Self {
        weights.fold(Self::default(), |sum, weight| sum + weight)
    }
}

/// Han, kana, hangul and their punctuation and full-width forms.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF | 0x1B000..=0x1B2FF | 0x20000..=0x3FFFF)
}
