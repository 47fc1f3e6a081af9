//! Haskell: a module that lists what it offers offers nothing else; equations of one function stand below each other.

use super::{DEFAULT, Rules};

pub(super) const RULES: Rules = Rules { clauses: true, words: &["_", "otherwise"], ..DEFAULT };
