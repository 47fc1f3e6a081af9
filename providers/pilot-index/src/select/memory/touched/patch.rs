//! What an edit did to a file, as the agent's own patch says it.

mod forms;

use super::Change;

/// How many hunks of one call are looked at.
const HUNKS: usize = 100;

/// How many lines of one hunk.
const LINES: usize = 20_000;

/// Lines that an edit touched, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    /// These stand there now.
    Lines(u32, u32),
    /// Something between this line and the next one is gone.
    Gone(u32),
    /// The file is new.
    Whole,
}

/// Lines of a patch that belong together, each with its sign.
#[derive(Debug, Default, PartialEq, Eq)]
struct Hunk<'a> {
    place: Place<'a>,
    lines: Vec<(char, &'a str)>,
}

/// What a patch says of where a hunk stands.
#[derive(Debug, PartialEq, Eq)]
enum Place<'a> {
    /// At this line of the file as it became.
    Line(u32),
    /// Below these lines, one after the other, and below the hunk before.
    Below(Vec<&'a str>),
    /// It is all of a new file.
    Whole,
}

impl Default for Place<'_> {
    fn default() -> Self {
        Self::Below(Vec::new())
    }
}

/// What the patches of a call touched in the file as it is now; `None` without a patch of this file.
///
/// `is_same` says whether a name is the file's.
pub(super) fn touched(
    change: Change<'_>,
    text: &str,
    is_same: impl Fn(&str) -> bool,
) -> Option<Vec<Touched>> {
    let hunks = forms::hunks(change, &is_same);
    let text: Vec<&str> = text.lines().collect();
    let mut below = 0;
    let mut found = Vec::new();
    for hunk in hunks.iter().take(HUNKS) {
        match begins(hunk, &text, below) {
            Some(start) => found.extend(of_hunk(&hunk.lines, start, &mut below)),
            None if hunk.place == Place::Whole => found.push(Touched::Whole),
            None => {}
        }
    }
    (!hunks.is_empty()).then_some(found)
}

/// What the lines touched from their start on; `end` becomes the number of lines up to their end.
fn of_hunk(lines: &[(char, &str)], start: u32, end: &mut usize) -> Vec<Touched> {
    let mut found: Vec<Touched> = Vec::new();
    let (mut at, mut replaced) = (start, false);
    for (sign, _) in lines {
        match (sign, found.last_mut()) {
            ('-', _) => replaced = true,
            ('+', Some(Touched::Lines(_, last))) if *last + 1 == at => (*last, replaced) = (at, false),
            ('+', _) => {
                found.push(Touched::Lines(at, at));
                replaced = false;
            }
            _ => gone(&mut found, &mut replaced, at),
        }
        at = at.saturating_add(u32::from(*sign != '-'));
    }
    gone(&mut found, &mut replaced, at);
    *end = at as usize - 1;
    found
}

/// Lines went away with none in their place.
fn gone(found: &mut Vec<Touched>, open: &mut bool, at: u32) {
    let told = matches!(found.last(), Some(Touched::Lines(_, last)) if *last + 1 == at);
    if std::mem::take(open) && !told && at > 1 {
        found.push(Touched::Gone(at - 1));
    }
}

/// The line at which a hunk begins in the file as it is now: where it says, else where its lines stand only once, since
/// other calls may have moved them.
fn begins(hunk: &Hunk<'_>, text: &[&str], below: usize) -> Option<u32> {
    let new: Vec<&str> = hunk.lines.iter().filter(|(sign, _)| *sign != '-').map(|(_, line)| *line).collect();
    let stands = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(&new));
    let number = |at: usize| u32::try_from(at + 1).ok();
    let (from, is_named) = match &hunk.place {
        Place::Whole => return None,
        Place::Line(said) if stands((*said).max(1) as usize - 1) => return Some((*said).max(1)),
        Place::Line(_) => (0, false),
        Place::Below(heads) => {
            (heads.iter().try_fold(below, |from, head| after(text, from, head))?, !heads.is_empty())
        }
    };
    // Of nothing nobody can tell where it stands.
    let first = new.first()?;
    let mut places = (from..text.len()).filter(|at| text[*at] == *first && stands(*at));
    let place = places.next()?;
    // Below a line that it names a patch means the next place.
    (is_named || places.next().is_none()).then(|| number(place)).flatten()
}

/// The number of lines up to a line, which is looked for from another one on.
fn after(text: &[&str], from: usize, head: &str) -> Option<usize> {
    let same = |line: &&str| line.trim() == head.trim();
    text.get(from..)?.iter().position(same).map(|at| from + at + 1)
}
