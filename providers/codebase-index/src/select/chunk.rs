//! Cutting a file into chunks on the boundaries of its syntax.
//!
//! A chunk is a run of whole lines, exactly as they stand in the file, so that every line of an answer has its number.
//! A definition is a unit with its doc comment, attributes and decorators. A container is cut into its members; its own
//! lines up to the first of them are its header, and those between them further pieces of it. What lies between the
//! definitions of a file is named by the file and its place among such pieces: `main.ts#1`. A piece that is too long is cut
//! where the least is torn apart. Every non-blank line is in some chunk; names depend on content and order only, never on
//! line numbers.

use std::collections::{BTreeMap, BTreeSet};

use ctxhost_code::{language::Language, symbols::Extracted};
use ctxhost_sdk::protocol::codebase_index::{Chunk, FileHash};

use crate::source::workspace::Repo;

mod headings;
mod lines;
mod pieces;
mod split;
mod units;

use lines::Lines;
use pieces::Piece;

/// About so many characters has a chunk at most: some 400 tokens, what small embedding models read in full.
pub(crate) const CAP: usize = 1_500;

/// Longer names are cut; a database's column and a search result's line have room for this.
const LONGEST_SYMBOL: usize = 300;

/// Cuts a text, of which `extracted` holds the definitions by the same places. Files without text have no chunks.
pub(crate) fn chunks(
    repo: &Repo,
    file: &FileHash,
    text: &str,
    extracted: &Extracted,
    language: Option<Language>,
) -> Vec<Chunk> {
    let lines = Lines::of(text);
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let pieces = match language {
        Some(language) if headings::has(language) => headings::pieces(&lines, language, name),
        Some(language) if language.is_code() => units::pieces(&lines, extracted, name),
        _ => units::pieces(&lines, &Extracted::default(), name),
    };
    let parts: Vec<Piece> = pieces.into_iter().flat_map(|piece| split::parts(&lines, piece)).collect();
    let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let mut names = Names::default();
    let chunk = |part: Piece| Chunk {
        repo: repo.name.clone(),
        path: file.path.clone(),
        symbol: names.once(&part.name),
        lang: language.map_or("text", Language::id).to_owned(),
        // What a backend that knows only the document takes the file's hash from.
        git_sha: Some(file.hash.clone()),
        file_hash: Some(file.hash.clone()),
        file_chunks: Some(count),
        reference: Some(repo.reference.clone()),
        line_start: u32::try_from(part.first + 1).ok(),
        line_end: u32::try_from(part.last + 1).ok(),
        content: lines.text(part.first, part.last),
    };
    parts.into_iter().map(chunk).collect()
}

/// Gives each symbol of a file a name of its own: the second `add` is `add~2`.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
    counts: BTreeMap<String, usize>,
}

impl Names {
    fn once(&mut self, name: &str) -> String {
        let plain: String = name
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .map(|letter| if letter.is_control() { '_' } else { letter })
            .take(LONGEST_SYMBOL)
            .collect();
        let count = self.counts.entry(plain.clone()).or_default();
        loop {
            *count += 1;
            let own = if *count == 1 { plain.clone() } else { format!("{plain}~{count}") };
            if self.taken.insert(own.clone()) {
                return own;
            }
        }
    }
}

#[cfg(test)]
mod tests;
