//! When a file fits at all: the floor under which nothing is better than something.

use ctxhost_code::bm25f::{FIELDS, Field};

/// In a project of so few files a word that most of them hold still says something.
const FEW: u32 = 8;

/// Where a word tells files apart: in the field, and at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tells {
    by_field: [bool; FIELDS],
    anywhere: bool,
}

/// A word tells files apart where at most half of them hold it.
pub(crate) fn tells(documents: u32, holding: u32, by_field: [u32; FIELDS]) -> Tells {
    let rare = |count: u32| documents <= FEW || count <= documents / 2;
    Tells { by_field: by_field.map(rare), anywhere: rare(holding) }
}

/// Whether a file with these counts of a word is one that the word tells apart: a word that is in most bodies counts only
/// where it names the file or what it defines.
pub(crate) fn counts(tells: Tells, counts: &[u16; FIELDS]) -> bool {
    let named = [Field::Path, Field::Names].map(|field| field as usize);
    tells.anywhere || named.into_iter().any(|field| counts[field] > 0 && tells.by_field[field])
}
