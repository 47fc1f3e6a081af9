//! Which language an extension of several means.
//!
//! A line of the data file: the extensions, the language that they mean by themselves, and then, in the order in which
//! they are tried, other languages with what speaks for each, alternatives parted by ` | `. A pattern is a text that
//! must stand somewhere; with `^` it begins a line (indentation aside), with `\n` it ends one, after `~` letter case
//! is of no account. `␣` is a space.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{Language, table::table};

/// What an extension may mean.
struct Choice {
    otherwise: Language,
    signs: Vec<(Language, Vec<Pattern>)>,
}

struct Pattern {
    text: String,
    begins_line: bool,
    ends_line: bool,
    any_case: bool,
}

/// Gives the language that the text speaks for; without a sign, the one that the extension means most often.
pub(super) fn choose(extension: &str, text: &str) -> Option<Language> {
    let choice = choices().get(extension)?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let has_sign = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.is_in(text, &lines));
    let found = choice.signs.iter().find(|(_, patterns)| has_sign(patterns));
    Some(found.map_or(choice.otherwise, |(language, _)| *language))
}

fn choices() -> &'static FxHashMap<&'static str, Choice> {
    static CHOICES: OnceLock<FxHashMap<&'static str, Choice>> = OnceLock::new();
    CHOICES.get_or_init(|| {
        let lines = include_str!("ambiguous.tsv").lines();
        lines
            .flat_map(|line| {
                let extensions = line.split('\t').next().unwrap_or_default();
                extensions.split(' ').filter_map(|extension| Some((extension, Choice::read(line)?)))
            })
            .collect()
    })
}

impl Choice {
    fn read(line: &str) -> Option<Choice> {
        let mut cells = line.split('\t').skip(1);
        let otherwise = table().of_id(cells.next()?)?;
        let signs = cells.filter_map(|cell| {
            let (id, patterns) = cell.split_once(": ")?;
            Some((table().of_id(id)?, patterns.split(" | ").map(Pattern::read).collect()))
        });
        Some(Choice { otherwise, signs: signs.collect() })
    }
}

impl Pattern {
    fn read(written: &str) -> Pattern {
        let (any_case, written) = strip(written, |text| text.strip_prefix('~'));
        let (begins_line, written) = strip(written, |text| text.strip_prefix('^'));
        let (ends_line, written) = strip(written, |text| text.strip_suffix("\\n"));
        Pattern { text: written.replace('␣', " "), begins_line, ends_line, any_case }
    }

    fn is_in(&self, text: &str, lines: &[&str]) -> bool {
        if !(self.begins_line || self.ends_line || self.any_case) {
            return text.contains(&self.text);
        }
        lines.iter().any(|line| self.is_in_line(line))
    }

    fn is_in_line(&self, line: &str) -> bool {
        match (self.begins_line, self.ends_line) {
            (true, true) => self.is(line),
            (true, false) => line.get(..self.text.len()).is_some_and(|start| self.is(start)),
            (false, true) => {
                let end = line.len().checked_sub(self.text.len()).and_then(|from| line.get(from..));
                end.is_some_and(|end| self.is(end))
            }
            (false, false) => line.to_ascii_lowercase().contains(&self.text),
        }
    }

    fn is(&self, text: &str) -> bool {
        if self.any_case { text.eq_ignore_ascii_case(&self.text) } else { text == self.text }
    }
}

/// Takes a mark off, and says whether it was there.
fn strip<'a>(text: &'a str, mark: impl Fn(&'a str) -> Option<&'a str>) -> (bool, &'a str) {
    mark(text).map_or((false, text), |rest| (true, rest))
}

/// Says whether something is known about an extension.
#[cfg(test)]
pub(super) fn knows(extension: &str) -> bool {
    choices().contains_key(extension)
}

/// Gives each language that an extension may mean, with a text that speaks for it.
#[cfg(test)]
pub(super) fn samples(extension: &str) -> Vec<(Language, String)> {
    let Some(choice) = choices().get(extension) else { return Vec::new() };
    let mut samples = vec![(choice.otherwise, String::new())];
    for (language, patterns) in &choice.signs {
        let text =
            |pattern: &Pattern| format!("{}{}\n", pattern.text, if pattern.ends_line { "" } else { "x" });
        samples.extend(patterns.iter().map(|pattern| (*language, text(pattern))));
    }
    samples
}
