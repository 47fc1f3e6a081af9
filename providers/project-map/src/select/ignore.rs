//! What `ignorePatterns` names, in the manner of `.gitignore`.

use rustc_hash::FxHashMap;

/// So many patterns count, and so much of each: they may come from a project's file.
const PATTERNS: usize = 500;
const LENGTH: usize = 500;
/// Comparing may take this many steps, well below a second; a thousand patterns on ten thousand files take less, and what
/// takes more was made to. From then on nothing is left out by a pattern with signs.
const STEPS: u64 = 300_000_000;

/// Patterns of paths that are left out. The last one that fits decides; `!` in front brings back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignore {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    parts: Vec<Part>,
    /// The pattern as it is, when it has no signs: most have none, and comparing is quick.
    plain: Option<Box<str>>,
    /// Whether the whole path is compared and not the name alone.
    anchored: bool,
    only_dirs: bool,
    brings_back: bool,
}

#[derive(Clone, Debug)]
enum Part {
    Byte(u8),
    /// Any one byte but the slash.
    One,
    /// Any bytes but the slash.
    Star,
    /// Any bytes.
    Deep,
    /// Nothing, or any directories with a slash behind.
    Dirs,
    /// One of these, or none of them.
    Set(Vec<(u8, u8)>, bool),
}

/// Remembers what was said of directories.
#[derive(Default)]
pub(crate) struct Seen<'a> {
    dirs: FxHashMap<&'a str, bool>,
    steps: u64,
}

impl Ignore {
    pub(crate) fn new<S: AsRef<str>>(patterns: &[S]) -> Self {
        let patterns = patterns.iter().take(PATTERNS).filter_map(|pattern| Pattern::new(pattern.as_ref()));
        Self { patterns: patterns.collect() }
    }

    /// Whether a file is left out, itself or by a directory above it.
    pub(crate) fn has<'a>(&self, path: &'a str, seen: &mut Seen<'a>) -> bool {
        if self.patterns.is_empty() {
            return false;
        }
        let above = path.rfind('/').is_some_and(|at| self.has_dir(&path[..at], seen));
        above || self.says(path, false, &mut seen.steps)
    }

    fn has_dir<'a>(&self, dir: &'a str, seen: &mut Seen<'a>) -> bool {
        if let Some(known) = seen.dirs.get(dir) {
            return *known;
        }
        // From the root down, since what lies in a directory that is left out cannot be brought back.
        let ends = dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]);
        let mut out = false;
        for end in ends {
            out = out || self.says(&dir[..end], true, &mut seen.steps);
            seen.dirs.insert(&dir[..end], out);
        }
        out
    }

    fn says(&self, path: &str, dir: bool, steps: &mut u64) -> bool {
        let last = self.patterns.iter().rev().find(|pattern| pattern.fits(path, dir, steps));
        last.is_some_and(|pattern| !pattern.brings_back)
    }
}

impl Pattern {
    fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let (brings_back, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let (only_dirs, text) = text.strip_suffix('/').map_or((false, text), |rest| (true, rest));
        let anchored = text.contains('/');
        let text = text.strip_prefix("./").unwrap_or(text);
        let text = text.strip_prefix('/').unwrap_or(text);
        if text.is_empty() || text.starts_with('#') || text.len() > LENGTH {
            return None;
        }
        let plain = (!text.contains(['*', '?', '[', '\\'])).then(|| text.into());
        Some(Self { parts: parts(text.as_bytes()), plain, anchored, only_dirs, brings_back })
    }

    fn fits(&self, path: &str, dir: bool, steps: &mut u64) -> bool {
        if self.only_dirs && !dir {
            return false;
        }
        let text = if self.anchored { path } else { super::names::name(path) };
        if let Some(plain) = &self.plain {
            return **plain == *text;
        }
        *steps += fits_cost(&self.parts, text);
        *steps <= STEPS && fits(&self.parts, text.as_bytes())
    }
}

fn parts(pattern: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(byte) = pattern.get(at) {
        let rest = &pattern[at..];
        let begins = at == 0 || pattern[at - 1] == b'/';
        let (part, length) = match byte {
            b'*' if begins && rest.starts_with(b"**/") => (Part::Dirs, 3),
            b'*' if begins && rest == b"**" => (Part::Deep, 2),
            b'*' => (Part::Star, rest.iter().take_while(|byte| **byte == b'*').count()),
            b'?' => (Part::One, 1),
            b'[' => set(rest).unwrap_or((Part::Byte(b'['), 1)),
            b'\\' if rest.len() > 1 => (Part::Byte(rest[1]), 2),
            byte => (Part::Byte(*byte), 1),
        };
        parts.push(part);
        at += length;
    }
    parts
}

