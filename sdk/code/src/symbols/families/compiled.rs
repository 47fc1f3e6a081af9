//! The families, each made ready when a file of it is first seen.

use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use rustc_hash::FxHashMap;

use super::{
    family::{End, Family, Pattern},
    rows,
};
use crate::language::Language;

/// A family with its expressions.
pub(super) struct Compiled {
    pub(super) row: &'static Family,
    pub(super) patterns: Vec<Pattern>,
    /// Says at once which patterns a line fits.
    pub(super) any: RegexSet,
    pub(super) each: Vec<Regex>,
    /// What ends a body, where a keyword does.
    pub(super) end: Option<Regex>,
}

pub(super) fn of(language: Language) -> Option<&'static Compiled> {
    static OF_ID: LazyLock<FxHashMap<&str, usize>> = LazyLock::new(|| {
        let places = rows::all().enumerate();
        places.flat_map(|(place, row)| row.languages.iter().map(move |id| (*id, place))).collect()
    });
    static COMPILED: LazyLock<Vec<OnceLock<Option<Compiled>>>> =
        LazyLock::new(|| rows::all().map(|_| OnceLock::new()).collect());
    let place = *OF_ID.get(language.id())?;
    COMPILED[place].get_or_init(|| Compiled::new(rows::all().nth(place)?).ok()).as_ref()
}

impl Compiled {
    /// Fails where an expression is broken, which a test rules out.
    pub(super) fn new(row: &'static Family) -> Result<Compiled, regex::Error> {
        let patterns: Vec<Pattern> = row.patterns.iter().flat_map(|group| group.iter().copied()).collect();
        let written: Vec<String> = patterns.iter().map(|pattern| anchored(pattern.regex)).collect();
        let regex = |text: &str| RegexBuilder::new(text).case_insensitive(row.any_case).build();
        let end = match row.end {
            End::Keyword(text) => Some(regex(&anchored(text))?),
            _ => None,
        };
        Ok(Compiled {
            row,
            any: RegexSetBuilder::new(&written).case_insensitive(row.any_case).build()?,
            each: written.iter().map(|text| regex(text)).collect::<Result<_, _>>()?,
            patterns,
            end,
        })
    }
}

fn anchored(regex: &str) -> String {
    match regex.strip_prefix('^') {
        Some(from_first_column) => format!("^(?:{from_first_column})"),
        None => format!(r"^[ \t]*(?:{regex})"),
    }
}
