//! A text by its lines, counted from 1.

use std::{borrow::Cow, collections::BTreeSet};

/// A longer line was not written by a person, and is cut.
const LONGEST: usize = 400;

/// A text and where its lines begin.
pub(super) struct Text<'a> {
    lines: Vec<&'a str>,
    starts: Vec<u32>,
}

impl<'a> Text<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut starts = Vec::new();
        let mut lines = Vec::new();
        let mut at = 0_u32;
        for line in text.split_inclusive('\n') {
            starts.push(at);
            at = at.saturating_add(line.len() as u32);
            lines.push(line.trim_end_matches(['\n', '\r']));
        }
        Self { lines, starts }
    }

    pub(super) fn count(&self) -> u32 {
        self.lines.len() as u32
    }

    /// The line that a byte stands in.
    pub(super) fn line_of(&self, byte: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= byte) as u32).max(1)
    }

    /// A line; empty where there is none, as when the file has changed.
    pub(super) fn line(&self, number: u32) -> &'a str {
        number.checked_sub(1).and_then(|at| self.lines.get(at as usize)).copied().unwrap_or_default()
    }

    /// Whether a line is there and short enough to be shown whole.
    pub(super) fn is_whole(&self, number: u32) -> bool {
        (1..=self.count()).contains(&number) && self.line(number).chars().nth(LONGEST).is_none()
    }

    /// The lines with a mark where some are left out between them.
    pub(super) fn with_gaps(&self, lines: &BTreeSet<u32>) -> String {
        let mut out = String::new();
        let mut before = None;
        for line in lines.iter().copied().filter(|line| *line <= self.count()) {
            if before.is_some_and(|before| line > before + 1) {
                out.push_str("…\n");
            }
            out.push_str(&cut(self.line(line)));
            out.push('\n');
            before = Some(line);
        }
        out
    }
}

fn cut(line: &str) -> Cow<'_, str> {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &line[..end])),
        None => Cow::Borrowed(line),
    }
}

/// Lines as ranges, both ends included.
pub(super) fn ranges(lines: &BTreeSet<u32>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for line in lines.iter().copied().map(u64::from) {
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == line => *end = line,
            _ => ranges.push((line, line)),
        }
    }
    ranges
}
