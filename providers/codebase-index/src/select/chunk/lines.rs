//! The lines of a text.

/// Lines, counted from 0, without what ends them.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    all: Vec<&'a str>,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut all: Vec<&str> = text.split('\n').collect();
        if all.last() == Some(&"") {
            all.pop();
        }
        let mut at = 0;
        let mut starts = Vec::with_capacity(all.len());
        for line in &mut all {
            starts.push(at);
            at += line.len() as u32 + 1;
            *line = line.strip_suffix('\r').unwrap_or(line);
        }
        Self { all, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, line: usize) -> &'a str {
        self.all.get(line).copied().unwrap_or_default()
    }

    pub(super) fn is_blank(&self, line: usize) -> bool {
        self.get(line).trim().is_empty()
    }

    /// Gives the line that a byte lies in.
    pub(super) fn at(&self, byte: u32) -> usize {
        self.starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }

    /// How many characters a line has, its end included.
    pub(super) fn letters(&self, line: usize) -> usize {
        self.get(line).chars().count() + 1
    }

    /// How far a line is set in; a tab counts as four.
    pub(super) fn indent(&self, line: usize) -> usize {
        let blanks = self.get(line).chars().take_while(|letter| letter.is_whitespace());
        blanks.map(|letter| if letter == '\t' { 4 } else { 1 }).sum()
    }

    /// Gives lines as they stand.
    pub(super) fn text(&self, first: usize, last: usize) -> String {
        self.all.get(first..=last).unwrap_or_default().join("\n")
    }

    /// Narrows a run to its non-blank ends; `None` when all of it is blank.
    pub(super) fn trimmed(&self, first: usize, last: usize) -> Option<(usize, usize)> {
        let last = last.min(self.len().checked_sub(1)?);
        let begin = (first..=last).find(|line| !self.is_blank(*line))?;
        let end = (begin..=last).rev().find(|line| !self.is_blank(*line))?;
        Some((begin, end))
    }

    /// Whether a run has next to nothing in it: at most two lines with words, and short ones.
    pub(super) fn is_slight(&self, first: usize, last: usize) -> bool {
        let worded = || (first..=last).filter(|line| !self.is_wordless(*line, *line));
        let letters = || worded().map(|line| self.get(line).trim().chars().count()).sum::<usize>();
        worded().count() <= 2 && letters() <= 160
    }

    /// Whether a run has no word in it, as what closes a block.
    pub(super) fn is_wordless(&self, first: usize, last: usize) -> bool {
        (first..=last).all(|line| !self.get(line).chars().any(char::is_alphanumeric))
    }
}
