//! Which definitions of a file tell the most about it.

use ctxhost_code::symbols::{Extracted, Kind, Symbol, Visibility};
use rustc_hash::FxHashMap;

use super::{inventory::Named, line, names};

/// So many are kept of a file, of a test, and of a document.
const MOST: usize = 12;
const OF_TESTS: usize = 3;
const OF_PROSE: usize = 6;

/// A longer name is not one that a person reads.
const NAME: usize = 80;

/// What nearly every type has, by the habits of its language.
const CUSTOMARY: &[&str] = &[
    "fmt",
    "from",
    "default",
    "clone",
    "drop",
    "eq",
    "ne",
    "cmp",
    "partial_cmp",
    "hash",
    "next",
    "deref",
    "deref_mut",
    "as_ref",
    "try_from",
    "from_str",
    "into_iter",
    "description",
    "source",
    "toString",
    "equals",
    "hashCode",
    "constructor",
    "__init__",
    "__repr__",
    "__str__",
    "__eq__",
    "__hash__",
    "__len__",
    "__iter__",
    "Error",
    "Item",
    "Output",
    "Target",
    "Err",
];

/// Chooses, the most telling first.
pub(crate) fn choose(path: &str, code: bool, test: bool, extracted: &Extracted) -> Vec<Named> {
    let uses = uses(extracted);
    let stem = names::stem(names::name(path)).replace(['_', '-'], "").to_lowercase();
    let score = |symbol: &Symbol| if code { of_code(symbol, &stem, &uses) } else { of_prose(symbol) };
    // A heading may have an address behind it, which is not shown.
    let longest = if code { NAME } else { 2 * NAME };
    let mut scored: Vec<(i64, &Symbol)> = extracted
        .symbols
        .iter()
        .map(|symbol| (score(symbol), symbol))
        .filter(|(score, symbol)| *score > 0 && symbol.name.chars().count() <= longest)
        .collect();
    scored.sort_by(|a, b| (b.0, a.1.span.first_line, &a.1.name).cmp(&(a.0, b.1.span.first_line, &b.1.name)));
    let most = if test {
        OF_TESTS
    } else if code {
        MOST
    } else {
        OF_PROSE
    };
    let mut chosen: Vec<Named> = Vec::new();
    for (_, symbol) in scored {
        let qualified = symbol.qualified();
        let name = if code {
            line::plain(&qualified, NAME)
        } else {
            line::plain(&without_anchors(&qualified), NAME)
        };
        // One name with many bodies is one thing to a reader.
        if !name.is_empty() && chosen.iter().all(|known| known.name != name) {
            let public = symbol.visibility == Visibility::Public;
            chosen.push(Named {
                name,
                kind: symbol.kind.word().to_owned(),
                public,
                line: symbol.span.first_line,
            });
        }
        if chosen.len() == most {
            break;
        }
    }
    chosen
}

/// A heading without `{ #the-address-of-it }`.
fn without_anchors(heading: &str) -> String {
    let mut bare = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some((before, behind)) = rest.split_once('{') {
        match behind.split_once('}').filter(|(anchor, _)| anchor.trim_start().starts_with('#')) {
            Some((_, after)) => {
                bare += before.trim_end();
                rest = after;
            }
            None => {
                bare += before;
                bare.push('{');
                rest = behind;
            }
        }
    }
    bare + rest
}

/// How often each name is used in the file.
fn uses(extracted: &Extracted) -> FxHashMap<&str, u32> {
    let mut uses = FxHashMap::default();
    for reference in &extracted.references {
        *uses.entry(reference.name.as_str()).or_insert(0) += reference.count;
    }
    uses
}

fn of_code(symbol: &Symbol, stem: &str, uses: &FxHashMap<&str, u32>) -> i64 {
    let lines = i64::from(symbol.span.last_line.saturating_sub(symbol.span.first_line)) + 1;
    let kind = match symbol.kind {
        Kind::Class | Kind::Struct | Kind::Trait | Kind::Interface | Kind::Enum | Kind::Union => 60,
        Kind::Function => 50,
        Kind::Macro => 40,
        Kind::TypeAlias => 35,
        Kind::Method => 25,
        Kind::Constant => 20,
        Kind::Constructor | Kind::Variable => 12,
        Kind::Module => 8,
        Kind::Field | Kind::Variant | Kind::Other => return 0,
        _ => return 0,
    };
    // What only says that another file belongs to this one tells less than that file's own line.
    if symbol.kind == Kind::Module && symbol.visibility != Visibility::Public {
        return 0;
    }
    let seen = match symbol.visibility {
        Visibility::Public => 40,
        Visibility::Restricted => 20,
        Visibility::Private => 0,
    };
    let name = symbol.name.trim_start_matches(['_', '$', '#']).to_lowercase();
    let used = i64::from(uses.get(symbol.name.as_str()).copied().unwrap_or(0)).min(10) * 2;
    let inner = symbol.owner.to_lowercase();
    let tested =
        inner.split('.').any(|owner| owner == "tests" || owner == "test") || name.starts_with("test_");
    let customary = !symbol.owner.is_empty() && CUSTOMARY.contains(&symbol.name.as_str());
    let tested = tested || symbol.kind == Kind::Module && (name == "tests" || name == "test");
    let trivial = matches!(symbol.kind, Kind::Method | Kind::Function) && lines <= 3;
    let mut score = kind + seen + used + (lines / 3).min(20);
    score += if symbol.doc.is_some() { 10 } else { 0 };
    score += if symbol.owner.is_empty() { 15 } else { 0 };
    score += if name.replace('_', "") == stem { 30 } else { 0 };
    score += if name == "main" { 30 } else { 0 };
    score -= if symbol.name.starts_with('_') { 40 } else { 0 };
    score -= if trivial { 20 } else { 0 };
    score -= if customary { 50 } else { 0 };
    score -= if symbol.owner.contains('.') { 15 } else { 0 };
    score - if tested { 70 } else { 0 }
}

/// Headings, the outer ones first.
fn of_prose(symbol: &Symbol) -> i64 {
    if symbol.kind != Kind::Other {
        return 0;
    }
    // The title of the whole document says less than what it is made of.
    match symbol.owner.is_empty() {
        true => 1,
        false => 4 - i64::try_from(symbol.owner.matches('.').count()).unwrap_or(4).min(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_shown_without_their_addresses() {
        for (heading, expected) in [
            ("General { #general }.How To { #how-to }", "General.How To"),
            ("Use {@html ...}", "Use {@html ...}"),
            ("a { #b", "a { #b"),
            ("plain", "plain"),
        ] {
            assert_eq!(without_anchors(heading), expected);
        }
    }
}
