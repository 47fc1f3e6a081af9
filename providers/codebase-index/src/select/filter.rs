//! Which files are never sent, and why.

use std::fmt;

use ctxhost_code::{
    language::{self, Language},
    project::holds_secrets,
    walk::{HEAD, Patterns, kind_of},
};

/// Larger files are tables, bundles and dumps: the largest source files that people write have some 300 KiB.
pub(crate) const MOST_BYTES: u64 = 512 << 10;

/// A line this long was not typed.
const LONGEST_LINE: usize = 5_000;

/// Code whose lines are this long on average was packed by a machine.
const LONGEST_MEAN: usize = 400;

/// Languages in which one line is one paragraph.
const PROSE: &[&str] =
    &["markdown", "text", "restructuredtext", "asciidoc", "org", "tex", "html", "rmarkdown"];

/// Why a file is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum LeftOut {
    /// Its name is that of a file of secrets.
    Secret = 0,
    /// It is a symbolic link, or lies behind one.
    Link = 1,
    /// Its path is not UTF-8, so that no message can carry it.
    NotUtf8 = 2,
    /// Its path has a line break, which the root could not tell from two files.
    LineBreak = 3,
    /// It is no text.
    Binary = 4,
    /// It is larger than what is sent.
    TooLarge = 5,
    /// It was made small for machines.
    Minified = 6,
    /// The settings leave it out.
    Settings = 7,
    /// An `.ignore` file leaves it out, or there are more files than are looked at.
    Ignored = 8,
    /// It cannot be read.
    Unreadable = 9,
    /// It is a pipe, a socket or a device.
    NoFile = 10,
}

impl LeftOut {
    const ALL: [Self; 11] = [
        Self::Secret,
        Self::Link,
        Self::NotUtf8,
        Self::LineBreak,
        Self::Binary,
        Self::TooLarge,
        Self::Minified,
        Self::Settings,
        Self::Ignored,
        Self::Unreadable,
        Self::NoFile,
    ];

    /// Gives the one with a number.
    pub(crate) fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Secret => "its name is that of a file of secrets",
            Self::Link => "a symbolic link",
            Self::NotUtf8 => "its path is not UTF-8",
            Self::LineBreak => "its path has a line break",
            Self::Binary => "no text",
            Self::TooLarge => "larger than 512 KiB",
            Self::Minified => "minified: its lines are too long",
            Self::Settings => "left out by `include` or `exclude`",
            Self::Ignored => "left out by an `.ignore` file",
            Self::Unreadable => "cannot be read",
            Self::NoFile => "no regular file",
        })
    }
}

/// Says what keeps a file out by its path and size alone.
pub(crate) fn by_path(path: &str, size: u64, include: [&Patterns; 2], exclude: &Patterns) -> Option<LeftOut> {
    let named = |include: &&Patterns| include.is_empty() || include.hold(path);
    match () {
        () if path.contains('\n') => Some(LeftOut::LineBreak),
        () if holds_secrets(path) => Some(LeftOut::Secret),
        () if exclude.hold(path) || !include.iter().all(named) => Some(LeftOut::Settings),
        () if size > MOST_BYTES => Some(LeftOut::TooLarge),
        () => None,
    }
}

/// Says what keeps a file out by its text.
pub(crate) fn by_text(path: &str, text: &[u8]) -> Option<LeftOut> {
    match () {
        () if text.len() as u64 > MOST_BYTES => Some(LeftOut::TooLarge),
        () if kind_of(path, &text[..text.len().min(HEAD)]).binary || text.contains(&0) => {
            Some(LeftOut::Binary)
        }
        () if is_minified(path, text) => Some(LeftOut::Minified),
        () => None,
    }
}

fn is_minified(path: &str, text: &[u8]) -> bool {
    let letters = |line: &[u8]| line.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let (mut lines, mut all) = (0, 0);
    for line in text.split(|byte| *byte == b'\n') {
        let length = letters(line);
        if length > LONGEST_LINE {
            return true;
        }
        (lines, all) = (lines + 1, all + length);
    }
    all > LONGEST_MEAN * lines
        && !language::detect(path, text).map(Language::id).is_some_and(|id| PROSE.contains(&id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_files_out() {
        let include = Patterns::new(["src/", "*.md"]);
        let too = Patterns::default();
        let exclude = Patterns::new(["gen/"]);
        let check = |path: &str, size, expected| {
            assert_eq!(by_path(path, size, [&include, &too], &exclude), expected, "{path:?}");
        };
        check("src/a.rs", 10, None);
        check("a/b.md", 10, None);
        check("lib/a.rs", 10, Some(LeftOut::Settings));
        check("src/gen/a.rs", 10, Some(LeftOut::Settings));
        check("src/.env", 10, Some(LeftOut::Secret));
        check("src/a\nb", 10, Some(LeftOut::LineBreak));
        check("src/a.rs", MOST_BYTES + 1, Some(LeftOut::TooLarge));
        let none = Patterns::default();
        assert_eq!(
            by_path("src/a.rs", 1, [&include, &Patterns::new(["*.md"])], &none),
            Some(LeftOut::Settings)
        );
        assert_eq!(by_path("lib/a.rs", MOST_BYTES, [&none, &none], &none), None);
    }

    #[test]
    fn texts_keep_files_out() {
        let check = |path: &str, text: &[u8], expected| assert_eq!(by_text(path, text), expected, "{path}");
        check("a.js", b"let a = 1;\n", None);
        check("a.js", b"", None);
        check("a.js", &b"x".repeat(5_000), Some(LeftOut::Minified));
        check(
            "a.js",
            format!("{}\n{}", "x".repeat(5_001), "\n".repeat(1_000)).as_bytes(),
            Some(LeftOut::Minified),
        );
        check("a.js", format!("{}\n{}", "\u{e9}".repeat(5_000), "\n".repeat(1_000)).as_bytes(), None);
        check("a.js", format!("{}\n", "x".repeat(401)).repeat(9).as_bytes(), Some(LeftOut::Minified));
        check("a.js", format!("{}\n", "x".repeat(400)).repeat(9).as_bytes(), None);
        check("a.md", format!("{}\n", "word ".repeat(100)).repeat(9).as_bytes(), None);
        check("a.bin", b"\x7fELF\0", Some(LeftOut::Binary));
        check("late.txt", &[b"a\n".repeat(9_000), vec![0]].concat(), Some(LeftOut::Binary));
        check("a.txt", &vec![b'\n'; MOST_BYTES as usize + 1], Some(LeftOut::TooLarge));
    }

    #[test]
    fn each_reason_has_its_number() {
        for (number, reason) in LeftOut::ALL.into_iter().enumerate() {
            assert_eq!((reason as usize, LeftOut::of(number as u8)), (number, Some(reason)));
            assert!(!reason.to_string().is_empty());
        }
        assert_eq!(LeftOut::of(11), None);
    }
}
