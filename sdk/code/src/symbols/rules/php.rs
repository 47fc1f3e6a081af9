//! PHP: public unless it says otherwise.

use super::{DEFAULT, Rules};
use crate::symbols::documentation::DocStyle;

pub(super) const RULES: Rules = Rules {
    docs: DocStyle::Marked,
    constructors: &["__construct"],
    words: &["parent", "self", "static"],
    ..DEFAULT
};
