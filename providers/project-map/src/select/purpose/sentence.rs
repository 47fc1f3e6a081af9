//! The first sentence of a paragraph, when it says something.

use super::markup::{with_marks, without_markup};
use crate::{
    select::line::{self, PURPOSE},
    shape::forbidden,
};

/// Comments that say something to a tool or to a lawyer, and nothing of the file.
const TOOL_WORDS: &[&str] = &[
    "eslint",
    "prettier",
    "jshint",
    "tslint",
    "global ",
    "globals ",
    "vim:",
    "-*-",
    "coding:",
    "coding=",
    "flake8",
    "noqa",
    "type:",
    "pylint",
    "mypy:",
    "ts-",
    "istanbul",
    "todo",
    "fixme",
    "xxx",
    "region",
    "@",
    "!",
    "#",
    "<",
    "go:build",
    "+build",
    "nolint",
    "shellcheck",
    "rustfmt",
    "clang-format",
    "frozen_string_literal",
    "file:",
    "filename:",
    "use strict",
    "copyright",
    "spdx",
    "author",
    "http",
    "licensed under",
    "this source code is licensed",
    "permission is hereby",
    "all rights reserved",
    "redistribution and use",
    "usage:",
];

/// So much of a paragraph is looked at: what comes behind is not its first sentence, and brackets that are never closed
/// are looked for to its end.
const PARAGRAPH: usize = 2_000;

/// Takes the markup out of a paragraph; `None` when what is left says nothing.
pub(super) fn sentence(paragraph: &str) -> Option<String> {
    let end = paragraph.floor_char_boundary(PARAGRAPH);
    let bare = without_markup(&paragraph[..end]);
    let bare = line::plain(&bare, 4 * PURPOSE);
    let first = line::first_sentence(&bare).trim_matches([' ', '-', ':', '·', '|', '•']);
    let words =
        first.split(' ').filter(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1);
    let urls = first.matches("://").count();
    // Before it is cut: half a secret is known by nobody, and still is one.
    // `MODULE: name` is a mark for a program.
    let marked = first.split_once(": ").is_some_and(|(mark, rest)| {
        mark.len() > 2 && mark.bytes().all(|c| c.is_ascii_uppercase()) && !rest.contains(' ')
    });
    (words.clone().count() >= 2
        && !marked
        && !is_code(first)
        && urls == 0
        && first.chars().count() >= 8
        && !is_forbidden(first, &paragraph[..end]))
    .then(|| line::plain(first, PURPOSE))
}

/// Whether a sentence holds what no map may say, as it is to be shown or as it stands in its paragraph: without its marks
/// a path is none any more.
fn is_forbidden(sentence: &str, paragraph: &str) -> bool {
    let marked = line::plain(&with_marks(paragraph), 4 * PURPOSE);
    [sentence, line::first_sentence(&marked)].into_iter().any(|text| forbidden::found(text).is_some())
}

/// The first paragraph that says something.
pub(super) fn paragraphs(lines: &[&str]) -> Option<String> {
    let mut paragraph = String::new();
    for line in lines.iter().map(|line| line.trim()).chain([""]) {
        let lower = line.to_lowercase();
        let tool = TOOL_WORDS.iter().any(|word| lower.starts_with(word));
        if !line.is_empty() && !is_rule(line) && !tool {
            paragraph.push_str(line);
            paragraph.push(' ');
        } else if let Some(said) = sentence(&paragraph) {
            return Some(said);
        } else {
            paragraph.clear();
        }
    }
    None
}

/// Whether a line is an instruction and no sentence: one that was commented out, or stands in for an import.
fn is_code(line: &str) -> bool {
    const BEGINS: [&str; 14] = [
        "import ",
        "from ",
        "export ",
        "require(",
        "const ",
        "let ",
        "var ",
        "use ",
        "include ",
        "package ",
        "return ",
        "def ",
        "fn ",
        "function ",
    ];
    let ends = line.trim_end().ends_with([';', '{', '}', '=', '\\']);
    let called = line.split_once('(').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c))
    });
    let begins = BEGINS.iter().any(|begin| line.starts_with(begin));
    ends && (begins || called || line.contains('='))
        || line.starts_with("from ") && line.contains(" import ")
        || line.starts_with("import ") && line.contains(['\'', '"'])
}

/// The line below a heading, or between parts.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| b"=-~^*_\"'`#+".contains(&byte))
        && line.bytes().all(|byte| byte == line.as_bytes()[0])
}
