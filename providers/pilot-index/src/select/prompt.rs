//! What a prompt asks: its words and what they weigh, the names, files, lines and quotations in it.

mod intent;
mod owners;
mod places;
mod quoted;
mod stop;

use std::collections::HashMap;

use ctxhost_code::words;

pub use intent::Intent;
pub use places::Mention;
pub(crate) use stop::is_stop;

/// Of a longer text the beginning and the end are read, half each: people say what they want before or behind what they
/// paste.
const LONGEST: usize = 256 * 1024;

/// So many different words are looked up; only pasted logs have more. The heaviest stay.
const WORDS_CAP: usize = 256;

/// So many names are compared with symbols.
const NAMES_CAP: usize = 128;

/// A query of so many words is made of names.
const QUERY_WORDS: usize = 3;

/// A word of the first line counts this many times: on the development rows symbols are found better so (.66 for .61 of
/// them among the first thirty), and files no worse.
const FIRST_LINE: f64 = 2.0;

/// How fast a word that comes again stops adding: BM25's k3, at its usual 8.
const REPETITION: f64 = 8.0;

/// A word that is looked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The word, as `words::split` gives it.
    pub text: String,
    /// What it counts for.
    pub weight: f64,
}

/// A name in a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// As it was written.
    pub text: String,
    /// Whether it was written as code: `readTimeout`, `read_timeout`, in backticks, or with parentheses behind it.
    pub code: bool,
}

/// What a prompt asks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prompt {
    /// The words, the heaviest first.
    pub words: Vec<Word>,
    /// The names, as they come.
    pub names: Vec<Name>,
    /// What is asked for in so many words: names with their owners in front, as `Registry.add`, and the only name of a query.
    pub spelled: Vec<String>,
    /// What stands in quotation marks.
    pub quoted: Vec<String>,
    /// Files, and lines in them.
    pub mentions: Vec<Mention>,
    /// What is wanted.
    pub intent: Intent,
    /// Whether the first line speaks of tests, benchmarks or examples.
    pub tests: bool,
}

impl Prompt {
    /// Reads a prompt. Takes time linear in its length, and bounded room.
    pub fn read(text: &str) -> Self {
        Self::read_as(text, false)
    }

    /// Reads what a program or a model looks for: up to three words are names, whatever they mean in English.
    pub fn query(text: &str) -> Self {
        Self::read_as(text, text.split_whitespace().nth(QUERY_WORDS).is_none())
    }

    fn read_as(text: &str, code: bool) -> Self {
        let (head, tail) = ends(text);
        let mut reading = Reading { code, ..Reading::default() };
        let lines = head.lines().chain(tail.lines()).filter(|line| !line.trim().is_empty());
        let mut prompt = Self { intent: Intent::of(head), ..Self::default() };
        for (number, line) in lines.enumerate() {
            prompt.tests |= number == 0 && speaks_of_tests(line);
            reading.line(line, number == 0);
            owners::collect(line, &mut prompt.spelled);
            quoted::collect(line, &mut prompt.quoted);
            places::collect(line, &mut prompt.mentions);
        }
        prompt.words = reading.weigh();
        prompt.names = reading.names;
        if let ([only], true) = (prompt.names.as_slice(), code) {
            prompt.spelled.push(only.text.clone());
        }
        let said = prompt.names.iter().any(|name| name.code) || !prompt.mentions.is_empty();
        if !said && prompt.words.iter().all(|word| stop::is_errand(&word.text)) {
            prompt.words.clear();
        }
        prompt
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.mentions.is_empty()
    }
}

fn ends(text: &str) -> (&str, &str) {
    if text.len() <= LONGEST {
        return (text, "");
    }
    let head = text.floor_char_boundary(LONGEST / 2);
    (&text[..head], &text[text.ceil_char_boundary(text.len() - LONGEST / 2)..])
}

/// The first sentence decides; what comes later is more often about how to check the work than about what it is.
fn speaks_of_tests(line: &str) -> bool {
    let sentence = line.split(". ").next().unwrap_or(line);
    let mut words = sentence.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.any(|word| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "test"
                | "tests"
                | "testing"
                | "bench"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "example"
                | "examples"
                | "spec"
                | "specs"
                | "flaky"
                | "flakiness"
        )
    })
}

