//! What stands in front of a definition: attributes, which belong to it, and its doc comment.

use std::ops::Range;

use super::finds::{Bytes, Lead};

/// Which comments document what follows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocStyle {
    /// Every comment that stands directly above.
    Any,
    /// Only `///` and `/** … */`.
    Marked,
}

/// Finds where a definition begins with its attributes, and the comment above it.
pub(super) fn before(
    leads: &[Lead],
    start: u32,
    source: &[u8],
    style: DocStyle,
) -> (u32, Option<Range<u32>>) {
    let mut above = Above { begin: start, edge: start, doc: None };
    let first = leads.partition_point(|lead| lead.bytes.start < start);
    for lead in leads[..first].iter().rev() {
        let bytes = Bytes { end: trimmed(lead.bytes, source), ..lead.bytes };
        let Some(breaks) = breaks_between(bytes.end, above.edge, source) else { break };
        let goes_on = match lead.comment {
            true => above.comment(bytes, breaks, source, style),
            false => above.attribute(bytes),
        };
        if !goes_on {
            break;
        }
        above.edge = bytes.start;
    }
    (above.begin, above.doc)
}

/// What was found on the way up from a definition.
struct Above {
    begin: u32,
    edge: u32,
    doc: Option<Range<u32>>,
}

impl Above {
    /// Takes an attribute in, and says whether to go on; above the documentation it belongs to something else.
    fn attribute(&mut self, bytes: Bytes) -> bool {
        if self.doc.is_none() {
            self.begin = bytes.start;
        }
        self.doc.is_none()
    }

    /// Takes a comment in, and says whether to go on.
    fn comment(&mut self, bytes: Bytes, breaks: usize, source: &[u8], style: DocStyle) -> bool {
        let beside = self.doc.is_none() && breaks == 0;
        // Otherwise it belongs to what stands before it in its line, or is too far above.
        if breaks > 1 || !(beside || begins_line(bytes.start, source)) {
            return false;
        }
        if !is_doc(bytes.slice(source), style) {
            return self.doc.is_none();
        }
        // A block comment is whole by itself.
        let block = bytes.slice(source).starts_with(b"/*");
        if block && self.doc.is_some() {
            return false;
        }
        let end = self.doc.as_ref().map_or(bytes.end, |doc| doc.end);
        self.doc = Some(bytes.start..end);
        !block
    }
}

/// Gives where a comment ends without the line's end, which some grammars count in.
fn trimmed(bytes: Bytes, source: &[u8]) -> u32 {
    bytes.start + bytes.slice(source).trim_ascii_end().len() as u32
}

/// Counts the line breaks between two places; `None` when anything else stands there.
///
/// Both this and the next look backwards: many definitions may follow one long stretch of blanks, and each would walk it
/// from its beginning.
fn breaks_between(from: u32, to: u32, source: &[u8]) -> Option<usize> {
    let between = source.get(from as usize..to as usize)?;
    let blank = between.iter().rev().all(u8::is_ascii_whitespace);
    blank.then(|| between.iter().filter(|byte| **byte == b'\n').count())
}

fn begins_line(at: u32, source: &[u8]) -> bool {
    let before = source[..at as usize].trim_ascii_end();
    let blanks = &source[before.len()..at as usize];
    before.is_empty() || before == b"\xEF\xBB\xBF" || blanks.contains(&b'\n')
}

fn is_doc(comment: &[u8], style: DocStyle) -> bool {
    let rule = comment.starts_with(b"////") || comment.starts_with(b"/***");
    let marked = (comment.starts_with(b"///") || comment.starts_with(b"/**")) && !rule && comment != b"/**/";
    match style {
        DocStyle::Marked => marked,
        DocStyle::Any => !comment.starts_with(b"#!") && !comment.starts_with(b"//!"),
    }
}
