//! How much of a page is said, and the most that fits into a number of tokens.

use ctxhost_sdk::protocol::tokens::{self, Weight};

use super::page;
use crate::select::pair::{Heading, Item, Kind, Page};

/// How much is said, from fullest to smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Everything.
    Full,
    /// Without symbols.
    NoSymbols,
    /// Of what has a path its path, its role and its number alone; of a hint for work all, since its path says nothing.
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

    /// The line of an item on this level; empty where it has none.
    fn line(self, heading: Heading, item: &Item) -> String {
        let said = match self {
            Self::Full => return page::line(item),
            Self::NoSymbols => Item { symbols: Vec::new(), ..item.clone() },
            Self::Names if item.path.is_empty() || heading == Heading::Workflows => {
                Item { symbols: Vec::new(), ..item.clone() }
            }
            Self::Names => {
                let Item { path, role, count, .. } = item;
                Item { path: path.clone(), role: *role, count: *count, ..Item::default() }
            }
            Self::Counts => Item::default(),
        };
        if said == Item::default() { String::new() } else { page::line(&said) }
    }
}

/// The text of a page on a level, without header and notes.
#[allow(dead_code, reason = "injection offers each level as a size")]
pub(crate) fn text(page: &Page, kind: Kind, level: Level) -> String {
    let page = page::as_written(page);
    Sheet::of(&page, kind).text(&[], level, level)
}

/// The fullest text within these tokens, and the level that all of it has at the least.
///
/// The first items of each part are said more fully as far as there is room. On the smallest level items are left out,
/// then parts, then all but the title, and where not even that fits, the text is empty.
pub(crate) fn fit(page: &Page, kind: Kind, budget: u64) -> (Level, String) {
    let page = page::as_written(page);
    let full = page::text(&page, kind);
    if tokens::estimate(&full) <= budget {
        return (Level::Full, full);
    }
    let sheet = Sheet::of(&page, kind);
    let more =
        Level::ALL.windows(2).find_map(|levels| Some((levels[1], sheet.most(levels[0], levels[1], budget)?)));
    more.unwrap_or_else(|| (Level::Counts, fewer_parts(&page, kind, budget)))
}

/// A page, with the places of its items in the order in which they gain: the first of each part, then the second.
struct Sheet<'a> {
    page: &'a Page,
    head: String,
    /// Places as item and part.
    order: Vec<(usize, usize)>,
}

impl<'a> Sheet<'a> {
    fn of(page: &'a Page, kind: Kind) -> Self {
        let mut order: Vec<(usize, usize)> = Vec::new();
        for (part, of) in page.parts.iter().enumerate() {
            order.extend((0..of.items.len()).map(|item| (item, part)));
        }
        order.sort_unstable();
        Self { page, head: page::head(page, kind), order }
    }

    /// The text in which the first items, as many as there is room for, have a fuller level than the others.
    fn most(&self, first: Level, others: Level, budget: u64) -> Option<String> {
        let parts = || self.page.parts.iter();
        let all_out = |items: usize, left_out: u32| {
            if others == Level::Counts { out(items, left_out) } else { left_out }
        };
        let frame = parts().map(|part| {
            let more = page::more(all_out(part.items.len(), part.left_out));
            Weight::of(&page::heading(part.heading)) + Weight::of(&more)
        });
        let mut weight = Weight::of(&self.head) + Weight::of(others.remark()) + frame.sum();
        let line = |level: Level, (item, part): (usize, usize)| {
            let part = &self.page.parts[part];
            Weight::of(&level.line(part.heading, &part.items[item]))
        };
        let rest: Vec<Weight> = self.order.iter().map(|place| line(others, *place)).collect();
        weight = weight + rest.iter().copied().sum();
        if weight.tokens() > budget {
            return None;
        }
        let gains = self.order.iter().zip(rest).map(|(place, lesser)| line(first, *place) - lesser);
        let fuller = gains.scan(weight, |weight, gain| {
            *weight = *weight + gain;
            Some(weight.tokens())
        });
        let number = fuller.take_while(|tokens| *tokens <= budget).count();
        Some(self.text(&self.order[..number], first, others))
    }

    fn text(&self, places: &[(usize, usize)], first: Level, others: Level) -> String {
        let mut levels: Vec<Vec<Level>> =
            self.page.parts.iter().map(|part| vec![others; part.items.len()]).collect();
        for (item, part) in places {
            levels[*part][*item] = first;
        }
        let mut text = self.head.clone();
        for (part, levels) in self.page.parts.iter().zip(&levels) {
            text += &page::heading(part.heading);
            part.items.iter().zip(levels).for_each(|(item, level)| text += &level.line(part.heading, item));
            let gone = levels.iter().filter(|level| **level == Level::Counts).count();
            text += &page::more(out(gone, part.left_out));
        }
        text + others.remark()
    }
}

fn out(gone: usize, left_out: u32) -> u32 {
    left_out.saturating_add(u32::try_from(gone).unwrap_or(u32::MAX))
}

/// The title with the numbers of as many of the first parts as there is room for; the title alone; nothing.
fn fewer_parts(page: &Page, kind: Kind, budget: u64) -> String {
    let title = page::head(&Page { title: page.title.clone(), ..Page::default() }, kind);
    let parts: Vec<String> = page
        .parts
        .iter()
        .map(|part| page::heading(part.heading) + &page::more(out(part.items.len(), part.left_out)))
        .collect();
    let remark = |left_out: usize| match left_out {
        0 => String::new(),
        1 => "… shortened: 1 part is left out\n".to_owned(),
        _ => format!("… shortened: {left_out} parts are left out\n"),
    };
    let texts = (0..=parts.len())
        .rev()
        .map(|number| title.clone() + &parts[..number].concat() + &remark(parts.len() - number));
    let fits = |text: &String| tokens::estimate(text) <= budget;
    texts.chain([title.clone()]).find(fits).unwrap_or_default()
}

#[cfg(test)]
mod tests;
