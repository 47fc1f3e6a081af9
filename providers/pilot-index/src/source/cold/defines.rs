//! Whether a text seems to define a name, told without parsing: so that the few files worth parsing are parsed first.

/// What stands in front of a name where it is defined, in one language or another.
const KEYWORDS: &[&str] = &[
    "actor",
    "alias",
    "annotation",
    "class",
    "const",
    "constant",
    "constructor",
    "data",
    "def",
    "define",
    "defmacro",
    "defmodule",
    "defn",
    "defp",
    "defun",
    "enum",
    "extension",
    "fn",
    "fun",
    "func",
    "function",
    "interface",
    "let",
    "macro",
    "macro_rules",
    "mixin",
    "mod",
    "module",
    "namespace",
    "newtype",
    "object",
    "package",
    "proc",
    "protocol",
    "record",
    "static",
    "struct",
    "sub",
    "subroutine",
    "table",
    "trait",
    "type",
    "typealias",
    "typedef",
    "union",
    "val",
    "var",
    "view",
];

/// The longest of them has so many bytes.
const LONGEST: usize = 12;

/// Whether a keyword stands in front of the name anywhere; case does not matter.
pub(super) fn seems(text: &[u8], name: &str) -> bool {
    let (text, name) = (String::from_utf8_lossy(text).to_lowercase(), name.to_lowercase());
    let whole = |at: usize| !text[at + name.len()..].starts_with(is_part);
    !name.is_empty() && text.match_indices(&name).any(|(at, _)| whole(at) && is_defined(&text[..at]))
}

/// Whether the text ends with a keyword and what may stand between it and a name.
fn is_defined(before: &str) -> bool {
    let keyword = before.trim_end_matches([' ', '\t', '!', '*', '&']);
    let letters = keyword.bytes().rev().take(LONGEST + 1);
    let length = letters.take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    keyword.len() < before.len()
        && length <= LONGEST
        && KEYWORDS.binary_search(&&keyword[keyword.len() - length..]).is_ok()
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_in_front_of_a_name_defines_it() {
        for (text, name, expected) in [
            ("pub struct Widget {", "Widget", true),
            ("pub struct Widget {", "widget", true),
            ("pub struct Widgets {", "Widget", false),
            ("a structWidget {", "Widget", false),
            ("macro_rules! widget_macro {", "widget_macro", true),
            ("func add(", "add", true),
            ("typedef  Größe", "größe", true),
            ("return Widget", "Widget", false),
            ("Widget", "Widget", false),
            ("", "Widget", false),
            ("struct", "", false),
        ] {
            assert_eq!(seems(text.as_bytes(), name), expected, "{name} in {text}");
        }
        assert!(KEYWORDS.is_sorted());
    }
}
