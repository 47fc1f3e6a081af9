//! Artifacts as sections, in sizes that fit.

use ctxhost_sdk::{
    prelude::*,
    protocol::{project_map as spec, tokens},
};

use super::{
    block::Block,
    hint::{HINT, QUOTE},
    level::Level,
};
use crate::select::{expand, pair::Kind};

/// A key may have 200 characters; so much of a directory that is longer is kept, with its hash behind it.
const LONGEST_DIR: usize = 160;

/// How small the smaller sizes of a text are.
const SMALLER: [u64; 2] = [2, 5];

/// An artifact to offer, and how the one on disk stands.
#[derive(Clone, Debug)]
pub(crate) struct Offer<'a> {
    pub(crate) block: Block<'a>,
    pub(crate) standing: spec::Standing,
}

/// Sections, what they are, and what they take at their fullest in estimated tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offered {
    pub(crate) sections: Vec<Section>,
    pub(crate) injected: Vec<spec::Injected>,
    pub(crate) tokens: u64,
}

impl Offered {
    fn add(&mut self, section: Section, injected: impl IntoIterator<Item = spec::Injected>) {
        self.tokens += section.variants.first().map_or(0, |variant| variant.tokens) + framed(&section.key);
        self.sections.push(section);
        self.injected.extend(injected);
    }
}

