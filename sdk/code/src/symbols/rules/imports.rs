//! Imports that name several places at once, in braces.

/// Deeper lists of imports are not taken apart; people nest them two or three deep.
const NESTING_CAP: usize = 8;

/// So many paths of one `use` are kept.
const PATHS_CAP: usize = 200;

/// Takes `a::{b, c::{self, d as e}}` apart: `a::b`, `a::c` and `a::c::d`.
pub(in crate::symbols) fn grouped(text: &str, separator: &str, found: &mut Vec<String>) {
    let mut prefixes = vec![String::new()];
    let mut word = String::new();
    for letter in text.chars() {
        match letter {
            '{' if prefixes.len() >= NESTING_CAP => return,
            '{' => {
                let outer = prefixes.last().map_or("", String::as_str);
                let prefix = format!("{outer}{}", std::mem::take(&mut word).trim());
                prefixes.push(prefix);
            }
            ',' => push(&prefixes, &mut word, separator, found),
            '}' => {
                push(&prefixes, &mut word, separator, found);
                if prefixes.len() > 1 {
                    prefixes.pop();
                }
            }
            letter if letter.is_whitespace() => word.push(' '),
            letter => word.push(letter),
        }
    }
    push(&prefixes, &mut word, separator, found);
}

fn push(prefixes: &[String], word: &mut String, separator: &str, found: &mut Vec<String>) {
    let taken = std::mem::take(word);
    let path = taken.split(" as ").next().unwrap_or("").split(" => ").next().unwrap_or("").trim();
    let prefix = prefixes.last().map_or("", String::as_str);
    if path.is_empty() || found.len() >= PATHS_CAP || prefix.len() > super::super::NAME_CAP {
        return;
    }
    let whole = format!("{prefix}{path}");
    // The place itself, or everything in it.
    let all = ["self", "*", "_"].iter().find_map(|last| whole.strip_suffix(last)?.strip_suffix(separator));
    found.push(all.unwrap_or(&whole).to_owned());
}
