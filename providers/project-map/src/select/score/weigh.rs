//! What a match counts for.

use ctxhost_sdk::protocol::project_map::{Field, Matched};

use super::{
    exact::{self, Hit},
    look::{BODY, DIR, FIELDS, Masks, SYMBOL_WORD, Seen, SeenPlace, all},
    query::{Mask, Query},
};
use crate::select::{inventory::Named, pair::Role};

/// The text of a file itself, where it is about the word as much as can be.
const TEXT: f64 = 8.0;

const PATH: f64 = 10.0;
const SYMBOL: f64 = 9.0;

/// A name that is written as one is what is asked for; a word of prose is somebody's name by chance.
const SURE: f64 = 2.0;
const CHANCE: f64 = 0.2;

/// A directory's name says less of each file below than of itself.
const BELOW: f64 = 0.5;

/// How fast more fields stop adding to a word, as in BM25.
const SATURATION: f64 = 6.0;

/// What is left of a score when almost none of the query's weight is in one place.
const UNCOVERED: f64 = 0.2;

/// What a directory's own words add to its files, where they do not have them themselves.
const CONTEXT: f64 = 0.1;

/// What a quotation that is there as a whole counts for, per word weight.
const QUOTED: f64 = 6.0;

/// What is left of what nobody looks for unless they say so.
const GENERATED: f64 = 0.5;
const TESTS: f64 = 0.7;
const ONE_OF_MANY: f64 = 0.7;

/// What has less than this part of the query's weight, and of its words, does not answer it.
const LEAST: f64 = 0.15;
const LEAST_WORDS: f64 = 0.25;

/// So many matches explain a score.
const MOST_MATCHED: usize = 32;

/// What each word weighs: the rarer, the more.
pub(super) struct Weights<'q> {
    query: &'q Query,
    /// Anywhere, in what is said of files, in the names of the directories above them, and in what is said of directories.
    any: Vec<f64>,
    pub(super) own: Vec<f64>,
    above: Vec<f64>,
    places: Vec<f64>,
    /// The weight of a word that is nowhere else.
    most: f64,
}

/// A score, and what it is made of when somebody wants to know.
#[derive(Clone, Default)]
pub(super) struct Score {
    pub(super) total: f64,
    matched: Option<Vec<Matched>>,
}

impl Score {
    /// One that is explained, which costs most of the time.
    fn explained() -> Self {
        Self { total: 0.0, matched: Some(Vec::new()) }
    }

    fn add(&mut self, field: Field, word: &str, score: f64) {
        self.total += score;
        if let Some(matched) = &mut self.matched {
            matched.push(Matched { field, word: word.to_owned(), score });
        }
    }

    fn scaled(mut self, factor: f64) -> Self {
        self.total *= factor;
        self.matched.iter_mut().flatten().for_each(|matched| matched.score *= factor);
        self
    }

    /// What gave the most, first.
    pub(super) fn matched(self) -> Vec<Matched> {
        let mut matched = self.matched.unwrap_or_default();
        matched.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.field.cmp(&b.field)));
        matched.truncate(MOST_MATCHED);
        matched.iter_mut().for_each(|matched| matched.score = rounded(matched.score));
        matched
    }
}

