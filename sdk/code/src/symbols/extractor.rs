//! Finding the symbols of a file by its language's grammar and query.

use tree_sitter::QueryCursor;

use super::{
    Extracted, Partial, families,
    finds::Finds,
    lines::Lines,
    make::Maker,
    parse,
    regions::{NONE, Regions},
    rules,
    uses::Uses,
};
use crate::{
    grammar::{Grammar, Grammars},
    language::Language,
};

/// So many definitions of a file are kept: 20,000, which is more than one each hundred bytes of the largest file.
pub const SYMBOLS_CAP: usize = 20_000;

/// So many pairs of definition and used name are kept: 100,000, five for each definition of the largest file.
pub const REFERENCES_CAP: usize = 100_000;

/// Longer names are left out: 200 bytes, since each definition below repeats the names around it.
pub const NAME_CAP: usize = 200;

/// Definitions that lie deeper in each other are left out: 64; people nest six deep.
pub const NESTING_CAP: usize = 64;

/// Names of patterns that may be waiting for their end at once. Ours end where they begin, or at a child, so that a
/// handful wait; the cap bounds the time that each step of the query takes.
const WAITING_CAP: u32 = 512;

/// How often the query may report before it is ended, for each 1,000 bytes, and at least. It reports once in a thousand
/// steps, which counts the patterns that wait at each node; source code takes up to ten reports for each 1,000 bytes.
const QUERY_REPORTS_PER_1000_BYTES: usize = 100;
const QUERY_REPORTS_AT_LEAST: usize = 2_000;

/// Finds symbols; one for each thread, since it keeps a query's buffers.
pub struct Extractor {
    grammars: Grammars,
    cursor: QueryCursor,
    finds: Finds,
}

impl Extractor {
    /// Takes the grammars to extract by.
    pub fn new(grammars: &Grammars) -> Extractor {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(WAITING_CAP);
        Extractor { grammars: grammars.clone(), cursor, finds: Finds::default() }
    }

    /// Finds the definitions, the used names and the imports of a file.
    ///
    /// What a grammar cannot be used for, or not within the limits, is read by the language's family, if it has one.
    pub fn extract(&mut self, language: Option<Language>, source: &[u8]) -> Extracted {
        let Some(language) = language else { return Extracted::default() };
        let by_grammar = match self.grammars.get(language) {
            Ok(Some(grammar)) => self.by_grammar(language, grammar, source),
            Ok(None) => return by_family(language, source),
            Err(_) => Err(Partial::Grammar),
        };
        by_grammar
            .unwrap_or_else(|partial| Extracted { partial: Some(partial), ..by_family(language, source) })
    }

    /// Lists the lines that use a name, counted from 1: where it is defined is not one.
    pub fn occurrences(&mut self, language: Language, source: &[u8], name: &str) -> Vec<u32> {
        let Ok(Some(grammar)) = self.grammars.get(language) else { return Vec::new() };
        if self.find(language, grammar, source).is_err() {
            return Vec::new();
        }
        let regions = Regions::of(&mut self.finds);
        let symbols = vec![NONE; regions.list.len()];
        let lines = Lines::of(source);
        let mut found = Vec::new();
        Uses { finds: &self.finds, regions: &regions, symbols: &symbols, source, words: &[] }.each(
            |bytes, text| {
                if text == name {
                    found.push(lines.at(bytes.start));
                }
            },
        );
        found.dedup();
        found
    }

    fn by_grammar(
        &mut self,
        language: Language,
        grammar: &'static Grammar,
        source: &[u8],
    ) -> Result<Extracted, Partial> {
        let partial = self.find(language, grammar, source)?;
        let maker = Maker { rules: rules::of(language.id()), source, lines: Lines::of(source) };
        let mut extracted = maker.make(&mut self.finds);
        extracted.partial = extracted.partial.or(partial);
        Ok(extracted)
    }

    /// Fills the finds; the error says why there are none.
    fn find(
        &mut self,
        language: Language,
        grammar: &'static Grammar,
        source: &[u8],
    ) -> Result<Option<Partial>, Partial> {
        self.finds.clear();
        let tree = parse::tree(language, grammar, source)?;
        let thousands = source.len() / 1000;
        let mut left = QUERY_REPORTS_AT_LEAST + thousands * QUERY_REPORTS_PER_1000_BYTES;
        self.finds.collect(&grammar.query, &mut self.cursor, tree.root(), source, &mut left);
        let too_deep = self.cursor.did_exceed_match_limit().then_some(Partial::TooDeep);
        Ok(if left == 0 { Some(Partial::TooSlow) } else { too_deep })
    }
}

fn by_family(language: Language, source: &[u8]) -> Extracted {
    families::extract(language, &families::text(source)).unwrap_or_default()
}

impl std::fmt::Debug for Extractor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Extractor").field("grammars", &self.grammars).finish_non_exhaustive()
    }
}
