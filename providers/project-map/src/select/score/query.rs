//! What a query asks: its words, the names, paths and quotations in it.

use std::collections::BTreeMap;

use ctxhost_code::words;

use super::{alike, stop};

/// Of a longer query only the beginning is read: what follows is something pasted.
const LONGEST: usize = 16 * 1024;

/// So many different words are looked for, one for each bit of [`Mask`].
pub(super) const MOST_WORDS: usize = 64;

/// So many names, paths and quotations are looked for.
const MOST_NAMES: usize = 32;

/// A query of so many words is made of names.
const NAMES_ONLY: usize = 3;

/// A set of the query's words.
pub(super) type Mask = u64;

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Query {
    /// The words in their order, as `words::split` gives them.
    pub(super) words: Vec<String>,
    /// For each word of a text that counts, the words of the query that it stands for.
    pub(super) lookup: BTreeMap<String, Mask>,
    /// Names that are looked for as a whole.
    pub(super) names: Vec<Name>,
    /// Files and directories.
    pub(super) paths: Vec<Asked>,
    /// What stands in quotation marks and has several words, lower-cased.
    pub(super) quoted: Vec<String>,
    /// Whether it is so short that all of it is names.
    pub(super) only_names: bool,
    /// Whether it speaks of tests.
    pub(super) tests: bool,
    /// Whether it speaks of what programs wrote, of fixtures or of what comes from elsewhere.
    pub(super) foreign: bool,
}

/// A name of a definition or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// As it was written.
    pub(super) text: String,
    /// Without case, and without what joins its words.
    pub(super) folded: String,
    /// Whether it is written as code; a word of prose is a name only by chance.
    pub(super) code: bool,
    /// The words in it.
    pub(super) words: Mask,
}

/// A path or the end of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// Lower-cased, with `/` and none at its ends.
    pub(super) path: String,
    /// The line that is named with it.
    pub(super) line: Option<u32>,
}

impl Query {
    /// Reads a query. Takes time linear in its length up to a bound, and bounded room.
    pub(super) fn read(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(LONGEST)];
        let only_names = text.split_whitespace().nth(NAMES_ONLY).is_none();
        let mut query = Self { only_names, ..Self::default() };
        quoted(text, &mut query.quoted);
        let mut before: Option<(String, Mask)> = None;
        for token in text.split_whitespace() {
            let ticked = token.contains('`');
            let token = token.trim_matches(|c: char| !(c.is_alphanumeric() || "_$./\\@#".contains(c)));
            let word = token.trim_end_matches(['.', '/', '\\']);
            query.path(token, only_names);
            before = query.name(word, only_names, ticked, before);
        }
        let speaks = |of: &[&str]| query.words.iter().any(|word| of.contains(&word.as_str()));
        (query.tests, query.foreign) = (speaks(TESTS), speaks(FOREIGN));
        query
    }

    /// Whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.names.is_empty() && self.paths.is_empty() && self.quoted.is_empty()
    }

    /// Takes the words of a token and the names in it; gives its last word, for the next one to be joined with.
    fn name(
        &mut self,
        token: &str,
        only_names: bool,
        ticked: bool,
        mut before: Option<(String, Mask)>,
    ) -> Option<(String, Mask)> {
        let mut names = Vec::new();
        words::identifiers(token, &mut |name| names.push(name));
        for name in &names {
            let mut parts: Vec<String> = Vec::new();
            words::split(name, &mut |word| parts.push(word.to_owned()));
            // The whole of a name with several words comes last.
            let whole = (parts.len() > 1).then(|| parts.pop()).flatten();
            let code = ticked || is_code(name);
            let mask = parts
                .iter()
                .fold(0, |mask, part| mask | if code || !stop::is_stop(part) { self.word(part) } else { 0 });
            if let Some(whole) = whole {
                *self.lookup.entry(whole).or_default() |= mask;
            }
            let joined = parts.last().filter(|_| mask != 0).cloned();
            if let (Some((last, bit)), [first]) = (&before, &parts[..])
                && mask != 0
            {
                // `file name` is also written `filename`.
                let joined = words::stem(&format!("{last}{first}")).into_owned();
                *self.lookup.entry(joined).or_default() |= bit | mask;
            }
            before = joined.map(|word| (word, mask));
            // `Store` in `Store.verify` is not what is asked for.
            self.add_name(name, code || (only_names && names.len() == 1), mask);
        }
        // `Registry.add` and `runtime-legacy` are names as a whole too.
        if names.len() > 1 && names.len() < 8 && !token.contains(['/', '\\']) {
            let mask = self.mask(token);
            self.add_name(token, code_joined(token) || only_names || ticked, mask);
        }
        if names.is_empty() {
            // Numbers are words.
            words::split(token, &mut |word| {
                self.word(word);
            });
        }
        before
    }

    fn add_name(&mut self, text: &str, code: bool, words: Mask) {
        let folded = fold(text);
        let wanted = code || (words != 0 && folded.chars().count() > 2);
        if !wanted || folded.is_empty() || text.len() > words::LONGEST || self.names.len() >= MOST_NAMES {
            return;
        }
        match self.names.iter_mut().find(|name| name.text == text) {
            Some(name) => name.code |= code,
            None => self.names.push(Name { text: text.to_owned(), folded, code, words }),
        }
    }

    /// Gives the bit of a word, a new one when it is new; none when there are too many.
    fn word(&mut self, word: &str) -> Mask {
        let at = self.words.iter().position(|known| known == word).unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        });
        if at >= MOST_WORDS {
            self.words.truncate(MOST_WORDS);
            return 0;
        }
        let bit = 1 << at;
        *self.lookup.entry(word.to_owned()).or_default() |= bit;
        for other in alike::others(word) {
            *self.lookup.entry(other.clone()).or_default() |= bit;
        }
        bit
    }

    /// All words.
    pub(super) fn every(&self) -> Mask {
        let number = self.words.len();
        if number >= MOST_WORDS { Mask::MAX } else { (1 << number) - 1 }
    }

    /// Which of the query's words are in a text.
    pub(super) fn mask(&self, text: &str) -> Mask {
        let mut mask = 0;
        words::split(text, &mut |word| mask |= self.lookup.get(word).copied().unwrap_or(0));
        mask
    }

    fn path(&mut self, token: &str, only_names: bool) {
        if token.contains("://") || self.paths.len() >= MOST_NAMES {
            return;
        }
        let (path, line) = with_line(token);
        let path = path.replace('\\', "/").to_lowercase();
        let path = path.trim_start_matches("./").trim_start_matches("../").trim_matches('/');
        let path = path.trim_end_matches('.');
        let named = path.contains('/') || has_extension(path) || line.is_some() || only_names;
        if named
            && !path.is_empty()
            && path.len() <= 300
            && !self.paths.iter().any(|asked| asked.path == path)
        {
            self.paths.push(Asked { path: path.to_owned(), line });
        }
    }
}

