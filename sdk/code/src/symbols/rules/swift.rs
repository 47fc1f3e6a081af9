//! Swift: for the module unless it says otherwise; cases, and what a protocol asks for, follow what is around them.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

pub(super) const RULES: Rules = Rules { docs: DocStyle::Marked, unmarked, words: &["_"], ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    match one.around {
        Some(around) if around.kind == Some(Kind::Interface) || one.kind == Kind::Variant => {
            around.visibility
        }
        // `public extension` makes its members public.
        Some(around) if around.kind.is_none() => around.visibility.max(Visibility::Restricted),
        _ => Visibility::Restricted,
    }
}
