//! The lines of a page that a query is about.

use ctxhost_sdk::protocol::tokens;

use super::{Ask, shown_dir};
use crate::{
    select::pair::{Heading, Item, Kind, Page, Part},
    shape::{artifact, level, plain},
};

/// So many lines of one part are shown, and so many definitions in each.
const LINES: usize = 5;
const SYMBOLS: usize = 2;
/// So many lines that people noted.
const NOTES: usize = 2;

/// A line that the query is much less about than about another is left out.
const RELEVANT: f64 = 0.4;

/// The excerpt of a pair's page within some tokens, and the headings in it; empty when nothing fits.
pub(super) fn of(ask: &Ask<'_>, pair: usize, kind: Kind, room: u64) -> (String, Vec<Heading>) {
    let of = &ask.pairs[pair];
    let whole = artifact::page(of, kind);
    let mut page = Page { title: String::new(), purpose: whole.purpose.clone(), parts: parts(ask, whole) };
    let dir = plain::span(shown_dir(&of.dir));
    let path = (ask.path)(&of.dir, kind);
    // A path that leads nowhere would only be tried.
    let heading = if kind == Kind::Index && (ask.is_there)(&path) {
        format!("### {dir}: {}\n", plain::span(&path))
    } else {
        format!("### {dir}\n")
    };
    if kind == Kind::Map {
        // Its index has said it.
        page.purpose.clear();
        if page.parts.is_empty() {
            return Default::default();
        }
    }
    let noted = if kind == Kind::Index { noted(ask, pair) } else { String::new() };
    let spent = tokens::estimate(&heading) + tokens::estimate(&noted);
    // Headings get deeper, which takes a little more.
    let body = level::fit(&page, kind, room.saturating_sub(spent + page.parts.len() as u64)).1;
    let body: String = body.lines().skip(1).filter(|line| !line.is_empty()).map(deeper).collect();
    let piece = heading + &body + &noted;
    if tokens::estimate(&piece) > room || (body.is_empty() && kind == Kind::Map) {
        return Default::default();
    }
    let shown = |heading: &Heading| piece.contains(&format!("\n#### {}\n", heading.text()));
    let headings = page.parts.iter().map(|part| part.heading).filter(shown).collect();
    (piece, headings)
}

/// The lines that people noted and that the query is about.
fn noted(ask: &Ask<'_>, pair: usize) -> String {
    let lines = ask.noted.iter().filter(|(at, _)| *at == pair).flat_map(|(_, lines)| lines);
    let about =
        |line: &&String| ask.found.lens.weight(&Item { text: (*line).clone(), ..Item::default() }) > 0.0;
    lines.filter(about).take(NOTES).map(|line| format!("- note: {line}\n")).collect()
}

fn deeper(line: &str) -> String {
    let deeper = if line.starts_with("## ") { "##" } else { "" };
    format!("{deeper}{line}\n")
}

/// The parts with lines that the query is about, and about what is there; files that are listed below are not repeated.
fn parts(ask: &Ask<'_>, page: &Page) -> Vec<Part> {
    // A pattern stands for several files and is no path.
    let is_there = |item: &Item| {
        item.path.is_empty() || item.path.contains(['*', '?', '{', '…']) || (ask.is_there)(&item.path)
    };
    let listed = |item: &Item| ask.found.files.iter().take(super::FILES).any(|file| file.path == item.path);
    let weight = |item: &Item| if listed(item) { 0.0 } else { ask.found.lens.weight(item) };
    let best = page.parts.iter().flat_map(|part| &part.items).map(weight).fold(0.0, f64::max);
    let part = |part: &Part| {
        let items: Vec<&Item> = part
            .items
            .iter()
            .filter(|item| {
                let weight = weight(item);
                weight > 0.0 && weight >= best * RELEVANT && is_there(item)
            })
            .take(LINES)
            .collect();
        let items: Vec<Item> = items.into_iter().map(shortened).collect();
        Part { heading: part.heading, items, left_out: 0 }
    };
    let mut parts: Vec<Part> = page.parts.iter().map(part).filter(|part| !part.items.is_empty()).collect();
    if let Some(tags) = page.parts.iter().find(|part| part.heading == Heading::Tags) {
        // Few words that say much, whether or not they match.
        parts.retain(|part| part.heading != Heading::Tags);
        parts.insert(0, tags.clone());
    }
    parts
}

fn shortened(item: &Item) -> Item {
    let symbols = item.symbols.iter().take(SYMBOLS).cloned().collect();
    Item { symbols, ..item.clone() }
}
