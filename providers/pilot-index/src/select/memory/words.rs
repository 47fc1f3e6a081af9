//! The words that episodes and prompts are compared by.

use std::collections::BTreeSet;

/// Words that say nothing about what a prompt is about.
const SILENT: &[&str] = &[
    "the", "and", "for", "with", "this", "that", "these", "those", "from", "into", "onto", "when", "where",
    "what", "which", "while", "who", "why", "how", "does", "did", "done", "has", "have", "had", "was",
    "were", "are", "not", "but", "you", "your", "our", "its", "can", "could", "should", "would", "will",
    "please", "there", "here", "then", "than", "also", "just", "some", "any", "all", "make", "use", "used",
    "using", "need", "want", "let", "get", "fix", "add", "change", "update", "edit", "edited", "wrote",
    "success", "file", "files", "code", "now", "still", "more", "look", "see", "show", "like", "them",
    "they", "about", "after", "before", "src",
];

/// How many words of one text are looked at.
const MOST: usize = 2_000;

/// The words of a text in lower case: whole names, and the parts of names that have several.
pub(super) fn tokens(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let inside = |character: char| character.is_alphanumeric() || "_./-".contains(character);
    for word in text.split(|character| !inside(character)).take(MOST) {
        let word = word.trim_matches(['.', '/', '-', '_']);
        add(word, &mut found);
        add(word.rsplit('/').next().unwrap_or(word), &mut found);
        for part in word.split(['.', '_', '/', '-']) {
            add(part, &mut found);
            parts_of_camel(part, &mut found);
        }
    }
    found
}

fn add(word: &str, found: &mut BTreeSet<String>) {
    // Two characters of a script without spaces are a word; of an alphabet they are not.
    let least = if word.is_ascii() { 3 } else { 2 };
    if word.chars().count() >= least && word.len() <= 200 {
        let word = word.to_lowercase();
        if !SILENT.contains(&word.as_str()) {
            found.insert(word);
        }
    }
}

/// `getHTTPServer` has `get`, `http` and `server`.
fn parts_of_camel(word: &str, found: &mut BTreeSet<String>) {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut start = 0;
    for at in 1..characters.len() {
        let (place, here) = characters[at];
        let before = characters[at - 1].1;
        let next_is_small = characters.get(at + 1).is_some_and(|(_, next)| next.is_lowercase());
        if here.is_uppercase() && (!before.is_uppercase() || next_is_small) {
            add(&word[start..place], found);
            start = place;
        }
    }
    if start > 0 {
        add(&word[start..], found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_so_are_their_parts() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(tokens(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("Fix the getHTTPServer!", &["gethttpserver", "http", "server"]);
        check("see lib/cache_store.rs", &["cache", "cache_store.rs", "lib", "lib/cache_store.rs", "store"]);
        check("größe ändern, 検索 機", &["größe", "ändern", "検索"]);
        check("a an . / -- ___", &[]);
    }
}
