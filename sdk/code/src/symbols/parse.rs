//! Parsing by a grammar under limits: whatever a file holds, it ends, and takes a bounded part of time and memory.

mod bounded;
mod nesting;

use tree_sitter::Node;

use super::Partial;
use crate::{grammar::Grammar, language::Language};
pub(crate) use bounded::{Bounded, Parsed};
use bounded::{Exceeded, Limits};

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

/// How long the parser may work: 3 s, and 3 s for each 1,000,000 bytes. Reports do not count all of its work: after an
/// error it walks over all comments and errors behind it, so that 200 KB of `/**/a => ` as Solidity took minutes. People's
/// files take up to 1 s for 1,000,000 bytes; the time of the thread is counted, so that a busy machine changes no answer.
const MILLIS_AT_LEAST: usize = 3_000;
const MILLIS_PER_1000_BYTES: usize = 3;

/// How much memory a parse may take: 64 MiB, and 40 bytes for each byte of the text, which is 144 MiB for the largest.
///
/// The end of a file that could not be parsed takes memory that is quadratic in how many readings of the text were merged
/// on the way, between two reports: 1.4 GB for 10 KB of `a => ` as C. Of 53,000 files of people and machines (the crates
/// of a registry, C headers, Python's library, Rust's documentation) the largest took 110 MB, a table of constants of
/// 1.4 MB and 90% of what it may; all others take under 60%. Smaller ones take up to 137 bytes for each byte.
const MEMORY_PER_BYTE: usize = 40;
const MEMORY_AT_LEAST: usize = 64 * 1024 * 1024;

/// Makes a tree that a query can be run over; the error says what was too much.
pub(super) fn tree(language: Language, grammar: &Grammar, source: &[u8]) -> Result<Parsed, Partial> {
    if source.len() > BYTES_CAP {
        return Err(Partial::TooLarge);
    }
    if nesting::depth(language, source) > DEPTH_CAP {
        return Err(Partial::TooDeep);
    }
    let parsed = grammar.bounded.parse(source, &limits(source.len())).map_err(|exceeded| match exceeded {
        Exceeded::Steps => Partial::TooSlow,
        Exceeded::Bytes => Partial::TooMuchMemory,
    })?;
    if is_flat(parsed.root()) { Err(Partial::TooSlow) } else { Ok(parsed) }
}

fn limits(length: usize) -> Limits {
    Limits {
        bytes: MEMORY_AT_LEAST + length * MEMORY_PER_BYTE,
        reports: REPORTS_AT_LEAST + length / 1000 * REPORTS_PER_1000_BYTES,
        reads: READS_AT_LEAST + length / PIECE * READS_PER_PIECE,
        piece: PIECE,
        millis: MILLIS_AT_LEAST + length / 1000 * MILLIS_PER_1000_BYTES,
    }
}

/// Whether what could not be parsed is too much for the query; looks only where something could not be.
fn is_flat(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
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

#[cfg(test)]
mod tests;
