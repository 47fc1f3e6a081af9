//! Long tokens of no known shape: told from names, paths and hashes by how often the kind of character changes.

use super::Found;

/// A token shorter than this is not looked at: 24 characters of base 62 are 143 bits.
const SHORTEST: usize = 24;

/// The shortest seed of one-time passwords that services show: 80 bits in base 32.
const SEED: usize = 16;

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+/=".contains(&byte);
    let mut start = None;
    for (at, byte) in text.bytes().chain([b' ']).enumerate() {
        match (is_part(byte), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                if is_random(&text.as_bytes()[from..at]) {
                    found.push(Found { start: from, end: at, name: "token" });
                }
                start = None;
            }
            _ => {}
        }
    }
}

/// Whether a run of such characters is made by chance, not by people.
fn is_random(token: &[u8]) -> bool {
    if token.split(|byte| b"=-+/".contains(byte)).any(is_seed) {
        return true;
    }
    if token.len() < SHORTEST || is_hash(token) {
        return false;
    }
    let shape = Shape::of(token);
    let average = shape.letters as f64 / shape.pieces.max(1) as f64;
    let mixed = shape.lower > 0 && shape.upper > 0;
    let (most, length) = match (mixed, shape.digits > 0) {
        // Chance gives pieces of about two characters in base 62; names made of words have five and more.
        (true, true) => (2.9, SHORTEST),
        (true, false) => (2.3, 32),
        (false, true) if shape.digits * 8 >= token.len() => (3.0, 28),
        _ => return false,
    };
    token.len() >= length && average < most && entropy(token) >= 3.6
}

/// A seed in base 32, told from names in capitals by a digit within and by how few vowels chance gives.
fn is_seed(token: &[u8]) -> bool {
    if token.len() < SEED || !token.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')) {
        return false;
    }
    let vowels = token.iter().filter(|byte| b"AEIOU".contains(byte)).count();
    let letters = token.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let within =
        token.windows(2).filter(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_uppercase()).count();
    within > 0 && (vowels * 10 <= letters * 3 || within > 2) && entropy(token) >= 2.8
}

/// Git's hashes, checksums and UUIDs are no secrets, and prose about code is full of them.
fn is_hash(token: &[u8]) -> bool {
    let token = token.strip_prefix(b"0x").unwrap_or(token);
    token.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// What a token is made of.
#[derive(Default)]
struct Shape {
    lower: usize,
    upper: usize,
    digits: usize,
    /// Letters and digits.
    letters: usize,
    /// Runs of one kind; a capital and the small letters behind it are one.
    pieces: usize,
}

impl Shape {
    fn of(token: &[u8]) -> Self {
        let mut shape = Self::default();
        let mut before = b'_';
        for byte in token.iter().copied() {
            shape.lower += usize::from(byte.is_ascii_lowercase());
            shape.upper += usize::from(byte.is_ascii_uppercase());
            shape.digits += usize::from(byte.is_ascii_digit());
            let goes_on = byte.is_ascii_lowercase() && before.is_ascii_alphabetic()
                || byte.is_ascii_uppercase() && before.is_ascii_uppercase()
                || byte.is_ascii_digit() && before.is_ascii_digit();
            if byte.is_ascii_alphanumeric() {
                shape.letters += 1;
                shape.pieces += usize::from(!goes_on);
            }
            before = byte;
        }
        shape
    }
}

/// Shannon's entropy in bits a character.
fn entropy(token: &[u8]) -> f64 {
    let mut counts = [0u32; 256];
    token.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let length = token.len() as f64;
    let share = |count: u32| f64::from(count) / length;
    -counts.iter().filter(|count| **count > 0).map(|count| share(*count) * share(*count).log2()).sum::<f64>()
}
