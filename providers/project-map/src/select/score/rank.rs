//! Puts the best first.

use std::{cmp::Ordering, collections::HashMap};

use rustc_hash::FxHashMap;

use super::{
    Found, FoundDir, FoundFile, FoundSymbol, Lens, MOST,
    corpus::Corpus,
    look::{Looking, Said, Seen, SeenPlace, all},
    query::{Mask, Query},
    texts::Texts,
    weigh::{Score, Weights, rounded},
};
use crate::select::{inventory::Named, pair::Pair};

/// What the best file adds to its directory.
const BEST_FILE: f64 = 1.0;

/// What is left of a directory of tests, which name everything that they test.
const OF_TESTS: f64 = 0.5;

/// What scores less than this part of the best is noise.
const NOISE: f64 = 0.2;

/// So many members of one family are shown.
const OF_FAMILY: usize = 2;

/// Ranks everything.
pub(super) fn rank(pairs: &[Pair], corpus: &Corpus<'_>, texts: &dyn Texts, query: Query) -> Found {
    let said = Said::new(&query, texts);
    let looking = Looking::new(&query, &said);
    let places: Vec<SeenPlace<'_>> =
        pairs.iter().zip(&corpus.places).map(|(pair, place)| looking.place(&pair.dir, place)).collect();
    let mut dirs = FxHashMap::default();
    let seen: Vec<Seen<'_, '_>> =
        corpus.files.iter().filter_map(|entry| looking.file(entry, &mut dirs)).collect();
    let weights = Weights::new(&query, corpus.files.len(), &seen, &places);
    let known = seen.iter().fold(0, |mask, seen| mask | seen.any());
    let ranking = Ranking { pairs, places: &places, seen: &seen, weights: &weights, known };
    let ranked = ranking.ranked();
    let files = ranking.files(&ranked);
    let (dirs, symbols) = (ranking.dirs(&ranked), ranking.symbols(&files));
    let (own, words) = (weights.own.clone(), query.words.clone());
    Found { words, dirs, files, symbols, lens: Lens { query, weights: own } }
}

struct Ranking<'r> {
    pairs: &'r [Pair],
    places: &'r [SeenPlace<'r>],
    seen: &'r [Seen<'r, 'r>],
    weights: &'r Weights<'r>,
    /// The words that are anywhere.
    known: Mask,
}

/// A file's place among those that are seen, and its score.
type Ranked = (usize, f64);

