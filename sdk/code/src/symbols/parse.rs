//! Parsing by a grammar under limits: whatever a file holds, it ends, and takes a bounded part of time and memory.

mod density;
mod nesting;

use std::{cell::Cell, ops::ControlFlow};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::Partial;
use crate::{grammar::Grammar, language::Language};
use density::{Density, Marks};

/// Larger files are not parsed: 2 MiB. The largest file that people wrote in the measured repositories has under
/// 0.5 MiB; above are generated tables and bundles. It bounds the tree, which takes about ten times the text.
pub const BYTES_CAP: usize = 2 * 1024 * 1024;

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

/// Deeper brackets and tags are not parsed: 2,000. Parts of the parser call themselves for each level, and a thread has
/// 2 MiB of stack, which some languages use up at 18,000 levels; people nest twenty deep.
const DEPTH_CAP: usize = 2_000;

/// How much the nodes may cost that hold what could not be parsed: the sum of the squares of how many children each
/// has. The query looks at all later siblings from each, and such a node is flat: 20,000 children take about 0.3 s.
const FLAT_COST_CAP: u64 = 400_000_000;

/// Makes a tree that a query can be run over; the error says what was too much.
pub(super) fn tree(
    parser: &mut Parser,
    language: Language,
    grammar: &Grammar,
    source: &[u8],
) -> Result<Tree, Partial> {
    if source.len() > BYTES_CAP {
        return Err(Partial::TooLarge);
    }
    if nesting::depth(language, source) > DEPTH_CAP {
        return Err(Partial::TooDeep);
    }
    let tree = parse(parser, grammar, source)?;
    if is_flat(&tree) { Err(Partial::TooSlow) } else { Ok(tree) }
}

fn parse(parser: &mut Parser, grammar: &Grammar, source: &[u8]) -> Result<Tree, Partial> {
    parser.set_language(&grammar.language).map_err(|_| Partial::Grammar)?;
    let marks = Marks::of(source);
    let mut density = Density::new(&marks);
    let mut reports = REPORTS_AT_LEAST + source.len() / 1000 * REPORTS_PER_1000_BYTES;
    let reads = Cell::new(READS_AT_LEAST + source.len() / PIECE * READS_PER_PIECE);
    let mut report = |state: &ParseState| {
        reports = reports.saturating_sub(1);
        let stuck = density.is_hard(state.current_byte_offset());
        if stuck || reports == 0 || reads.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let mut read = |at: usize, _| {
        reads.set(reads.get().saturating_sub(1));
        let rest = source.get(at..).unwrap_or_default();
        // The end of the file, early, so that it is soon over.
        if reads.get() == 0 { &rest[..0] } else { &rest[..rest.len().min(PIECE)] }
    };
    let options = ParseOptions::new().progress_callback(&mut report);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    let tree = tree.filter(|_| reads.get() > 0);
    // Otherwise the next file would go on where this one was left.
    parser.reset();
    tree.ok_or(Partial::TooSlow)
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