/// The root's index, map or both, as much of each as fits; placed so that the host keeps them, or with this prompt alone.
pub(crate) fn root(halves: &[Offer<'_>], limit: u64, stays: bool) -> Offered {
    let mut offered = Offered::default();
    let mut left = limit.saturating_sub(halves.iter().map(|offer| framed(root_key(offer.block.kind))).sum());
    for (at, offer) in halves.iter().enumerate() {
        let share = match halves.get(at + 1) {
            Some(next) => {
                let least = [offer, next].map(|half| half.block.frame());
                expand::share(left, least, [offer, next].map(|half| half.block.needs()))
            }
            None => left,
        };
        let (title, priority) = match offer.block.kind {
            Kind::Index => ("Project map: index", 90),
            Kind::Map => ("Project map", 85),
        };
        let key = root_key(offer.block.kind);
        let bare = if stays { Section::session } else { Section::prompt }(key, Trust::Workspace);
        let bare = bare.title(title).priority(priority);
        let made = sized(bare, share, offer.block.frame(), &|budget| offer.block.fit(budget));
        if let Some((section, level, tokens)) = made {
            left -= tokens;
            offered.add(section, [injected(offer, level, tokens)]);
        }
    }
    offered
}

/// A whole pair, and smaller sizes for a host that has less room.
pub(crate) fn pair(halves: &[Offer<'_>; 2], place: usize) -> Offered {
    let mut offered = Offered::default();
    let dir = halves[0].block.dir;
    let whole: Vec<(Level, String)> = halves.iter().filter_map(|offer| offer.block.fit(u64::MAX)).collect();
    let all = whole.iter().map(|(_, text)| tokens::estimate(text)).sum();
    let make = |budget: u64| -> Option<(Level, String)> {
        if budget >= all {
            return Some((Level::Full, whole.iter().map(|(_, text)| text.as_str()).collect()));
        }
        let least = [&halves[0], &halves[1]].map(|half| half.block.frame());
        let wanted = [&halves[0], &halves[1]].map(|half| half.block.needs());
        let index = halves[0].block.fit(expand::share(budget, least, wanted))?;
        let map = halves[1].block.fit(budget.saturating_sub(tokens::estimate(&index.1)))?;
        Some((index.0.max(map.0), index.1 + &map.1))
    };
    // The first pairs first, when the host's budget is short as well.
    let priority = 60_u8.saturating_sub(place.min(40) as u8);
    let bare = Section::prompt(key(dir), Trust::Workspace).title(title(dir)).priority(priority);
    let least = halves.iter().map(|offer| offer.block.frame()).sum();
    if let (2, Some((section, ..))) = (whole.len(), sized(bare, all, least, &make)) {
        let of = whole.iter().zip(halves);
        let injected: Vec<_> =
            of.map(|((level, text), offer)| injected(offer, *level, tokens::estimate(text))).collect();
        offered.add(section, injected);
    }
    offered
}

/// The tokens of a whole pair with the host's tags.
pub(crate) fn pair_tokens(halves: &[Offer<'_>; 2]) -> u64 {
    halves.iter().map(|offer| offer.block.needs()).sum::<u64>() + framed(&key(halves[0].block.dir))
}

/// The tokens of a line of the provider's own, with the host's tags.
pub(crate) fn note_tokens(text: &str) -> u64 {
    tokens::estimate(text) + framed(NOTE)
}

/// What the host's tags around a section take at the most: they take room in the model's window as well. Besides the key
/// there are the provider, the trust, an identity and perhaps the one of a section before.
fn framed(key: &str) -> u64 {
    const TAGS: u64 = 40;
    TAGS + tokens::estimate(key)
}

fn root_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Index => "index",
        Kind::Map => "map",
    }
}

const NOTE: &str = "note";

/// A line of the provider's own.
pub(crate) fn note(text: &str) -> Section {
    Section::prompt(NOTE, Trust::Tool).title("Project map").priority(30).body(text)
}

/// The tokens of the hint, with the host's tags.
pub(crate) fn hint_tokens() -> u64 {
    tokens::estimate(HINT) + framed("hint")
}

/// The hint before there are artifacts, which people see too.
pub(crate) fn hint() -> Section {
    let person = Some(Person { show: true, quote: Some(QUOTE.to_owned()), ..Person::default() });
    Section { person, ..Section::prompt("hint", Trust::Tool).title("Project map").priority(50).body(HINT) }
}

/// Fills a section with the fullest text within a budget and smaller ones; gives the level and the tokens of the first.
/// `least` is what every size has.
fn sized(
    section: Section,
    budget: u64,
    least: u64,
    make: &dyn Fn(u64) -> Option<(Level, String)>,
) -> Option<(Section, Level, u64)> {
    let (level, text) = make(budget)?;
    let most = tokens::estimate(&text);
    let mut section = section.body(text);
    for part in SMALLER {
        let Some((_, text)) = make(least + most.saturating_sub(least) / part) else { break };
        let before = section.variants.last().map_or(0, |variant| variant.tokens);
        if tokens::estimate(&text) < before {
            section = section.body(text);
        }
    }
    Some((section, level, most))
}

fn injected(offer: &Offer<'_>, level: Level, tokens: u64) -> spec::Injected {
    spec::Injected {
        dir: dir_name(offer.block.dir),
        kind: kind(offer.block.kind),
        level: match level {
            Level::Full => spec::Level::Full,
            Level::NoSymbols => spec::Level::NoSymbols,
            Level::Names => spec::Level::Names,
            Level::Counts => spec::Level::Counts,
        },
        tokens,
        standing: offer.standing,
    }
}

/// A directory as the documents call it.
pub(crate) fn dir_name(dir: &str) -> String {
    if dir.is_empty() { spec::ROOT_DIR.to_owned() } else { dir.to_owned() }
}

fn kind(kind: Kind) -> spec::Kind {
    match kind {
        Kind::Index => spec::Kind::Index,
        Kind::Map => spec::Kind::Map,
    }
}

fn title(dir: &str) -> String {
    let shown = printable(dir);
    let skip = shown.chars().count().saturating_sub(110);
    format!("Map of {}", shown.chars().skip(skip).collect::<String>())
}

/// The key of a pair's section.
fn key(dir: &str) -> String {
    if dir.chars().count() <= LONGEST_DIR && dir.chars().all(is_printable) {
        return format!("pair/{dir}");
    }
    let hash = ctxhost_sdk::fnv1a(dir);
    let shown = printable(dir);
    let skip = shown.chars().count().saturating_sub(LONGEST_DIR);
    format!("pair/…{}#{hash:016x}", shown.chars().skip(skip).collect::<String>())
}

fn printable(text: &str) -> String {
    text.chars().map(|character| if is_printable(character) { character } else { ' ' }).collect()
}

/// As the envelope has it for keys: no control character, no separator of lines, no change of direction.
fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
