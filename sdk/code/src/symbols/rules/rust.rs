//! Rust: private unless it says `pub`; variants and trait items follow what they belong to.

use super::{DEFAULT, Rules, Unmarked};
use crate::symbols::{Kind, Visibility, documentation::DocStyle};

/// Deeper lists of imports are not taken apart; people nest them two or three deep.
const NESTING_CAP: usize = 8;

/// So many paths of one `use` are kept.
const PATHS_CAP: usize = 200;

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
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut prefixes = vec![String::new()];
    let mut word = String::new();
    for letter in text.chars() {
        match letter {
            '{' if prefixes.len() >= NESTING_CAP => return,
            '{' => {
                let outer = prefixes.last().map_or("", String::as_str);
                let prefix = format!("{outer}{}", std::mem::take(&mut word).trim());
                prefixes.push(prefix);
            }
            ',' => push(&prefixes, &mut word, found),
            '}' => {
                push(&prefixes, &mut word, found);
                if prefixes.len() > 1 {
                    prefixes.pop();
                }
            }
            letter => word.push(letter),
        }
    }
    push(&prefixes, &mut word, found);
}

fn push(prefixes: &[String], word: &mut String, found: &mut Vec<String>) {
    let taken = std::mem::take(word);
    let path = taken.split(" as ").next().unwrap_or("").trim();
    if path.is_empty() || found.len() >= PATHS_CAP {
        return;
    }
    let prefix = prefixes.last().map_or("", String::as_str);
    let whole = format!("{prefix}{path}");
    let whole = whole.strip_suffix("::self").or_else(|| whole.strip_suffix("::*")).unwrap_or(&whole);
    found.push(whole.to_owned());
}
