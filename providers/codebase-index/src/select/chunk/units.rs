//! Code: a piece for each definition.

use ctxhost_code::symbols::{Extracted, Kind, Symbol};

use super::{
    CAP,
    lines::Lines,
    pieces::{Layout, Piece},
};

/// A definition that is a piece of its own, or is cut into its members.
struct Unit<'a> {
    symbol: &'a Symbol,
    /// Where the definition itself begins.
    begin: usize,
    first: usize,
    last: usize,
    members: Vec<Unit<'a>>,
}

/// Cuts code at its definitions; without any all of it is one piece.
pub(super) fn pieces(lines: &Lines<'_>, extracted: &Extracted, file: &str) -> Vec<Piece> {
    let mut layout = Layout::new(lines, file);
    for unit in &units(lines, &extracted.symbols) {
        layout.gap_before(None, unit.first);
        unit.lay(lines, &mut layout);
    }
    layout.finish()
}

/// Builds the tree of units. Those that share lines with what stands before them lose these lines, or are part of it.
fn units<'a>(lines: &Lines<'_>, symbols: &'a [Symbol]) -> Vec<Unit<'a>> {
    let mut open: Vec<Unit<'a>> = Vec::new();
    let mut top = Vec::new();
    for symbol in symbols {
        let last = (symbol.span.last_line as usize).clamp(1, lines.len().max(1)) - 1;
        let begin = (symbol.span.first_line as usize).clamp(1, lines.len().max(1)) - 1;
        while open.last().is_some_and(|around| around.symbol.span.bytes.end <= symbol.span.bytes.start) {
            close(&mut open, &mut top);
        }
        let around = open.last();
        let kind = around.map(|unit| unit.symbol.kind);
        // A value that a block of statements binds is part of what the block does.
        let in_block = is_value(symbol.kind) && kind.is_none() && lines.indent(begin) > 0;
        if in_block || !is_unit(symbol, kind, last - begin.min(last)) {
            continue;
        }
        let last = around.map_or(last, |around| last.min(around.last));
        let free = match around {
            Some(around) => around.members.last().map_or(around.first, |before| before.last) + 1,
            None => top.last().map_or(0, |before: &Unit<'_>| before.last + 1),
        };
        let first = with_lead(lines, symbol, begin).max(free);
        if first <= last {
            open.push(Unit { symbol, begin, first, last, members: Vec::new() });
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

fn close<'a>(open: &mut Vec<Unit<'a>>, top: &mut Vec<Unit<'a>>) {
    let Some(unit) = open.pop() else { return };
    match open.last_mut() {
        Some(around) => around.members.push(unit),
        None => top.push(unit),
    }
}

fn is_function(kind: Kind) -> bool {
    matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro)
}

fn is_value(kind: Kind) -> bool {
    matches!(kind, Kind::TypeAlias | Kind::Constant | Kind::Variable)
}

fn is_type(kind: Kind) -> bool {
    matches!(kind, Kind::Interface | Kind::Trait | Kind::Class | Kind::Struct | Kind::Union | Kind::Enum)
}

/// Whether a definition may be a piece of its own: functions, types and what holds them; values and names for types where they
/// belong to no type; a signature without a body only when it is long.
fn is_unit(symbol: &Symbol, around: Option<Kind>, more_lines: usize) -> bool {
    match symbol.kind {
        Kind::Field | Kind::Variant => false,
        kind if is_value(kind) => matches!(around, None | Some(Kind::Module)),
        kind if is_function(kind) && around.is_some_and(is_type) => {
            symbol.signature_end < symbol.span.bytes.end || more_lines >= 2 || symbol.doc.is_some()
        }
        _ => true,
    }
}

/// Gives the first line with the doc comment above, and with comments above a definition whose documentation is inside.
fn with_lead(lines: &Lines<'_>, symbol: &Symbol, begin: usize) -> usize {
    match &symbol.doc {
        Some(doc) if doc.start < symbol.span.bytes.start => lines.at(doc.start).min(begin),
        Some(_) => {
            let comments = (0..begin).rev().take_while(|line| {
                let text = lines.get(*line).trim_start();
                text.starts_with('#') && !text.starts_with("#!") && lines.indent(*line) == lines.indent(begin)
            });
            comments.last().unwrap_or(begin)
        }
        None => begin,
    }
}

impl Unit<'_> {
    fn lay(&self, lines: &Lines<'_>, layout: &mut Layout<'_>) {
        let name = self.symbol.qualified();
        let Some(first) = self.members.first().filter(|_| !self.is_whole(lines)) else {
            let seam = self.symbol.doc.as_ref().map(|_| self.begin).filter(|begin| *begin > self.first);
            return layout.piece_with_seam(&name, self.last, seam);
        };
        // `impl Registry {` says nothing by itself and much in front of its first function.
        let bare = matches!(self.symbol.kind, Kind::Other | Kind::Module)
            && lines.is_slight(self.first, first.first.saturating_sub(1));
        if bare {
            layout.wait(first.first);
        } else if first.first > layout.next() {
            layout.piece(&name, first.first - 1);
        }
        for member in &self.members {
            layout.gap_before(Some(&name), member.first);
            member.lay(lines, layout);
        }
        layout.gap(Some(&name), self.last + 1);
    }

    /// Whether it stays one piece in spite of its members: a function with a few small ones inside, and a value.
    fn is_whole(&self, lines: &Lines<'_>) -> bool {
        let kind = self.symbol.kind;
        let letters = || (self.first..=self.last).map(|line| lines.letters(line)).sum::<usize>();
        is_function(kind) && letters() <= CAP
    }
}
