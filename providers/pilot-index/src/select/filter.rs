//! What a question leaves out before anything is ranked.

use ctxhost_code::{language::Language, project::holds_secrets, symbols::Kind};

use super::corpus::FileFacts;

/// What may be an answer; empty parts allow everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these kinds of symbols.
    pub kinds: Vec<Kind>,
    /// Only files in this language.
    pub language: Option<Language>,
    /// Only files whose path contains this, or, with `*` or `?` in it, matches it as a whole or from some folder on.
    pub path: Option<String>,
}

impl Filter {
    /// Whether a file may be an answer.
    pub fn allows(&self, file: &FileFacts<'_>) -> bool {
        let language = self.language.is_none_or(|language| file.language == Some(language));
        language
            && is_offered(file.path)
            && self.path.as_deref().is_none_or(|wanted| path_matches(wanted, file.path))
    }

    /// Whether a symbol of this kind may be an answer.
    pub fn allows_kind(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}

/// Whether a file may be shown to anybody: the memory is asked by itself, and what holds secrets by its name is nobody's.
pub(crate) fn is_offered(path: &str) -> bool {
    !path.starts_with(".pilot/") && !holds_secrets(path)
}

fn path_matches(wanted: &str, path: &str) -> bool {
    let wanted = wanted.trim().trim_start_matches("./").to_lowercase();
    let path = path.to_lowercase();
    if !wanted.contains(['*', '?']) {
        return path.contains(&wanted);
    }
    let tails = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    let pattern: Vec<char> = wanted.chars().collect();
    tails.take(if wanted.starts_with('/') { 1 } else { 64 }).any(|tail| {
        let from = pattern.iter().take_while(|letter| **letter == '/').count();
        glob(&pattern[from..], &path[tail..].chars().collect::<Vec<_>>())
    })
}

/// Whether a pattern matches a text: `*` stands for any run, of slashes too, and `?` for one character. Takes at most
/// the product of the two lengths.
fn glob(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut from) = (0, 0);
    let mut star = None;
    while from < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(letter) if *letter == '?' || *letter == text[from] => (at, from) = (at + 1, from + 1),
            _ => {
                let Some((back, taken)) = star else { return false };
                star = Some((back, taken + 1));
                (at, from) = (back + 1, taken + 1);
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_by_part_or_by_pattern() {
        for (wanted, path, expected) in [
            ("src/", "src/lib.rs", true),
            ("LIB.rs", "src/lib.rs", true),
            ("lib.py", "src/lib.rs", false),
            ("*.rs", "src/lib.rs", true),
            ("src/*.rs", "a/src/b/lib.rs", true),
            ("/src/*.rs", "a/src/lib.rs", false),
            ("./src/*.rs", "src/lib.rs", true),
            ("l?b.rs", "src/lib.rs", true),
            ("**/test_*.py", "a/b/test_c.py", true),
            ("test_*", "a/contest_x", false),
            ("", "a", true),
        ] {
            assert_eq!(path_matches(wanted, path), expected, "{wanted:?} on {path:?}");
        }
        assert!(!path_matches(&"*a".repeat(200), &"a".repeat(199)));
    }
}
