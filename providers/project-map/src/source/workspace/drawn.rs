//! Pairs with the texts that are written of them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    select::pair::{Kind, Pair},
    shape::artifact,
};

/// The index and the map of a directory, as they are where nobody has written notes.
pub(crate) type Texts = [String; 2];

/// Pairs and their texts, in the same order.
#[derive(Clone, Debug, Default)]
pub(in crate::source) struct Drawn {
    pub(in crate::source) pairs: Arc<Vec<Pair>>,
    pub(in crate::source) texts: Arc<Vec<Texts>>,
}

impl Drawn {
    /// Writes the texts of pairs; those of pairs that were the same before are taken from there, since writing within a
    /// budget takes longer than making.
    pub(super) fn of(pairs: Vec<Pair>, before: &Self) -> Self {
        let known: FxHashMap<&str, (&Pair, &Texts)> = before
            .pairs
            .iter()
            .zip(&*before.texts)
            .map(|(pair, texts)| (pair.dir.as_str(), (pair, texts)))
            .collect();
        let texts = |pair: &Pair| match known.get(pair.dir.as_str()) {
            Some((same, texts)) if *same == pair => (*texts).clone(),
            _ => Kind::BOTH.map(|kind| artifact::file(pair, kind, None)),
        };
        let texts = Arc::new(pairs.iter().map(texts).collect());
        Self { pairs: Arc::new(pairs), texts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_the_same_is_taken_and_what_is_not_is_written() {
        let pair = |dir: &str, files| Pair { dir: dir.to_owned(), files, ..Pair::default() };
        let mut before = Drawn::of(vec![pair("", 2), pair("src", 1)], &Drawn::default());
        let written = Drawn::of(vec![pair("", 3), pair("lib", 1), pair("src", 1)], &Drawn::default());
        // A mark by which what was taken is told.
        Arc::make_mut(&mut before.texts).iter_mut().for_each(|texts| texts[1].push_str("taken"));
        let after = Drawn::of(written.pairs.to_vec(), &before);
        let taken: Vec<bool> = after.texts.iter().map(|texts| texts[1].ends_with("taken")).collect();
        assert_eq!(taken, [false, false, true]);
        assert_eq!((&after.pairs, &after.texts[..2]), (&written.pairs, &written.texts[..2]));
    }
}
