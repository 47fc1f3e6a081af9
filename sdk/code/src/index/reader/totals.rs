//! What is counted over all living documents.

use super::super::view::Part;
use crate::{
    bm25f::FIELDS,
    language::Language,
    symbols::{Kind, Method, Partial},
};
use std::collections::BTreeMap;

/// Counts over the whole index; documents that are gone are not in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many files there are.
    pub files: u32,
    /// How many definitions.
    pub symbols: u64,
    /// How many names used, each once for each definition that uses it.
    pub references: u64,
    /// How many bytes the files have.
    pub bytes: u64,
    /// How many definitions of each kind that there are any of.
    pub kinds: BTreeMap<Kind, u64>,
    /// By language; `None` for files in none that is known.
    pub languages: BTreeMap<Option<Language>, LanguageTotals>,
    /// How many words each field has in all.
    pub lengths: [u64; FIELDS],
    /// How many files have something missing, by why; the first of them by path is named.
    pub partial: Vec<PartialTotals>,
}

/// The files that have something missing for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialTotals {
    /// Why.
    pub reason: Partial,
    /// How many files there are.
    pub files: u32,
    /// The first of them by path.
    pub first: String,
}

/// Counts over the files of one language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LanguageTotals {
    /// How many files there are.
    pub files: u32,
    /// How many definitions.
    pub symbols: u64,
    /// How many files were read by a grammar.
    pub by_grammar: u32,
    /// How many by the regular expressions of a family.
    pub by_family: u32,
    /// How many have something missing.
    pub partial: u32,
}

impl Totals {
    pub(super) fn of(parts: &[Part]) -> Self {
        let mut totals = Self::default();
        let mut kinds = [0u64; Kind::ALL.len()];
        for (_, row) in parts.iter().flat_map(Part::living) {
            totals.files += 1;
            totals.bytes = totals.bytes.saturating_add(row.bytes);
            totals.references += u64::from(row.references);
            row.kinds.iter().for_each(|&(kind, count)| kinds[usize::from(kind)] += u64::from(count));
            totals.lengths.iter_mut().zip(row.lengths).for_each(|(sum, length)| *sum += u64::from(length));
            let language = totals.languages.entry(row.language).or_default();
            language.files += 1;
            language.symbols += u64::from(row.symbols());
            language.by_grammar += u32::from(row.method == Method::Grammar);
            language.by_family += u32::from(row.method == Method::Family);
            language.partial += u32::from(row.partial.is_some());
            row.partial.into_iter().for_each(|reason| totals.note_partial(reason, &row.path));
        }
        totals.symbols = kinds.iter().sum();
        totals.kinds = Kind::ALL.into_iter().zip(kinds).filter(|&(_, count)| count > 0).collect();
        totals
    }

    fn note_partial(&mut self, reason: Partial, path: &str) {
        match self.partial.binary_search_by_key(&(reason as u8), |known| known.reason as u8) {
            Err(at) => self.partial.insert(at, PartialTotals { reason, files: 1, first: path.to_owned() }),
            Ok(at) => {
                let known = &mut self.partial[at];
                known.files += 1;
                if *path < *known.first {
                    known.first = path.to_owned();
                }
            }
        }
    }

    pub(super) fn average_lengths(&self) -> [f64; FIELDS] {
        let files = f64::from(self.files.max(1));
        self.lengths.map(|length| length as f64 / files)
    }
}
