//! C#: types for the assembly, members private, unless they say otherwise.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

pub(super) const RULES: Rules = Rules { docs: DocStyle::Marked, unmarked, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    if one.kind == Kind::Module {
        return Visibility::Public;
    }
    let Some(around) = one.around else { return Visibility::Restricted };
    match (around.kind, one.kind) {
        (Some(Kind::Module), _) => Visibility::Restricted,
        (Some(Kind::Interface), _) => Visibility::Public,
        (_, Kind::Variant) => around.visibility,
        // What a record is made of can be read.
        (Some(Kind::Struct), Kind::Field) if one.in_head => Visibility::Public,
        _ => Visibility::Private,
    }
}
