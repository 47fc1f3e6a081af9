//! Episodes: which of them have to do with a prompt, and what of a turn becomes one.

pub(crate) mod keep;
pub(crate) mod record;
pub(crate) mod touched;
mod words;

use std::{cmp::Ordering, collections::BTreeSet};

use ctxhost_sdk::protocol::pilot_index::{Episode, MemorySignals};

/// How many episodes a prompt gets: the document's figure.
const MOST: usize = 3;

/// What an episode must reach: the document's figure.
const LEAST_SCORE: f64 = 1.5;

/// Milliseconds until an episode is no longer recent: thirty days.
const RECENT: f64 = 30.0 * 86_400_000.0;

/// An episode that has to do with a prompt.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recall<'a> {
    pub(crate) episode: &'a Episode,
    pub(crate) score: f64,
    pub(crate) signals: MemorySignals,
}

/// The episodes that have to do with a prompt, the best first; the same for the same input.
pub(crate) fn recall<'a>(
    episodes: &'a [Episode],
    prompt: &str,
    edited: &[String],
    now_ms: f64,
) -> Vec<Recall<'a>> {
    let asked = words::tokens(prompt);
    let mut found: Vec<Recall<'_>> =
        episodes.iter().filter_map(|episode| weigh(episode, &asked, edited, now_ms)).collect();
    found.sort_by(order);
    found.truncate(MOST);
    found
}

/// By score, then the newer one, then by id.
fn order(a: &Recall<'_>, b: &Recall<'_>) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then_with(|| b.episode.touched_at().total_cmp(&a.episode.touched_at()))
        .then_with(|| a.episode.id.cmp(&b.episode.id))
}

fn weigh<'a>(
    episode: &'a Episode,
    asked: &BTreeSet<String>,
    edited: &[String],
    now_ms: f64,
) -> Option<Recall<'a>> {
    let shared = |texts: &[String]| {
        let words: BTreeSet<String> = texts.iter().flat_map(|text| words::tokens(text)).collect();
        words.intersection(asked).count() as f64
    };
    let prose =
        [&episode.problem, &episode.summary, &episode.root_cause, &episode.solution, &episode.outcome];
    let prose: Vec<String> = prose.into_iter().flatten().chain([&episode.title]).cloned().collect::<Vec<_>>();
    let all: Vec<String> = prose
        .into_iter()
        .chain([&episode.tags, &episode.files, &episode.symbols].into_iter().flatten().cloned())
        .collect();
    let hits = episode.files.iter().filter(|file| edited.contains(file)).count() as f64;
    let signals = MemorySignals {
        keywords: shared(&all),
        tags: 1.25 * shared(&episode.tags),
        files: 1.5 * shared(&episode.files),
        symbols: 1.5 * shared(&episode.symbols),
        edited: 1.5 * hits,
        confidence: episode.confidence.clamp(0.0, 1.0),
        // A clock that went backwards makes an episode new, never more than new.
        recency: (1.0 - (now_ms - episode.touched_at()).max(0.0) / RECENT).clamp(0.0, 1.0),
    };
    // One common word of the prose is chance; a file, a symbol or a tag is not, and neither are two words.
    let named = signals.tags + signals.files + signals.symbols > 0.0;
    if !(named || signals.keywords >= 2.0) {
        return None;
    }
    let score = signals.keywords
        + signals.tags
        + signals.files
        + signals.symbols
        + signals.edited
        + signals.confidence
        + signals.recency;
    (score >= LEAST_SCORE).then_some(Recall { episode, score, signals })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: f64 = 1_700_000_000_000.0;

    fn episode(id: &str, title: &str, files: &[&str], symbols: &[&str], tags: &[&str]) -> Episode {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Episode {
            id: id.to_owned(),
            created_at: NOW,
            title: title.to_owned(),
            files: owned(files),
            symbols: owned(symbols),
            tags: owned(tags),
            confidence: 0.65,
            ..Episode::default()
        }
    }

    fn ids(episodes: &[Episode], prompt: &str, edited: &[&str]) -> Vec<String> {
        let edited: Vec<String> = edited.iter().map(|file| (*file).to_owned()).collect();
        recall(episodes, prompt, &edited, NOW).iter().map(|recall| recall.episode.id.clone()).collect()
    }

    #[test]
    fn what_is_shared_decides_and_nothing_shared_gives_nothing() {
        let all = [
            episode("a", "Repair the cache eviction", &["src/cache.rs"], &["Cache.evict"], &["cache"]),
            episode("b", "Write a parser", &["src/parser.rs"], &["parse"], &["parser"]),
            episode("c", "Rename fields", &["src/model.rs"], &["Model"], &[]),
        ];
        assert_eq!(ids(&all, "why does cache eviction fail?", &[]), ["a"]);
        assert_eq!(ids(&all, "the parser in src/parser.rs", &[]), ["b"]);
        assert_eq!(ids(&all, "look at evict", &[]), ["a"]);
        assert_eq!(ids(&all, "zzz qqq", &[]), [""; 0]);
        assert_eq!(ids(&all, "zzz qqq", &["src/cache.rs"]), [""; 0]);
        assert_eq!(ids(&all, "", &["src/cache.rs"]), [""; 0]);
    }

    #[test]
    fn each_signal_weighs_what_the_document_says() {
        let all = [episode("a", "Cache", &["lib/store.rs"], &["evict"], &["lru"])];
        let signals = |prompt: &str, edited: &[String]| recall(&all, prompt, edited, NOW)[0].signals;
        assert_eq!(signals("evict", &[]).symbols, 1.5);
        assert_eq!(signals("evict", &[]).keywords, 1.0);
        assert_eq!(signals("lru", &[]).tags, 1.25);
        assert_eq!(signals("store", &[]).files, 1.5);
        assert_eq!(signals("store", &["lib/store.rs".to_owned()]).edited, 1.5);
        assert_eq!((signals("lru", &[]).confidence, signals("lru", &[]).recency), (0.65, 1.0));
    }

    #[test]
    fn age_counts_down_and_a_clock_that_went_backwards_does_no_harm() {
        let all = [episode("a", "x", &[], &["evict"], &[])];
        let recency = |now: f64| recall(&all, "evict", &[], now)[0].signals.recency;
        assert_eq!(recency(NOW + RECENT / 2.0), 0.5);
        assert_eq!(recency(NOW + RECENT * 9.0), 0.0);
        assert_eq!(recency(NOW - RECENT), 1.0);
        assert_eq!(recency(0.0), 1.0);
    }

    #[test]
    fn one_common_word_of_the_prose_is_chance() {
        let all = [episode("a", "Improve performance everywhere", &[], &[], &[])];
        assert_eq!(ids(&all, "performance of the database", &[]), [""; 0]);
        assert_eq!(ids(&all, "improve performance", &[]), ["a"]);
    }

    #[test]
    fn the_best_three_come_in_an_order_that_never_changes() {
        let mut all: Vec<Episode> =
            (0..6).map(|n| episode(&format!("e{n}"), "x", &["a/cache.rs"], &[], &[])).collect();
        all[4].created_at += 5.0;
        all[5].symbols = vec!["cache".to_owned()];
        assert_eq!(ids(&all, "cache", &[]), ["e5", "e4", "e0"]);
        all.reverse();
        assert_eq!(ids(&all, "cache", &[]), ["e5", "e4", "e0"]);
    }
}
