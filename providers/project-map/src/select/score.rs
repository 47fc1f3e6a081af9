//! What a query finds: directories, files and definitions, ranked by what pages say of them. No model is asked, and the
//! same pages and query give the same answer everywhere.

mod alike;
mod corpus;
mod exact;
mod look;
mod query;
mod rank;
mod sieve;
mod stop;
mod texts;
mod weigh;

use ctxhost_sdk::protocol::project_map::Matched;

use super::{
    inventory::{FileFacts, Named},
    pair::{Item, Pair, Role},
};

pub(crate) use stop::is_stop;
pub(crate) use texts::{NoTexts, Texts};

/// So many directories, files and definitions are found at most.
const MOST: usize = 50;

/// What a query finds, the best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    /// The words that were looked for.
    pub(crate) words: Vec<String>,
    pub(crate) dirs: Vec<FoundDir>,
    pub(crate) files: Vec<FoundFile>,
    pub(crate) symbols: Vec<FoundSymbol>,
    /// What finds the lines of a page that the query is about.
    pub(crate) lens: Lens,
}

/// Says of a page's lines how far a query is about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lens {
    query: query::Query,
    /// What each word weighs.
    weights: Vec<f64>,
}

impl Lens {
    /// What the words in a line weigh together; 0 when it has none.
    pub(crate) fn weight(&self, item: &Item) -> f64 {
        let symbols = item.symbols.iter().map(|symbol| symbol.name.as_str());
        let texts =
            symbols.chain(item.tags.iter().map(String::as_str)).chain([item.path.as_str(), &item.text]);
        let mask = texts.fold(0, |mask, text| mask | self.query.mask(text));
        let weights = self.weights.iter().enumerate();
        weights.filter(|(at, _)| mask >> at & 1 == 1).map(|(_, weight)| weight).sum()
    }
}

/// A directory with a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FoundDir {
    /// The directory, as its pair names it.
    pub(crate) dir: String,
    /// The pair's place in the list.
    pub(crate) pair: usize,
    pub(crate) score: f64,
    pub(crate) matched: Vec<Matched>,
}

/// A file, or a family of like files.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FoundFile {
    /// The path, or the family's pattern.
    pub(crate) path: String,
    /// How many files it stands for when it is a family, else 0 or 1.
    pub(crate) count: u32,
    /// The place of the pair that covers it.
    pub(crate) pair: usize,
    pub(crate) role: Option<Role>,
    pub(crate) score: f64,
    pub(crate) matched: Vec<Matched>,
    pub(crate) purpose: String,
    /// The line that the query names.
    pub(crate) line: Option<u32>,
    /// Its definitions, those first that match.
    pub(crate) symbols: Vec<Named>,
}

/// A definition that matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FoundSymbol {
    pub(crate) file: String,
    pub(crate) named: Named,
    pub(crate) score: f64,
    pub(crate) matched: Vec<Matched>,
}

impl Found {
    /// Whether nothing matches.
    pub(crate) fn is_empty(&self) -> bool {
        self.dirs.is_empty() && self.files.is_empty()
    }
}

/// Ranks what the pairs say.
#[cfg(test)]
pub(crate) fn find(pairs: &[Pair], query: &str) -> Found {
    find_with(pairs, &[], &[], &NoTexts, query)
}

/// Lines that people noted in the artifacts of a pair, by its place.
pub(crate) type Noted = (usize, Vec<String>);

/// Ranks what the pairs say, what people noted in them, and what is known of files that are not listed in any.
pub(crate) fn find_with(
    pairs: &[Pair],
    noted: &[Noted],
    more: &[FileFacts],
    texts: &dyn Texts,
    query: &str,
) -> Found {
    let query = query::Query::read(query);
    if query.is_empty() || pairs.is_empty() {
        return Found { words: query.words, ..Found::default() };
    }
    let defined: Vec<(usize, Named)> =
        query.names.iter().filter(|name| name.code).flat_map(|name| texts.defining(&name.text)).collect();
    let mut corpus = corpus::gather(pairs, more);
    corpus.note(noted);
    corpus.define(&defined);
    rank::rank(pairs, &corpus, texts, query)
}

#[cfg(test)]
mod tests;
