//! How much of a page is said, and the most that fits into a number of tokens.

use ctxhost_sdk::protocol::tokens;

use super::page;
use crate::select::pair::{Item, Kind, Page, Part};

/// How much is said, from fullest to smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Everything.
    Full,
    /// Without symbols.
    NoSymbols,
    /// Of what has a path its path, its role and its number alone.
    Names,
    /// Of each part how many items it has.
    Counts,
}

impl Level {
    pub(crate) const ALL: [Self; 4] = [Self::Full, Self::NoSymbols, Self::Names, Self::Counts];

    /// What a text of this level does not say, as its last line; a text that says all has none.
    fn remark(self) -> &'static str {
        match self {
            Self::Full => "",
            Self::NoSymbols => "… shortened: more symbols are left out\n",
            Self::Names | Self::Counts => "… shortened: more purposes, tags and symbols are left out\n",
        }
    }
}

/// The text of a page on a level, without header and notes.
pub(crate) fn text(page: &Page, kind: Kind, level: Level) -> String {
    leveled(page, kind, level, level, 0)
}

/// The fullest text within these tokens, and the level that all of it has at the least.
///
/// The first items of each part are said more fully as far as there is room. On the smallest level items are left out,
/// then parts, then all but the title, and where not even that fits, the text is empty.
pub(crate) fn fit(page: &Page, kind: Kind, budget: u64) -> (Level, String) {
    let fits = |text: &String| tokens::estimate(text) <= budget;
    let full = text(page, kind, Level::Full);
    if fits(&full) {
        return (Level::Full, full);
    }
    let items = page.parts.iter().map(|part| part.items.len()).sum();
    for levels in Level::ALL.windows(2) {
        let make = |first| leveled(page, kind, levels[0], levels[1], first);
        if let Some(text) = most(items, &make, &fits) {
            return (levels[1], text);
        }
    }
    let make = |parts| fewer_parts(page, kind, parts);
    let title = || make(0).split_inclusive('\n').next().map(str::to_owned).filter(fits);
    (Level::Counts, most(page.parts.len(), &make, &fits).or_else(title).unwrap_or_default())
}

/// The text with the most of `0..=all` that fits, as far as more is never shorter.
fn most(all: usize, make: &dyn Fn(usize) -> String, fits: &dyn Fn(&String) -> bool) -> Option<String> {
    let mut best = Some(make(0)).filter(fits)?;
    let (mut low, mut high) = (0, all);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        let text = make(middle);
        if fits(&text) {
            best = text;
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(best)
}

/// The text whose first items, in the order of their place in their part, have one level and the others another.
fn leveled(page: &Page, kind: Kind, first: Level, others: Level, number: usize) -> String {
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (part, of) in page.parts.iter().enumerate() {
        places.extend((0..of.items.len()).map(|item| (item, part)));
    }
    places.sort_unstable();
    let mut levels: Vec<Vec<Level>> = page.parts.iter().map(|part| vec![others; part.items.len()]).collect();
    for (item, part) in places.into_iter().take(number) {
        levels[part][item] = first;
    }
    let parts = page.parts.iter().zip(&levels).map(|(part, levels)| leveled_part(part, levels));
    let page = Page { parts: parts.collect(), ..page.clone() };
    page::write(&page, kind) + others.remark()
}

fn leveled_part(part: &Part, levels: &[Level]) -> Part {
    let items: Vec<Item> =
        part.items.iter().zip(levels).filter_map(|(item, level)| leveled_item(item, *level)).collect();
    let gone = part.items.len() - items.len();
    let left_out = part.left_out.saturating_add(u32::try_from(gone).unwrap_or(u32::MAX));
    Part { heading: part.heading, items, left_out }
}

fn leveled_item(item: &Item, level: Level) -> Option<Item> {
    let without_symbols = || Item { symbols: Vec::new(), ..item.clone() };
    match level {
        Level::Full => Some(item.clone()),
        Level::NoSymbols => Some(without_symbols()),
        Level::Names if item.path.is_empty() => Some(without_symbols()),
        Level::Names => {
            Some(Item { path: item.path.clone(), role: item.role, count: item.count, ..Item::default() })
        }
        Level::Counts => None,
    }
}

/// The title with the numbers of the first parts alone.
fn fewer_parts(page: &Page, kind: Kind, number: usize) -> String {
    let parts =
        page.parts.iter().take(number).map(|part| leveled_part(part, &vec![Level::Counts; part.items.len()]));
    let fewer = Page { title: page.title.clone(), purpose: String::new(), parts: parts.collect() };
    let left_out = page.parts.len().saturating_sub(number);
    let remark = match left_out {
        0 => String::new(),
        1 => "… shortened: 1 part is left out\n".to_owned(),
        _ => format!("… shortened: {left_out} parts are left out\n"),
    };
    page::write(&fewer, kind) + &remark
}

#[cfg(test)]
mod tests;
