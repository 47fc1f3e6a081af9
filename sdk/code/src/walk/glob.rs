//! Globs with git's meaning, in time that no pattern can make grow beyond its length times the name's.
//!
//! Written anew because glob libraries read patterns otherwise than git does: braces are plain characters to git, it has
//! classes such as `[[:alpha:]]`, and names and patterns are bytes.

use std::cell::Cell;

/// Longer patterns match nothing that a system would have as a path (`PATH_MAX` is 4,096).
pub(super) const LONGEST: usize = 4096;

/// States are kept on the stack up to this many; nearly every pattern is shorter.
const SHORT: usize = 96;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Notes work done by this thread; patterns and names made for it can add up to days.
pub(super) fn note(steps: usize) {
    STEPS.set(STEPS.get().saturating_add(steps as u64));
}

/// Gives how much this thread has done since it was last asked.
pub(super) fn steps() -> u64 {
    STEPS.take()
}

/// A pattern taken apart.
#[derive(Clone, Debug)]
pub(super) struct Glob(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Byte(u8),
    /// `?`: any byte but a slash.
    One,
    Set(Box<[bool; 256]>),
    /// `*`: any bytes but slashes.
    Star,
    /// `**`: any bytes.
    Deep,
    /// In front of `**/`: the two parts that follow may be left out.
    Optional,
}

impl Glob {
    /// Reads a pattern; `None` when it can match nothing, as with a class that is never closed.
    pub(super) fn new(pattern: &[u8]) -> Option<Self> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(&byte) = pattern.get(at) {
            at = match byte {
                b'?' => single(&mut parts, Part::One, at + 1),
                b'\\' => {
                    let escaped = *pattern.get(at + 1)?;
                    single(&mut parts, Part::Byte(escaped), at + 2)
                }
                b'[' => {
                    let (set, end) = set(pattern, at + 1)?;
                    single(&mut parts, Part::Set(set), end)
                }
                b'*' => stars(pattern, at, &mut parts),
                _ => single(&mut parts, Part::Byte(byte), at + 1),
            };
        }
        Some(Self(parts))
    }

    /// Whether the whole of a name fits.
    pub(super) fn matches(&self, name: &[u8]) -> bool {
        let states = self.0.len() + 1;
        if states <= SHORT {
            self.run(name, &mut [false; SHORT][..states], &mut [false; SHORT][..states])
        } else {
            self.run(name, &mut vec![false; states], &mut vec![false; states])
        }
    }

    /// Follows all ways through the pattern at once: a state is how many parts are done.
    fn run<'a>(&self, name: &[u8], mut now: &'a mut [bool], mut next: &'a mut [bool]) -> bool {
        now[0] = true;
        self.skip(now);
        for &byte in name {
            note(self.0.len());
            next.fill(false);
            let mut any = false;
            for (state, part) in self.0.iter().enumerate() {
                if now[state] && part.takes(byte) {
                    next[state + usize::from(!part.stays())] = true;
                    any = true;
                }
            }
            if !any {
                return false;
            }
            self.skip(next);
            std::mem::swap(&mut now, &mut next);
        }
        now[self.0.len()]
    }

    fn skip(&self, states: &mut [bool]) {
        for (state, part) in self.0.iter().enumerate() {
            if states[state] && part.may_be_empty() {
                states[state + 1] = true;
                if matches!(part, Part::Optional) {
                    states[state + 3] = true;
                }
            }
        }
    }
}

impl Part {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Self::Byte(own) => *own == byte,
            Self::One | Self::Star => byte != b'/',
            Self::Set(set) => set[usize::from(byte)],
            Self::Deep => true,
            Self::Optional => false,
        }
    }

    fn stays(&self) -> bool {
        matches!(self, Self::Star | Self::Deep)
    }

    fn may_be_empty(&self) -> bool {
        matches!(self, Self::Star | Self::Deep | Self::Optional)
    }
}

fn single(parts: &mut Vec<Part>, part: Part, end: usize) -> usize {
    parts.push(part);
    end
}

/// Two stars reach across slashes only when they are a whole step of the path; otherwise any number is one star.
fn stars(pattern: &[u8], at: usize, parts: &mut Vec<Part>) -> usize {
    let end = at + pattern[at..].iter().take_while(|byte| **byte == b'*').count();
    let rest = &pattern[end..];
    let begins = at == 0 || pattern[at - 1] == b'/';
    let ends = rest.is_empty() || rest[0] == b'/' || rest.starts_with(b"\\/");
    if end - at < 2 || !begins || !ends {
        return single(parts, Part::Star, end);
    }
    if rest.first() == Some(&b'/') {
        parts.extend([Part::Optional, Part::Deep, Part::Byte(b'/')]);
        return end + 1;
    }
    single(parts, Part::Deep, end)
}

