//! Java: for the package unless it says otherwise; the members of an interface are public.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

pub(super) const RULES: Rules = Rules { docs: DocStyle::Marked, unmarked, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    let Some(around) = one.around else { return Visibility::Restricted };
    match (around.kind, one.kind) {
        (Some(Kind::Interface), _) => Visibility::Public,
        // A record's part has an accessor that is as public as the record.
        (_, Kind::Variant) | (Some(Kind::Struct), Kind::Field) => around.visibility,
        (Some(Kind::Enum), Kind::Constructor) => Visibility::Private,
        _ => Visibility::Restricted,
    }
}
