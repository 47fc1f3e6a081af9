//! Weighs what matches, and puts the best first.

use std::{cmp::Ordering, collections::HashMap};

use ctxhost_sdk::protocol::project_map::{Field, Matched};

use super::{
    Found, FoundDir, FoundFile, FoundSymbol, Lens, MOST,
    corpus::{Corpus, Entry, Place},
    exact::{self, Hit},
    query::{Mask, Query},
    sieve::Sieve,
};
use crate::select::{
    inventory::Named,
    pair::{Pair, Role},
};

/// What a word counts for in each field. Of whole names, `Path` counts 10 and `Symbol` 9.
const FIELDS: [(Field, f64); 7] = [
    (Field::Dir, 6.0),
    (Field::SymbolWord, 5.0),
    (Field::Tag, 4.0),
    (Field::FileWord, 4.0),
    (Field::Purpose, 2.0),
    (Field::Workflow, 2.0),
    (Field::Body, 1.0),
];
const DIR: usize = 0;
const SYMBOL_WORD: usize = 1;
const TAG: usize = 2;
const FILE_WORD: usize = 3;
const PURPOSE: usize = 4;
const WORKFLOW: usize = 5;
const BODY: usize = 6;

const PATH: f64 = 10.0;
const SYMBOL: f64 = 9.0;

/// A name that is written as one is what is asked for; a word of prose is somebody's name by chance.
const SURE: f64 = 2.0;
const CHANCE: f64 = 0.4;

/// A directory's name says less of each file below than of itself.
const BELOW: f64 = 0.5;

/// How fast more fields stop adding to a word, as in BM25.
const SATURATION: f64 = 6.0;

/// What is left of a score when almost none of the query's weight is in one place.
const UNCOVERED: f64 = 0.3;

/// What a directory's own words add to its files, where they do not have them themselves.
const CONTEXT: f64 = 0.1;

/// What the best file adds to its directory.
const BEST_FILE: f64 = 0.5;

/// What a quotation that is there as a whole counts for, per word weight.
const QUOTED: f64 = 6.0;

const GENERATED: f64 = 0.5;
const TESTS: f64 = 0.7;
const ONE_OF_MANY: f64 = 0.7;

/// What scores less than this part of the best is noise.
const NOISE: f64 = 0.2;

/// What has less than this part of the query's weight does not answer it.
const LEAST: f64 = 0.15;
const LEAST_WORDS: f64 = 0.25;

/// So many members of one family are shown.
const OF_FAMILY: usize = 2;

/// The words of the query that each field has.
type Masks = [Mask; FIELDS.len()];

struct Seen<'a, 'q> {
    masks: Masks,
    hits: Vec<Hit<'q>>,
    line: Option<u32>,
    quoted: usize,
    entry: &'a Entry<'a>,
}

/// Ranks everything.
pub(super) fn rank(pairs: &[Pair], corpus: &Corpus<'_>, query: Query) -> Found {
    let looking = Looking { query: &query, sieve: Sieve::new(&query) };
    let places: Vec<(Masks, Vec<Hit<'_>>)> =
        pairs.iter().zip(&corpus.places).map(|(pair, place)| looking.place(&pair.dir, place)).collect();
    let mut dirs = HashMap::new();
    let seen: Vec<Seen<'_, '_>> =
        corpus.files.iter().filter_map(|entry| looking.file(entry, &mut dirs)).collect();
    let weights = Weights::new(&query, corpus, &seen, &places);
    let files = weights.files(&seen, &places);
    let dirs = weights.dirs(pairs, &places, &seen, &files);
    let files = weights.shown(&seen, &files);
    let symbols = weights.symbols(&files);
    let lens = weights.own.clone();
    let words = query.words.clone();
    Found { words, dirs, files, symbols, lens: Lens { query, weights: lens } }
}

struct Looking<'q> {
    query: &'q Query,
    sieve: Sieve,
}

impl<'q> Looking<'q> {
    fn mask(&self, text: &str) -> Mask {
        if self.sieve.may_have(text) { self.query.mask(text) } else { 0 }
    }

    fn all<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Mask {
        texts.into_iter().fold(0, |mask, text| mask | self.mask(text))
    }

    fn place(&self, dir: &str, place: &Place<'_>) -> (Masks, Vec<Hit<'q>>) {
        let mut masks = Masks::default();
        let (above, last) = dir.rsplit_once('/').unwrap_or(("", dir));
        masks[DIR] = self.mask(last);
        masks[TAG] = self.all(place.tags.iter().copied());
        masks[PURPOSE] = self.all(place.purposes.iter().copied());
        masks[WORKFLOW] = self.all(place.workflows.iter().copied());
        masks[BODY] = self.all(place.bodies.iter().chain(&place.folded).copied()) | self.mask(above);
        (masks, exact::dir(self.query, dir))
    }