const TESTS: &[&str] = &["test", "spec", "e2e", "bench", "benchmark", "assert", "pytest", "vitest", "jest"];
const FOREIGN: &[&str] =
    &["fixtur", "generat", "snapshot", "sampl", "vendor", "mock", "minifi", "bundl", "exampl", "expect"];

/// Without case, and without what joins the words of a name.
pub(super) fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '$').flat_map(char::to_lowercase).collect()
}

/// Whether a name is written as no word of prose is: `read_timeout`, `readTimeout`, `$derived`.
fn is_code(name: &str) -> bool {
    let bytes = name.as_bytes();
    let inner = name.trim_matches('_').contains('_') || name.starts_with(['_', '$']);
    inner || bytes.windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

fn code_joined(token: &str) -> bool {
    let ends_word = |c: char| c.is_alphanumeric() || c == '_';
    token.contains("::") || token.split('.').filter(|part| part.starts_with(ends_word)).count() > 1
}

/// Cuts the line off a path: `:12`, `:12:5`, `#L12`.
fn with_line(token: &str) -> (&str, Option<u32>) {
    let at = token.find("#L").map(|at| (at, 2)).or_else(|| {
        let at = token.find(':')?;
        token[at + 1..].starts_with(|c: char| c.is_ascii_digit()).then_some((at, 1))
    });
    let Some((at, length)) = at else { return (token, None) };
    let digits: String = token[at + length..].chars().take_while(char::is_ascii_digit).collect();
    let line = digits.parse().ok().filter(|line| *line > 0);
    if line.is_some() { (&token[..at], line) } else { (token, None) }
}

fn has_extension(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=12).contains(&extension.len())
            && extension.starts_with(char::is_alphabetic)
            && extension.chars().all(char::is_alphanumeric)
    })
}

/// Collects what stands in double quotation marks or backticks.
fn quoted(text: &str, found: &mut Vec<String>) {
    for mark in ['"', '`'] {
        let inner = text.split(mark).skip(1).step_by(2);
        // What is open at the end is no quotation.
        let closed = text.matches(mark).count() / 2;
        let phrases =
            inner.take(closed).map(str::trim).filter(|phrase| phrase.contains(' ') && phrase.len() <= 200);
        let room = MOST_NAMES.saturating_sub(found.len());
        found.extend(phrases.take(room).map(str::to_lowercase));
    }
}

#[cfg(test)]
mod tests;