#[derive(Default)]
struct Reading {
    /// Whether everything is a name.
    code: bool,
    seen: HashMap<String, usize>,
    counted: Vec<Counted>,
    names: Vec<Name>,
    named: HashMap<String, usize>,
}

struct Counted {
    word: String,
    times: f64,
    first_line: bool,
}

impl Reading {
    fn line(&mut self, line: &str, first: bool) {
        for token in tokens(line) {
            // A call and a name with an owner are code, whatever they mean in English.
            let quoted = token.quoted || token.called || token.owned || self.code;
            let mut parts = 0;
            let mut whole = String::new();
            words::split(token.text, &mut |word| {
                parts += 1;
                whole.clear();
                whole.push_str(word);
                if quoted || !is_stop(word) {
                    self.count(word, first);
                }
            });
            let code = quoted || parts > 1 || token.text.trim_matches('_').contains('_');
            if code || (parts == 1 && token.text.len() > 2 && !is_stop(&whole)) {
                self.name(token.text, code);
            }
        }
    }

    fn count(&mut self, word: &str, first_line: bool) {
        let at = self.seen.get(word).copied().unwrap_or_else(|| {
            self.seen.insert(word.to_owned(), self.counted.len());
            self.counted.push(Counted { word: word.to_owned(), times: 0.0, first_line: false });
            self.counted.len() - 1
        });
        self.counted[at].times += 1.0;
        self.counted[at].first_line |= first_line;
    }

    fn name(&mut self, text: &str, code: bool) {
        match self.named.get(text) {
            Some(at) => self.names[*at].code |= code,
            None if self.names.len() < NAMES_CAP && text.len() <= words::LONGEST => {
                self.named.insert(text.to_owned(), self.names.len());
                self.names.push(Name { text: text.to_owned(), code });
            }
            None => {}
        }
    }

    /// Weighs the words; words of the same weight stay in the order they came.
    fn weigh(&mut self) -> Vec<Word> {
        let weigh = |counted: Counted| {
            let repeated = counted.times * (REPETITION + 1.0) / (counted.times + REPETITION);
            let weight = repeated * if counted.first_line { FIRST_LINE } else { 1.0 };
            Word { text: counted.word, weight }
        };
        let mut words: Vec<Word> = std::mem::take(&mut self.counted).into_iter().map(weigh).collect();
        words.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        words.truncate(WORDS_CAP);
        words
    }
}

struct Token<'a> {
    text: &'a str,
    /// In backticks.
    quoted: bool,
    /// With empty parentheses behind it.
    called: bool,
    /// With an owner in front of it, as `Registry.add`, or something of it behind.
    owned: bool,
}

/// Gives the names of a line, each with how it was written.
fn tokens(line: &str) -> impl Iterator<Item = Token<'_>> {
    let is_part =
        |letter: char| letter.is_alphanumeric() || letter == '_' || matches!(letter, '\u{300}'..='\u{36f}');
    let mut at = 0;
    let mut ticks = Ticks::default();
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_part)?;
        let end = line[start..].find(|letter| !is_part(letter)).map_or(line.len(), |length| start + length);
        let quoted = ticks.cover(line, at, start);
        at = end;
        let (called, owned) = (line[end..].starts_with("()"), owners::is_owned(line, start, end));
        Some(Token { text: &line[start..end], quoted, called, owned })
    })
}

/// Follows the backticks of a line.
#[derive(Default)]
struct Ticks {
    /// Where the quotation ends that is open.
    end: Option<usize>,
}

impl Ticks {
    /// Whether what begins at `start` is in backticks; `from` is where the one before ended.
    fn cover(&mut self, line: &str, from: usize, start: usize) -> bool {
        if let Some(end) = self.end.filter(|end| start < *end) {
            return end > start;
        }
        // The last backtick before the name opens, unless it closes the quotation before.
        let opens = line[from..start].rfind('`').map(|at| from + at).filter(|at| Some(*at) != self.end);
        self.end = opens.and_then(|_| line[start..].find('`').map(|length| start + length));
        self.end.is_some()
    }
}

#[cfg(test)]
mod tests;
