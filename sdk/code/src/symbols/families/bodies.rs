//! Where definitions end.

use super::{
    compiled::Compiled,
    family::End,
    finds::{Find, Line},
};
use crate::symbols::Kind;

/// How far behind its name a body may begin: 4 KiB of parameters.
const HEADER_CAP: usize = 4 * 1024;

/// Gives each definition its end.
pub(super) fn end(family: &Compiled, text: &str, lines: &[Line], finds: &mut [Find]) {
    match family.row.end {
        End::Braces => braces(text, finds),
        End::Parentheses => parentheses(text, finds),
        _ => by_lines(family, text, lines, finds),
    }
}

/// A pair of signs: where it is opened and closed.
type Pair = (usize, usize);

fn pairs(text: &str, open: u8, close: u8) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    let mut waiting = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if byte == open {
            waiting.push(pairs.len());
            pairs.push((at, text.len()));
        } else if byte == close
            && let Some(pair) = waiting.pop()
        {
            pairs[pair].1 = at + 1;
        }
    }
    pairs
}

fn braces(text: &str, finds: &mut [Find]) {
    let pairs = pairs(text, b'{', b'}');
    let mut untils = Untils::default();
    let starts: Vec<usize> = finds.iter().map(|find| find.bytes.start).collect();
    for (place, find) in finds.iter_mut().enumerate() {
        let next = starts.get(place + 1).copied().unwrap_or(text.len());
        let until = next.min(find.name.end + HEADER_CAP).max(find.name.end);
        let header = &text.as_bytes()[find.name.end..until];
        let stop = find.name.end + header.iter().position(|byte| *byte == b';').unwrap_or(header.len());
        if let Some(until) = find.until {
            find.bytes.end = untils.after(text, until, find.bytes.end);
            continue;
        }
        let first = pairs.partition_point(|(open, _)| *open < find.name.end);
        match pairs.get(first).filter(|(open, _)| *open < stop && !find.leaf) {
            Some(_) => {
                let (open, close) = last_group(text, &pairs[first..], stop);
                find.signature_end = trimmed_end(text, find.bytes.start, open);
                find.bytes.end = close;
            }
            None if stop < until => find.bytes.end = stop + 1,
            None => {}
        }
        find.signature_end = find.signature_end.min(find.bytes.end);
    }
}

/// Where lines begin with what ends bodies, each looked for once.
#[derive(Default)]
struct Untils {
    known: Vec<(&'static str, Vec<usize>)>,
}

impl Untils {
    /// Gives the end of the first such line behind a place, or the place itself.
    fn after(&mut self, text: &str, until: &'static str, at: usize) -> usize {
        let place = self.known.iter().position(|(known, _)| *known == until).unwrap_or_else(|| {
            let line = format!("\n{until}");
            let ends = text.match_indices(&line).map(|(at, line)| at + line.len()).collect();
            self.known.push((until, ends));
            self.known.len() - 1
        });
        let ends = &self.known[place].1;
        ends.get(ends.partition_point(|end| *end <= at)).copied().unwrap_or(at)
    }
}

/// Gives the body among groups that follow each other: parameters may stand in braces too.
fn last_group(text: &str, pairs: &[Pair], stop: usize) -> Pair {
    let mut body = pairs[0];
    for next in &pairs[1..] {
        let Some(between) = text.get(body.1..next.0).filter(|_| next.0 < stop) else { continue };
        if between.contains('\n') || !(between.trim().is_empty() || between.starts_with([')', ',', '*', ']']))
        {
            break;
        }
        body = *next;
    }
    body
}

fn trimmed_end(text: &str, start: usize, end: usize) -> usize {
    start + text[start..end].trim_end().len()
}

fn parentheses(text: &str, finds: &mut [Find]) {
    let pairs = pairs(text, b'(', b')');
    for find in finds {
        if let Ok(place) = pairs.binary_search_by_key(&find.bytes.start, |(open, _)| *open) {
            find.bytes.end = pairs[place].1;
            find.signature_end = find.signature_end.min(find.bytes.end);
        }
    }
}

/// The definitions that are open at a line.
struct Open<'a> {
    lines: &'a [Line],
    finds: &'a mut [Find],
    stack: Vec<usize>,
    /// The last line that is not blank.
    last: usize,
}

