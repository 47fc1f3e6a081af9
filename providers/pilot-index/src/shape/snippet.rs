//! The code of a picked file, from fullest to smallest; unchanged choices and files give unchanged bytes.

mod lines;

use std::collections::BTreeSet;

use ctxhost_sdk::text::fence;

use crate::select::picked::{PickedFile, PickedSymbol, kind_name};
use lines::Text;

/// How many lines of a body are shown at most: a function that needs more is read with a tool.
const BODY: usize = 40;

/// How many lines of a body nobody asked about are shown: the document's figure.
const UNASKED: usize = 20;

/// How many lines of a doc comment and of a signature are shown.
const DOC: u32 = 12;
const SIGNATURE: u32 = 12;

/// Lines around one that matches.
const AROUND: u32 = 3;

/// A file's code in several sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// Doc comments, signatures and the matching parts of the bodies.
    pub(crate) full: String,
    /// Signatures with the first line of the doc comment.
    pub(crate) signatures: String,
    /// One line for each definition: its name and place.
    pub(crate) names: String,
    /// The lines that `full` shows whole.
    pub(crate) shown: Vec<(u64, u64)>,
}

/// Writes a file's snippet; `matches` says whether a line has something of what was asked.
pub(crate) fn snippet(file: &PickedFile, text: &str, matches: &dyn Fn(&str) -> bool) -> Snippet {
    let text = Text::new(text);
    let mut symbols: Vec<&PickedSymbol> = file.symbols.iter().collect();
    symbols.sort_by(|a, b| (a.lines.0, b.lines.1, &a.name).cmp(&(b.lines.0, a.lines.1, &b.name)));
    let mut snippet = Snippet::default();
    let mut shown = BTreeSet::new();
    for symbol in symbols {
        let heading = heading(file, symbol);
        let lines = full(symbol, &text, matches);
        // A definition inside one that is shown whole is shown with it.
        if !lines.is_subset(&shown) {
            snippet.full += &format!("### {heading}\n{}", fence(&file.fence, &text.with_gaps(&lines)));
            shown.extend(lines.into_iter().filter(|line| text.is_whole(*line)));
        }
        snippet.signatures += &format!("### {heading}\n{}", fence(&file.fence, &signature(symbol, &text)));
        snippet.names += &format!("- {heading}\n");
    }
    snippet.shown = lines::ranges(&shown);
    snippet
}

/// The document's heading: `name (kind) - file:line`.
fn heading(file: &PickedFile, symbol: &PickedSymbol) -> String {
    let line = |text: &str| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>();
    format!("{} ({}) - {}:{}", line(&symbol.name), kind_name(symbol.kind), line(&file.path), symbol.lines.0)
}

/// The lines of the fullest size.
fn full(symbol: &PickedSymbol, text: &Text<'_>, matches: &dyn Fn(&str) -> bool) -> BTreeSet<u32> {
    let (first, last) = symbol.lines;
    let last = last.min(text.count()).max(first);
    let mut lines: BTreeSet<u32> = doc_lines(symbol, text).into_iter().flat_map(|(a, b)| a..=b).collect();
    let signature_end = text.line_of(symbol.signature_end.saturating_sub(1)).clamp(first, last);
    lines.extend(first..=signature_end.min(first + SIGNATURE - 1));
    let body = signature_end + 1..=last;
    if body.clone().count() <= BODY {
        lines.extend(body);
        return lines;
    }
    let hits: Vec<u32> = body.clone().filter(|line| matches(text.line(*line))).collect();
    if hits.is_empty() {
        lines.extend(body.take(UNASKED));
        return lines;
    }
    let mut part = BTreeSet::new();
    for hit in hits {
        let around = (hit.saturating_sub(AROUND)).max(*body.start())..=(hit + AROUND).min(last);
        if part.len() + around.clone().filter(|line| !part.contains(line)).count() > BODY {
            break;
        }
        part.extend(around);
    }
    // The last line closes what the signature opens.
    lines.extend(part);
    lines.insert(last);
    lines
}

fn doc_lines(symbol: &PickedSymbol, text: &Text<'_>) -> Option<(u32, u32)> {
    let doc = symbol.doc.clone().filter(|doc| doc.start < doc.end)?;
    let first = text.line_of(doc.start);
    Some((first, text.line_of(doc.end - 1).min(first + DOC - 1)))
}

/// The signature, under the first line of the doc comment that says something.
fn signature(symbol: &PickedSymbol, text: &Text<'_>) -> String {
    let mut out = String::new();
    if let Some((first, last)) = doc_lines(symbol, text) {
        let says = |line: &&str| line.chars().any(char::is_alphanumeric);
        if let Some(line) = (first..=last).map(|line| text.line(line)).find(says) {
            out += &format!("{line}\n");
        }
    }
    let first = symbol.lines.0;
    let end = text.line_of(symbol.signature_end.saturating_sub(1)).clamp(first, first + SIGNATURE - 1);
    for line in first..=end {
        out += &format!("{}\n", text.line(line));
    }
    out
}

#[cfg(test)]
mod tests;
