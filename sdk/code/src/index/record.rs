//! The definitions, references and imports of one file as bytes.
//!
//! A record stands for itself, with its own table of names, so that a merge copies it as it is.

use super::bytes::{Broken, Cursor, put_number, put_signed, put_text};
use crate::symbols::{Extracted, Import, Kind, Method, Partial, Reference, Span, Symbol, Visibility};
use rustc_hash::FxHashMap;

pub(super) fn encode(extracted: &Extracted) -> Vec<u8> {
    let mut out = vec![extracted.method as u8, extracted.partial.map_or(0, |partial| partial as u8)];
    put_symbols(&mut out, &extracted.symbols);
    put_references(&mut out, &extracted.references);
    put_imports(&mut out, &extracted.imports);
    out
}

pub(super) fn decode(bytes: &[u8]) -> Result<Extracted, Broken> {
    let mut cursor = Cursor::new(bytes);
    let method = method(cursor.byte()?)?;
    let partial = partial(cursor.byte()?)?;
    let symbols = symbols(&mut cursor)?;
    let references = references(&mut cursor)?;
    let imports = imports(&mut cursor)?;
    if !cursor.is_empty() {
        return Err(Broken);
    }
    Ok(Extracted { symbols, references, imports, method, partial })
}

/// Reads the symbols alone: most questions do not ask for more.
pub(super) fn decode_symbols(bytes: &[u8]) -> Result<Vec<Symbol>, Broken> {
    let mut cursor = Cursor::new(bytes);
    cursor.take(2)?;
    symbols(&mut cursor)
}

fn put_symbols(out: &mut Vec<u8>, symbols: &[Symbol]) {
    let owners = put_names(out, symbols.iter().map(|symbol| symbol.owner.as_str()));
    put_number(out, symbols.len() as u64);
    let (mut byte, mut line) = (0, 0);
    for symbol in symbols {
        put_text(out, &symbol.name);
        put_number(out, u64::from(owners[symbol.owner.as_str()]));
        out.push(pack(symbol.kind, symbol.visibility));
        let start = symbol.span.bytes.start;
        put_step(out, &mut byte, start);
        put_signed(out, i64::from(symbol.span.bytes.end) - i64::from(start));
        put_step(out, &mut line, symbol.span.first_line);
        put_signed(out, i64::from(symbol.span.last_line) - i64::from(line));
        put_signed(out, i64::from(symbol.signature_end) - i64::from(start));
        put_doc(out, symbol, start);
    }
}

fn put_doc(out: &mut Vec<u8>, symbol: &Symbol, start: u32) {
    out.push(u8::from(symbol.doc.is_some()));
    if let Some(doc) = &symbol.doc {
        put_signed(out, i64::from(doc.start) - i64::from(start));
        put_signed(out, i64::from(doc.end) - i64::from(doc.start));
    }
}

fn symbols(cursor: &mut Cursor<'_>) -> Result<Vec<Symbol>, Broken> {
    let owners = names(cursor)?;
    let count = cursor.count()?;
    let mut symbols = Vec::with_capacity(count.min(1024));
    let (mut byte, mut line) = (0, 0);
    for _ in 0..count {
        symbols.push(symbol(cursor, &owners, &mut byte, &mut line)?);
    }
    Ok(symbols)
}

fn symbol(
    cursor: &mut Cursor<'_>,
    owners: &[String],
    byte: &mut u32,
    line: &mut u32,
) -> Result<Symbol, Broken> {
    let name = cursor.text()?.to_owned();
    let owner = owners.get(cursor.u32()? as usize).ok_or(Broken)?.clone();
    let (kind, visibility) = unpack(cursor.byte()?)?;
    let start = step(cursor, byte)?;
    let end = away(cursor, start)?;
    let first_line = step(cursor, line)?;
    let last_line = away(cursor, first_line)?;
    let signature_end = away(cursor, start)?;
    let doc = match cursor.byte()? {
        0 => None,
        1 => {
            let from = away(cursor, start)?;
            Some(from..away(cursor, from)?)
        }
        _ => return Err(Broken),
    };
    let span = Span { bytes: start..end, first_line, last_line };
    Ok(Symbol { name, owner, kind, visibility, span, signature_end, doc })
}

fn put_references(out: &mut Vec<u8>, references: &[Reference]) {
    let names = put_names(out, references.iter().map(|reference| reference.name.as_str()));
    put_number(out, references.len() as u64);
    let mut symbol = 0;
    for reference in references {
        put_signed(out, i64::from(place(reference.symbol)) - i64::from(symbol));
        symbol = place(reference.symbol);
        put_number(out, u64::from(names[reference.name.as_str()]));
        put_number(out, u64::from(reference.count));
    }
}

