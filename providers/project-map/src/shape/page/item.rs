//! One line of a part: `` `path` (role, N files, #tag) - text - `Symbol` kind L12 ``, of which everything may be absent.

use crate::{
    select::{
        inventory::Named,
        pair::{Item, Role},
    },
    shape::{forbidden, plain},
};

/// Writes an item that [`as_written`] gave, as one line.
pub(super) fn write(item: &Item) -> String {
    let head = head(item);
    let symbols: Vec<String> = item.symbols.iter().map(symbol).collect();
    let symbols = symbols.join(", ");
    let pieces = [head.as_str(), &item.text, &symbols];
    let line = pieces.into_iter().filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" - ");
    // A text that would be read as a path or a role says by a dash of its own that it is none.
    if head.is_empty() && strict(&line).as_ref() != Some(item) {
        format!("- - {line}")
    } else {
        format!("- {line}")
    }
}

/// Reads what follows `- `; a line that is not as we write it is a text.
pub(super) fn read(line: &str) -> Item {
    strict(line).unwrap_or_else(|| Item { text: plain::line(line), ..Item::default() })
}

/// An item with nothing in it that cannot be written.
pub(super) fn as_written(item: &Item) -> Item {
    // Who may use it is not said: it would cost more than it tells.
    let symbol = |symbol: &Named| Named { kind: kind(&symbol.kind), public: true, ..symbol.clone() };
    Item {
        text: plain::line(&item.text),
        tags: item.tags.iter().map(|tag| plain::tag(tag)).filter(|tag| !tag.is_empty()).collect(),
        symbols: item.symbols.iter().filter(|symbol| !symbol.name.is_empty()).map(symbol).collect(),
        ..item.clone()
    }
}

/// An item without what no artifact may hold; `None` when its own name is that.
pub(super) fn allowed(mut item: Item) -> Option<Item> {
    let clean = |item: &Item| forbidden::found(&write(item)).is_none();
    if clean(&item) {
        return Some(item);
    }
    let free = |text: &str| forbidden::found(text).is_none();
    if !free(&item.path) {
        return None;
    }
    item.symbols.retain(|symbol| free(&symbol.name) && free(&self::symbol(symbol)));
    item.tags.retain(|tag| free(tag));
    if !clean(&item) {
        // No piece is one by itself, but they are together.
        item = Item { path: item.path, role: item.role, count: item.count, ..Item::default() };
    }
    (item != Item::default() && clean(&item)).then_some(item)
}

/// The words of a kind, such as `struct`, the frequent ones in short, without what would be read as the symbol's line.
fn kind(text: &str) -> String {
    let inside = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    let words = text.split(|c| !inside(c)).filter(|word| !word.is_empty());
    words.filter(|word| line_number(word).is_none()).map(short).collect::<Vec<_>>().join(" ")
}

/// There are thousands of symbols in the maps of a project, and every token of a map is paid for in every session.
fn short(word: &str) -> &str {
    match word {
        // What it belongs to is said by its name.
        "function" | "method" | "constructor" => "fn",
        "constant" => "const",
        "variable" => "var",
        "typeAlias" => "type",
        "module" => "mod",
        word => word,
    }
}

/// The line that a word such as `L12` is about.
fn line_number(word: &str) -> Option<u32> {
    word.strip_prefix('L')?.parse().ok()
}

fn head(item: &Item) -> String {
    let tags: Vec<String> = item.tags.iter().map(|tag| format!("#{tag}")).collect();
    let count = match item.count {
        0 => String::new(),
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    };
    let fields = [item.role.map_or("", Role::text), &count, &tags.join(" ")];
    let fields = fields.into_iter().filter(|field| !field.is_empty()).collect::<Vec<_>>().join(", ");
    let bare = item.path.is_empty() && item.role.is_none() && item.count == 0;
    match (item.path.is_empty(), fields.is_empty()) {
        (true, _) if bare => fields,
        (true, _) => format!("({fields})"),
        (false, true) => plain::span(&item.path),
        (false, false) => format!("{} ({fields})", plain::span(&item.path)),
    }
}