impl<'q> Weights<'q> {
    pub(super) fn new(
        query: &'q Query,
        files: usize,
        seen: &[Seen<'_, '_>],
        places: &[SeenPlace<'_>],
    ) -> Self {
        let files = files as f64;
        let count = |bit: Mask, of: &dyn Fn(&Seen<'_, '_>) -> Mask| {
            seen.iter().filter(|seen| of(seen) & bit != 0).count() as f64
        };
        let bits = || (0..query.words.len()).map(|at| 1 << at);
        // As in BM25F of `ctxhost_code`: how few have the word at all, and how few have it there.
        let mean = |any: f64, there: f64| f64::midpoint(rarity(any, files), rarity(there, files));
        let own = |seen: &Seen<'_, '_>| all(&seen.masks[1..]);
        Self {
            query,
            any: bits().map(|bit| rarity(count(bit, &|seen| seen.any()), files)).collect(),
            own: bits().map(|bit| mean(count(bit, &|seen| seen.any()), count(bit, &own))).collect(),
            above: bits()
                .map(|bit| mean(count(bit, &|seen| seen.any()), count(bit, &|seen| seen.masks[DIR])))
                .collect(),
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
        self.covered(known, &|at| f64::from(u8::from(mask >> at & 1 == 1)))
    }

    fn covered(&self, known: Mask, has: &dyn Fn(usize) -> f64) -> f64 {
        let all = self.bits(known).map(|at| self.any[at]).sum::<f64>();
        let covered = self.bits(known).map(|at| self.any[at] * has(at)).sum::<f64>();
        if all > 0.0 { covered / all } else { 1.0 }
    }

    /// Whether these words are enough of the query to answer it. Words that are nowhere count here: by their number and by
    /// their weight, whichever says more, since in a small project no word is rare.
    pub(super) fn answered(&self, mask: Mask) -> bool {
        let number = self.query.words.len();
        mask != 0
            && (f64::from(mask.count_ones()) >= LEAST_WORDS * number as f64
                || self.coverage(mask, self.query.every()) >= LEAST)
    }

    fn bits(&self, mask: Mask) -> impl Iterator<Item = usize> {
        (0..self.query.words.len()).filter(move |at| mask >> at & 1 == 1)
    }

    /// Adds what words give, each in all of its fields.
    fn words(
        &self,
        score: &mut Score,
        masks: &Masks,
        said: &[f64],
        weigh: &dyn Fn(usize, usize) -> (f64, f64),
    ) {
        for (at, word) in self.query.words.iter().enumerate() {
            let strength = TEXT * said.get(at).copied().unwrap_or(0.0);
            let fields = || (0..FIELDS.len()).filter(|field| masks[*field] >> at & 1 == 1);
            let sum = strength + fields().map(|field| weigh(field, at).0).sum::<f64>();
            let part = |weight: f64, rarity: f64| 10.0 * rarity * weight / (sum + SATURATION);
            for field in fields() {
                let (weight, rarity) = weigh(field, at);
                score.add(FIELDS[field].0, word, part(weight, rarity));
            }
            if strength > 0.0 {
                score.add(FIELDS[BODY].0, word, part(strength, self.any[at]));
            }
        }
    }

    /// Adds what whole names give; gives the words in them.
    fn hits(&self, score: &mut Score, hits: &[Hit<'_>]) -> Mask {
        let mut words = 0;
        for hit in hits {
            let weight = if hit.field == Field::Symbol { SYMBOL } else { PATH };
            let rare = self.bits(hit.words).map(|at| self.own[at]).fold(0.0, f64::max);
            let rarity = if hit.sure { SURE * self.most } else { CHANCE * rare };
            score.add(hit.field, hit.asked, rarity * weight * hit.near);
            words |= hit.words;
        }
        words
    }

    /// Scores a file in its directory; `known` are the words that are anywhere.
    pub(super) fn file(&self, seen: &Seen<'_, '_>, place: &Masks, known: Mask, explained: bool) -> Score {
        let mut score = if explained { Score::explained() } else { Score::default() };
        let weigh = |field: usize, at: usize| match field {
            DIR => (BELOW * FIELDS[DIR].1, self.above[at]),
            _ => (FIELDS[field].1, self.own[at]),
        };
        self.words(&mut score, &seen.masks, seen.said, &weigh);
        let context = all(place) & !all(&seen.masks);
        score.total += self.bits(context).map(|at| self.places[at] * 10.0 * CONTEXT).sum::<f64>();
        score.total += seen.quoted as f64 * QUOTED * self.most;
        let words = self.hits(&mut score, &seen.hits);
        let coverage = self.covered(known, &|at| if words >> at & 1 == 1 { 1.0 } else { seen.has(at) });
        score.scaled((UNCOVERED + (1.0 - UNCOVERED) * coverage) * self.penalty(seen))
    }

    /// Scores what a directory says of itself; `in_file` are the words of its best file. Gives also the words.
    pub(super) fn place(&self, (masks, hits): &SeenPlace<'_>, in_file: Mask, known: Mask) -> (Score, Mask) {
        let mut score = Score::explained();
        self.words(&mut score, masks, &[], &|field, at| (FIELDS[field].1, self.places[at]));
        let words = all(masks) | self.hits(&mut score, hits);
        let coverage = self.coverage(words | in_file, known | in_file);
        (score.scaled(UNCOVERED + (1.0 - UNCOVERED) * coverage), words)
    }

    /// Scores a definition.
    pub(super) fn symbol(&self, symbol: &Named) -> Score {
        let mut masks = Masks::default();
        masks[SYMBOL_WORD] = self.query.mask(&symbol.name);
        let mut score = Score::explained();
        self.words(&mut score, &masks, &[], &|field, at| (FIELDS[field].1, self.own[at]));
        let hit = exact::symbol(self.query, symbol);
        self.hits(&mut score, hit.as_slice());
        score
    }

    pub(super) fn asks_for_tests(&self) -> bool {
        self.query.tests
    }

    /// What nobody looks for unless they say so counts less.
    fn penalty(&self, seen: &Seen<'_, '_>) -> f64 {
        if seen.is_named() {
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
}

/// How much a word says that so many of all have.
fn rarity(having: f64, of: f64) -> f64 {
    (1.0 + (of - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

/// To three places, so that a document does not change with the last bit.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0
}
