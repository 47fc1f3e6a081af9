//! Which rule keeps a file out: lists in gitignore syntax, of which the last rule that matches wins.

mod glob;

use glob::Glob;

/// The longest line that is a pattern; no path is longer.
const LONGEST_PATTERN: usize = 4_096;

/// A list of rules from one place.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// The file it stands in, or `built-in`.
    pub(crate) name: String,
    rules: Vec<Line>,
    /// The lines that are no valid pattern, counted from 1.
    pub(crate) broken: Vec<u64>,
    /// The negated rules that were taken out.
    pub(crate) dropped: Vec<Hit>,
}

/// One rule of a list.
#[derive(Debug)]
struct Line {
    number: u64,
    written: String,
    negated: bool,
    only_folders: bool,
    place: Place,
}

/// What of a path a pattern is held against.
#[derive(Debug)]
enum Place {
    /// The last name, since the pattern has no slash.
    Name(Glob),
    /// The whole path from the base. What stands before the first special character is compared as it is, and the rest
    /// is a glob of its own: that is why git lets `a**/b` match `ab`.
    Path { start: Vec<u8>, rest: Glob },
}

/// A rule that matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The pattern as written.
    pub(crate) pattern: String,
    /// The name of its list.
    pub(crate) list: String,
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// Whether it takes back what stands before it.
    pub(crate) negated: bool,
}

impl List {
    /// Reads a list; lines that are no valid pattern match nothing and are named in `broken`.
    pub(crate) fn read(name: impl Into<String>, text: &str) -> Self {
        let mut list = Self { name: name.into(), ..Self::default() };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in (1..).zip(text.split('\n')) {
            let line = line.strip_suffix('\r').unwrap_or(line);
            // Git reads a line as C does, up to the first NUL.
            let line = line.split('\0').next().unwrap_or_default();
            if !line.starts_with('#') {
                list.add(number, without_trailing_spaces(line));
            }
        }
        list
    }

    /// Takes out the rules that take something back, so that the list can only exclude.
    pub(crate) fn without_negated(mut self) -> Self {
        let (negated, rules) = self.rules.into_iter().partition(|line| line.negated);
        self.rules = rules;
        let negated: Vec<Line> = negated;
        self.dropped = negated.iter().map(|line| line.hit(&self.name)).collect();
        self
    }

    /// How many rules it has.
    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    fn add(&mut self, number: u64, written: &str) {
        if written.len() > LONGEST_PATTERN {
            self.broken.push(number);
            return;
        }
        let (negated, pattern) = written.strip_prefix('!').map_or((false, written), |rest| (true, rest));
        let (only_folders, pattern) = pattern.strip_suffix('/').map_or((false, pattern), |rest| (true, rest));
        if pattern.is_empty() {
            return;
        }
        let place = Place::of(pattern);
        if place.glob().is_broken() {
            self.broken.push(number);
            return;
        }
        self.rules.push(Line { number, written: written.to_owned(), negated, only_folders, place });
    }

    fn last_match(&self, path: &str, is_folder: bool) -> Option<Hit> {
        let line = self
            .rules
            .iter()
            .rev()
            .find(|line| (is_folder || !line.only_folders) && line.place.holds(path))?;
        Some(line.hit(&self.name))
    }
}

impl Line {
    fn hit(&self, list: &str) -> Hit {
        Hit { pattern: self.written.clone(), list: list.to_owned(), line: self.number, negated: self.negated }
    }
}

impl Place {
    fn of(pattern: &str) -> Self {
        let bytes = pattern.as_bytes();
        if !bytes.contains(&b'/') {
            return Self::Name(Glob::new(bytes));
        }
        let bytes = bytes.strip_prefix(b"/").unwrap_or(bytes);
        let special = bytes.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(bytes.len());
        Self::Path { start: bytes[..special].to_vec(), rest: Glob::new(&bytes[special..]) }
    }

    fn glob(&self) -> &Glob {
        match self {
            Self::Name(glob) | Self::Path { rest: glob, .. } => glob,
        }
    }

    fn holds(&self, path: &str) -> bool {
        match self {
            Self::Name(glob) => glob.matches(path.rsplit('/').next().unwrap_or(path).as_bytes()),
            Self::Path { start, rest } => {
                path.as_bytes().strip_prefix(start.as_slice()).is_some_and(|path| rest.matches(path))
            }
        }
    }
}

/// Cuts spaces at the end, but not one that is escaped; tabs belong to a pattern.
fn without_trailing_spaces(line: &str) -> &str {
    let mut end = 0;
    let mut escaped = false;
    for (at, character) in line.char_indices() {
        if escaped || character != ' ' {
            end = at + character.len_utf8();
        }
        escaped = !escaped && character == '\\';
    }
    &line[..end]
}

/// Finds the rule that decides about a file; the file is kept out when there is one and it is not negated.
///
/// `path` is relative to the base of the lists, with `/`. Folders are tested from the base down, and the first that is
/// excluded decides: nothing can take back a file whose folder is excluded.
pub(crate) fn deciding_rule(lists: &[&List], path: &str) -> Option<Hit> {
    let last_match =
        |path: &str, is_folder| lists.iter().rev().find_map(|list| list.last_match(path, is_folder));
    path.match_indices('/')
        .filter_map(|(end, _)| last_match(&path[..end], true))
        .find(|hit| !hit.negated)
        .or_else(|| last_match(path, false))
}

#[cfg(test)]
mod against_git;
#[cfg(test)]
mod tests;
