//! Languages in which a leading underscore makes private, by rule (Dart) or by custom (Solidity).

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::Visibility;

pub(super) const DART: Rules = Rules { unmarked, named_like_type: true, words: DART_WORDS, ..DEFAULT };
pub(super) const SOLIDITY: Rules =
    Rules { unmarked, constructors: &["constructor"], words: &["_", "msg", "require", "this"], ..DEFAULT };

const DART_WORDS: &[&str] = &["bool", "double", "dynamic", "int", "num", "String", "super", "this", "void"];

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    if one.name.starts_with('_') { Visibility::Private } else { Visibility::Public }
}
