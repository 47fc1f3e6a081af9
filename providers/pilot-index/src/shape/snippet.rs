//! The code of a picked file, from fullest to smallest; unchanged choices and files give unchanged bytes.

mod lines;

use std::collections::BTreeSet;

use ctxhost_sdk::text::fence;

use crate::select::picked::{PickedFile, PickedSymbol};
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
    if symbols.is_empty() {
        return matching_lines(file, &text, matches);
    }
    for symbol in &symbols {
        let heading = heading(file, symbol);
        // What holds other chosen definitions is said by its signature; they speak for the rest.
        let holds = symbols.iter().any(|inner| is_inside(inner, symbol));
        let lines = if holds { head(symbol, &text) } else { full(symbol, &text, matches) };
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

/// A file in which nothing is defined, by its matching lines.
fn matching_lines(file: &PickedFile, text: &Text<'_>, matches: &dyn Fn(&str) -> bool) -> Snippet {
    let heading = printable(&file.path);
    let lines = around((1..=text.count()).filter(|line| matches(text.line(*line))), 1, text.count());
    let full = format!("### {heading}\n{}", fence(&file.fence, &text.with_gaps(&lines)));
    Snippet {
        full: if lines.is_empty() { String::new() } else { full },
        signatures: String::new(),
        names: format!("- {heading}\n"),
        shown: lines::ranges(&lines.into_iter().filter(|line| text.is_whole(*line)).collect()),
    }
}

/// Lines and those around them, within a range, as long as they are not too many.
fn around(hits: impl Iterator<Item = u32>, first: u32, last: u32) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for hit in hits {
        let around = hit.saturating_sub(AROUND).max(first)..=(hit + AROUND).min(last);
        if lines.len() + around.clone().filter(|line| !lines.contains(line)).count() > BODY {
            break;
        }
        lines.extend(around);
    }
    lines
}

fn printable(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// The document's heading: `name (kind) - file:line`.
fn heading(file: &PickedFile, symbol: &PickedSymbol) -> String {
    let (name, path) = (printable(&symbol.name), printable(&file.path));
    format!("{name} ({}) - {path}:{}", symbol.kind.word(), symbol.lines.0)
}

/// Whether a definition stands inside another one.
fn is_inside(inner: &PickedSymbol, outer: &PickedSymbol) -> bool {
    inner.bytes != outer.bytes && outer.bytes.start <= inner.bytes.start && inner.bytes.end <= outer.bytes.end
}

/// The lines of a doc comment and a signature.
fn head(symbol: &PickedSymbol, text: &Text<'_>) -> BTreeSet<u32> {
    let first = symbol.lines.0;
    let end = signature_end(symbol, text).min(first + SIGNATURE - 1);
    doc_lines(symbol, text).into_iter().flat_map(|(a, b)| a..=b).chain(first..=end).collect()
}

fn signature_end(symbol: &PickedSymbol, text: &Text<'_>) -> u32 {
    let (first, last) = symbol.lines;
    text.line_of(symbol.signature_end.saturating_sub(1)).clamp(first, last.min(text.count()).max(first))
}

/// The lines of the fullest size.
fn full(symbol: &PickedSymbol, text: &Text<'_>, matches: &dyn Fn(&str) -> bool) -> BTreeSet<u32> {
    let (first, last) = symbol.lines;
    let last = last.min(text.count()).max(first);
    let mut lines = head(symbol, text);
    let signature_end = signature_end(symbol, text);
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
    lines.extend(around(hits.into_iter(), *body.start(), last));
    // The last line closes what the signature opens.
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
