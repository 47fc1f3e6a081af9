//! The pairs that were made last and their texts, kept beside the facts, so that what has not changed is not made again.

use std::{borrow::Cow, io, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Shelf, opened, sealed};
use crate::{
    select::{inventory::Hash, pair::Pair},
    settings::Config,
    source::workspace::drawn::{Drawn, Texts},
};

const NAME: &str = "map-pairs";

/// The code that made them, by which they are told from those of another build.
const SOURCES: &str = env!("PROJECT_MAP_SOURCES");

/// Pairs, and what they were made of.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::source) struct Made<'a> {
    sources: Cow<'a, str>,
    /// The settings in words: whatever is said there may be said in a pair.
    config: Cow<'a, str>,
    /// The stamp of the facts.
    of: Hash,
    pairs: Cow<'a, [Pair]>,
    texts: Cow<'a, [Texts]>,
}

impl Made<'static> {
    /// Whether the pairs are those of these facts under these settings.
    pub(in crate::source) fn is_of(&self, facts: Hash, config: &Config) -> bool {
        self.of == facts && self.config == words(config)
    }

    /// The pairs, whatever they were made of.
    pub(in crate::source) fn drawn(self) -> Drawn {
        Drawn { pairs: Arc::new(self.pairs.into_owned()), texts: Arc::new(self.texts.into_owned()) }
    }
}

impl Shelf {
    /// Gives the pairs that are kept; `None` when there are none that can be used.
    pub(in crate::source) fn load_pairs(&self) -> Option<Made<'static>> {
        let bytes = self.read(NAME)?;
        let made: Made<'_> = postcard::from_bytes(opened(&bytes, self.rule)?).ok()?;
        (made.sources == SOURCES && made.pairs.len() == made.texts.len()).then_some(made)
    }

    /// Keeps pairs with the stamp of the facts that they were made of.
    ///
    /// # Errors
    ///
    /// With what the system said; what was kept before is then still there.
    pub(in crate::source) fn save_pairs(&self, drawn: &Drawn, of: Hash, config: &Config) -> io::Result<()> {
        let (sources, config) = (Cow::Borrowed(SOURCES), Cow::Owned(words(config)));
        let (pairs, texts) = (Cow::Borrowed(&drawn.pairs[..]), Cow::Borrowed(&drawn.texts[..]));
        let made = Made { sources, config, of, pairs, texts };
        let body = postcard::to_allocvec(&made).map_err(io::Error::other)?;
        self.replace(NAME, &sealed(self.rule, &[&body]))
    }
}

fn words(config: &Config) -> String {
    format!("{config:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_of_the_same_facts_and_settings_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::new(folder.path(), 7);
        assert!(shelf.load_pairs().is_none());
        let pairs = vec![Pair { dir: "src".to_owned(), files: 3, ..Pair::default() }];
        let drawn =
            Drawn { pairs: Arc::new(pairs), texts: Arc::new(vec![["one".to_owned(), "two".to_owned()]]) };
        let config = Config::default();
        shelf.save_pairs(&drawn, [1; 32], &config).expect("room");
        let is_of = |of: Hash, config: &Config| shelf.load_pairs().expect("pairs").is_of(of, config);
        assert!(is_of([1; 32], &config) && !is_of([2; 32], &config));
        assert!(!is_of([1; 32], &Config { tag_cap: 1, ..config.clone() }));
        let loaded = shelf.load_pairs().expect("pairs").drawn();
        assert_eq!((loaded.pairs, loaded.texts), (drawn.pairs, drawn.texts));
        assert!(Shelf::new(folder.path(), 8).load_pairs().is_none());
    }
}
