//! The families.

mod braces;
mod ends;
mod headings;
mod indented;
mod lisp;
mod sentences;

use super::family::Family;

/// What may stand before the word that defines, and what it says of who may use it.
macro_rules! modifiers {
    () => {
        r"(?:(?:(?<public>pub|public|export|open)|(?<private>private|fileprivate|priv|protected)|[a-z]\w*)\b(?:\([^)]*\))?\s+|@\w+(?:\([^)]*\))?\s+)*"
    };
}
use modifiers;

/// Every family; a language is in one of them.
pub(super) fn all() -> impl Iterator<Item = &'static Family> {
    let groups = [
        braces::FAMILIES,
        ends::FAMILIES,
        headings::FAMILIES,
        indented::FAMILIES,
        lisp::FAMILIES,
        sentences::FAMILIES,
    ];
    groups.into_iter().flatten()
}
