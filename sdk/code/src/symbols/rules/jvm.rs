//! Kotlin and Scala: public unless they say otherwise; comments with two stars are documentation.

use super::{DEFAULT, Rules, Unmarked, grouped};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

pub(super) const KOTLIN: Rules = Rules {
    docs: DocStyle::Marked,
    unmarked,
    words: &["_", "it", "field", "class", "true", "false", "null"],
    ..DEFAULT
};
pub(super) const SCALA: Rules =
    Rules { docs: DocStyle::Marked, unmarked, constructors: &["this"], imports, ..DEFAULT };

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    match one.around {
        Some(around) if one.kind == Kind::Variant => around.visibility,
        _ => Visibility::Public,
    }
}

/// `import a.{B => C, D}` wants `a.B` and `a.D`.
fn imports(text: &str, found: &mut Vec<String>) {
    grouped(text.trim_start_matches("import"), ".", found);
}