    fn file<'a>(&self, entry: &'a Entry<'a>, dirs: &mut HashMap<&'a str, Mask>) -> Option<Seen<'a, 'q>> {
        let (dir, name) = entry.path.rsplit_once('/').unwrap_or(("", entry.path));
        let mut masks = Masks::default();
        masks[DIR] = *dirs.entry(dir).or_insert_with(|| self.mask(dir));
        masks[SYMBOL_WORD] = self.all(entry.symbols.iter().map(|symbol| symbol.name.as_str()));
        masks[TAG] = self.all(entry.tags.iter().copied());
        masks[FILE_WORD] = self.mask(name);
        masks[PURPOSE] = self.all(entry.purposes.iter().copied());
        masks[WORKFLOW] = self.all(entry.workflows.iter().copied());
        masks[BODY] = self.all(entry.bodies.iter().copied());
        let (mut hits, line) = exact::file(self.query, entry);
        let symbols = entry.symbols.iter().filter_map(|symbol| exact::symbol(self.query, symbol));
        for hit in symbols {
            if !hits.iter().any(|known| known.field == Field::Symbol && known.asked == hit.asked) {
                hits.push(hit);
            }
        }
        let quoted = self.quoted(entry);
        let nothing = masks.iter().all(|mask| *mask == 0) && hits.is_empty() && quoted == 0;
        (!nothing).then_some(Seen { masks, hits, line, quoted, entry })
    }

    fn quoted(&self, entry: &Entry<'_>) -> usize {
        let has = |phrase: &&String| {
            let texts = entry.purposes.iter().chain(&entry.bodies).chain(&entry.workflows);
            texts.into_iter().any(|text| text.to_lowercase().contains(phrase.as_str()))
        };
        self.query.quoted.iter().filter(has).count()
    }
}

/// What each word weighs: the rarer, the more.
struct Weights<'q> {
    query: &'q Query,
    /// In what is said of files, in the names of the directories above them, and in what is said of directories.
    own: Vec<f64>,
    above: Vec<f64>,
    places: Vec<f64>,
    /// The weight of a word that is nowhere else.
    most: f64,
}

/// A score and what it is made of.
#[derive(Clone, Default)]
struct Score {
    total: f64,
    matched: Vec<Matched>,
}

