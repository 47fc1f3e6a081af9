//! Rust: private unless it says `pub`; variants and trait items follow what they belong to.

use super::{DEFAULT, Rules, Unmarked, grouped};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

pub(super) const RULES: Rules =
    Rules { docs: DocStyle::Marked, unmarked, words: &["Self", "_"], imports, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    let Some(around) = one.around else { return Visibility::Private };
    match around.kind {
        Some(Kind::Trait | Kind::Enum | Kind::Variant) => around.visibility,
        // The scope is that of an `impl`, which is public when it is a trait's.
        None => around.visibility,
        _ => Visibility::Private,
    }
}

/// `a::{b, c::{self, d}}` wants `a::b`, `a::c` and `a::c::d`.
fn imports(text: &str, found: &mut Vec<String>) {
    grouped(text, "::", found);
}
