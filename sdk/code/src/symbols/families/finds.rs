//! The lines that define or import something.

use std::ops::Range;

use regex::Captures;

use super::{
    compiled::Compiled,
    family::{Pattern, Visible, What},
    scrub::OPAQUE,
    uses::is_steering,
};
use crate::symbols::{Import, Kind, NAME_CAP, Visibility};

/// A longer line is no line that a person wrote, so that nothing is looked for in it: 500 bytes.
const LINE_CAP: usize = 500;

/// A tab moves to the next multiple of this.
const TAB: usize = 8;

/// A line without its end.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) bytes: Range<usize>,
    /// How far it is moved in.
    pub(super) indent: usize,
    /// Where its first sign is.
    pub(super) first: usize,
    pub(super) blank: bool,
}

/// A definition, before its end is known.
pub(super) struct Find {
    pub(super) kind: Kind,
    pub(super) name: Range<usize>,
    pub(super) owner: Option<Range<usize>>,
    pub(super) visibility: Visibility,
    /// The line, counted from 0.
    pub(super) line: usize,
    /// How deep it stands: how far it is moved in, or a heading's level.
    pub(super) depth: usize,
    pub(super) leaf: bool,
    pub(super) until: Option<&'static str>,
    /// Where it begins and ends.
    pub(super) bytes: Range<usize>,
    pub(super) signature_end: usize,
}

pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut at = 0;
    let line = |text: &str| {
        let start = at;
        at += text.len();
        let content = text.trim_end();
        let trimmed = content.trim_start_matches([' ', '\t']);
        let first = start + content.len() - trimmed.len();
        let moved = content.bytes().take(first - start);
        let indent =
            moved.fold(0, |column, byte| if byte == b'\t' { (column / TAB + 1) * TAB } else { column + 1 });
        Line { bytes: start..start + content.len(), indent, first, blank: trimmed.is_empty() }
    };
    text.split_inclusive('\n').map(line).collect()
}

pub(super) fn find(family: &Compiled, source: &str, text: &str, lines: &[Line]) -> (Vec<Find>, Vec<Import>) {
    let (mut finds, mut imports) = (Vec::new(), Vec::new());
    let mut signs = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if line.blank || line.bytes.len() > LINE_CAP {
            continue;
        }
        let content = &text[line.bytes.clone()];
        let fitting = family.any.matches(content);
        for place in fitting.iter() {
            let (pattern, regex) = (&family.patterns[place], &family.each[place]);
            let Some(groups) = regex.captures(content) else { continue };
            match pattern.what {
                What::Import => imported(source, line, number, &groups, &mut imports),
                What::Underlined => {
                    let Some(find) = underlined(text, lines, number, &groups, &mut signs) else { continue };
                    finds.push(find);
                }
                What::Definition(kind) => {
                    let Some(find) = defined(family, source, (line, number), pattern, kind, &groups) else {
                        continue;
                    };
                    finds.push(find);
                }
            }
            break;
        }
    }
    (finds, imports)
}

/// Adds what a line imports; several are parted by commas.
fn imported(source: &str, line: &Line, number: usize, groups: &Captures<'_>, imports: &mut Vec<Import>) {
    let from = place(line, groups, "from").and_then(|from| source.get(from)).unwrap_or_default();
    let each =
        from.split(',').map(|from| from.trim().trim_matches(['"', '\'', '`'])).filter(|from| is_name(from));
    imports.extend(each.map(|from| Import { from: from.to_owned(), line: to_u32(number) + 1 }));
}

fn place(line: &Line, groups: &Captures<'_>, group: &str) -> Option<Range<usize>> {
    let found = groups.name(group).filter(|found| !found.is_empty())?;
    Some(line.bytes.start + found.start()..line.bytes.start + found.end())
}

fn defined(
    family: &Compiled,
    source: &str,
    (line, number): (&Line, usize),
    pattern: &Pattern,
    kind: Kind,
    groups: &Captures<'_>,
) -> Option<Find> {
    let name = trimmed(source, place(line, groups, "name")?);
    let written =
        source.get(name.clone()).filter(|name| is_name(name) && !(pattern.bare && is_steering(name)))?;
    let visibility = match family.row.visible {
        _ if groups.name("public").is_some() => Visibility::Public,
        _ if groups.name("private").is_some() => Visibility::Private,
        Visible::Nobody => Visibility::Private,
        Visible::Plain if written.starts_with('_') => Visibility::Private,
        Visible::Capital if written.starts_with(char::is_lowercase) => Visibility::Private,
        _ => Visibility::Public,
    };
    let level = groups.name("level").map(|level| level.len());
    Some(Find {
        kind,
        owner: place(line, groups, "owner").map(|owner| trimmed(source, owner)),
        visibility,
        line: number,
        depth: if family.row.end.is_by_level() { level.unwrap_or(pattern.level) } else { line.indent },
        leaf: pattern.leaf,
        until: pattern.until,
        bytes: line.first..line.bytes.end,
        signature_end: line.bytes.end,
        name,
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= NAME_CAP
}

/// A heading over a line of one sign; the signs rank as they first occur.
fn underlined(
    text: &str,
    lines: &[Line],
    number: usize,
    groups: &Captures<'_>,
    signs: &mut Vec<u8>,
) -> Option<Find> {
    let (line, below) = (&lines[number], lines.get(number + 1)?);
    let name = place(line, groups, "name")?;
    let under = text[below.bytes.clone()].as_bytes();
    if text.as_bytes()[line.first] == OPAQUE {
        return None;
    }
    let sign = *under.first().filter(|sign| sign.is_ascii_punctuation())?;
    let long = under.len() >= 3 && under.len() * 2 >= name.len() && under.len() <= LINE_CAP;
    if !long || under.iter().any(|byte| *byte != sign) || text.as_bytes()[line.first] == sign {
        return None;
    }
    let depth = signs.iter().position(|known| *known == sign).unwrap_or_else(|| {
        signs.push(sign);
        signs.len() - 1
    });
    Some(Find {
        kind: Kind::Other,
        owner: None,
        visibility: Visibility::Public,
        line: number,
        depth,
        leaf: false,
        until: None,
        bytes: line.first..line.bytes.end,
        signature_end: below.bytes.end,
        name,
    })
}

/// Leaves out blanks, and quotes that stand at both ends.
fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let written = &text[bytes.clone()];
    let mut start = bytes.end - written.trim_start().len();
    let mut inner = written.trim();
    for quote in ["``", "\"", "'", "`"] {
        if let Some(unquoted) = inner.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            inner = unquoted;
            start += quote.len();
        }
    }
    start..start + inner.len()
}

pub(super) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
