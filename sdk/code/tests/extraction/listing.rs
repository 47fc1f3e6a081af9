//! What was found in a file, as a text that a person can check.

use std::fmt::Write;

use ctxhost_code::symbols::{Extracted, Symbol};

/// Lists definitions, used names and imports.
pub(crate) fn of(found: &Extracted, source: &[u8]) -> String {
    let mut out = String::new();
    for symbol in &found.symbols {
        definition(&mut out, symbol, source);
    }
    out.push_str("\nuses\n");
    for group in found.references.chunk_by(|left, right| left.symbol == right.symbol) {
        let place =
            group[0].symbol.map_or("(file)".to_owned(), |symbol| found.symbols[symbol as usize].qualified());
        let names: Vec<String> = group
            .iter()
            .map(|one| if one.count == 1 { one.name.clone() } else { format!("{}*{}", one.name, one.count) })
            .collect();
        writeln!(out, "  {place}: {}", names.join(" ")).expect("a string takes everything");
    }
    out.push_str("\nimports\n");
    for import in &found.imports {
        writeln!(out, "  {} {}", import.line, import.from).expect("a string takes everything");
    }
    if let Some(partial) = found.partial {
        writeln!(out, "\npartial {partial:?}").expect("a string takes everything");
    }
    out
}

/// One line: lines, visibility, kind, name, the signature's last word and the documentation's first line.
fn definition(out: &mut String, symbol: &Symbol, source: &[u8]) {
    let text = |from: u32, to: u32| String::from_utf8_lossy(&source[from as usize..to as usize]).into_owned();
    let visibility = format!("{:?}", symbol.visibility).to_lowercase();
    let kind = format!("{:?}", symbol.kind).to_lowercase();
    let span = &symbol.span;
    write!(out, "{}-{} {visibility} {kind} {}", span.first_line, span.last_line, symbol.qualified())
        .expect("a string takes everything");
    let head = text(span.bytes.start, symbol.signature_end);
    let head: Vec<&str> = head.split_whitespace().collect();
    write!(out, " | {}", head.join(" ")).expect("a string takes everything");
    if let Some(doc) = &symbol.doc {
        let lines = text(doc.start, doc.end);
        let first = lines.lines().next().unwrap_or("").trim();
        write!(out, " | {} [{}]", first, lines.lines().count()).expect("a string takes everything");
    }
    out.push('\n');
}

/// Shows what is in one text only.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let only = |left: &str, right: &str, mark: &str| {
        let lines = left.lines().filter(|line| !right.lines().any(|other| other == *line));
        lines.map(|line| format!("{mark} {line}\n")).collect::<String>()
    };
    if expected.is_empty() {
        return found.to_owned();
    }
    format!("{}{}", only(expected, found, "-"), only(found, expected, "+"))
}