fn by_lines(family: &Compiled, text: &str, lines: &[Line], finds: &mut [Find]) {
    let mut open = Open { lines, finds, stack: Vec::new(), last: 0 };
    let mut next = 0;
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.blank) {
        let begins = open.finds.get(next).is_some_and(|find| find.line == number).then_some(next);
        next += usize::from(begins.is_some());
        let content = &text[line.bytes.clone()];
        match family.row.end {
            End::Indentation => open.indentation(line, number, content),
            End::Next => open.before(begins, |_| true, true),
            End::Keyword(_) => open.keyword(family, line, number, content, begins),
            _ => open.before(begins, |_| true, true),
        }
        if let Some(begins) = begins.filter(|begins| !open.finds[*begins].leaf) {
            open.stack.push(begins);
        }
        open.last = number;
        if let End::Terminator(end) = family.row.end
            && content.ends_with(end)
        {
            open.close_while(|_| true, true);
        }
    }
    // A function without its end was only declared.
    let by_keyword = matches!(family.row.end, End::Keyword(_));
    while let Some(place) = open.stack.pop() {
        open.close(place, !by_keyword || is_container(open.finds[place].kind));
    }
}

impl Open<'_> {
    /// Closes a definition: with the last line that is not blank, or where its first line ends.
    fn close(&mut self, place: usize, with_body: bool) {
        if with_body {
            let end = self.lines[self.last].bytes.end;
            let find = &mut self.finds[place];
            find.bytes.end = find.bytes.end.max(end);
        }
    }

    fn close_while(&mut self, ends: impl Fn(&Find) -> bool, with_body: bool) {
        while let Some(place) = self.stack.pop_if(|place| ends(&self.finds[*place])) {
            self.close(place, with_body);
        }
    }

    /// Closes what does not stand around a line. A bracket goes on with what it closes; a word that ends a body
    /// belongs to it.
    fn indentation(&mut self, line: &Line, number: usize, content: &str) {
        let content = content.trim_start();
        self.close_while(|find| find.depth > line.indent, true);
        if content.starts_with([')', ']', '}']) {
            return;
        }
        if content == "end" || content.starts_with("end ") {
            self.last = number;
        }
        self.close_while(|find| find.depth == line.indent, true);
    }

    /// Closes what the definition that begins does not stand below.
    fn before(&mut self, begins: Option<usize>, may_end: impl Fn(&Find) -> bool, with_body: bool) {
        if let Some(depth) = begins.map(|begins| self.finds[begins].depth) {
            self.close_while(|find| find.depth >= depth && may_end(find), with_body);
        }
    }

    fn keyword(
        &mut self,
        family: &Compiled,
        line: &Line,
        number: usize,
        content: &str,
        begins: Option<usize>,
    ) {
        // A function that is followed by another one, no deeper, had no body.
        self.before(begins, |find| !is_container(find.kind), false);
        if let Some(begins) = begins {
            let whole = content.trim_end_matches(';').ends_with(" end");
            self.finds[begins].leaf |= whole;
            return;
        }
        if family.end.as_ref().is_some_and(|end| end.is_match(content)) {
            self.close_while(|find| find.depth > line.indent && !is_container(find.kind), false);
            self.close_while(|find| find.depth > line.indent, true);
            if let Some(place) = self.stack.pop_if(|place| self.finds[*place].depth == line.indent) {
                self.last = number;
                self.close(place, true);
            }
        }
    }
}

pub(super) fn is_container(kind: Kind) -> bool {
    is_type(kind) || matches!(kind, Kind::Module | Kind::Other)
}

pub(super) fn is_type(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Struct | Kind::Union | Kind::Enum | Kind::Interface | Kind::Trait)
}

pub(super) fn is_function(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
}
