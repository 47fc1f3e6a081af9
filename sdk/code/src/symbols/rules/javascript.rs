//! JavaScript: private unless exported; the members of what is a class or an object are public but for `#name`.

use super::{DEFAULT, Rules, Unmarked, dotted};
use crate::symbols::{Kind, Visibility};

pub(super) const RULES: Rules =
    Rules { unmarked, constructors: &["constructor"], words: WORDS, owner, ..DEFAULT };

/// What is declared in an interface, a namespace or an enumeration is seen with it.
pub(super) const TYPESCRIPT: Rules = Rules { unmarked: typed, ..RULES };

const WORDS: &[&str] = &["undefined", "arguments", "require", "module", "exports", "prototype"];

fn unmarked(one: &Unmarked<'_>) -> Visibility {
    match one.around {
        Some(_) if !one.name.starts_with('#') => Visibility::Public,
        _ => Visibility::Private,
    }
}

fn typed(one: &Unmarked<'_>) -> Visibility {
    match one.around {
        Some(around) if around.kind == Some(Kind::Module) => Visibility::Private,
        Some(around) if one.kind == Kind::Variant => around.visibility,
        _ => unmarked(one),
    }
}

/// What is set on `module.exports` or `this` belongs to the file.
fn owner(text: &str) -> Option<String> {
    let words = dotted(text)?;
    let mut words: Vec<&str> =
        words.split('.').filter(|word| !matches!(*word, "this" | "prototype")).collect();
    if words.first() == Some(&"module") {
        words.remove(0);
    }
    if words.first() == Some(&"exports") {
        words.remove(0);
    }
    (!words.is_empty()).then(|| words.join("."))
}
