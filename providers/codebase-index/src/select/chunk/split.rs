//! Cutting a piece that is too long.

use super::{CAP, lines::Lines, pieces::Piece};

/// Cuts a piece into parts of about [`CAP`] characters, each without blank lines at its ends. All have the same name.
///
/// A part ends where the next line is set in the least, and best behind a blank line: between two statements of the outermost
/// level that there is, or behind the documentation. A rest that is short stays with the last part.
pub(super) fn parts(lines: &Lines<'_>, piece: Piece) -> Vec<Piece> {
    let mut parts = Vec::new();
    let Piece { name, mut first, last, seam } = piece;
    while let Some((begin, end)) = lines.trimmed(first, last).filter(|_| first <= last) {
        let until = cut(lines, begin, end, seam);
        if let Some((begin, end)) = lines.trimmed(begin, until) {
            parts.push(Piece { name: name.clone(), first: begin, last: end, seam: None });
        }
        first = until + 1;
    }
    parts
}

/// Gives the last line of the part that begins with a line.
fn cut(lines: &Lines<'_>, first: usize, last: usize, seam: Option<usize>) -> usize {
    let mut letters = 0;
    let mut full = None;
    let mut soonest = first + 1;
    for line in first..=last {
        if letters <= CAP / 3 {
            soonest = line.max(first + 1);
        }
        letters += lines.letters(line);
        if letters > CAP && full.is_none() {
            full = Some(line.max(first + 1));
        }
        if letters > CAP + CAP / 4 {
            break;
        }
    }
    // The line that does not fit any more begins the next part at the latest.
    let Some(full) = full.filter(|full| letters > CAP + CAP / 4 && *full <= last) else { return last };
    if let Some(seam) = seam.filter(|seam| (soonest..=full).contains(seam)) {
        return seam - 1;
    }
    let begins = (soonest..=full).filter(|line| may_begin(lines, *line));
    let best = begins.min_by_key(|line| (lines.indent(*line), !lines.is_blank(line - 1), usize::MAX - line));
    best.unwrap_or(full) - 1
}

/// Whether a line reads as the beginning of something.
fn may_begin(lines: &Lines<'_>, line: usize) -> bool {
    let text = lines.get(line).trim_start();
    let goes_on = ["else", "elif", "catch", "except", "finally", "end", "then", "do", "esac", "fi", "done"];
    let word = text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    !text.is_empty() && !text.starts_with(['}', ')', ']', '.', ',', ';']) && !goes_on.contains(&word)
}
