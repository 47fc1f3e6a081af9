//! Finding the symbols of a file by its language's grammar and query.

use std::{cell::Cell, ops::ControlFlow};

use tree_sitter::{ParseOptions, Parser, QueryCursor, Tree};

use super::{
    Extracted, Partial, families,
    finds::Finds,
    lines::Lines,
    make::Maker,
    regions::{NONE, Regions},
    rules,
    uses::Uses,
};
use crate::{
    grammar::{Grammar, Grammars},
    language::Language,
};

/// Larger files are not parsed: 2 MiB. The largest file that people wrote in the measured repositories has under
/// 0.5 MiB; above are generated tables and bundles. It bounds the tree, which takes about ten times the text.
pub const BYTES_CAP: usize = 2 * 1024 * 1024;

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

/// How often the parser may report before the file is given up, for each 1,000 bytes, and at least.
///
/// The parser reports once in a hundred steps, which takes some 30 us. Of seven repositories in five languages the mean is
/// 5 to 10 reports for each 1,000 bytes and the most of any file 22; what takes three times that is a file on which the
/// parser tries every reading of every line.
const REPORTS_PER_1000_BYTES: usize = 60;
const REPORTS_AT_LEAST: usize = 2_000;

/// The text is given to the parser in pieces of 4 KiB, so that how often it asks tells how much it reads again.
const PIECE: usize = 4096;

/// How often it may ask, for each piece, and at least: each piece once is usual, and a scanner that looks to the end of
/// the file from each word asks for all pieces at each.
const READS_PER_PIECE: usize = 100;
const READS_AT_LEAST: usize = 5_000;

/// How often the query may report before it is ended, for each 1,000 bytes, and at least. It reports once in a thousand
/// steps, which counts the patterns that wait at each node; source code takes up to ten reports for each 1,000 bytes.
const QUERY_REPORTS_PER_1000_BYTES: usize = 100;
const QUERY_REPORTS_AT_LEAST: usize = 2_000;

/// Deeper brackets are not parsed: 2,000. Parts of the parser call themselves for each level, and a thread has 2 MiB of
/// stack, which some languages use up at 18,000 levels; people nest twenty deep.
const BRACKETS_CAP: usize = 2_000;

/// How much the nodes may cost that hold what could not be parsed: the sum of the squares of how many children each
/// has. The query looks at all later siblings from each, and such a node is flat: 20,000 children take about 0.3 s.
const FLAT_COST_CAP: u64 = 400_000_000;

/// Finds symbols; one for each thread, since it keeps a parser and its buffers.
pub struct Extractor {
    grammars: Grammars,
    parser: Parser,
    cursor: QueryCursor,
    finds: Finds,
}

impl Extractor {
    /// Takes the grammars to extract by.
    pub fn new(grammars: &Grammars) -> Extractor {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(WAITING_CAP);
        Extractor { grammars: grammars.clone(), parser: Parser::new(), cursor, finds: Finds::default() }
    }

    /// Finds the definitions, the used names and the imports of a file.
    pub fn extract(&mut self, language: Option<Language>, source: &[u8]) -> Extracted {
        let Some(language) = language else { return Extracted::default() };
        match self.grammars.get(language) {
            Ok(Some(grammar)) => self.by_grammar(language.id(), grammar, source),
            Ok(None) => by_family(language, source).unwrap_or_default(),
            Err(_) => Extracted {
                partial: Some(Partial::Grammar),
                ..by_family(language, source).unwrap_or_default()
            },
        }
    }

    /// Lists the lines that use a name, counted from 1: where it is defined is not one.
    pub fn occurrences(&mut self, language: Language, source: &[u8], name: &str) -> Vec<u32> {
        let Ok(Some(grammar)) = self.grammars.get(language) else { return Vec::new() };
        if self.find(grammar, source).is_err() {
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

    fn by_grammar(&mut self, id: &str, grammar: &'static Grammar, source: &[u8]) -> Extracted {
        match self.find(grammar, source) {
            Ok(partial) => {
                let maker = Maker { rules: rules::of(id), source, lines: Lines::of(source) };
                let mut extracted = maker.make(&mut self.finds);
                extracted.partial = extracted.partial.or(partial);
                extracted
            }
            Err(partial) => Extracted { partial: Some(partial), ..Extracted::default() },
        }
    }

    /// Fills the finds; the error says why there are none.
    fn find(&mut self, grammar: &'static Grammar, source: &[u8]) -> Result<Option<Partial>, Partial> {
        self.finds.clear();
        if source.len() > BYTES_CAP {
            return Err(Partial::TooLarge);
        }
        if depth(source) > BRACKETS_CAP {
            return Err(Partial::TooDeep);
        }
        let tree = self.parse(grammar, source)?;
        if is_flat(&tree) {
            return Err(Partial::TooSlow);
        }
        let thousands = source.len() / 1000;
        let mut left = QUERY_REPORTS_AT_LEAST + thousands * QUERY_REPORTS_PER_1000_BYTES;
        self.finds.collect(&grammar.query, &mut self.cursor, tree.root_node(), source, &mut left);
        let too_deep = self.cursor.did_exceed_match_limit().then_some(Partial::TooDeep);
        Ok(if left == 0 { Some(Partial::TooSlow) } else { too_deep })
    }

    fn parse(&mut self, grammar: &'static Grammar, source: &[u8]) -> Result<Tree, Partial> {
        self.parser.set_language(&grammar.language).map_err(|_| Partial::Grammar)?;
        let mut reports = REPORTS_AT_LEAST + source.len() / 1000 * REPORTS_PER_1000_BYTES;
        let reads = Cell::new(READS_AT_LEAST + source.len() / PIECE * READS_PER_PIECE);
        let mut report = |_: &_| {
            reports = reports.saturating_sub(1);
            if reports == 0 || reads.get() == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut read = |at: usize, _| {
            reads.set(reads.get().saturating_sub(1));
            let rest = source.get(at..).unwrap_or_default();
            // The end of the file, early, so that it is soon over.
            if reads.get() == 0 { &rest[..0] } else { &rest[..rest.len().min(PIECE)] }
        };
        let options = ParseOptions::new().progress_callback(&mut report);
        let tree = self.parser.parse_with_options(&mut read, None, Some(options));
        let tree = tree.filter(|_| reads.get() > 0);
        // Otherwise the next file would go on where this one was left.
        self.parser.reset();
        tree.ok_or(Partial::TooSlow)
    }
}

/// Counts how deep brackets lie in each other, those in texts and comments among them.
fn depth(source: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in source {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Whether what could not be parsed is too much for the query; looks only where something could not be.
fn is_flat(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut cost = 0_u64;
    loop {
        let node = cursor.node();
        if node.is_error() {
            cost += u64::from(node.child_count()).pow(2);
        }
        if cost > FLAT_COST_CAP {
            return true;
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}

fn by_family(language: Language, source: &[u8]) -> Option<Extracted> {
    families::extract(language, &families::text(source))
}

impl std::fmt::Debug for Extractor {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Extractor").field("grammars", &self.grammars).finish_non_exhaustive()
    }
}
