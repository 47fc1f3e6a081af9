//! The words that episodes and prompts are compared by.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use ctxhost_code::words;

use crate::select::prompt::is_stop;

/// What every edit is about, beside the words that say nothing about code.
const EDITS: &str = "update edit wrote success file code look see show like src new use";

static SILENT: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut silent = HashSet::new();
    words::split(EDITS, &mut |word| {
        silent.insert(word.to_owned());
    });
    silent
});

/// How much of one text is looked at, in bytes.
const MOST: usize = 16 * 1024;

/// The longest name that describes an episode.
const LONGEST: usize = 40;

/// The words of a text as the index has them, without those that say nothing.
pub(super) fn tokens(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    words::split(&text[..text.floor_char_boundary(MOST)], &mut |word| {
        if says(word) {
            found.insert(word.to_owned());
        }
    });
    found
}

/// The names of a text as people read them, in small letters, each once and in order.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut known = HashSet::new();
    words::identifiers(&text[..text.floor_char_boundary(MOST)], &mut |name| {
        let mut speaks = false;
        words::split(name, &mut |word| speaks |= says(word));
        let name = name.to_lowercase();
        if speaks && name.chars().count() <= LONGEST && known.insert(name.clone()) {
            found.push(name);
        }
    });
    found
}

fn says(word: &str) -> bool {
    // Two characters of a script without spaces are a word; of an alphabet they are not.
    let least = if word.is_ascii() { 3 } else { 2 };
    word.chars().count() >= least && !is_stop(word) && !SILENT.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_so_are_their_parts() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(tokens(text).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("Fix the getHTTPServer!", &["gethttpserv", "http", "server"]);
        check("see lib/cache_store.rs", &["cach", "cachestor", "lib", "store"]);
        check("検索", &["検索"]);
        check("a an . / -- ___", &[]);
    }

    #[test]
    fn words_meet_in_whatever_form_they_come() {
        assert_eq!(tokens("Read Timeouts").difference(&tokens("readTimeout")).count(), 0);
    }

    #[test]
    fn names_stay_readable_and_come_once() {
        assert_eq!(
            names("Fix the eviction of Cache_Store, cache_store and Über"),
            ["eviction", "cache_store", "über"]
        );
        assert_eq!(names(&format!("use {} x", "q".repeat(50))), [""; 0]);
    }
}
