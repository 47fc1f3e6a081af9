//! From what was found to symbols: what belongs to what, documentation, lines.

use std::ops::Range;

use super::{
    bodies::{is_function, is_type},
    compiled::Compiled,
    family::{End, Family},
    finds::{Find, Line, to_u32},
    scrub::Scrubbed,
    uses,
};
use crate::symbols::{Extracted, Import, Kind, Method, NESTING_CAP, Partial, SYMBOLS_CAP, Span, Symbol};

/// How many bytes of parameters may stand between a name and its documentation.
const PARAMETERS_CAP: usize = 500;

pub(super) fn assemble(
    family: &Compiled,
    source: &str,
    scrubbed: &Scrubbed,
    lines: &[Line],
    mut finds: Vec<Find>,
    imports: Vec<Import>,
) -> Extracted {
    if family.row.clauses {
        finds = joined(source, finds);
    }
    let many = finds.len() > SYMBOLS_CAP;
    finds.truncate(SYMBOLS_CAP);
    let view = View { family: family.row, source, scrubbed, lines };
    let (symbols, names) = view.symbols(finds);
    let references = uses::count(family.row, &scrubbed.text, &symbols, &names);
    let partial = many.then_some(Partial::TooMany);
    Extracted { symbols, references, imports, method: Method::Family, partial }
}

/// Makes neighbours of one name one definition.
fn joined(source: &str, finds: Vec<Find>) -> Vec<Find> {
    let mut joined: Vec<Find> = Vec::with_capacity(finds.len());
    for find in finds {
        let same = |last: &&mut Find| {
            last.depth == find.depth && source[last.name.clone()] == source[find.name.clone()]
        };
        match joined.last_mut().filter(same) {
            Some(last) => last.bytes.end = find.bytes.end.max(last.bytes.end),
            None => joined.push(find),
        }
    }
    joined
}

struct View<'a> {
    family: &'a Family,
    source: &'a str,
    scrubbed: &'a Scrubbed,
    lines: &'a [Line],
}

