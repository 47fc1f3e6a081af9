//! Secrets as people tell them: `the password for prod: …`, `the secret is: two words`, `MY_PASSPHRASE: four words`.

use super::{
    Found,
    assignments::{is_member, is_placeholder},
    names,
};

/// Words that begin a sentence about a secret, and no secret.
const BEGINNINGS: &[&str] = &[
    "a", "all", "always", "an", "and", "are", "at", "be", "but", "can", "check", "do", "does", "don't",
    "every", "for", "from", "he", "how", "i", "if", "in", "is", "it", "its", "it's", "must", "never", "no",
    "none", "not", "of", "on", "only", "or", "please", "see", "she", "should", "string", "that", "the",
    "there", "they", "this", "to", "use", "we", "what", "when", "where", "which", "why", "with", "you",
    "your",
];

/// How many words may stand between the name and the colon.
const BETWEEN: usize = 6;

/// How long a secret of several words may be told.
const WORDS: usize = 6;

/// How far a decision looks.
const NEAR: usize = 256;

/// Finds them.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let (mut at, mut before) = (0, 0..0);
    while at < bytes.len() {
        if !is_name(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        at += bytes[at..].iter().take_while(|byte| is_name(**byte)).count();
        // `API key` is a name of two words.
        let two = text[start..at].eq_ignore_ascii_case("key") && before.end + 1 == start && before.len() < 16;
        let name = &text[if two { before.start } else { start }..at];
        before = start..at;
        if name.len() > 128 || !names::is_secret(name) {
            continue;
        }
        if let Some((start, end)) = named(text, name, at).or_else(|| told(text, name, at)) {
            found.push(Found { start, end, name: "value" });
            at = end;
        }
    }
}

/// Several words behind a name in capitals, or behind the name of what people choose.
fn named(text: &str, name: &str, end: usize) -> Option<(usize, usize)> {
    let behind = text[end..].strip_prefix(' ').unwrap_or(&text[end..]);
    let rest = behind.strip_prefix([':', '='])?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let (start, end) = line(text, text.len() - rest.len());
    let value = &text[start..end];
    if !begins_a_secret(value) {
        return None;
    }
    let capitals = name.bytes().all(|byte| !byte.is_ascii_lowercase())
        && (name.contains('_') || names::is_password(name))
        && !names::is_number(name);
    let words = value.split_ascii_whitespace().count();
    let plain = !value.contains(['(', ')', '{', '}', '<', '>', '[', ']', ';', '|', '&', ',', ':', '=', '"']);
    let chosen = names::is_password(name) && plain && (2..=WORDS).contains(&words);
    ((capitals && behind.starts_with(':')) || chosen).then(|| (start, whole_line(text, start)))
}

/// What follows `for prod:`, `is:` and `for prod is` behind the name of a secret.
fn told(text: &str, name: &str, end: usize) -> Option<(usize, usize)> {
    let near = &text[end..text.floor_char_boundary(end + NEAR)];
    let near = near.split(['\n', '\r', ',', ';', '"', '`']).next().unwrap_or_default();
    let near = near.split(". ").next().unwrap_or_default();
    let sign = near.find(':').map(|at| (at, at + 1));
    let verb =
        [" is ", " was "].iter().filter_map(|verb| near.find(verb).map(|at| (at, at + verb.len()))).min();
    let (between, behind) = sign.or(verb).filter(|_| near.starts_with([' ', ':']))?;
    let between = &near[..between];
    let mut words = between.split_ascii_whitespace();
    let linked = match words.next() {
        Some(first) => ["is", "was", "for", "to", "on"].contains(&first),
        None => name.contains(' ') || sign.is_none(),
    };
    let (start, end) = line(text, end + behind);
    let value = &text[start..end];
    // An address and a path in code have a colon too.
    let apart = text[..start].ends_with([' ', '\t']);
    if !linked || words.count() >= BETWEEN || !apart || !begins_a_secret(value) {
        return None;
    }
    let sentence = value.split([',', ';']).next().unwrap_or(value).trim_end();
    let first = sentence.split_ascii_whitespace().next()?;
    let digit = first.bytes().any(|byte| byte.is_ascii_digit());
    if sign.is_some() && names::is_password(name) && sentence.split_ascii_whitespace().count() <= WORDS {
        return Some((start, start + sentence.len()));
    }
    let first = first.trim_end_matches(['.', '!', '?', ')']);
    (digit && first.len() >= 4).then(|| (start, start + first.len()))
}

fn begins_a_secret(value: &str) -> bool {
    let Some(first) = value.split_ascii_whitespace().next() else { return false };
    let word = first.trim_end_matches(['.', ',', '!', '?']).to_ascii_lowercase();
    let code = first.contains("::")
        || first.contains('(')
        || first.starts_with(['"', '\'', '`', '&', '/', '.', '[']);
    !code && !is_member(first) && !is_placeholder(first) && !BEGINNINGS.contains(&word.as_str())
}

/// What stands on the line from here on without the spaces around it, as far as a decision looks.
fn line(text: &str, at: usize) -> (usize, usize) {
    let near = &text[at..text.floor_char_boundary(at + NEAR)];
    let near = near.split(['\n', '\r']).next().unwrap_or_default();
    let start = at + (near.len() - near.trim_start().len());
    (start, start + near.trim().len())
}

fn whole_line(text: &str, at: usize) -> usize {
    let line = text[at..].split(['\n', '\r']).next().unwrap_or_default();
    at + line.trim_end().len()
}
