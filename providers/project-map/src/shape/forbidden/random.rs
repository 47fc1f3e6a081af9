//! Whether a word was drawn by lot, as keys are, or made up by somebody, as names are.

/// A shorter one is told from a name by luck alone.
const SHORTEST: usize = 20;

/// Whether a part of a word has letters and digits in no order that a name has. Hashes, which have the letters of
/// hexadecimal numbers alone, are none.
pub(super) fn is_random(word: &str) -> bool {
    word.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| part.len() >= SHORTEST && is_mixed(part.as_bytes()) || is_of_one_case(part.as_bytes()))
        || word.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '='))).any(is_base64)
}

/// A secret of forty characters as cloud services give it, with a slash or a plus by chance.
fn is_base64(word: &str) -> bool {
    let parts = || word.split(['+', '/', '=']).filter(|part| !part.is_empty());
    let is_hash =
        |part: &str| part.len() >= 7 && part.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'a'..=b'f'));
    let joined: Vec<u8> = parts().filter(|part| !is_hash(part)).flat_map(str::bytes).collect();
    // A path has short parts: here a few marks are strewn over many letters.
    joined.len() >= 36 && parts().count() <= 1 + word.len() / 10 && is_mixed(&joined)
}

/// A key in small letters and digits, or in capitals and digits, as some services draw them.
fn is_of_one_case(word: &[u8]) -> bool {
    const LEAST: usize = 24;
    let one = |test: fn(&u8) -> bool| word.iter().all(|c| c.is_ascii_digit() || test(c));
    let hexadecimal = word.iter().all(u8::is_ascii_hexdigit);
    if word.len() < LEAST || hexadecimal || !(one(u8::is_ascii_lowercase) || one(u8::is_ascii_uppercase)) {
        return false;
    }
    let (words, numbers) = pieces(&word.to_ascii_lowercase());
    // Of some thirty letters and digits drawn by lot a quarter and more are digits, strewn about.
    let short = words.iter().filter(|length| **length <= 3).count();
    numbers >= 5 && 3 * short >= 2 * words.len()
}

fn is_mixed(word: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| word.iter().any(test);
    if !(has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)) {
        return false;
    }
    let (words, numbers) = pieces(word);
    // In names the words are whole and numbers few.
    let short = words.iter().filter(|length| **length <= 2).count();
    numbers >= 1 && 2 * short >= words.len() && words.len() + numbers >= 6
}

/// The lengths of the words in a name such as `HTTPServer2Go`, and how many numbers there are.
fn pieces(word: &[u8]) -> (Vec<usize>, usize) {
    let (mut words, mut numbers) = (Vec::new(), 0);
    let mut length = 0;
    for (at, letter) in word.iter().enumerate() {
        let before = at.checked_sub(1).map_or(b' ', |at| word[at]);
        let small_next = word.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let begins = letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || small_next);
        if (letter.is_ascii_digit() || begins) && length > 0 {
            words.push(std::mem::take(&mut length));
        }
        if letter.is_ascii_digit() {
            numbers += usize::from(!before.is_ascii_digit());
        } else {
            length += 1;
        }
    }
    words.extend((length > 0).then_some(length));
    (words, numbers)
}
