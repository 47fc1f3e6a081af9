//! Finds what the rows describe.

use super::{
    Found,
    rows::{ROWS, Row},
};

/// A part of a shape.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// At least so many characters of a set; all that follow are taken.
    Run(Set, usize),
    /// The same, with a digit among them: a name made of words has none.
    RunWithDigit(Set, usize),
    /// Exactly this.
    Text(&'static str),
    /// No letter and no digit follows.
    End,
}

/// A set of characters, all of them ASCII.
#[derive(Clone, Copy, Debug)]
pub(super) enum Set {
    Digit,
    Hex,
    Upper,
    Alnum,
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and dots.
    Dotted,
    /// Letters, digits, `+`, `/`, `=`, `_` and `-`.
    Base64,
    /// What a path of an address is made of.
    Path,
}

impl Set {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f' | b'A'..=b'F'),
            Self::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
            Self::Dotted => byte.is_ascii_alphanumeric() || b"_-.".contains(&byte),
            Self::Base64 => byte.is_ascii_alphanumeric() || b"_-+/=".contains(&byte),
            Self::Path => byte.is_ascii_alphanumeric() || b"_-+/=.%@~,".contains(&byte),
        }
    }
}

/// Looks for every row but the one that is off.
pub(super) fn find(text: &str, off: Option<&str>, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric() || !bytes[at].is_ascii_alphanumeric();
        let hit = begins.then(|| longest(bytes, at, off)).flatten();
        match hit {
            Some((end, name)) => {
                found.push(Found { start: at, end, name });
                at = end;
            }
            None => at += 1,
        }
    }
}

/// The longest match of any row that begins here.
fn longest(bytes: &[u8], at: usize, off: Option<&str>) -> Option<(usize, &'static str)> {
    let rows = ROWS.iter().filter(|row| row.start.as_bytes().first() == bytes.get(at));
    let ends = rows.filter(|row| off != Some(row.name)).filter_map(|row| Some((end(bytes, at, row)?, row)));
    // Of two that end alike, the one with the longer beginning says more.
    ends.max_by_key(|(end, row)| (*end, row.start.len())).map(|(end, row)| (end, row.name))
}

fn end(bytes: &[u8], at: usize, row: &Row) -> Option<usize> {
    let mut end = at + bytes[at..].starts_with(row.start.as_bytes()).then_some(row.start.len())?;
    for piece in row.rest {
        end += match *piece {
            Piece::Run(set, least) => Some(run(bytes, end, set)).filter(|length| *length >= least)?,
            Piece::RunWithDigit(set, least) => {
                let length = Some(run(bytes, end, set)).filter(|length| *length >= least)?;
                bytes[end..end + length].iter().any(u8::is_ascii_digit).then_some(length)?
            }
            Piece::Text(text) => bytes[end..].starts_with(text.as_bytes()).then_some(text.len())?,
            Piece::End => (!bytes.get(end).is_some_and(u8::is_ascii_alphanumeric)).then_some(0)?,
        };
    }
    Some(end)
}

fn run(bytes: &[u8], at: usize, set: Set) -> usize {
    bytes[at..].iter().take_while(|byte| set.has(**byte)).count()
}
