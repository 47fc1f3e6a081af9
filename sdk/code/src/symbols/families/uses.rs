//! The names that are used.

use rustc_hash::FxHashMap;

use super::family::{End, Family};
use crate::symbols::{NAME_CAP, REFERENCES_CAP, Reference, Symbol};

/// Words that mean something to many languages and are no name in most.
const WORDS: &[&str] = &[
    "abstract",
    "alignof",
    "and",
    "array",
    "as",
    "assert",
    "async",
    "await",
    "begin",
    "bool",
    "boolean",
    "break",
    "by",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constant",
    "continue",
    "data",
    "declare",
    "def",
    "default",
    "defer",
    "define",
    "defmodule",
    "defn",
    "defun",
    "delete",
    "dim",
    "do",
    "double",
    "downto",
    "elif",
    "else",
    "elseif",
    "elsif",
    "end",
    "endif",
    "enum",
    "except",
    "exit",
    "export",
    "extends",
    "extern",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "foreach",
    "from",
    "fun",
    "func",
    "function",
    "goto",
    "if",
    "implements",
    "import",
    "in",
    "include",
    "inline",
    "int",
    "integer",
    "interface",
    "is",
    "lambda",
    "let",
    "local",
    "long",
    "loop",
    "match",
    "mod",
    "module",
    "mut",
    "my",
    "namespace",
    "new",
    "next",
    "nil",
    "none",
    "not",
    "null",
    "of",
    "open",
    "or",
    "our",
    "out",
    "override",
    "package",
    "pass",
    "private",
    "proc",
    "procedure",
    "program",
    "protected",
    "pub",
    "public",
    "raise",
    "real",
    "record",
    "ref",
    "require",
    "rescue",
    "return",
    "returns",
    "self",
    "set",
    "short",
    "sizeof",
    "static",
    "string",
    "struct",
    "sub",
    "subroutine",
    "super",
    "switch",
    "template",
    "then",
    "this",
    "throw",
    "throws",
    "to",
    "true",
    "try",
    "type",
    "typedef",
    "typeof",
    "undef",
    "union",
    "unless",
    "unsigned",
    "until",
    "use",
    "using",
    "val",
    "var",
    "virtual",
    "void",
    "when",
    "where",
    "while",
    "with",
    "xor",
    "yield",
];

/// Words that steer the flow of a program in many languages, so that nothing is called so.
const STEERING: &[&str] = &[
    "alignof", "assert", "await", "case", "catch", "const", "default", "defer", "delete", "do", "elif",
    "else", "elseif", "elsif", "end", "finally", "for", "foreach", "goto", "if", "in", "loop", "match",
    "new", "not", "of", "or", "return", "sizeof", "static", "switch", "then", "throw", "try", "typeof",
    "unless", "until", "using", "var", "when", "while", "with", "yield",
];

pub(super) fn is_steering(word: &str) -> bool {
    STEERING.binary_search(&word).is_ok()
}

/// Counts the names that a text uses, by the innermost symbol around them.
///
/// `names` are the places where symbols are named, in order, which are no uses.
pub(super) fn count(family: &Family, text: &str, symbols: &[Symbol], names: &[usize]) -> Vec<Reference> {
    let mut counts: FxHashMap<(Option<u32>, &str), u32> = FxHashMap::default();
    let mut around: Vec<u32> = Vec::new();
    let mut next = 0;
    let is_lisp = matches!(family.end, End::Parentheses);
    for (at, word) in words(text, is_lisp) {
        while symbols.get(next).is_some_and(|symbol| symbol.span.bytes.start as usize <= at) {
            around.push(next as u32);
            next += 1;
        }
        while around.pop_if(|place| symbols[*place as usize].span.bytes.end as usize <= at).is_some() {}
        if is_name(family, word) && names.binary_search(&at).is_err() && counts.len() < REFERENCES_CAP {
            *counts.entry((around.last().copied(), word)).or_default() += 1;
        }
    }
    let mut counted: Vec<_> = counts.into_iter().collect();
    counted.sort_unstable();
    let reference = |((symbol, name), count): ((Option<u32>, &str), u32)| Reference {
        name: name.to_owned(),
        symbol,
        count,
    };
    counted.into_iter().map(reference).collect()
}

fn is_name(family: &Family, word: &str) -> bool {
    let known = |word: &str| WORDS.binary_search(&word).is_ok();
    let is_word = if family.any_case { known(&word.to_lowercase()) } else { known(word) };
    (2..=NAME_CAP).contains(&word.len()) && !is_word && !word.bytes().all(|byte| byte == b'_')
}

/// Every word that may be a name, with its place.
fn words(text: &str, is_lisp: bool) -> impl Iterator<Item = (usize, &str)> {
    let joins = move |c: char| c.is_alphanumeric() || c == '_' || (is_lisp && "-?!*+/<>=".contains(c));
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(joins)?;
            let length = text[start..].find(|c| !joins(c)).unwrap_or(text.len() - start);
            at = start + length;
            let word = &text[start..at];
            if !word.starts_with(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic) {
                return Some((start, word));
            }
        }
    })
}
