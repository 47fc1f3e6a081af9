//! Zig: private unless it says `pub`; what a type is made of follows the type.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility};

pub(super) const RULES: Rules = Rules { unmarked, words: &["_"], ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    match (one.kind, one.around) {
        (Kind::Field | Kind::Variant, Some(around)) => around.visibility,
        _ => Visibility::Private,
    }
}
