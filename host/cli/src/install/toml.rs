//! The table `[mcp_servers.ctxhost]` in a TOML file of somebody else's, edited as text.

use std::ops::Range;

use toml_edit::{Document, Item, Table};

use super::text::{newline, replace};

const SERVERS: &str = "mcp_servers";
const NAME: &str = super::entries::NAME;

/// What the table holds, in order: a name, and its value as it is written.
pub(crate) type Lines = [(&'static str, String)];

/// The text with the table in it: at its end, or brought up to date where it stands.
///
/// # Errors
/// The text is not TOML, or the table is written in another form.
pub(crate) fn put_into(text: &str, lines: &Lines) -> Result<String, String> {
    let document = parse(text)?;
    let edited = match ours(&document)? {
        None => append(text, lines),
        Some(table) => update(text, table, lines)?,
    };
    parse(&edited).map_err(|error| format!("our table does not fit into it: {error}"))?;
    Ok(edited)
}

/// The text without the table.
///
/// # Errors
/// As [`put_into`].
pub(crate) fn take_from(text: &str) -> Result<String, String> {
    let document = parse(text)?;
    let Some(table) = ours(&document)? else { return Ok(text.to_owned()) };
    let mut blocks = blocks(text, table);
    blocks.sort_by_key(|block| std::cmp::Reverse(block.start));
    let mut left = text.to_owned();
    for block in blocks {
        left = without(&left, block);
    }
    parse(&left).map_err(|error| format!("our table cannot be taken out of it: {error}"))?;
    Ok(left)
}

/// The words that start the server, where the table stands.
///
/// # Errors
/// As [`put_into`].
pub(crate) fn command(text: &str) -> Result<Option<Vec<String>>, String> {
    let document = parse(text)?;
    let Some(table) = ours(&document)? else { return Ok(None) };
    let args = table.get("args").and_then(Item::as_array);
    let words = table.get("command").and_then(Item::as_str).map(str::to_owned).into_iter();
    let args = args.into_iter().flatten().filter_map(|arg| arg.as_str().map(str::to_owned));
    Ok(Some(words.chain(args).collect()))
}

/// A list of texts in the table.
pub(crate) fn list(text: &str, name: &str) -> Option<Vec<String>> {
    let document = parse(text).ok()?;
    let list = ours(&document).ok()??.get(name)?.as_array()?;
    Some(list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
}

/// Whether the table has a member of this name, of whatever kind.
pub(crate) fn has(text: &str, name: &str) -> bool {
    parse(text).is_ok_and(|document| {
        ours(&document).is_ok_and(|table| table.is_some_and(|table| table.contains_key(name)))
    })
}

/// Parses a document, with its places.
///
/// # Errors
/// It is not TOML.
pub(crate) fn parse(text: &str) -> Result<Document<&str>, String> {
    // Its own message has a picture of the place over several lines.
    Document::parse(text).map_err(|error| error.message().trim().replace('\n', ", "))
}

fn ours<'d>(document: &'d Document<&str>) -> Result<Option<&'d Table>, String> {
    let Some(item) = document.get(SERVERS) else { return Ok(None) };
    let Some(servers) = item.as_table_like() else {
        return Err(format!("{SERVERS} is not a table"));
    };
    match servers.get(NAME) {
        None if item.is_inline_table() => {
            Err(format!("{SERVERS} stands in braces, where no table can be added; write [{SERVERS}.<name>]"))
        }
        None => Ok(None),
        Some(Item::Table(table)) if table.span().is_some() && !table.is_dotted() => Ok(Some(table)),
        Some(_) => {
            Err(format!("{SERVERS}.{NAME} is written in another form; take it out, and install again"))
        }
    }
}

fn block(lines: &Lines, newline: &str) -> String {
    let lines: Vec<String> = lines.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("[{SERVERS}.{NAME}]{newline}{}", lines.join(newline))
}

/// A file without a line end at its end gets none, so that taking the table out finds what was there.
fn append(text: &str, lines: &Lines) -> String {
    let newline = newline(text);
    let block = block(lines, newline);
    match text {
        "" => format!("{block}{newline}"),
        _ if text.ends_with('\n') => format!("{text}{newline}{block}{newline}"),
        _ => format!("{text}{newline}{newline}{block}"),
    }
}

fn update(text: &str, table: &Table, lines: &Lines) -> Result<String, String> {
    let newline = newline(text);
    let end = end_of_keys(text, table);
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (name, value) in lines {
        let Some(there) = table.get(name) else {
            edits.push((end..end, format!("{newline}{name} = {value}")));
            continue;
        };
        let tuned = *name == "tool_timeout_sec";
        let wanted: toml_edit::Value = value.parse().map_err(|error| format!("{name}: {error}"))?;
        let same = there.as_value().is_some_and(|there| same(there, &wanted));
        if let Some(span) = there.span().filter(|_| !same && !tuned) {
            edits.push((span, value.clone()));
        }
    }
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    Ok(edits.into_iter().fold(text.to_owned(), |text, (span, value)| replace(&text, span, &value)))
}

/// Whether both are the same text, or lists of the same texts, however they are written.
fn same(one: &toml_edit::Value, other: &toml_edit::Value) -> bool {
    match (one.as_array(), other.as_array()) {
        (Some(one), Some(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (None, None) => one.as_str().is_some() && one.as_str() == other.as_str(),
        _ => false,
    }
}

/// The parts of the text that the table and the tables below it fill, each from its head to the end of its last value.
fn blocks(text: &str, table: &Table) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut tables = vec![table];
    while let Some(table) = tables.pop() {
        if let Some(head) = table.span().filter(|_| !table.is_dotted() && !table.is_implicit()) {
            blocks.push(head.start..end_of_keys(text, table));
        }
        for (_, item) in table {
            match item {
                Item::Table(table) => tables.push(table),
                Item::ArrayOfTables(list) => tables.extend(list.iter()),
                _ => {}
            }
        }
    }
    blocks
}

/// The end of the line of a table's last value, without its line end.
fn end_of_keys(text: &str, table: &Table) -> usize {
    fn last(table: &Table) -> usize {
        let ends = table.iter().map(|(_, item)| match item {
            Item::Table(inner) if inner.is_dotted() => last(inner),
            Item::Value(value) => value.span().map_or(0, |span| span.end).max(last_inline(value)),
            _ => 0,
        });
        ends.max().unwrap_or_default()
    }
    fn last_inline(value: &toml_edit::Value) -> usize {
        let table = value.as_inline_table().filter(|table| table.is_dotted());
        let ends = table.into_iter().flat_map(|table| {
            table.iter().map(|(_, value)| value.span().map_or(0, |span| span.end).max(last_inline(value)))
        });
        ends.max().unwrap_or_default()
    }
    let head = table.span().map_or(0, |span| span.end);
    let end = head.max(last(table));
    let line = text[end..].split('\n').next().unwrap_or_default();
    end + line.strip_suffix('\r').unwrap_or(line).len()
}

/// The text without a block, its line end, and the blank line that came with it.
fn without(text: &str, block: Range<usize>) -> String {
    let line_end =
        |text: &str| ["\r\n", "\n"].into_iter().find(|end| text.ends_with(end)).map_or(0, str::len);
    let (mut start, mut end) = (block.start, block.end);
    let after = &text[end..];
    let own = if after.starts_with("\r\n") { 2 } else { usize::from(after.starts_with('\n')) };
    end += own;
    start -= text[..start].len() - text[..start].trim_end_matches([' ', '\t']).len();
    // The blank line before it; and the line end before that one, where the table has none at its own end.
    for _ in 0..if own == 0 { 2 } else { 1 } {
        let before = &text[..start];
        let length = line_end(before);
        let blank = own == 0 || line_end(&before[..before.len() - length]) > 0;
        if length > 0 && blank {
            start -= length;
        }
    }
    replace(text, start..end, "")
}
