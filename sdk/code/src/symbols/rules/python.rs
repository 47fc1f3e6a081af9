//! Python: a leading underscore makes private, except in `__init__` and the like.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::Visibility;

pub(super) const RULES: Rules =
    Rules { unmarked, constructors: &["__init__", "__new__"], imports, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    let special = one.name.len() > 4 && one.name.starts_with("__") && one.name.ends_with("__");
    if one.name.starts_with('_') && !special { Visibility::Private } else { Visibility::Public }
}

/// `. a . b` is written in as many ways as people like.
fn imports(text: &str, found: &mut Vec<String>) {
    let path: String = text.split_whitespace().collect();
    if !path.is_empty() {
        found.push(path);
    }
}
