//! One order from several: reciprocal ranks, and a boost for what the question names.

use std::collections::HashMap;

use super::question::Asked;
use crate::store::{
    ChunkId, Scored, StoredChunk,
    names::{self, Apart},
};

/// How flat the ranks are: the usual constant of reciprocal rank fusion.
const FLAT: f64 = 60.0;
/// What the leg of the words counts for.
const WORDS: f64 = 1.0;
/// What the leg of the vectors counts for: on the development queries a model is worth less than the words.
const VECTORS: f64 = 0.7;
/// What a name or path that is written out counts for: more than both legs, since who writes it means it.
const NAMED: f64 = 3.0;
/// What a name counts for in the middle of a sentence, which more often tells what the code that is looked for has to do with.
const MENTIONED: f64 = 0.05;
/// What the name counts for in code that defines it but is not called by it, such as what a macro is given.
const DEFINED: f64 = 1.5;
/// What stands in front of a name where it is defined.
const DEFINING: [&str; 18] = [
    "fn",
    "func",
    "function",
    "fun",
    "def",
    "class",
    "struct",
    "enum",
    "union",
    "trait",
    "interface",
    "type",
    "const",
    "static",
    "let",
    "var",
    "macro_rules!",
    "#define",
];

/// A chunk and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fused {
    pub(super) chunk: ChunkId,
    /// From 0 to 1.
    pub(super) score: f64,
}

/// Joins the legs; `named` are the chunks that the question may name.
pub(super) fn fuse(
    words: &[Scored],
    vectors: Option<&[Scored]>,
    named: &[StoredChunk],
    asked: &Asked,
) -> Vec<Fused> {
    let mut scores = HashMap::<ChunkId, f64>::new();
    let mut leg = |found: &[Scored], weight: f64| {
        for (rank, one) in found.iter().enumerate() {
            *scores.entry(one.chunk).or_default() += weight * at(rank);
        }
    };
    leg(words, WORDS);
    leg(vectors.unwrap_or_default(), VECTORS);
    let mut most = (WORDS + vectors.map_or(0.0, |_| VECTORS)) * at(0);
    let boosts: Vec<f64> = named.iter().map(|chunk| boost(chunk, asked) * at(0)).collect();
    for (chunk, boost) in named.iter().zip(&boosts) {
        *scores.entry(chunk.id).or_default() += boost;
    }
    most += boosts.into_iter().fold(0.0, f64::max);
    let mut fused: Vec<Fused> = scores
        .into_iter()
        .map(|(chunk, score)| Fused { chunk, score: (score / most).clamp(0.0, 1.0) })
        .collect();
    fused.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.chunk.cmp(&other.chunk)));
    fused
}

/// What a place counts, from 0.
fn at(rank: usize) -> f64 {
    1.0 / (FLAT + 1.0 + rank as f64)
}

/// A chunk's best name and best path, added: whoever names both means the one in the other.
fn boost(chunk: &StoredChunk, asked: &Asked) -> f64 {
    let names = asked.names.iter().filter_map(|name| {
        let means = if *name == asked.whole { NAMED } else { MENTIONED };
        names::apart(&chunk.symbol, name).map(|near| means * nearness(near))
    });
    let named = names.fold(0.0, f64::max);
    let path = asked.paths.iter().filter_map(|path| names::path_apart(&chunk.path, path)).min();
    let defined = if named == 0.0 && defines(&chunk.content, &asked.whole) { DEFINED } else { 0.0 };
    named + defined + path.map_or(0.0, |near| NAMED * nearness(near))
}

/// Whether the text defines what is asked for, as far as the word in front of it tells.
fn defines(text: &str, name: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || "_$".contains(letter);
    let is_name = !name.is_empty() && name.chars().all(part);
    is_name
        && text.match_indices(name).any(|(at, _)| {
            let before = text[..at].split_ascii_whitespace().next_back();
            text[..at].ends_with([' ', '\t'])
                && before.is_some_and(|word| DEFINING.contains(&word))
                && !text[at + name.len()..].starts_with(part)
        })
}

fn nearness(near: Apart) -> f64 {
    match near {
        Apart::Same => 1.0,
        Apart::End => 0.9,
        Apart::Capitals => 0.6,
    }
}
