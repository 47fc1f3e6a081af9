//! What a language says that its query cannot: who may use what, which comments document, what an import names.

mod beam;
mod cpp;
mod csharp;
mod go;
mod haskell;
mod imports;
mod java;
mod javascript;
mod jvm;
mod lua;
mod open;
mod php;
mod python;
mod ruby;
mod rust;
mod swift;
mod underscore;
mod zig;

use super::{Kind, Visibility, documentation::DocStyle};
use imports::grouped;

/// A language's rules.
pub(super) struct Rules {
    /// Which comments are documentation.
    pub(super) docs: DocStyle,
    /// Who may use a definition that says nothing about it.
    pub(super) unmarked: fn(&Unmarked<'_>) -> Visibility,
    /// How a method is called that makes an instance.
    pub(super) constructors: &'static [&'static str],
    /// Whether a method that is called like its type makes one.
    pub(super) named_like_type: bool,
    /// Whether functions of one name that stand below each other are one.
    pub(super) clauses: bool,
    /// Names that are words of the language, though its grammar takes them for names.
    pub(super) words: &'static [&'static str],
    /// Gives what an owner named in the text is, such as `a.b` for C++'s `a::b`; nothing where it is none.
    pub(super) owner: fn(&str) -> Option<String>,
    /// Takes the text of an import apart.
    pub(super) imports: fn(&str, &mut Vec<String>),
}

/// A definition without a word on its visibility.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unmarked<'a> {
    pub(super) name: &'a str,
    pub(super) kind: Kind,
    /// Whether it stands in the signature of what is around it, as a record's parts do.
    pub(super) in_head: bool,
    /// What is around it; `None` at the top of the file.
    pub(super) around: Option<Around>,
}

/// What is around a definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// What it is; `None` for a scope that only lends its name.
    pub(super) kind: Option<Kind>,
    /// Who may use it.
    pub(super) visibility: Visibility,
}

const DEFAULT: Rules = Rules {
    docs: DocStyle::Any,
    unmarked: public,
    constructors: &[],
    named_like_type: false,
    clauses: false,
    words: &[],
    owner: dotted,
    imports: unquoted,
};

/// Gives the rules of a language; one line for each that has its own.
pub(super) fn of(id: &str) -> &'static Rules {
    match id {
        "cmake" => &open::CMAKE,
        "cpp" => &cpp::RULES,
        "csharp" => &csharp::RULES,
        "dart" => &underscore::DART,
        "elixir" => &beam::ELIXIR,
        "erlang" => &beam::ERLANG,
        "go" => &go::RULES,
        "haskell" => &haskell::RULES,
        "java" => &java::RULES,
        "javascript" | "jsx" => &javascript::RULES,
        "kotlin" => &jvm::KOTLIN,
        "lua" => &lua::RULES,
        "php" => &php::RULES,
        "powershell" => &open::POWERSHELL,
        "python" => &python::RULES,
        "r" => &open::R,
        "ruby" => &ruby::RULES,
        "rust" => &rust::RULES,
        "scala" => &jvm::SCALA,
        "shell" => &open::SHELL,
        "solidity" => &underscore::SOLIDITY,
        "swift" => &swift::RULES,
        "tsx" | "typescript" => &javascript::TYPESCRIPT,
        "zig" => &zig::RULES,
        _ => &DEFAULT,
    }
}

/// Everything may be used.
fn public(_: &Unmarked<'_>) -> Visibility {
    Visibility::Public
}

/// Joins the words of an owner by dots; what stands in brackets is left out.
fn dotted(text: &str) -> Option<String> {
    let mut depth = 0_usize;
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(letter),
            _ => {}
        }
    }
    let words: Vec<&str> =
        plain.split(['.', ':', '\\', '#', '-']).map(str::trim).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join("."))
}

/// Takes the quotes or angle brackets away.
fn unquoted(text: &str, found: &mut Vec<String>) {
    let inner = text.trim().trim_matches(['"', '\'', '`', '<', '>']).trim();
    if !inner.is_empty() {
        found.push(inner.to_owned());
    }
}