impl Ranking<'_> {
    fn score(&self, seen: &Seen<'_, '_>, explained: bool) -> Score {
        self.weights.file(seen, &self.places[seen.entry.pair].0, self.known, explained)
    }

    /// All files that answer the query, the best first.
    fn ranked(&self) -> Vec<Ranked> {
        let scores = self.seen.iter().map(|seen| self.score(seen, false).total);
        let mut ranked: Vec<Ranked> = scores.enumerate().collect();
        ranked.sort_by(|(a, left), (b, right)| {
            order((*left, self.seen[*a].entry.path), (*right, self.seen[*b].entry.path))
        });
        let least = ranked.first().map_or(0.0, |(_, best)| best * NOISE);
        ranked.retain(|(at, score)| *score > 0.0 && *score >= least && self.answers(&self.seen[*at]));
        ranked
    }

    fn answers(&self, seen: &Seen<'_, '_>) -> bool {
        seen.quoted > 0 || seen.is_named() || self.weights.answered(seen.any())
    }

    fn dirs(&self, ranked: &[Ranked]) -> Vec<FoundDir> {
        let mut best: Vec<Option<Ranked>> = vec![None; self.pairs.len()];
        for (at, score) in ranked {
            best[self.seen[*at].entry.pair].get_or_insert((*at, *score));
        }
        let known = self.places.iter().fold(0, |mask, (masks, _)| mask | all(masks));
        let dir = |(at, place): (usize, &SeenPlace<'_>)| {
            let (in_file, from_file) =
                best[at].map_or((0, 0.0), |(file, score)| (self.seen[file].any(), score * BEST_FILE));
            let (score, words) = self.weights.place(place, in_file, known);
            // An index of tests leads to what is asked about only where tests are.
            let of_tests = is_of_tests(&self.pairs[at].dir) && !self.weights.asks_for_tests();
            let total = rounded((score.total + from_file) * if of_tests { OF_TESTS } else { 1.0 });
            let named = place.1.iter().any(|hit| hit.sure);
            let answers = named || best[at].is_some() || self.weights.answered(words);
            let dir = self.pairs[at].dir.clone();
            (answers && total > 0.0).then(|| FoundDir {
                dir,
                pair: at,
                score: total,
                matched: score.matched(),
            })
        };
        let mut dirs: Vec<FoundDir> = self.places.iter().enumerate().filter_map(dir).collect();
        dirs.sort_by(|a, b| order((a.score, &a.dir), (b.score, &b.dir)));
        let least = dirs.first().map_or(0.0, |best| best.score * NOISE);
        dirs.retain(|dir| dir.score >= least);
        dirs.truncate(MOST);
        dirs
    }

    /// The best, few of each family.
    fn files(&self, ranked: &[Ranked]) -> Vec<FoundFile> {
        let mut of_family: HashMap<String, usize> = HashMap::new();
        let mut files = Vec::new();
        for seen in ranked.iter().map(|(at, _)| &self.seen[*at]) {
            let family = seen.entry.family.filter(|_| !seen.is_named());
            let number = family.map(|family| of_family.entry(family.to_owned()).or_default());
            if number.is_none_or(|number| {
                *number += 1;
                *number <= OF_FAMILY
            }) {
                files.push(self.found(seen));
            }
            if files.len() == MOST {
                break;
            }
        }
        files
    }

    fn found(&self, seen: &Seen<'_, '_>) -> FoundFile {
        let entry = seen.entry;
        // The definition that a line is in begins at or before it.
        let before = |symbol: &&&Named| seen.line.is_some_and(|line| symbol.line <= line);
        let around = entry.symbols.iter().filter(before).map(|symbol| symbol.line).max();
        let rank = |symbol: &Named| (around == Some(symbol.line), self.weights.symbol(symbol).total);
        let mut symbols: Vec<_> = entry.symbols.iter().map(|symbol| (rank(symbol), *symbol)).collect();
        // Those that match; the others stay in their order.
        symbols.sort_by(|(a, _), (b, _)| b.0.cmp(&a.0).then_with(|| b.1.total_cmp(&a.1)));
        let score = self.score(seen, true);
        FoundFile {
            path: entry.path.to_owned(),
            count: entry.count,
            pair: entry.pair,
            role: entry.role,
            score: rounded(score.total),
            matched: score.matched(),
            purpose: entry.purposes.first().map_or_else(String::new, |purpose| (*purpose).to_owned()),
            line: seen.line,
            symbols: symbols.into_iter().map(|(_, symbol)| symbol.clone()).collect(),
        }
    }

    fn symbols(&self, files: &[FoundFile]) -> Vec<FoundSymbol> {
        let found = |file: &FoundFile, named: &Named| {
            let score = self.weights.symbol(named);
            (score.total > 0.0).then(|| FoundSymbol {
                file: file.path.clone(),
                named: named.clone(),
                score: rounded(score.total),
                matched: score.matched(),
            })
        };
        let each = files.iter().flat_map(|file| file.symbols.iter().filter_map(|named| found(file, named)));
        let mut symbols: Vec<FoundSymbol> = each.collect();
        // Of equal ones that goes first whose file does.
        symbols.sort_by(|a, b| b.score.total_cmp(&a.score));
        symbols.truncate(MOST);
        symbols
    }
}

fn is_of_tests(dir: &str) -> bool {
    dir.split('/').any(|step| ["tests", "test", "__tests__", "spec", "specs", "e2e"].contains(&step))
}

/// The better first; of equal ones the shallower, then by path.
fn order((left, a): (f64, &str), (right, b): (f64, &str)) -> Ordering {
    let depth = |path: &str| path.matches('/').count();
    right.total_cmp(&left).then_with(|| depth(a).cmp(&depth(b))).then_with(|| a.cmp(b))
}
