//! Secrets made of plain words: the seed of a wallet in any grouping, and `the password is four plain words`.

use super::{Found, names};

/// The shortest seed of a wallet, in words.
const SEED: usize = 12;

/// How many words a password has that is told by them alone; fewer are a remark about it, such as `is too short`.
const PHRASE: usize = 4;

/// How far behind its name a phrase begins, and how long one is looked at: 24 words with their numbers.
const NEAR: usize = 64;
const LONGEST: usize = 512;

/// What a seed is called.
const SEEDS: &[&str] = &[
    "mnemonic",
    "seed phrase",
    "seed words",
    "recovery phrase",
    "recovery words",
    "backup phrase",
    "wallet seed",
];

/// Words of three letters and more that sentences have and the list for wallets (BIP 39) has not.
const SENTENCES: &[&str] = &[
    "and", "are", "been", "being", "but", "each", "every", "for", "from", "had", "has", "its", "may", "not",
    "per", "should", "the", "their", "them", "too", "was", "were", "which", "with", "would",
];

/// Words that a remark about a password has; the list for wallets has them too.
const REMARKS: &[&str] = &[
    "all", "also", "any", "can", "have", "into", "just", "must", "never", "now", "off", "once", "only",
    "over", "same", "still", "that", "then", "there", "they", "this", "twice", "what", "when", "where",
    "you", "your",
];

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    // Lower-casing ASCII alone keeps every place where it is.
    let lower = text.to_ascii_lowercase();
    for name in SEEDS {
        let mut from = 0;
        while let Some(at) = lower[from..].find(name) {
            let end = from + at + name.len();
            let phrase = seed(text, end);
            found.extend(phrase);
            from = phrase.map_or(end, |found| found.end);
        }
    }
    for verb in [" is ", " was "] {
        for (at, _) in lower.match_indices(verb) {
            let name = text[..at].rsplit(|sign: char| !(sign.is_ascii_alphanumeric() || "_-".contains(sign)));
            if name.clone().next().is_some_and(|name| name.len() <= 128 && names::is_password(name)) {
                found.extend(told(text, at + verb.len()));
            }
        }
    }
}

/// Twelve words or more of which none belongs into a sentence, with numbers, commas and line ends between.
fn seed(text: &str, from: usize) -> Option<Found> {
    let near = &text[from..text.floor_char_boundary(from + LONGEST)];
    let (mut start, mut end, mut count) = (0, 0, 0);
    for (at, word) in words(near, |sign| sign.is_ascii_alphabetic()) {
        if is_of_phrase(word) {
            (start, count) = (if count == 0 { at } else { start }, count + 1);
            end = at + word.len();
        } else if count >= SEED || at > NEAR {
            break;
        } else {
            count = 0;
        }
    }
    (count >= SEED && start <= NEAR).then_some(Found {
        start: from + start,
        end: from + end,
        name: "seed-phrase",
    })
}

/// Four plain words or more up to the end of a sentence, and nothing else.
fn told(text: &str, from: usize) -> Option<Found> {
    let near = &text[from..text.floor_char_boundary(from + LONGEST)];
    let sentence = near.split(['\n', '\r', ',', ';', '.', '!', '?']).next()?.trim_end();
    let words: Vec<&str> = sentence.split(' ').collect();
    let begins = words.first().is_some_and(|word| !["ed", "ing", "ly"].iter().any(|end| word.ends_with(end)));
    (begins
        && (PHRASE..=SEED).contains(&words.len())
        && words.iter().all(|word| is_of_phrase(word) && !REMARKS.contains(word)))
    .then_some(Found { start: from, end: from + sentence.len(), name: "value" })
}

/// A word of a list for phrases: three to nine small letters.
fn is_of_phrase(word: &str) -> bool {
    (3..=9).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && !SENTENCES.contains(&word)
}

/// The words of a text with their places.
fn words(text: &str, is_of_word: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let parts = text.split(move |sign| !is_of_word(sign)).filter(|part| !part.is_empty());
    parts.map(move |part| (part.as_ptr() as usize - text.as_ptr() as usize, part))
}