fn references(cursor: &mut Cursor<'_>) -> Result<Vec<Reference>, Broken> {
    let names = names(cursor)?;
    let count = cursor.count()?;
    let mut references = Vec::with_capacity(count.min(4096));
    let mut symbol = 0;
    for _ in 0..count {
        step(cursor, &mut symbol)?;
        let name = names.get(cursor.u32()? as usize).ok_or(Broken)?.clone();
        references.push(Reference { name, symbol: symbol.checked_sub(1), count: cursor.u32()? });
    }
    Ok(references)
}

/// The last number stands for none, so that a place fits the same four bytes.
fn place(symbol: Option<u32>) -> u32 {
    symbol.map_or(0, |symbol| symbol.saturating_add(1))
}

fn put_imports(out: &mut Vec<u8>, imports: &[Import]) {
    put_number(out, imports.len() as u64);
    let mut line = 0;
    for import in imports {
        put_text(out, &import.from);
        put_step(out, &mut line, import.line);
    }
}

fn imports(cursor: &mut Cursor<'_>) -> Result<Vec<Import>, Broken> {
    let count = cursor.count()?;
    let mut imports = Vec::with_capacity(count.min(1024));
    let mut line = 0;
    for _ in 0..count {
        let from = cursor.text()?.to_owned();
        imports.push(Import { from, line: step(cursor, &mut line)? });
    }
    Ok(imports)
}

/// Writes every name once, sorted, each as what it adds to the one before.
fn put_names<'a>(out: &mut Vec<u8>, names: impl Iterator<Item = &'a str>) -> FxHashMap<&'a str, u32> {
    let mut places: FxHashMap<&str, u32> = names.map(|name| (name, 0)).collect();
    let mut sorted: Vec<&str> = places.keys().copied().collect();
    sorted.sort_unstable();
    put_number(out, sorted.len() as u64);
    let mut before = "";
    for (place, name) in sorted.into_iter().enumerate() {
        let shared = shared(before, name);
        put_number(out, shared as u64);
        put_text(out, &name[shared..]);
        places.insert(name, place as u32);
        before = name;
    }
    places
}

fn names(cursor: &mut Cursor<'_>) -> Result<Vec<String>, Broken> {
    let count = cursor.count()?;
    let mut names: Vec<String> = Vec::with_capacity(count.min(1024));
    for _ in 0..count {
        let shared = cursor.number()?;
        let added = cursor.text()?;
        let before = names.last().map_or("", String::as_str);
        let start = usize::try_from(shared).ok().and_then(|shared| before.get(..shared)).ok_or(Broken)?;
        // What is written repeats at most a few bytes a name; what is made up must not grow by repeating.
        if start.len() > SHARED_LIMIT {
            return Err(Broken);
        }
        let mut name = String::with_capacity(start.len() + added.len());
        name.push_str(start);
        name.push_str(added);
        names.push(name);
    }
    Ok(names)
}

/// The most bytes that a name takes over from the one before: identifiers share less, and broken bytes cannot grow
/// without bound by it.
const SHARED_LIMIT: usize = 64;

/// How many bytes two names begin with alike, ending between characters of both.
fn shared(before: &str, name: &str) -> usize {
    let alike = before.bytes().zip(name.bytes()).take(SHARED_LIMIT).take_while(|(a, b)| a == b).count();
    (0..=alike).rev().find(|&at| name.is_char_boundary(at) && before.is_char_boundary(at)).unwrap_or(0)
}

fn put_step(out: &mut Vec<u8>, before: &mut u32, number: u32) {
    put_signed(out, i64::from(number) - i64::from(*before));
    *before = number;
}

fn step(cursor: &mut Cursor<'_>, before: &mut u32) -> Result<u32, Broken> {
    *before = away(cursor, *before)?;
    Ok(*before)
}

fn away(cursor: &mut Cursor<'_>, from: u32) -> Result<u32, Broken> {
    let number = i64::from(from).checked_add(cursor.signed()?).ok_or(Broken)?;
    u32::try_from(number).map_err(|_| Broken)
}

pub(super) fn pack(kind: Kind, visibility: Visibility) -> u8 {
    (kind as u8) << 2 | visibility as u8
}

pub(super) fn unpack(byte: u8) -> Result<(Kind, Visibility), Broken> {
    let visibility = match byte & 3 {
        0 => Visibility::Private,
        1 => Visibility::Restricted,
        2 => Visibility::Public,
        _ => return Err(Broken),
    };
    Ok((*Kind::ALL.get(usize::from(byte >> 2)).ok_or(Broken)?, visibility))
}

pub(super) fn method(byte: u8) -> Result<Method, Broken> {
    [Method::None, Method::Family, Method::Grammar].get(usize::from(byte)).copied().ok_or(Broken)
}

pub(super) fn partial(byte: u8) -> Result<Option<Partial>, Broken> {
    let all = [
        Partial::TooLarge,
        Partial::TooDeep,
        Partial::TooSlow,
        Partial::TooMany,
        Partial::Grammar,
        Partial::TooMuchMemory,
    ];
    match byte {
        0 => Ok(None),
        at => all.get(usize::from(at) - 1).copied().map(Some).ok_or(Broken),
    }
}
