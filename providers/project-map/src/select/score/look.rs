//! What of a query is in what is said of each file and directory.

use ctxhost_sdk::protocol::project_map::Field;
use rustc_hash::FxHashMap;

use super::{
    corpus::{Entry, Place},
    exact::{self, Hit},
    query::{Mask, Query},
    sieve::Sieve,
    texts::Texts,
};

/// What a word counts for in each field. Of whole names, `Path` counts 10 and `Symbol` 9.
pub(super) const FIELDS: [(Field, f64); 7] = [
    (Field::Dir, 6.0),
    (Field::SymbolWord, 5.0),
    (Field::Tag, 4.0),
    (Field::FileWord, 4.0),
    (Field::Purpose, 2.0),
    (Field::Workflow, 2.0),
    (Field::Body, 1.0),
];
pub(super) const DIR: usize = 0;
pub(super) const SYMBOL_WORD: usize = 1;
pub(super) const TAG: usize = 2;
pub(super) const FILE_WORD: usize = 3;
pub(super) const PURPOSE: usize = 4;
pub(super) const WORKFLOW: usize = 5;
pub(super) const BODY: usize = 6;

/// So many forms of words are looked up in texts.
const MOST_LOOKUPS: usize = 160;

/// How near a path is that has all words of the query, against one that ends with it.
const SPREAD: f64 = 0.9;

/// The words of the query that each field has.
pub(super) type Masks = [Mask; FIELDS.len()];

/// A file that has something of the query.
pub(super) struct Seen<'a, 'q> {
    pub(super) masks: Masks,
    pub(super) hits: Vec<Hit<'q>>,
    pub(super) line: Option<u32>,
    pub(super) quoted: usize,
    /// By word; empty when nothing is known of the text.
    pub(super) said: &'q [f64],
    pub(super) entry: &'a Entry<'a>,
}

impl Seen<'_, '_> {
    /// The words that pages or the text have.
    pub(super) fn any(&self) -> Mask {
        let said = self.said.iter().enumerate().filter(|(_, strength)| **strength > 0.0);
        said.fold(all(&self.masks), |mask, (at, _)| mask | 1 << at)
    }

    /// Whether a name of the query is the file's, or of something in it; words that are spread over a path are no name.
    pub(super) fn is_named(&self) -> bool {
        self.hits.iter().any(|hit| hit.sure && hit.field != Field::FileWord)
    }

    /// How far a word is there: wholly in what is said of the file, in part in its text.
    pub(super) fn has(&self, at: usize) -> f64 {
        if all(&self.masks) >> at & 1 == 1 { 1.0 } else { self.said.get(at).copied().unwrap_or(0.0) }
    }
}

/// What a directory has of the query.
pub(super) type SeenPlace<'q> = (Masks, Vec<Hit<'q>>);

/// How much each word is about each file, by the file's own text.
pub(super) struct Said {
    /// By place in the inventory: by word.
    files: FxHashMap<usize, Vec<f64>>,
    words: usize,
}

impl Said {
    pub(super) fn new(query: &Query, texts: &dyn Texts) -> Self {
        let mut said = Self { files: FxHashMap::default(), words: query.words.len() };
        for (word, mask) in query.lookup.iter().take(MOST_LOOKUPS) {
            for (file, strength) in texts.holding(word) {
                let of_file = said.files.entry(file).or_insert_with(|| vec![0.0; said.words]);
                for (at, known) in of_file.iter_mut().enumerate() {
                    if mask >> at & 1 == 1 {
                        *known = known.max(strength);
                    }
                }
            }
        }
        said
    }

    fn of(&self, entry: &Entry<'_>) -> &[f64] {
        entry.at.and_then(|at| self.files.get(&at)).map_or(&[], Vec::as_slice)
    }
}

/// Looks for the query.
pub(super) struct Looking<'q> {
    query: &'q Query,
    sieve: Sieve,
    texts: &'q Said,
}

impl<'q> Looking<'q> {
    pub(super) fn new(query: &'q Query, texts: &'q Said) -> Self {
        Self { query, sieve: Sieve::new(query), texts }
    }

    fn mask(&self, text: &str) -> Mask {
        if self.sieve.may_have(text) { self.query.mask(text) } else { 0 }
    }

    fn all<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Mask {
        texts.into_iter().fold(0, |mask, text| mask | self.mask(text))
    }

    pub(super) fn place(&self, dir: &str, place: &Place<'_>) -> SeenPlace<'q> {
        let mut masks = Masks::default();
        let (above, last) = dir.rsplit_once('/').unwrap_or(("", dir));
        masks[DIR] = self.mask(last);
        masks[TAG] = self.all(place.tags.iter().copied());
        masks[PURPOSE] = self.all(place.purposes.iter().copied());
        masks[WORKFLOW] = self.all(place.workflows.iter().copied());
        masks[BODY] = self.all(place.bodies.iter().chain(&place.folded).copied()) | self.mask(above);
        (masks, exact::dir(self.query, dir))
    }

    pub(super) fn file<'a>(
        &self,
        entry: &'a Entry<'a>,
        dirs: &mut FxHashMap<&'a str, Mask>,
    ) -> Option<Seen<'a, 'q>> {
        let (dir, name) = entry.path.rsplit_once('/').unwrap_or(("", entry.path));
        let mut masks = Masks::default();
        masks[DIR] = *dirs.entry(dir).or_insert_with(|| self.mask(dir));
        masks[SYMBOL_WORD] = self.all(entry.symbols.iter().map(|symbol| symbol.name.as_str()));
        masks[TAG] = self.all(entry.tags.iter().copied());
        masks[FILE_WORD] = self.mask(name);
        masks[PURPOSE] = self.all(entry.purposes.iter().copied());
        masks[WORKFLOW] = self.all(entry.workflows.iter().copied());
        masks[BODY] = self.all(entry.bodies.iter().copied());
        let (mut hits, line) = exact::file(self.query, entry);
        hits.extend(self.spread(&masks, entry.path));
        let symbols = entry.symbols.iter().filter_map(|symbol| exact::symbol(self.query, symbol));
        for hit in symbols {
            if !hits.iter().any(|known| known.field == Field::Symbol && known.asked == hit.asked) {
                hits.push(hit);
            }
        }
        let quoted = self.quoted(entry);
        let said = self.texts.of(entry);
        let nothing =
            masks.iter().all(|mask| *mask == 0) && hits.is_empty() && quoted == 0 && said.is_empty();
        (!nothing).then_some(Seen { masks, hits, line, quoted, said, entry })
    }

    /// `scripts lint` asks for `scripts/lint.sh`: the words of a path, and each of them.
    fn spread(&self, masks: &Masks, path: &str) -> Option<Hit<'q>> {
        let every = self.query.every();
        let named = masks[FILE_WORD] != 0 && (masks[DIR] | masks[FILE_WORD]) & every == every;
        let asked = self.query.words.len() > 1 && self.query.only_names && !path.contains('*');
        let first = self.query.names.first().filter(|_| named && asked)?;
        Some(Hit { field: Field::FileWord, asked: &first.text, words: every, near: SPREAD, sure: true })
    }

    fn quoted(&self, entry: &Entry<'_>) -> usize {
        let has = |phrase: &&String| {
            let texts = entry.purposes.iter().chain(&entry.bodies).chain(&entry.workflows);
            texts.into_iter().any(|text| text.to_lowercase().contains(phrase.as_str()))
        };
        self.query.quoted.iter().filter(has).count()
    }
}

pub(super) fn all(masks: &[Mask]) -> Mask {
    masks.iter().fold(0, |all, mask| all | mask)
}