fn symbol(symbol: &Named) -> String {
    let mut text = plain::span(&symbol.name);
    let line = if symbol.line > 0 { format!("L{}", symbol.line) } else { String::new() };
    for word in [symbol.kind.as_str(), &line].into_iter().filter(|word| !word.is_empty()) {
        text.push(' ');
        text += word;
    }
    text
}

/// The item of a line that is as we write it.
fn strict(line: &str) -> Option<Item> {
    let mut item = Item::default();
    let rest = strict_head(line, &mut item)?;
    let tail = if rest.len() == line.len() {
        line.strip_prefix("- ").unwrap_or(line)
    } else if rest.is_empty() {
        rest
    } else {
        rest.strip_prefix(" - ")?
    };
    let (text, symbols) = tail.split_at(tail.find('`').unwrap_or(tail.len()));
    let text = if text.is_empty() || symbols.is_empty() { text } else { text.strip_suffix(" - ")? };
    item.text = text.to_owned();
    item.symbols = strict_symbols(symbols)?;
    (as_written(&item) == item).then_some(item)
}

/// Takes path, role, number and tags; gives what follows.
fn strict_head<'a>(line: &'a str, item: &mut Item) -> Option<&'a str> {
    let mut rest = line;
    if let Some(after) = line.strip_prefix('`') {
        let (path, after) = after.split_once('`').filter(|(path, _)| !path.is_empty())?;
        item.path = plain::decoded(path);
        rest = after;
        let Some(fields) = rest.strip_prefix(" (") else { return Some(rest) };
        let (fields, after) = fields.split_once(')')?;
        return strict_fields(fields, item).then_some(after);
    }
    if let Some((fields, after)) = line.strip_prefix('(').and_then(|fields| fields.split_once(')')) {
        let mut with = Item::default();
        if strict_fields(fields, &mut with) && (after.is_empty() || after.starts_with(" - ")) {
            *item = with;
            rest = after;
        }
    } else if line.starts_with('#') {
        let end = line.find(" - ").unwrap_or(line.len());
        if let Some(tags) = strict_tags(&line[..end]) {
            item.tags = tags;
            rest = &line[end..];
        }
    }
    Some(rest)
}

fn strict_fields(fields: &str, item: &mut Item) -> bool {
    let mut before = 0;
    for field in fields.split(", ") {
        let count = field.strip_suffix(" files").or_else(|| field.strip_suffix(" file"));
        let place = if let Some(role) = Role::ALL.into_iter().find(|role| role.text() == field) {
            item.role = Some(role);
            1
        } else if let Some(count) = count.and_then(|count| count.parse().ok()) {
            item.count = count;
            2
        } else if let Some(tags) = strict_tags(field) {
            item.tags = tags;
            3
        } else {
            return false;
        };
        // Each once and in order: what is not as we write it is not ours.
        if place <= before {
            return false;
        }
        before = place;
    }
    true
}

fn strict_tags(text: &str) -> Option<Vec<String>> {
    let tags = text
        .split(' ')
        .map(|tag| tag.strip_prefix('#').filter(|tag| plain::tag(tag) == **tag && !tag.is_empty()));
    tags.map(|tag| tag.map(str::to_owned)).collect()
}

fn strict_symbols(text: &str) -> Option<Vec<Named>> {
    let mut symbols = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('`')?.split_once('`').filter(|(name, _)| !name.is_empty())?;
        let end = after.find(", `").unwrap_or(after.len());
        symbols.push(strict_symbol(name, &after[..end])?);
        rest = after[end..].strip_prefix(", ").unwrap_or_default();
    }
    Some(symbols)
}

fn strict_symbol(name: &str, words: &str) -> Option<Named> {
    let mut words: Vec<&str> = match words.strip_prefix(' ') {
        Some(words) => words.split(' ').collect(),
        None if words.is_empty() => Vec::new(),
        None => return None,
    };
    let line = words.last().and_then(|word| line_number(word));
    if line.is_some() {
        words.pop();
    }
    Some(Named { name: plain::decoded(name), kind: words.join(" "), public: true, line: line.unwrap_or(0) })
}
