//! What a question holds: words to look for, and names and paths that it writes out.

use std::{collections::HashSet, sync::LazyLock};

use ctxhost_code::words;

/// The most words that are looked for; a question that is a whole page is about its first ones.
const MOST_WORDS: usize = 64;
/// The most names, and the most paths.
const MOST_NAMES: usize = 16;
/// The longest question that may be one name or path as a whole, spaces and all.
const LONGEST_WHOLE: usize = 256;

/// What is asked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// The question without space around it.
    pub(super) whole: String,
    /// Words as the index has them, each once, without those that say nothing.
    pub(super) words: Vec<String>,
    /// What may be a symbol.
    pub(super) names: Vec<String>,
    /// What may be a path.
    pub(super) paths: Vec<String>,
}

impl Asked {
    pub(super) fn read(query: &str) -> Self {
        let whole = query.trim();
        let mut asked = Self { whole: whole.to_owned(), words: words_of(query), ..Self::default() };
        if whole.len() <= LONGEST_WHOLE {
            asked.name(whole);
            if whole.contains(['/', '.']) {
                asked.path(whole);
            }
        }
        for token in query.split(|letter: char| letter.is_whitespace() || "`'\",;()[]{}<>".contains(letter)) {
            let token = token.trim_matches(|letter: char| ".:?!#*=".contains(letter));
            if is_path(token) {
                asked.path(token);
            }
            if is_code(token) {
                asked.name(token);
            }
        }
        asked
    }

    /// Whether it can only be a name.
    pub(super) fn is_one_word(&self) -> bool {
        !self.whole.contains(char::is_whitespace)
    }

    fn name(&mut self, name: &str) {
        add(&mut self.names, name);
    }

    fn path(&mut self, path: &str) {
        add(&mut self.paths, path);
    }
}

fn add(all: &mut Vec<String>, one: &str) {
    if all.len() < MOST_NAMES && !all.iter().any(|known| known == one) {
        all.push(one.to_owned());
    }
}

/// Whether somebody who writes prose would not write this: it has an underscore, a capital inside, a qualifier or a
/// digit behind letters.
fn is_code(token: &str) -> bool {
    let starts = token.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '$');
    let inner = token.chars().all(|letter| letter.is_alphanumeric() || "_$.:#~-/".contains(letter));
    let capital =
        token.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let marks = token.contains(['_', '.', '$', '#']) || token.contains("::");
    starts && inner && (capital || marks || token.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Whether this may be a file: it has a folder in front or an ending.
fn is_path(token: &str) -> bool {
    let ending = token.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty()
            && (1..=8).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let folder = token.split_once('/').is_some_and(|(folder, file)| !folder.is_empty() && !file.is_empty());
    (ending || folder) && !token.contains("://")
}

/// The words of a question. If it has only such as say nothing, those.
fn words_of(query: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    words::split(query, &mut |word| {
        if seen.insert(word.to_owned()) {
            all.push(word.to_owned());
        }
    });
    let mut telling: Vec<String> = all.iter().filter(|word| !EMPTY.contains(*word)).cloned().collect();
    if telling.is_empty() {
        telling = all;
    }
    telling.truncate(MOST_WORDS);
    telling
}

/// Words that are in every question and say nothing of the code, as the index has them.
static EMPTY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut empty = HashSet::new();
    words::split(EMPTY_WORDS, &mut |word| {
        empty.insert(word.to_owned());
    });
    empty
});

const EMPTY_WORDS: &str = "a about all also am an and any are as at be because been being but by can could did do does \
    doing done for from had has have having he her here his how i if in into is it its just let may me might more most \
    my no nor not of on once only or other our out over own same shall she should so some such than that the their them \
    then there these they this those through to too under until up us very was we were what when where whether which \
    while who whom whose why will with within without would you your";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_gives_words_and_no_names() {
        let asked = Asked::read("Where is the subscription renewal handled?");
        assert_eq!(asked.words.len(), 3, "{asked:?}");
        assert_eq!(asked.names, ["Where is the subscription renewal handled?"], "only as a whole");
        assert!(asked.paths.is_empty());
    }

    #[test]
    fn what_looks_like_code_is_a_name() {
        let names = |query: &str| Asked::read(query).names[1..].to_vec();
        assert_eq!(names("how does SubscriptionService.renew() fail"), ["SubscriptionService.renew"]);
        assert_eq!(names("callers of `read_timeout`, please"), ["read_timeout"]);
        assert_eq!(names("what is std::mem::swap for"), ["std::mem::swap"]);
        assert_eq!(names("who calls readTimeout?"), ["readTimeout"]);
        assert!(names("Tell me about Rust. It is fast").is_empty());
    }

    #[test]
    fn what_looks_like_a_file_is_a_path() {
        let paths = |query: &str| Asked::read(query).paths;
        assert_eq!(
            paths("errors in src/store/error.rs?"),
            ["errors in src/store/error.rs?", "src/store/error.rs"]
        );
        assert_eq!(paths("main.rs"), ["main.rs"]);
        assert!(paths("see https://example.org").iter().all(|path| path.starts_with("see ")));
        assert_eq!(paths("docs/My Notes.md")[0], "docs/My Notes.md");
    }

    #[test]
    fn a_question_of_empty_words_keeps_them() {
        assert!(!Asked::read("what is this").words.is_empty());
        assert!(Asked::read("?!").words.is_empty());
        assert!(Asked::read(&"word1 x2y ".repeat(4000)).names.len() <= MOST_NAMES);
    }
}