impl<'q> Weights<'q> {
    fn new(
        query: &'q Query,
        corpus: &Corpus<'_>,
        seen: &[Seen<'_, '_>],
        places: &[(Masks, Vec<Hit<'_>>)],
    ) -> Self {
        let files = corpus.files.len() as f64;
        let count = |bit: Mask, of: &dyn Fn(&Seen<'_, '_>) -> Mask| {
            seen.iter().filter(|seen| of(seen) & bit != 0).count() as f64
        };
        let bits = || (0..query.words.len()).map(|at| 1 << at);
        let own = |seen: &Seen<'_, '_>| all(&seen.masks[1..]);
        Self {
            query,
            own: bits().map(|bit| rarity(count(bit, &own), files)).collect(),
            above: bits().map(|bit| rarity(count(bit, &|seen| seen.masks[DIR]), files)).collect(),
            places: bits()
                .map(|bit| {
                    let having = places.iter().filter(|(masks, _)| all(masks) & bit != 0).count();
                    rarity(having as f64, places.len() as f64)
                })
                .collect(),
            most: rarity(0.0, files.max(1.0)),
        }
    }

    /// The part of the query's weight that these words are; a word that is nowhere does not count.
    fn coverage(&self, mask: Mask, known: Mask) -> f64 {
        let sum = |mask: Mask| self.bits(mask).map(|at| self.own[at]).sum::<f64>();
        let all = sum(known);
        if all > 0.0 { sum(mask & known) / all } else { 1.0 }
    }

    /// Whether these words are enough of the query to answer it. Words that are nowhere count here: by their number and by
    /// their weight, whichever says more, since in a small project no word is rare.
    fn answered(&self, mask: Mask) -> bool {
        let number = self.query.words.len();
        let every = if number >= 64 { Mask::MAX } else { (1 << number) - 1 };
        mask != 0
            && (f64::from(mask.count_ones()) >= LEAST_WORDS * number as f64 || self.coverage(mask, every) >= LEAST)
    }

    fn bits(&self, mask: Mask) -> impl Iterator<Item = usize> {
        (0..self.query.words.len()).filter(move |at| mask >> at & 1 == 1)
    }

    /// Adds up what words give, each in all of its fields.
    fn words(&self, masks: &Masks, rarity: &dyn Fn(usize, usize) -> f64, scale: &dyn Fn(usize) -> f64) -> Score {
        let mut score = Score::default();
        for at in self.bits(all(masks)) {
            let fields = (0..FIELDS.len()).filter(|field| masks[*field] >> at & 1 == 1);
            let given: Vec<(usize, f64, f64)> =
                fields.map(|field| (field, FIELDS[field].1 * scale(field), rarity(field, at))).collect();
            let sum: f64 = given.iter().map(|(_, weight, _)| weight).sum();
            for (field, weight, rarity) in given {
                let part = 10.0 * rarity * weight / (sum + SATURATION);
                let word = self.query.words[at].clone();
                score.matched.push(Matched { field: FIELDS[field].0, word, score: part });
                score.total += part;
            }
        }
        score
    }

    fn hits(&self, hits: &[Hit<'_>], score: &mut Score) -> Mask {
        let mut words = 0;
        for hit in hits {
            let weight = if hit.field == Field::Symbol { SYMBOL } else { PATH };
            let rare = self.bits(hit.words).map(|at| self.own[at]).fold(0.0, f64::max);
            let part = if hit.sure { SURE * self.most } else { CHANCE * rare } * weight * hit.near;
            score.matched.push(Matched { field: hit.field, word: hit.asked.to_owned(), score: part });
            score.total += part;
            words |= hit.words;
        }
        words
    }

    fn file(&self, seen: &Seen<'_, '_>, place: &Masks, known: Mask) -> Score {
        let rarity = |field: usize, at: usize| if field == DIR { self.above[at] } else { self.own[at] };
        let scale = |field: usize| if field == DIR { BELOW } else { 1.0 };
        let mut score = self.words(&seen.masks, &rarity, &scale);
        let mine = all(&seen.masks);
        let context = all(place) & !mine;
        score.total += self.bits(context).map(|at| self.places[at] * 10.0 * CONTEXT).sum::<f64>();
        score.total += seen.quoted as f64 * QUOTED * self.most;
        let mut exact = Score::default();
        let words = self.hits(&seen.hits, &mut exact);
        let coverage = self.coverage(mine | words, known);
        let factor = (UNCOVERED + (1.0 - UNCOVERED) * coverage) * self.penalty(seen);
        score.matched.extend(exact.matched);
        score.total = (score.total + exact.total) * factor;
        score.matched.iter_mut().for_each(|matched| matched.score *= factor);
        score
    }

    /// What nobody looks for unless they say so counts less.
    fn penalty(&self, seen: &Seen<'_, '_>) -> f64 {
        if seen.hits.iter().any(|hit| hit.sure) {
            return 1.0;
        }
        let foreign = seen.entry.foreign || seen.entry.role == Some(Role::Generated);
        match seen.entry.role {
            _ if foreign && !self.query.foreign => GENERATED,
            Some(Role::Test) if !self.query.tests => TESTS,
            _ if seen.entry.family.is_some() => ONE_OF_MANY,
            _ => 1.0,
        }
    }

    fn files(&self, seen: &[Seen<'_, '_>], places: &[(Masks, Vec<Hit<'_>>)]) -> Vec<(usize, Score)> {
        let known = seen.iter().fold(0, |mask, seen| mask | all(&seen.masks));
        let mut files: Vec<(usize, Score)> = seen
            .iter()
            .enumerate()
            .map(|(at, seen)| (at, self.file(seen, &places[seen.entry.pair].0, known)))
            .collect();
        files.sort_by(|(a, left), (b, right)| {
            let (a, b) = (seen[*a].entry.path, seen[*b].entry.path);
            order((left.total, a), (right.total, b))
        });
        let answers = |(at, _): &(usize, Score)| {
            let seen: &Seen<'_, '_> = &seen[*at];
            seen.quoted > 0
                || seen.hits.iter().any(|hit| hit.sure)
                || self.answered(all(&seen.masks))
        };
        let least = files.first().map_or(0.0, |(_, best)| best.total * NOISE);
        files.retain(|file| file.1.total > 0.0 && file.1.total >= least && answers(file));
        files
    }

    fn dirs(
        &self,
        pairs: &[Pair],
        places: &[(Masks, Vec<Hit<'_>>)],
        seen: &[Seen<'_, '_>],
        files: &[(usize, Score)],
    ) -> Vec<FoundDir> {
        let mut best: Vec<Option<&(usize, Score)>> = vec![None; pairs.len()];
        for file in files {
            best[seen[file.0].entry.pair].get_or_insert(file);
        }
        let known = places.iter().fold(0, |mask, (masks, _)| mask | all(masks));
        let mut dirs = Vec::new();
        for (at, (pair, (masks, hits))) in pairs.iter().zip(places).enumerate() {
            let mut score = self.words(masks, &|_, at| self.places[at], &|_| 1.0);
            let words = all(masks) | self.hits(hits, &mut score);
            let file_words = best[at].map_or(0, |(file, _)| all(&seen[*file].masks));
            let factor = UNCOVERED + (1.0 - UNCOVERED) * self.coverage(words | file_words, known | file_words);
            score.matched.iter_mut().for_each(|matched| matched.score *= factor);
            let from_file = best[at].map_or(0.0, |(_, file)| file.total * BEST_FILE);
            score.total = score.total * factor + from_file;
            let sure = hits.iter().any(|hit| hit.sure);
            if sure || best[at].is_some() || (score.total > 0.0 && self.answered(words)) {
                let matched = in_order(score.matched);
                dirs.push(FoundDir { dir: pair.dir.clone(), pair: at, score: score.total, matched });
            }
        }
        dirs.sort_by(|a, b| order((a.score, &a.dir), (b.score, &b.dir)));
        let least = dirs.first().map_or(0.0, |best| best.score * NOISE);
        dirs.retain(|dir| dir.score >= least);
        dirs.truncate(MOST);
        dirs
    }

    fn shown(&self, seen: &[Seen<'_, '_>], files: &[(usize, Score)]) -> Vec<FoundFile> {
        let mut shown = Vec::new();
        let mut of_family: HashMap<&str, usize> = HashMap::new();
        for (at, score) in files {
            let seen = &seen[*at];
            if let Some(family) = seen.entry.family
                && !seen.hits.iter().any(|hit| hit.sure)
            {
                let number = of_family.entry(family).or_default();
                *number += 1;
                if *number > OF_FAMILY {
                    continue;
                }
            }
            shown.push(self.found(seen, score));
            if shown.len() == MOST {
                break;
            }
        }
        shown
    }

    fn found(&self, seen: &Seen<'_, '_>, score: &Score) -> FoundFile {
        let entry = seen.entry;
        // The definition that a line is in begins at or before it.
        let before = |symbol: &&&Named| seen.line.is_some_and(|line| symbol.line <= line);
        let around = entry.symbols.iter().filter(before).map(|symbol| symbol.line).max();
        let mut symbols: Vec<_> = entry
            .symbols
            .iter()
            .map(|symbol| (around == Some(symbol.line), self.symbol(symbol).total, symbol))
            .collect();
        // Those that match; the others stay in their order.
        symbols.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| b.1.total_cmp(&a.1)));
        FoundFile {
            path: entry.path.to_owned(),
            count: entry.count,
            pair: entry.pair,
            role: entry.role,
            score: score.total,
            matched: in_order(score.matched.clone()),
            purpose: entry.purposes.first().map_or_else(String::new, |purpose| (*purpose).to_owned()),
            line: seen.line,
            symbols: symbols.into_iter().map(|(.., symbol)| (*symbol).clone()).collect(),
        }
    }

    fn symbol(&self, symbol: &Named) -> Score {
        let mut masks = Masks::default();
        masks[SYMBOL_WORD] = self.query.mask(&symbol.name);
        let mut score = self.words(&masks, &|_, at| self.own[at], &|_| 1.0);
        let hit = exact::symbol(self.query, symbol);
        self.hits(hit.as_slice(), &mut score);
        score
    }

    fn symbols(&self, files: &[FoundFile]) -> Vec<FoundSymbol> {
        let mut symbols = Vec::new();
        for file in files {
            for named in &file.symbols {
                let score = self.symbol(named);
                if score.total > 0.0 {
                    symbols.push(FoundSymbol {
                        file: file.path.clone(),
                        named: named.clone(),
                        score: score.total,
                        matched: in_order(score.matched),
                    });
                }
            }
        }
        // Of equal ones that goes first whose file does.
        symbols.sort_by(|a, b| b.score.total_cmp(&a.score));
        symbols.truncate(MOST);
        symbols
    }
}

/// How much a word says that so many of all have.
fn rarity(having: f64, of: f64) -> f64 {
    (1.0 + (of - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

fn all(masks: &[Mask]) -> Mask {
    masks.iter().fold(0, |all, mask| all | mask)
}

/// The better first; of equal ones the shallower, then by path.
fn order((left, a): (f64, &str), (right, b): (f64, &str)) -> Ordering {
    let depth = |path: &str| path.matches('/').count();
    right.total_cmp(&left).then_with(|| depth(a).cmp(&depth(b))).then_with(|| a.cmp(b))
}

/// What gave the most comes first.
fn in_order(mut matched: Vec<Matched>) -> Vec<Matched> {
    matched.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.field.cmp(&b.field)));
    matched.iter_mut().for_each(|matched| matched.score = rounded(matched.score));
    matched
}

/// To three places, so that a document does not change with the last bit.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0
}
