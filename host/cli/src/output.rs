//! What is printed, and where.

use std::io::Write;

use ctxhost::{Finding, compose::neutralize::plain, finding::FindingExt};
use serde::Serialize;

use crate::exit::{Code, Failure};

/// The two streams of a command.
///
/// A reader that went away is no error: nobody misses what is not read.
pub(crate) struct Output<'a> {
    pub(crate) stdout: &'a mut dyn Write,
    pub(crate) stderr: &'a mut dyn Write,
}

impl Output<'_> {
    /// Prints text as it is, with a line end.
    pub(crate) fn text(&mut self, text: &str) {
        let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        let _ = write!(self.stdout, "{text}{end}");
    }

    /// Hands everything over now: what follows may take its time.
    pub(crate) fn flush(&mut self) {
        let _ = self.stdout.flush().and(self.stderr.flush());
    }

    /// Prints text of a provider's, which must not command the terminal.
    pub(crate) fn foreign(&mut self, text: &str) {
        self.text(&plain(text));
    }

    /// Prints a document.
    pub(crate) fn json(&mut self, document: &impl Serialize) {
        if let Ok(text) = serde_json::to_string_pretty(document) {
            self.text(&text);
        }
    }

    /// Tells the person what went wrong, a line each.
    pub(crate) fn findings(&mut self, findings: &[Finding]) {
        for finding in findings {
            self.note(&finding.line());
        }
    }

    /// A line for the person, beside what the command prints.
    pub(crate) fn note(&mut self, line: &str) {
        let _ = writeln!(self.stderr, "ctxhost: {line}");
    }

    /// The one sentence of a failure.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        self.note(&plain(&failure.message));
    }

    /// Help and version go to the first stream, wrong calls to the second.
    pub(crate) fn clap(&mut self, error: &clap::Error) -> u8 {
        if error.use_stderr() {
            let _ = write!(self.stderr, "{error}");
            Code::Usage as u8
        } else {
            let _ = write!(self.stdout, "{error}");
            Code::Ok as u8
        }
    }

    /// A table with its columns aligned; the last one is not padded.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            rows.iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in rows {
            let cells: Vec<String> =
                row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            self.foreign(cells.join("  ").trim_end());
        }
    }
}