fn set(pattern: &[u8]) -> Option<(Part, usize)> {
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    let begin = 1 + usize::from(negated);
    let end = begin + 1 + pattern.get(begin + 1..)?.iter().position(|byte| *byte == b']')?;
    let mut ranges = Vec::new();
    let mut at = begin;
    while at < end {
        let range = at + 2 < end && pattern[at + 1] == b'-';
        ranges.push((pattern[at], pattern[if range { at + 2 } else { at }]));
        at += if range { 3 } else { 1 };
    }
    Some((Part::Set(ranges, negated), end + 1))
}

fn fits_cost(parts: &[Part], text: &str) -> u64 {
    parts.len() as u64 * text.len() as u64
}

/// Follows all ways through the pattern at once, so that no pattern takes longer than its length times the text's.
fn fits(parts: &[Part], text: &[u8]) -> bool {
    let mut now = vec![false; parts.len() + 1];
    now[0] = true;
    let mut next = vec![false; parts.len() + 1];
    skip(parts, &mut now, true);
    for (at, byte) in text.iter().enumerate() {
        next.fill(false);
        for (state, part) in parts.iter().enumerate().filter(|(state, _)| now[*state]) {
            match part {
                Part::Byte(own) => next[state + 1] |= own == byte,
                Part::One => next[state + 1] |= *byte != b'/',
                Part::Star => next[state] |= *byte != b'/',
                Part::Deep => next[state] = true,
                Part::Dirs => {
                    next[state] = true;
                    next[state + 1] |= *byte == b'/';
                }
                Part::Set(ranges, negated) => {
                    let inside = ranges.iter().any(|(from, to)| (from..=to).contains(&byte));
                    next[state + 1] |= *byte != b'/' && inside != *negated;
                }
            }
        }
        skip(parts, &mut next, text.get(at) == Some(&b'/'));
        std::mem::swap(&mut now, &mut next);
        if !now.contains(&true) {
            return false;
        }
    }
    now[parts.len()]
}

fn skip(parts: &[Part], states: &mut [bool], at_begin: bool) {
    for (state, part) in parts.iter().enumerate() {
        let may = match part {
            Part::Star | Part::Deep => true,
            Part::Dirs => at_begin,
            _ => false,
        };
        states[state + 1] |= may && states[state];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(patterns: &[&str], path: &str, expected: bool) {
        let ignore = Ignore::new(patterns);
        assert_eq!(ignore.has(path, &mut Seen::default()), expected, "{patterns:?} {path}");
    }

    #[test]
    fn patterns_are_those_of_gitignore() {
        check(&["node_modules", ".git"], "a/node_modules/b.js", true);
        check(&["node_modules"], "node_modules_old/b.js", false);
        check(&["*.log"], "a/b/c.log", true);
        check(&["*.log", "!keep.log"], "a/keep.log", false);
        check(&["logs/", "!logs/keep.log"], "logs/keep.log", true);
        check(&["/build"], "build/x", true);
        check(&["/build"], "a/build/x", false);
        check(&["docs/*.md"], "docs/a.md", true);
        check(&["docs/*.md"], "docs/a/b.md", false);
        check(&["docs/**/*.md"], "docs/a.md", true);
        check(&["docs/**/*.md"], "docs/a/b/c.md", true);
        check(&["docs/**"], "docs/a/b", true);
        check(&["**/gen"], "a/b/gen/x.rs", true);
        check(&["**/gen"], "a/regen/x.rs", false);
        check(&["test_[0-9].py"], "x/test_1.py", true);
        check(&["test_[!0-9].py"], "x/test_1.py", false);
        check(&["a?c"], "abc", true);
        check(&["a\\*"], "ab", false);
        check(&["vendor/"], "vendor", false);
        check(&["", "#x", "/", "["], "x", false);
        check(&["["], "[", true);
    }

    #[test]
    fn no_pattern_takes_long() {
        let pattern = "*a".repeat(200);
        check(&[&pattern], &"a".repeat(4000), true);
        check(&[&pattern], &format!("{}b", "a".repeat(4000)), false);
    }
}
