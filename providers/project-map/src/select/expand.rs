//! How much may be said, and which pairs besides the root's find room.

use std::{cmp::Reverse, collections::HashSet};

use ctxhost_code::words;
use ctxhost_sdk::protocol::project_map::Budget;

use super::{
    pair::{Item, Page, Pair},
    score::is_stop,
};
use crate::settings::Config;

/// Words of a prompt that say something; more of them say nothing new.
const MOST_WORDS: usize = 64;

/// What the smallest index and map of the root take with the host's tags: no window, no project and no percentage is so
/// small that they are not brought.
pub(crate) const FLOOR: u64 = 400;

/// What may be said at most: the part of the model's window, the cap, and what the host has left.
pub(crate) fn limit(config: &Config, window: Option<u64>, host: u64) -> u64 {
    let part = window.map(|window| {
        let part = u128::from(window) * u128::from(config.context_budget_percent) / 100;
        u64::try_from(part).unwrap_or(u64::MAX).max(FLOOR)
    });
    // Nothing is nothing of any window: only what comes in any case is left.
    let part = if only_guaranteed(config) { Some(FLOOR) } else { part };
    part.unwrap_or(u64::MAX).min(config.context_budget_max_tokens).min(host)
}

/// Whether nothing is wanted but what comes in any case, which is the root's pair.
pub(crate) fn only_guaranteed(config: &Config) -> bool {
    config.context_budget_percent == 0
}

/// A budget with nothing spent.
pub(crate) fn budget(config: &Config, window: Option<u64>, host: u64) -> Budget {
    Budget { limit: limit(config, window, host), window, root: 0, expansion: 0 }
}

/// The part of a limit that the first of two texts may take, given what each needs around it at the least and what it
/// wants. Where both do not fit, a third of what is left beside the least is the first one's for sure, as their sizes on
/// disk are.
pub(crate) fn share(limit: u64, least: [u64; 2], wanted: [u64; 2]) -> u64 {
    let free = limit.saturating_sub(least[0] + least[1]);
    let rest = free.saturating_sub(wanted[1].saturating_sub(least[1]));
    (least[0] + rest.max(free / 3)).min(limit)
}

/// The order in which pairs are tried: the shallower first; then those that have more to do with the prompt, then those
/// nearer to what was edited, then by path. The root is not among them. `over` says that there is no time to ask.
pub(crate) fn order(pairs: &[Pair], prompt: &str, edited: &[String], over: &dyn Fn() -> bool) -> Vec<usize> {
    let asked = prompt_words(prompt);
    let mut order: Vec<(usize, Reverse<usize>, Reverse<usize>, usize)> = pairs
        .iter()
        .enumerate()
        .filter(|(_, pair)| !pair.dir.is_empty())
        .map(|(at, pair)| {
            let matches = if over() { 0 } else { matches(pair, &asked) };
            (depth(&pair.dir), Reverse(matches), Reverse(nearness(&pair.dir, edited)), at)
        })
        .collect();
    order.sort_by(|a, b| (a.0, a.1, a.2, &pairs[a.3].dir).cmp(&(b.0, b.1, b.2, &pairs[b.3].dir)));
    order.into_iter().map(|(.., at)| at).collect()
}

/// What was taken.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) pairs: Vec<usize>,
    /// Whether there was no time to try more.
    pub(crate) cut: bool,
}

/// Takes whole pairs in their order as far as there is room, and time. Behind the first that does not fit only those of its
/// depth are still tried; what is deeper is left out.
pub(crate) fn take(
    pairs: &[Pair],
    order: &[usize],
    room: u64,
    over: &dyn Fn() -> bool,
    tokens: &mut dyn FnMut(usize) -> u64,
) -> Taken {
    let (mut left, mut last, mut taken) = (room, usize::MAX, Vec::new());
    for at in order {
        let depth = depth(&pairs[*at].dir);
        if depth > last || left == 0 {
            break;
        }
        if over() {
            return Taken { pairs: taken, cut: true };
        }
        match tokens(*at) {
            needs if needs <= left => {
                left -= needs;
                taken.push(*at);
            }
            _ => last = last.min(depth),
        }
    }
    Taken { pairs: taken, cut: false }
}

fn depth(dir: &str) -> usize {
    dir.split('/').count()
}

fn prompt_words(prompt: &str) -> HashSet<String> {
    let mut asked = HashSet::new();
    words::split(prompt, &mut |word| {
        if word.chars().count() > 2 && asked.len() < MOST_WORDS && !is_stop(word) {
            asked.insert(word.to_owned());
        }
    });
    asked
}

/// How many of the words occur in what a pair says.
fn matches(pair: &Pair, asked: &HashSet<String>) -> usize {
    if asked.is_empty() {
        return 0;
    }
    let mut found: HashSet<&str> = HashSet::new();
    let mut look = |text: &str| {
        words::split(text, &mut |word| {
            found.extend(asked.get(word).map(String::as_str));
        });
    };
    look(&pair.dir);
    for page in [&pair.index, &pair.map] {
        look_at_page(page, &mut look);
    }
    found.len()
}

fn look_at_page(page: &Page, look: &mut dyn FnMut(&str)) {
    look(&page.purpose);
    for item in page.parts.iter().flat_map(|part| &part.items) {
        let Item { path, text, tags, symbols, .. } = item;
        look(path);
        look(text);
        tags.iter().for_each(|tag| look(tag));
        symbols.iter().for_each(|symbol| look(&symbol.name));
    }
}

/// How many folders a directory has in common with the nearest file that was edited.
fn nearness(dir: &str, edited: &[String]) -> usize {
    let common = |file: &String| {
        dir.split('/').zip(file.split('/')).take_while(|(folder, other)| folder == other).count()
    };
    edited.iter().map(common).max().unwrap_or(0)
}

#[cfg(test)]
mod tests;
