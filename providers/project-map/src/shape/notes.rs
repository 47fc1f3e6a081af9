//! The region of an artifact that belongs to people and agents, and what is done where its marks are broken.

use sha2::{Digest, Sha256};

use crate::select::inventory::Hash;

/// The line before the notes.
pub(crate) const BEGIN: &str = "<!-- notes:begin -->";
/// The line after the notes.
pub(crate) const END: &str = "<!-- notes:end -->";

/// An artifact's text without its header, divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Divided {
    /// Everything outside of the notes.
    pub(crate) body: String,
    /// The notes, line by line; `None` where there is no region.
    pub(crate) notes: Option<String>,
    /// Whether there is one region or none; else the marks are broken, and what could be a note is among the notes.
    pub(crate) sound: bool,
}

/// Divides a text. `own` is the hash that the header has for the body: it tells what a lost mark stood in front of.
pub(crate) fn divide(text: &str, own: Option<&Hash>) -> Divided {
    let lines: Vec<&str> = text.lines().collect();
    let marks: Vec<usize> = (0..lines.len()).filter(|at| is_mark(lines[*at])).collect();
    let (Some(first), Some(last)) = (marks.first(), marks.last()) else {
        return unmarked(&lines, own);
    };
    let is = |at: usize, mark: &str| lines[at].trim_end() == mark;
    let sound = marks.len() == 2 && is(*first, BEGIN) && is(*last, END);
    // A region that nothing ends goes to the end of the file; one that nothing begins, back to where our own text ends.
    let from = if is(*first, BEGIN) { *first } else { end_of_ours(&lines[..*first], own) };
    let to = if is(*last, END) { *last + 1 } else { lines.len() };
    let notes: Vec<&str> = lines[from..to].iter().copied().filter(|line| !is_mark(line)).collect();
    let body: Vec<&str> = lines[..from].iter().chain(&lines[to..]).copied().collect();
    Divided { body: joined(&body), notes: Some(joined(&notes)), sound }
}

/// Divides a text without marks. Whether it ever had notes cannot be seen, but what is not what we wrote may be one.
fn unmarked(lines: &[&str], own: Option<&Hash>) -> Divided {
    let is_blank = |lines: &[&str]| lines.iter().all(|line| line.trim().is_empty());
    let from = own.map_or(lines.len(), |own| end_of_ours(lines, Some(own)));
    if is_blank(&lines[from..]) {
        return Divided { body: joined(lines), notes: None, sound: true };
    }
    // The blank line behind our own text is ours too.
    let from = if from > 0 && lines[from].is_empty() { from + 1 } else { from };
    Divided { body: joined(&lines[..from]), notes: Some(joined(&lines[from..])), sound: false }
}

/// The region with these notes in it. A line among them that is a mark would break it, and there is none: dividing
/// takes them away.
pub(crate) fn region(notes: &str) -> String {
    let end = if notes.is_empty() || notes.ends_with('\n') { "" } else { "\n" };
    format!("{BEGIN}\n{notes}{end}{END}\n")
}

fn is_mark(line: &str) -> bool {
    [BEGIN, END].contains(&line.trim_end())
}

fn joined(lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |text, line| text + line + "\n")
}

/// How many of the lines are what we wrote; none where that cannot be told, so that nothing is taken for ours.
fn end_of_ours(lines: &[&str], own: Option<&Hash>) -> usize {
    let Some(own) = own else { return 0 };
    let mut hasher = Sha256::new();
    for (at, line) in lines.iter().enumerate() {
        hasher.update(line.as_bytes());
        if !line.is_empty() && Hash::from(hasher.clone().finalize()) == *own {
            return at + 1;
        }
        hasher.update(b"\n");
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::shape::header::own_hash;

    fn check(text: &str, body: &str, notes: Option<&str>, sound: bool) {
        let own = own_hash("# Map: x\n- a");
        let text = text.replace("B:", BEGIN).replace("E:", END);
        let divided = divide(&text, Some(&own));
        let wanted = Divided { body: body.to_owned(), notes: notes.map(str::to_owned), sound };
        assert_eq!(divided, wanted, "{text}");
    }

    #[test]
    fn one_region_is_taken_out() {
        check("# Map: x\n- a\n", "# Map: x\n- a\n", None, true);
        check("# Map: x\n- a\n\nB:\nE:\n", "# Map: x\n- a\n\n", Some(""), true);
        check("# Map: x\n- a\n\nB:\none\n\n two\nE:\n", "# Map: x\n- a\n\n", Some("one\n\n two\n"), true);
        check("# Map: x\nB:\none\nE:\nafter", "# Map: x\nafter\n", Some("one\n"), true);
    }

    #[test]
    fn of_a_region_without_marks_nothing_is_lost() {
        check("# Map: x\n- a\n\none\n", "# Map: x\n- a\n\n", Some("one\n"), false);
        check("# Map: x\n- b\n\none\n", "", Some("# Map: x\n- b\n\none\n"), false);
        check("# Map: x\n- a\n\n \n", "# Map: x\n- a\n\n \n", None, true);
    }

    #[test]
    fn of_a_broken_region_nothing_is_lost() {
        check("# Map: x\n- a\n\nB:\none\n", "# Map: x\n- a\n\n", Some("one\n"), false);
        check("# Map: x\n- a\n\none\nE:\n", "# Map: x\n- a\n", Some("\none\n"), false);
        check("# Map: x\n- b\n\none\nE:\n", "", Some("# Map: x\n- b\n\none\n"), false);
        check("# Map: x\n- a\nB:\none\nE:\nB:\ntwo\nE:\n", "# Map: x\n- a\n", Some("one\ntwo\n"), false);
        check("# Map: x\n- a\nB:\none\nB:\ntwo\nE:\nE:\n", "# Map: x\n- a\n", Some("one\ntwo\n"), false);
        check("# Map: x\n- a\nE:\none\nB:\n", "# Map: x\n- a\n", Some("one\n"), false);
        check("B:\none\nE:\nbetween\nB:\ntwo", "", Some("one\nbetween\ntwo\n"), false);
    }

    proptest! {
        #[test]
        fn every_line_is_kept_and_a_second_time_nothing_changes(
            lines in prop::collection::vec(prop::sample::select(vec!["a", "b", "", BEGIN, END]), 0..12),
        ) {
            let divided = divide(&joined(&lines), None);
            let notes = divided.notes.clone().unwrap_or_default();
            let all = divided.body.lines().chain(notes.lines()).filter(|line| !line.is_empty()).count();
            prop_assert_eq!(all, lines.iter().filter(|line| ["a", "b"].contains(line)).count());
            let again = divide(&(divided.body.clone() + &region(&notes)), None);
            prop_assert!(again.sound);
            prop_assert_eq!((again.body, again.notes), (divided.body, Some(notes)));
        }
    }
}
