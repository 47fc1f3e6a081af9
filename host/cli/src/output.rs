//! What is printed, and where.

use std::io::{self, Write};

use ctxhost::{Finding, compose::neutralize::plain, finding::FindingExt};
use serde::Serialize;

use crate::exit::{Code, Failure};

/// The widest cell of a table, in characters; what is longer is shown with `…` at its end.
const WIDEST_CELL: usize = 300;

/// Writes a line of a provider's log for a person; what it says must not command the terminal.
pub(crate) fn log_line(provider: &str, text: &str) {
    // Nobody may be reading; a lost line of a log is no error.
    let _ = writeln!(io::stderr(), "{provider}: {}", plain(text).replace('\n', " "));
}

/// The two streams of a command.
///
/// A reader that went away is no error: nobody misses what is not read.
/// Anything else that keeps the first stream from being written is kept until [`flush`](Self::flush) tells it.
pub(crate) struct Output<'a> {
    stdout: &'a mut dyn Write,
    stderr: &'a mut dyn Write,
    failed: Option<io::Error>,
    /// Whether it is no matter that something could not be written.
    forgets: bool,
    /// Whether a person reads the first stream.
    pub(crate) terminal: bool,
}

impl<'a> Output<'a> {
    pub(crate) fn new(stdout: &'a mut dyn Write, stderr: &'a mut dyn Write, terminal: bool) -> Self {
        Self { stdout, stderr, failed: None, forgets: false, terminal }
    }

    /// Prints text as it is, with a line end.
    pub(crate) fn text(&mut self, text: &str) {
        let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
        let written = write!(self.stdout, "{text}{end}");
        self.note_failure(written);
    }

    /// The first stream itself, for a command that writes as it goes; what it writes is its own matter.
    pub(crate) fn stream(&mut self) -> &mut dyn Write {
        self.stdout
    }

    /// Hands everything over now.
    ///
    /// # Errors
    /// Some of what was printed could not be written, and not because nobody reads it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.stdout.flush();
        self.note_failure(flushed);
        // The second stream has no other place to tell of its own failure.
        let _ = self.stderr.flush();
        match self.failed.take() {
            None => Ok(()),
            Some(error) => {
                let why = format!(
                    "what was to be printed could not be written: {error}; make room, or print elsewhere"
                );
                Err(Failure::new(Code::Internal, why))
            }
        }
    }

    /// Lets what cannot be written be lost, now and later.
    pub(crate) fn forget_failures(&mut self) {
        self.failed = None;
        self.forgets = true;
    }

    fn note_failure(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && !self.forgets
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.failed.get_or_insert(error);
        }
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
            let written = write!(self.stdout, "{error}").and_then(|()| self.stdout.flush());
            self.note_failure(written);
            if self.failed.is_some() { Code::Internal as u8 } else { Code::Ok as u8 }
        }
    }

    /// A table with its columns aligned; the last one is not padded.
    pub(crate) fn table(&mut self, rows: &[Vec<String>]) {
        let clip = |cell: &String| {
            let cell = plain(cell).replace('\n', " ");
            match cell.char_indices().nth(WIDEST_CELL) {
                Some((end, _)) => format!("{}…", &cell[..end]),
                None => cell,
            }
        };
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(clip).collect()).collect();
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        let length = |cell: &String| cell.chars().count();
        let widths: Vec<usize> = (0..columns)
            .map(|column| rows.iter().filter_map(|row| row.get(column)).map(length).max().unwrap_or_default())
            .collect();
        for row in &rows {
            let padded =
                |(cell, width): (&String, &usize)| format!("{cell}{}", " ".repeat(width - length(cell)));
            let cells: Vec<String> = row.iter().zip(&widths).map(padded).collect();
            self.text(cells.join("  ").trim_end());
        }
    }
}
