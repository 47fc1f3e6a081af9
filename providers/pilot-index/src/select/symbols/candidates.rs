//! Which symbols are compared at all.

use std::collections::{BTreeSet, HashMap, HashSet};

use ctxhost_code::{index::IndexError, symbols::Symbol};

use super::{
    Context, Loaded,
    bodies::{Bodies, Body},
};
use crate::select::{
    corpus::{Corpus, FileFacts, Place},
    files::{self, RankedFile},
    named,
    prompt::Prompt,
};

/// The symbols of so many files are compared; their texts are read for it. On the development rows fifteen find as many
/// symbols as twenty-five, and forty find .005 more.
const FILES: usize = 25;

/// So many symbols are compared in all, the best files' first.
const CANDIDATES: usize = 20_000;

/// What the words of a test's symbols count for when the prompt does not speak of tests.
const IN_TEST: f64 = 0.25;

/// A symbol that is compared.
pub(super) struct Candidate {
    pub(super) place: Place,
    /// How often it holds each word of the prompt, as the word's number and a count.
    pub(super) counts: Vec<(u16, u32)>,
    /// How many words it has.
    pub(super) length: u32,
    /// How many quotations of the prompt it holds.
    pub(super) quoted: u32,
    /// How many words of the prompt its doc comment holds.
    pub(super) documented: usize,
    pub(super) file: RankedFile,
    /// What symbols of such a file count for.
    pub(super) prior: f64,
    /// Whether it stands at a line that the prompt names.
    pub(super) named_line: bool,
    /// What its words count for at least, as a part of the best symbol's.
    pub(super) least: f64,
}

/// Gives every symbol of the best files, whatever goes by a name of the prompt, and with kinds wanted, symbols of these
/// kinds from the other files until there are enough.
pub(super) fn collect(
    corpus: &impl Corpus,
    prompt: &Prompt,
    files: &[RankedFile],
    context: &Context<'_>,
    loaded: &mut Loaded,
) -> Result<Vec<Candidate>, IndexError> {
    let named = named::definitions(corpus, prompt)?;
    let least = named.iter().map(|named| (named.place, named.words)).collect();
    let mut gathered =
        Gathered { corpus, prompt, bodies: Bodies::new(prompt), least, candidates: Vec::new() };
    for file in files.iter().take(FILES) {
        let symbols = &loaded.file(corpus, file.doc)?.symbols;
        gathered.take(file, symbols, |_, _, _| true);
    }
    let (best, others) = files.split_at(files.len().min(FILES));
    let best: HashSet<u32> = best.iter().map(|file| file.doc).collect();
    let ranked: HashMap<u32, &RankedFile> = others.iter().map(|file| (file.doc, file)).collect();
    let far = named.iter().filter(|named| !best.contains(&named.place.doc));
    let far: BTreeSet<Place> = far.map(|named| named.place).collect();
    let mut taken = HashSet::new();
    for place in far.iter().filter(|place| taken.insert(place.doc)) {
        let Some(facts) = corpus.file(place.doc).filter(|facts| context.filter.allows(facts)) else {
            continue;
        };
        let unranked = RankedFile::unranked(&facts);
        let file = ranked.get(&place.doc).copied().unwrap_or(&unranked);
        let symbols = &loaded.file(corpus, place.doc)?.symbols;
        gathered.take(file, symbols, |at, _, _| far.contains(&Place { doc: place.doc, symbol: at }));
    }
    if !context.filter.kinds.is_empty() {
        gathered.look_further(others, context, loaded, &far)?;
    }
    Ok(gathered.candidates)
}

struct Gathered<'a, C> {
    corpus: &'a C,
    prompt: &'a Prompt,
    bodies: Bodies<'a>,
    /// What the words of the definitions that go by a name count for at least.
    least: HashMap<Place, f64>,
    candidates: Vec<Candidate>,
}

impl<C: Corpus> Gathered<'_, C> {
    /// Takes those symbols of a file that are wanted, by their places and what was found in their texts.
    fn take(&mut self, file: &RankedFile, symbols: &[Symbol], wanted: impl Fn(u32, &Symbol, &Body) -> bool) {
        let room = CANDIDATES.saturating_sub(self.candidates.len());
        let Some(facts) = self.corpus.file(file.doc).filter(|_| !symbols.is_empty() && room > 0) else {
            return;
        };
        let Some(text) = self.corpus.text(file.doc) else { return };
        let lines = named_lines(self.prompt, &facts);
        let prior = files::prior(&facts) * if file.test && !self.prompt.tests { IN_TEST } else { 1.0 };
        let found = (0..).zip(self.bodies.count(symbols, &text).into_iter().zip(symbols));
        let wanted = found.filter(|(at, (body, symbol))| wanted(*at, symbol, body)).take(room);
        let least = &self.least;
        self.candidates.extend(wanted.map(|(at, (body, symbol))| {
            let place = Place { doc: file.doc, symbol: at };
            Candidate {
                place,
                counts: body.counts,
                length: body.length,
                quoted: body.quoted,
                documented: body.documented,
                file: *file,
                prior,
                named_line: lines.iter().any(|line| is_innermost(symbols, symbol, *line)),
                least: least.get(&place).copied().unwrap_or(0.0),
            }
        }));
    }

    /// Walks on through the files, the better ones first, until as many symbols of the wanted kinds are there as are asked
    /// for. What speaks of nothing that is asked for is left out.
    fn look_further(
        &mut self,
        files: &[RankedFile],
        context: &Context<'_>,
        loaded: &mut Loaded,
        known: &BTreeSet<Place>,
    ) -> Result<(), IndexError> {
        let of_kind = |symbol: &Symbol| context.filter.allows_kind(symbol.kind);
        let loaded_symbol = |loaded: &Loaded, place| loaded.symbol(place).is_some_and(of_kind);
        let mut enough =
            self.candidates.iter().filter(|candidate| loaded_symbol(loaded, candidate.place)).count();
        for file in files {
            if enough >= context.limit || (context.stop)() {
                break;
            }
            // Most files have none of the kind, and are not kept in memory.
            if !self.corpus.extracted(file.doc)?.symbols.iter().any(of_kind) {
                continue;
            }
            let before = self.candidates.len();
            self.take(file, &loaded.file(self.corpus, file.doc)?.symbols, |at, symbol, body| {
                let new = !known.contains(&Place { doc: file.doc, symbol: at });
                new && of_kind(symbol) && !body.counts.is_empty()
            });
            enough += self.candidates.len() - before;
        }
        Ok(())
    }
}

fn named_lines(prompt: &Prompt, file: &FileFacts<'_>) -> Vec<u32> {
    let named = prompt.mentions.iter().filter(|mention| files::is_named(file.path, &mention.path));
    named.filter_map(|mention| mention.line).collect()
}

/// Whether a symbol is the smallest one around a line.
fn is_innermost(symbols: &[Symbol], symbol: &Symbol, line: u32) -> bool {
    let lines = |symbol: &Symbol| symbol.span.last_line.saturating_sub(symbol.span.first_line);
    let around = |symbol: &Symbol| (symbol.span.first_line..=symbol.span.last_line).contains(&line);
    around(symbol) && symbols.iter().filter(|other| around(other)).all(|other| lines(other) >= lines(symbol))
}
