//! An artifact's text: headings with one-line items, written and read.
//!
//! ```text
//! # Index: src/net
//! Talks to the network.
//!
//! ## Routes
//! - `src/net/tls/` (12 files, #tls) - Certificates. - `Store` struct L12, `load` fn L40
//! … and 3 more
//! ```

mod item;

use super::plain;
use crate::select::pair::{Heading, Item, Kind, Page, Part};

/// Writes a page; [`parse`] gives back what [`as_written`] does.
#[cfg(test)]
pub(crate) fn write(page: &Page, kind: Kind) -> String {
    text(&as_written(page), kind)
}

/// The text of a page that [`as_written`] gave.
pub(super) fn text(page: &Page, kind: Kind) -> String {
    let mut text = head(page, kind);
    for part in &page.parts {
        text += &heading(part.heading);
        for item in &part.items {
            text += &line(item);
        }
        text += &more(part.left_out);
    }
    text
}

/// The first lines: title and purpose.
pub(super) fn head(page: &Page, kind: Kind) -> String {
    let mut text = format!("# {} {}", label(kind), page.title).trim_end().to_owned();
    text.push('\n');
    if !page.purpose.is_empty() {
        text += &page.purpose;
        text.push('\n');
    }
    text
}

/// The lines that a part begins with.
pub(super) fn heading(heading: Heading) -> String {
    format!("\n## {}\n", heading.text())
}

/// The line of an item.
pub(super) fn line(item: &Item) -> String {
    item::write(item) + "\n"
}

/// The line that says how many items more there are; empty when there are none.
pub(super) fn more(left_out: u32) -> String {
    if left_out > 0 { format!("… and {left_out} more\n") } else { String::new() }
}

/// Reads a page from any text, and leaves out what is none of it.
pub(crate) fn parse(text: &str, kind: Kind) -> Page {
    let mut page = Page::default();
    let mut lines = text.lines().map(|line| line.trim_end_matches('\r')).peekable();
    let named = |line: &str| {
        line.strip_prefix("# ")
            .map(|title| title.strip_prefix(label(kind)).unwrap_or(title).trim().to_owned())
    };
    if let Some(title) = lines.peek().and_then(|line| named(line)) {
        page.title = title;
        lines.next();
        page.purpose = plain::sentence(lines.next_if(|line| !line.starts_with("## ")).unwrap_or_default());
    }
    // What stands below a heading that is none of ours belongs to nothing.
    let mut known = false;
    for line in lines {
        if let Some(heading) = line.strip_prefix("## ") {
            let heading = Heading::ALL.into_iter().find(|known| known.text() == heading.trim_end());
            known = heading.is_some();
            page.parts.extend(heading.map(|heading| Part { heading, ..Part::default() }));
        } else if let Some(part) = page.parts.last_mut().filter(|_| known) {
            add(part, line);
        }
    }
    as_written(&page)
}

fn add(part: &mut Part, line: &str) {
    if let Some(item) = line.strip_prefix("- ") {
        part.items.push(item::read(item));
    } else if let Some(more) = line.strip_prefix("… and ").and_then(|line| line.strip_suffix(" more")) {
        part.left_out = part.left_out.saturating_add(more.parse().unwrap_or(0));
    }
}

/// A page with nothing in it that cannot be written: all texts one line, nothing empty.
pub(crate) fn as_written(page: &Page) -> Page {
    let part = |part: &Part| {
        let said: Vec<Item> =
            part.items.iter().map(item::as_written).filter(|item| *item != Item::default()).collect();
        let all = said.len();
        let items: Vec<Item> = said.into_iter().filter_map(item::allowed).collect();
        // What may not be named is counted.
        let left_out = part.left_out.saturating_add((all - items.len()) as u32);
        Part { items, left_out, ..part.clone() }
    };
    Page {
        title: plain::line(&page.title),
        purpose: plain::sentence(&page.purpose),
        parts: page
            .parts
            .iter()
            .map(part)
            .filter(|part| !part.items.is_empty() || part.left_out > 0)
            .collect(),
    }
}

fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Index => "Index:",
        Kind::Map => "Map:",
    }
}

#[cfg(test)]
pub(super) mod tests;
