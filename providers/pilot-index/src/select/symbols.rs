//! Which definitions a prompt is about: the second layer of ranking, inside the files of the first.

mod bodies;
mod candidates;
mod chain;

use std::collections::{HashMap, hash_map::Entry};

use ctxhost_code::{
    bm25f::{Bm25f, inverse_frequency, saturate},
    index::IndexError,
    symbols::{Extracted, Symbol},
};

use super::{
    corpus::{Corpus, FileFacts, Place},
    files::{self, RankedFile},
    filter::Filter,
    prompt::Prompt,
    signals::{self, Signals, Wanted},
};
use candidates::Candidate;

/// How much of its file's score a symbol has, beside that of its own words.
const FROM_FILE: f64 = 0.35;

/// A longer body counts less against a symbol than a longer text against a file.
const LENGTH: f64 = 0.4;

/// What a quotation found in a symbol adds, as a part of the best symbol's words.
const QUOTED: f64 = 0.25;

/// What a line that the prompt names is worth, as a part of the best symbol's words: more than a name that happens to be
/// the same.
const LINE: f64 = 1.5;

/// What a question knows beside the prompt.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The paths of files edited lately, the last one first.
    pub recent: &'a [String],
    /// What may be an answer.
    pub filter: &'a Filter,
    /// How many steps references are followed.
    pub depth: u32,
    /// How many symbols are wanted.
    pub limit: usize,
    /// Ends the search for kinds further down the list.
    pub stop: &'a dyn Fn() -> bool,
}

/// A symbol that fits a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedSymbol {
    /// Where it is.
    pub place: Place,
    /// The weighed sum of the signals.
    pub score: f64,
    /// The signals.
    pub signals: Signals,
    /// The symbol that led to it, when only references did.
    pub through: Option<Place>,
}

/// Ranks the symbols of ranked files, and what the best of them use. Filters before it cuts.
pub fn rank(
    corpus: &impl Corpus,
    prompt: &Prompt,
    files: &[RankedFile],
    context: &Context<'_>,
) -> Result<Vec<RankedSymbol>, IndexError> {
    let mut loaded = Loaded::default();
    let candidates = candidates::collect(corpus, prompt, files, context, &mut loaded)?;
    let mut ranked = score(corpus, prompt, &candidates, &loaded, context)?;
    sort(&mut ranked, corpus);
    chain::follow(corpus, prompt, context, &mut loaded, &mut ranked)?;
    sort(&mut ranked, corpus);
    ranked.retain(|ranked| allowed(corpus, &loaded, context.filter, ranked.place));
    ranked.truncate(context.limit);
    Ok(ranked)
}

/// What was read of files, each once.
#[derive(Default)]
struct Loaded {
    files: HashMap<u32, Extracted>,
}

impl Loaded {
    fn file(&mut self, corpus: &impl Corpus, doc: u32) -> Result<&Extracted, IndexError> {
        Ok(match self.files.entry(doc) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(corpus.extracted(doc)?),
        })
    }

    fn symbol(&self, place: Place) -> Option<&Symbol> {
        self.files.get(&place.doc)?.symbols.get(place.symbol as usize)
    }
}

fn score(
    corpus: &impl Corpus,
    prompt: &Prompt,
    candidates: &[Candidate],
    loaded: &Loaded,
    context: &Context<'_>,
) -> Result<Vec<RankedSymbol>, IndexError> {
    let words = words(corpus, prompt, candidates)?;
    let best = words.iter().fold(0.0, |best: f64, words| best.max(*words));
    let wanted = Wanted::new(&prompt.names);
    let mut ranked = Vec::with_capacity(candidates.len());
    for (candidate, words) in candidates.iter().zip(words) {
        let (Some(symbol), Some(file)) = (loaded.symbol(candidate.place), corpus.file(candidate.place.doc))
        else {
            continue;
        };
        let mut signals = describe(prompt, symbol, &file, &wanted, context);
        signals.doc = signals::doc(candidate.documented);
        signals.words = if best > 0.0 { words / best } else { 0.0 }.max(candidate.least);
        if candidate.named_line {
            // A line that the prompt names is what the prompt is about.
            signals.words = LINE;
        }
        signals.words += QUOTED * f64::from(candidate.quoted.min(2));
        ranked.push(RankedSymbol { place: candidate.place, score: signals.total(), signals, through: None });
    }
    Ok(ranked)
}

/// The signals that neither words nor references give.
fn describe(
    prompt: &Prompt,
    symbol: &Symbol,
    file: &FileFacts<'_>,
    wanted: &Wanted,
    context: &Context<'_>,
) -> Signals {
    let (exact, fuzzy) = wanted.compare(&symbol.name.to_lowercase(), &symbol.owner);
    let named = prompt.mentions.iter().any(|mention| files::is_named(file.path, &mention.path));
    Signals {
        exact,
        fuzzy,
        kind: signals::kind(prompt.intent, symbol.kind),
        exported: signals::exported(symbol.visibility),
        proximity: signals::proximity(file.path, named, context.recent),
        ..Signals::default()
    }
}

/// Gives what each candidate's words are worth: those of its text, and a part of its file's.
fn words(corpus: &impl Corpus, prompt: &Prompt, candidates: &[Candidate]) -> Result<Vec<f64>, IndexError> {
    let documents = corpus.lengths().documents;
    let mut worth = Vec::with_capacity(prompt.words.len());
    for word in &prompt.words {
        let holding = corpus.postings(&word.text)?.len() as u32;
        worth.push(word.weight * inverse_frequency(documents, holding));
    }
    let total: f64 = candidates.iter().map(|candidate| f64::from(candidate.length)).sum();
    let average = total / candidates.len().max(1) as f64;
    let formula = Bm25f { length: LENGTH, ..Bm25f::default() };
    let of = |candidate: &Candidate| {
        let length = f64::from(candidate.length);
        let body: f64 = candidate
            .counts
            .iter()
            .map(|(word, count)| {
                worth[usize::from(*word)] * saturate(f64::from(*count), length, average, &formula)
            })
            .sum();
        (body + FROM_FILE * candidate.file.score) * candidate.prior
    };
    Ok(candidates.iter().map(of).collect())
}

fn allowed(corpus: &impl Corpus, loaded: &Loaded, filter: &Filter, place: Place) -> bool {
    let kind = loaded.symbol(place).is_some_and(|symbol| filter.allows_kind(symbol.kind));
    kind && corpus.file(place.doc).is_some_and(|file| filter.allows(&file))
}

/// Sorts the best first; what fits equally well by path and place, so that the order never depends on the index's own.
fn sort(ranked: &mut [RankedSymbol], corpus: &impl Corpus) {
    let path = |place: Place| corpus.file(place.doc).map_or("", |file| file.path);
    ranked.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| path(a.place).cmp(path(b.place)))
            .then_with(|| a.place.symbol.cmp(&b.place.symbol))
    });
}

#[cfg(test)]
mod tests;
