//! A JSON file of somebody else's, edited as text: what is not ours keeps its bytes.
//!
//! Nothing is ever printed anew. An entry goes in behind the last one of its list or object, in the indentation that is
//! there, and comes out again with exactly what went in with it. So taking out what was put in gives back the text, with
//! one exception: a list or object without any entry may have looked like `{}` or `{ }`, and does not say so any more.

use std::ops::Range;

use jsonc_parser::{
    ast::{self, Value},
    common::Ranged as _,
};

use super::{
    json::{Json, parse, quoted},
    text::{begins_line, indent_at, newline, replace},
};

/// A way to a list or an object: the names of members, from the root on.
pub(crate) type Way<'a> = &'a [&'a str];

/// What is put behind the last entry of a list or an object.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'a> {
    /// An element of a list.
    Element(&'a Json),
    /// A member of an object.
    Member(&'a str, &'a Json),
}

/// A list or an object, and one entry of it.
#[derive(Debug)]
pub(crate) struct Level {
    /// The names that lead to it.
    pub(crate) way: Vec<String>,
    span: Range<usize>,
    entries: Vec<Range<usize>>,
    index: usize,
}

impl Level {
    /// An element of a list.
    pub(crate) fn element(way: &[&str], list: &ast::Array<'_>, index: usize) -> Self {
        let entries = list.elements.iter().map(|element| element.start()..element.end()).collect();
        let way = way.iter().map(|name| (*name).to_owned()).collect();
        Self { way, span: list.start()..list.end(), entries, index }
    }

    /// A member of an object.
    pub(crate) fn member(way: &[&str], object: &ast::Object<'_>, index: usize) -> Self {
        let entries = object.properties.iter().map(|member| member.start()..member.end()).collect();
        let way = way.iter().map(|name| (*name).to_owned()).collect();
        Self { way, span: object.start()..object.end(), entries, index }
    }
}

/// Where the last member of this name is in an object: the one that readers of JSON go by.
pub(crate) fn position(object: &ast::Object<'_>, name: &str) -> Option<usize> {
    object.properties.iter().rposition(|member| member.name.as_str() == name)
}

/// What a way leads to.
pub(crate) fn at<'v, 'a>(root: &'v Value<'a>, way: Way<'_>) -> Option<&'v Value<'a>> {
    way.iter().try_fold(root, |value, name| {
        let object = value.as_object()?;
        Some(&object.properties[position(object, name)?].value)
    })
}

/// Puts an entry behind the last one of what `way` leads to; what is missing on the way is made.
///
/// # Errors
/// The text is not JSON, or something else stands in the way.
pub(crate) fn put(text: &str, way: Way<'_>, entry: Entry<'_>) -> Result<String, String> {
    let Some(root) = parse(text)? else {
        let entry = nested(way, entry);
        let newline = newline(text);
        let object = Json::Object(vec![entry]).on_lines("", "  ", newline);
        let before = if text.trim().is_empty() { "" } else { text };
        let gap = if before.is_empty() || before.ends_with('\n') { "" } else { newline };
        return Ok(format!("{before}{gap}{object}{newline}"));
    };
    let depth = (0..=way.len()).rev().find(|depth| at(&root, &way[..*depth]).is_some()).unwrap_or_default();
    let container = at(&root, &way[..depth]).unwrap_or(&root);
    let (span, entries) = match (container, entry) {
        (Value::Object(object), _) if depth < way.len() || matches!(entry, Entry::Member(..)) => {
            (object.range, object.properties.iter().map(|member| member.start()..member.end()).collect())
        }
        (Value::Array(list), Entry::Element(_)) if depth == way.len() => {
            (list.range, list.elements.iter().map(|element| element.start()..element.end()).collect())
        }
        _ => return Err(in_the_way(&way[..depth], depth < way.len() || matches!(entry, Entry::Member(..)))),
    };
    let made = (depth < way.len()).then(|| nested(&way[depth..], entry));
    let entry = match &made {
        Some((name, value)) => Entry::Member(name, value),
        None => entry,
    };
    Ok(insert(text, span.start..span.end, entries, entry, &unit(text, &root)))
}

/// An entry with what it lies in.
fn nested(way: Way<'_>, entry: Entry<'_>) -> (String, Json) {
    let (last, outer) = match (entry, way.split_last()) {
        (Entry::Member(name, value), _) => ((name.to_owned(), value.clone()), way),
        (Entry::Element(value), Some((name, outer))) => {
            (((*name).to_owned(), Json::List(vec![value.clone()])), outer)
        }
        // An element without a way has no list; no caller has one.
        (Entry::Element(value), None) => (("hooks".to_owned(), value.clone()), way),
    };
    outer.iter().rev().fold(last, |inner, name| ((*name).to_owned(), Json::Object(vec![inner])))
}

fn in_the_way(way: Way<'_>, object: bool) -> String {
    let place = if way.is_empty() { "the whole document".to_owned() } else { format!("/{}", way.join("/")) };
    format!("{place} is not {}", if object { "an object" } else { "a list" })
}

/// The indentation that one level costs in this document.
fn unit(text: &str, root: &Value<'_>) -> String {
    let first = root.as_object().and_then(|object| object.properties.first());
    let own = first.filter(|member| begins_line(text, member.start()));
    let indent = own.map(|member| indent_at(text, member.start())).unwrap_or_default();
    let unit = indent.strip_prefix(indent_at(text, root.start())).unwrap_or(indent);
    if unit.is_empty() { "  ".to_owned() } else { unit.to_owned() }
}

fn written(entry: Entry<'_>, indent: Option<(&str, &str, &str)>) -> String {
    let print = |value: &Json| match indent {
        Some((indent, unit, newline)) => value.on_lines(indent, unit, newline),
        None => value.on_one_line(),
    };
    match entry {
        Entry::Element(value) => print(value),
        Entry::Member(name, value) => format!("{}: {}", quoted(name), print(value)),
    }
}

fn insert(
    text: &str,
    span: Range<usize>,
    entries: Vec<Range<usize>>,
    entry: Entry<'_>,
    unit: &str,
) -> String {
    let newline = newline(text);
    let base = indent_at(text, span.start);
    let Some(last) = entries.last() else {
        let inner = span.start + 1..span.end - 1;
        let indent = format!("{base}{unit}");
        let item = written(entry, Some((&indent, unit, newline)));
        // Comments stay; the blanks behind them have nothing to say.
        let behind = inner.start + text[inner.clone()].trim_end().len();
        return replace(text, behind..inner.end, &format!("{newline}{indent}{item}{newline}{base}"));
    };
    let comma = comma_after(text, last.end);
    let after = comma.map_or(last.end, |comma| comma + 1);
    let own_line = begins_line(text, last.start) && text[..last.start].contains('\n');
    let (place, item) = if own_line {
        let indent = indent_at(text, last.start);
        let item = written(entry, Some((indent, unit, newline)));
        (after_comments_of_line(text, after), format!("{newline}{indent}{item}"))
    } else {
        (after, format!(" {}", written(entry, None)))
    };
    let item = if comma.is_some() { format!("{item},") } else { item };
    let text = replace(text, place..place, &item);
    if comma.is_some() { text } else { replace(&text, last.end..last.end, ",") }
}

/// Takes an entry out, and what it lies in where that holds nothing else and `keep` does not want it.
pub(crate) fn take(text: &str, levels: &[Level], keep: &dyn Fn(&[String]) -> bool) -> String {
    let mut levels = levels;
    while let [outer @ .., level] = levels {
        if level.entries.len() == 1 && !outer.is_empty() && !keep(&level.way) {
            levels = outer;
        } else {
            return cut(text, level);
        }
    }
    text.to_owned()
}

fn cut(text: &str, level: &Level) -> String {
    let entry = &level.entries[level.index];
    let before = level.index.checked_sub(1).map(|index| level.entries[index].end);
    let from = end_of_trivia_before(text, before.unwrap_or(level.span.start + 1), entry.start);
    let comma = comma_after(text, entry.end);
    let to = comma.map_or(entry.end, |comma| comma + 1);
    let text_after = replace(text, from..to, "");
    match before {
        // Nothing follows that the comma before it would part from anything.
        Some(before) if comma.is_none() => match comma_after(&text_after, before) {
            Some(comma) => replace(&text_after, comma..comma + 1, ""),
            None => text_after,
        },
        None if level.entries.len() == 1 => {
            let inner = level.span.start + 1..level.span.end - 1 - (to - from);
            if text_after[inner.clone()].trim().is_empty() {
                replace(&text_after, inner, "")
            } else {
                text_after
            }
        }
        _ => text_after,
    }
}

/// Puts another value where one stands.
pub(crate) fn exchange(text: &str, root: &Value<'_>, old: &Value<'_>, new: &Json) -> String {
    let many = text[old.start()..old.end()].contains('\n');
    let new = if many {
        new.on_lines(indent_at(text, old.start()), &unit(text, root), newline(text))
    } else {
        new.on_one_line()
    };
    replace(text, old.start()..old.end(), &new)
}

/// Where blanks and comments that begin at `at` end.
fn trivia_end(text: &str, mut at: usize) -> usize {
    loop {
        at = text.len() - text[at..].trim_start().len();
        match comment_end(text, at) {
            Some(end) => at = end,
            None => return at,
        }
    }
}

/// Where the comment that begins at `at` ends; the line end is not part of it.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with("//") {
        let line = rest.split('\n').next().unwrap_or_default();
        return Some(at + line.strip_suffix('\r').unwrap_or(line).len());
    }
    rest.starts_with("/*").then(|| at + rest[2..].find("*/").map_or(rest.len(), |end| end + 4))
}

/// The comma that follows an entry.
fn comma_after(text: &str, at: usize) -> Option<usize> {
    let at = trivia_end(text, at);
    text[at..].starts_with(',').then_some(at)
}

/// Behind the comments that stand on the same line: they belong to what is before them.
fn after_comments_of_line(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let blanks = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        match comment_end(text, end + blanks) {
            Some(comment) if !text[end..comment].contains('\n') => end = comment,
            _ => return end,
        }
    }
}

/// The end of the last comma or comment between two entries.
fn end_of_trivia_before(text: &str, from: usize, entry: usize) -> usize {
    let mut end = from;
    let mut at = from;
    while at < entry {
        at = text.len() - text[at..].trim_start().len();
        if at >= entry {
            break;
        }
        at = comment_end(text, at).unwrap_or(at + 1);
        end = at;
    }
    end
}
