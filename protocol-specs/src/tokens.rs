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
    if text.is_ascii() {
        return text.len().div_ceil(4) as u64;
    }
    let (mut dense, mut rest) = (0u64, 0u64);
    for character in text.chars() {
        if is_dense(character) {
            dense += 1;
        } else {
            rest += 1;
        }
    }
    dense + rest.div_ceil(4)
}

/// Han, kana, hangul and their punctuation and full-width forms.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF | 0x1B000..=0x1B2FF | 0x20000..=0x3FFFF)
}