impl View<'_> {
    /// Gives the symbols, and where they are named.
    fn symbols(&self, finds: Vec<Find>) -> (Vec<Symbol>, Vec<usize>) {
        let mut symbols: Vec<Symbol> = Vec::with_capacity(finds.len());
        let mut names = Vec::with_capacity(finds.len());
        // What is around: its kind, where it ends, its place among the symbols.
        let mut around: Vec<(Kind, usize, usize)> = Vec::new();
        for find in finds {
            while around.pop_if(|(_, end, _)| *end <= find.bytes.start).is_some() {}
            if around.len() >= self.family.levels {
                continue;
            }
            let in_text = |place: usize| self.begins_text(symbols[place].signature_end as usize);
            if around.last().is_some_and(|(kind, _, place)| self.is_hidden(*kind, &find) || in_text(*place)) {
                continue;
            }
            let outer = around.last().map(|(_, _, place)| &symbols[*place]);
            let symbol = self.symbol(&find, outer);
            names.push(find.name.start);
            if around.len() < NESTING_CAP {
                around.push((find.kind, find.bytes.end, symbols.len()));
            }
            symbols.push(symbol);
        }
        (symbols, names)
    }

    /// What stands in a function is its own; where bodies are told by braces even a call looks like a definition.
    fn is_hidden(&self, outer: Kind, find: &Find) -> bool {
        is_function(outer)
            && !self.family.end.is_by_level()
            && (find.leaf || self.family.closed || matches!(self.family.end, End::Braces))
    }

    /// Says whether a key's value is the text on the lines below, as after YAML's `|` and `>`.
    fn begins_text(&self, head: usize) -> bool {
        let head = self.source[..head].trim_end_matches(|c: char| c.is_ascii_digit() || "+-".contains(c));
        self.family.levels < usize::MAX && head.ends_with(['|', '>'])
    }

    fn symbol(&self, find: &Find, outer: Option<&Symbol>) -> Symbol {
        let name = self.source[find.name.clone()].to_owned();
        let outside = outer.map(Symbol::qualified).unwrap_or_default();
        let named = find.owner.clone().map(|owner| dotted(&self.source[owner])).unwrap_or_default();
        let owner =
            [outside, named].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        let in_type = find.owner.is_some() || outer.is_some_and(|outer| is_type(outer.kind));
        let kind = match find.kind {
            Kind::Function if in_type && owner.rsplit('.').next() == Some(&name) => Kind::Constructor,
            Kind::Function if in_type => Kind::Method,
            kind => kind,
        };
        let start = self.with_attributes(find);
        Symbol {
            kind,
            visibility: find.visibility,
            span: self.span(start..find.bytes.end),
            signature_end: to_u32(find.signature_end.clamp(start, find.bytes.end)),
            doc: self.doc(find, start).map(|doc| to_u32(doc.start)..to_u32(doc.end)),
            name,
            owner,
        }
    }

    fn span(&self, bytes: Range<usize>) -> Span {
        let line = |at: usize| to_u32(self.lines.partition_point(|line| line.bytes.start <= at).max(1));
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        Span {
            first_line: line(bytes.start),
            last_line: line(last),
            bytes: to_u32(bytes.start)..to_u32(bytes.end),
        }
    }

    /// Gives where a definition begins with its attributes.
    fn with_attributes(&self, find: &Find) -> usize {
        let is_attribute = |line: &&Line| {
            let content = &self.scrubbed.text[line.first..line.bytes.end];
            !line.blank && self.family.attributes.iter().any(|start| content.starts_with(start))
        };
        let above = self.lines[..find.line].iter().rev().take_while(is_attribute);
        above.last().map_or(find.bytes.start, |line| line.first)
    }

    fn doc(&self, find: &Find, start: usize) -> Option<Range<usize>> {
        let inside = || self.family.docstring.then(|| self.docstring(find)).flatten();
        self.comment_above(start).or_else(inside)
    }

    /// Gives the comments that stand right above, each on lines of its own.
    fn comment_above(&self, start: usize) -> Option<Range<usize>> {
        let comments = &self.scrubbed.comments;
        let before = comments.partition_point(|comment| comment.end <= start);
        let mut begin = start;
        let mut found: Option<Range<usize>> = None;
        for comment in comments[..before].iter().rev() {
            let text = &self.source[comment.clone()];
            // `##` documents what it stands in, where such comments do; `#!` is for the system.
            let other = text.starts_with("#!") || (self.family.docstring && text.starts_with("##"));
            if other || !self.touches(comment, begin) || !self.begins_line(comment.start) {
                break;
            }
            found = Some(comment.start..found.map_or(comment.end, |found| found.end));
            begin = comment.start;
        }
        found.map(|doc| doc.start..doc.start + self.source[doc].trim_end().len())
    }

    fn touches(&self, comment: &Range<usize>, begin: usize) -> bool {
        let between = &self.source[comment.end..begin];
        // Perl's documentation must have a blank line behind it.
        let most = if self.source[comment.start..].starts_with('=') { 2 } else { 1 };
        between.trim().is_empty() && between.matches('\n').count() <= most
    }

    fn begins_line(&self, at: usize) -> bool {
        let line = self.source[..at].rfind('\n').map_or(0, |newline| newline + 1);
        self.source[line..at].trim().is_empty()
    }

    /// Gives the text that begins a body, or the comment that does.
    fn docstring(&self, find: &Find) -> Option<Range<usize>> {
        let first = |ranges: &[Range<usize>]| {
            let place = ranges.partition_point(|range| range.start < find.name.end);
            ranges.get(place).filter(|range| range.end < find.bytes.end).cloned()
        };
        let text = first(&self.scrubbed.quoted).filter(|text| {
            let between = self.between(find.name.end, text.start);
            let closed = between.starts_with(['(', '[']) && between.ends_with([')', ']']);
            is_function(find.kind) && (between.is_empty() || closed) || between.ends_with(':')
        });
        let comment = || {
            first(&self.scrubbed.comments).filter(|comment| {
                let inside = self.source[comment.clone()].starts_with("##");
                inside && self.source[find.signature_end..comment.start].trim().is_empty()
            })
        };
        text.or_else(comment)
    }

    fn between(&self, from: usize, to: usize) -> &str {
        let text = &self.scrubbed.text[from..to];
        if text.len() > PARAMETERS_CAP { "…" } else { text.trim() }
    }
}

/// Writes an owner as all owners are written.
fn dotted(owner: &str) -> String {
    let parts = owner.split([':', '.', '#', '\'', '\\', '/']).map(str::trim).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(".")
}
