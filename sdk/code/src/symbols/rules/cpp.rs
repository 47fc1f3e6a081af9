//! C++: the members of a class are private until a section says otherwise; everything else is public.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility};

pub(super) const RULES: Rules = Rules { unmarked, named_like_type: true, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    match one.around {
        Some(around) if around.kind == Some(Kind::Class) => Visibility::Private,
        _ => Visibility::Public,
    }
}
