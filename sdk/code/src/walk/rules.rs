//! Ignore files: what a line means and which line decides.

use std::{
    fs::OpenOptions,
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use super::glob::{self, Glob, LONGEST};

/// The largest ignore file seen in the wild has some ten thousand lines; every name meets every line, so that more would
/// make a walk take minutes.
const MOST_LINES: usize = 20_000;
const MOST_BYTES: u64 = 4 << 20;

/// What the rules say of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Ignored,
    Kept,
}

/// The lines of one ignore file.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules(Vec<Rule>);

#[derive(Clone, Debug)]
struct Rule {
    verdict: Verdict,
    folders_only: bool,
    /// Whether the last step of a path is looked at, or the whole path below the rule's folder.
    by_name: bool,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Whole(Box<[u8]>),
    Ending(Box<[u8]>),
    /// What it begins with plainly, and the rest.
    Glob(Box<[u8]>, Glob),
}

impl Rules {
    /// Reads the lines of an ignore file; the number says how many were left out.
    pub(super) fn parse(text: &[u8]) -> (Self, usize) {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut left_out = 0;
        let mut rules = Vec::new();
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // Git keeps lines as C strings.
            let line = line.split(|byte| *byte == 0).next().unwrap_or(line);
            if line.starts_with(b"#") {
                continue;
            }
            if line.len() > LONGEST || rules.len() == MOST_LINES {
                left_out += 1;
                continue;
            }
            rules.extend(Rule::new(without_trailing_spaces(line)));
        }
        (Self(rules), left_out)
    }

    /// Reads an ignore file; a link is not followed when git would not, and what is not there has no rules.
    ///
    /// # Errors
    ///
    /// With what the system said, or when some lines were left out.
    pub(super) fn read(path: &Path, follow: bool) -> (Self, Option<String>) {
        match bytes(path, follow) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Self::default(), None),
            Err(error) => (Self::default(), Some(error.to_string())),
            Ok(text) => {
                let (rules, left_out) = Self::parse(&text);
                let whole = left_out == 0 && (text.len() as u64) < MOST_BYTES;
                (rules, (!whole).then(|| "has more or longer lines than are followed".to_owned()))
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says what the last line that fits says; `path` is below the folder of the rules.
    pub(super) fn verdict(&self, path: &[u8], folder: bool) -> Option<Verdict> {
        glob::note(self.0.len());
        let name = &path[path.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)..];
        let fits = |rule: &&Rule| (folder || !rule.folders_only) && rule.fits(path, name);
        self.0.iter().rev().find(fits).map(|rule| rule.verdict)
    }
}

impl Rule {
    fn new(line: &[u8]) -> Option<Self> {
        let (verdict, line) = match line.strip_prefix(b"!") {
            Some(rest) => (Verdict::Kept, rest),
            None => (Verdict::Ignored, line),
        };
        let (folders_only, line) = match line.strip_suffix(b"/") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let by_name = !line.contains(&b'/');
        let line = line.strip_prefix(b"/").unwrap_or(line);
        if line.is_empty() {
            return None;
        }
        Some(Self { verdict, folders_only, by_name, shape: Shape::new(line, by_name)? })
    }

    fn fits(&self, path: &[u8], name: &[u8]) -> bool {
        let text = if self.by_name { name } else { path };
        match &self.shape {
            Shape::Whole(whole) => text == &**whole,
            Shape::Ending(ending) => text.ends_with(ending),
            Shape::Glob(start, rest) => text.strip_prefix(&**start).is_some_and(|text| rest.matches(text)),
        }
    }
}

impl Shape {
    fn new(line: &[u8], by_name: bool) -> Option<Self> {
        let special = |byte: &u8| matches!(byte, b'*' | b'?' | b'[' | b'\\');
        let Some(plain) = line.iter().position(special) else { return Some(Self::Whole(line.into())) };
        if by_name && line[0] == b'*' && !line[1..].iter().any(special) {
            return Some(Self::Ending(line[1..].into()));
        }
        // Git takes the plain beginning off first, so that stars behind it count as the beginning of a pattern.
        Some(Self::Glob(line[..plain].into(), Glob::new(&line[plain..])?))
    }
}

/// Spaces at the end do not count unless they are escaped.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        let step = if line[at] == b'\\' { 2 } else { 1 };
        if line[at] != b' ' {
            end = (at + step).min(line.len());
        }
        at += step;
    }
    &line[..end]
}

fn bytes(path: &Path, follow: bool) -> io::Result<Vec<u8>> {
    use rustix::fs::OFlags;
    let link = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
    // A fifo of that name must not hold the walk up.
    let flags = (link | OFlags::NONBLOCK).bits();
    let file = match OpenOptions::new().read(true).custom_flags(flags.cast_signed()).open(path) {
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            return Ok(Vec::new());
        }
        file => file?,
    };
    if !file.metadata()?.is_file() {
        return Ok(Vec::new());
    }
    let mut text = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, Rules, Verdict};

    fn check(text: &str, path: &str, expected: Option<Verdict>) {
        let (folder, path) = path.strip_suffix('/').map_or((false, path), |path| (true, path));
        let (rules, _) = Rules::parse(text.as_bytes());
        assert_eq!(rules.verdict(path.as_bytes(), folder), expected, "{text:?} on {path:?}");
    }

    #[test]
    fn lines_mean_what_they_mean_to_git() {
        let ignored = Some(Verdict::Ignored);
        check("a", "x/a", ignored);
        check("/a", "x/a", None);
        check("a/b", "x/a/b", None);
        check("a/", "a", None);
        check("a/", "a/", ignored);
        check("*.o\n!keep.o", "keep.o", Some(Verdict::Kept));
        check("!keep.o\n*.o", "keep.o", ignored);
        check("# a", "# a", None);
        check("\\#a", "#a", ignored);
        check("\\!a", "!a", ignored);
        check("a  ", "a", ignored);
        check("a\\ ", "a ", ignored);
        check("a\r\nb", "a", ignored);
        check("\u{feff}a", "a", ignored);
        check("!", "a", None);
        check("/", "a/", None);
        check("foo**/bar", "foox/y/bar", ignored);
        check("*a/", "xa", None);
        check("*a/", "xa/", ignored);
    }

    #[test]
    fn lines_beyond_the_most_are_counted() {
        let text = "a\n".repeat(MOST_LINES + 3);
        let (_, left_out) = Rules::parse(text.as_bytes());
        assert!(left_out >= 3);
        let (rules, left_out) = Rules::parse("x".repeat(5000).as_bytes());
        assert!(rules.is_empty() && left_out == 1);
    }
}
