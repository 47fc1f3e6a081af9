//! Ruby: public until `private` stands above or before; instance variables are the object's own.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::Visibility;

pub(super) const RULES: Rules = Rules { unmarked, constructors: &["initialize"], words: WORDS, ..DEFAULT };

/// What looks like a call and is a declaration, and the call of every constructor.
const WORDS: &[&str] = &[
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "extend",
    "include",
    "new",
    "prepend",
    "private",
    "protected",
    "public",
    "require",
    "require_relative",
];

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    if one.name.starts_with('@') { Visibility::Private } else { Visibility::Public }
}