/// Reads a class from behind its bracket; gives it and where the pattern goes on.
fn set(pattern: &[u8], mut at: usize) -> Option<(Box<[bool; 256]>, usize)> {
    let negated = matches!(pattern.get(at)?, b'!' | b'^');
    at += usize::from(negated);
    let mut set = Box::new([false; 256]);
    let mut before = None;
    let first = at;
    loop {
        match *pattern.get(at)? {
            b']' if at > first => break,
            b'-' if before.is_some() && !matches!(pattern.get(at + 1), None | Some(b']')) => {
                let (last, end) = escaped(pattern, at + 1)?;
                let low = before.take().expect("a range has a beginning");
                (low..=last).for_each(|byte| set[usize::from(byte)] = true);
                at = end;
            }
            b'[' if pattern.get(at + 1) == Some(&b':') => match class(pattern, at + 2)? {
                Some((holds, end)) => {
                    (0..=u8::MAX).filter(holds).for_each(|byte| set[usize::from(byte)] = true);
                    before = None;
                    at = end;
                }
                None => at = plain(&mut set, &mut before, b'[', at + 1),
            },
            _ => {
                let (byte, end) = escaped(pattern, at)?;
                at = plain(&mut set, &mut before, byte, end);
            }
        }
    }
    set.iter_mut().for_each(|holds| *holds ^= negated);
    set[usize::from(b'/')] = false;
    Some((set, at + 1))
}

fn plain(set: &mut [bool; 256], before: &mut Option<u8>, byte: u8, end: usize) -> usize {
    set[usize::from(byte)] = true;
    *before = Some(byte);
    end
}

fn escaped(pattern: &[u8], at: usize) -> Option<(u8, usize)> {
    match *pattern.get(at)? {
        b'\\' => Some((*pattern.get(at + 1)?, at + 2)),
        byte => Some((byte, at + 1)),
    }
}

type Class = fn(&u8) -> bool;

/// Reads `alpha:]`. `None` when the pattern can match nothing, `Some(None)` when this is no class after all.
fn class(pattern: &[u8], at: usize) -> Option<Option<(Class, usize)>> {
    let end = at + pattern[at..].iter().position(|byte| *byte == b']')?;
    if end == at || pattern[end - 1] != b':' {
        return Some(None);
    }
    let holds: Class = match &pattern[at..end - 1] {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        b"punct" => u8::is_ascii_punctuation,
        b"space" => |byte| byte.is_ascii_whitespace() || *byte == 0x0b,
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some(Some((holds, end + 1)))
}

#[cfg(test)]
mod tests {
    use super::Glob;

    fn check(pattern: &str, fits: &[&str], not: &[&str]) {
        let glob = Glob::new(pattern.as_bytes());
        let matches = |name: &str| glob.as_ref().is_some_and(|glob| glob.matches(name.as_bytes()));
        fits.iter().for_each(|name| assert!(matches(name), "{pattern} should fit {name}"));
        not.iter().for_each(|name| assert!(!matches(name), "{pattern} should not fit {name}"));
    }

    #[test]
    fn stars_stop_at_slashes_unless_they_are_a_whole_step() {
        check("*.rs", &["a.rs", ".rs"], &["a/b.rs", "a.rsx"]);
        check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb", "a/b/c"]);
        check("**/b", &["b", "a/b"], &["ab"]);
        check("a/**", &["a/b", "a/b/c"], &["a", "b/a"]);
        check("a**b", &["ab", "axb"], &["a/b"]);
        check("a?c", &["abc"], &["a/c", "ac"]);
    }

    #[test]
    fn classes_are_those_of_git() {
        check("[a-c]x", &["ax", "cx"], &["dx", "x"]);
        check("[!a-c]x", &["dx"], &["ax", "/x"]);
        check("[^a]", &["b"], &["a"]);
        check("[]-]", &["]", "-"], &["a"]);
        check("[[:digit:]]", &["7"], &["a", ":"]);
        check("[[:nosuch:]]", &[], &["n", ":"]);
        check("[[:a]", &["[", ":", "a"], &["b"]);
        check("[a", &[], &["a", "[a"]);
        check("[\\]]", &["]"], &["\\"]);
    }

    #[test]
    fn what_is_no_glob_to_git_is_plain() {
        check("{a,b}", &["{a,b}"], &["a", "b"]);
        check("a\\*", &["a*"], &["ab"]);
        check("a\\", &[], &["a", "a\\"]);
    }

    #[test]
    fn a_pattern_made_to_backtrack_ends() {
        let pattern = "*a".repeat(1000) + "b";
        let glob = Glob::new(pattern.as_bytes()).unwrap();
        assert!(!glob.matches("a".repeat(2000).as_bytes()));
    }
}
