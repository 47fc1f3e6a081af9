//! What a file says of itself: its module comment, or a document's first paragraph.

use ctxhost_code::symbols::{Symbol, Visibility};

use super::{
    line::{self, PURPOSE},
    names,
};
use crate::shape::forbidden;

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
];

/// How many lines may stand in front of a module comment.
const LINES: usize = 60;

/// So much of a paragraph is looked at: what comes behind is not its first sentence, and brackets that are never closed
/// are looked for to its end.
const PARAGRAPH: usize = 2_000;
/// So much of a file's beginning is looked at, in bytes.
const HEAD: usize = 8 * 1024;

/// Gives the first sentence, or nothing. `text` is the beginning of the file.
pub(crate) fn of(path: &str, language: &str, code: bool, text: &str, symbols: &[Symbol]) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = &text[..text.floor_char_boundary(HEAD)];
    match language {
        _ if !code && is_document(path, language) => prose(text),
        "rust" => rust(text).or_else(|| main_doc(path, text, symbols)).unwrap_or_default(),
        "python" => python(text).or_else(|| main_doc(path, text, symbols)).unwrap_or_default(),
        _ if code || matches!(language, "css" | "scss" | "less" | "toml" | "yaml") => {
            comment(text, symbols).or_else(|| main_doc(path, text, symbols)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Whether a file is written for people, and about this project; what it holds is data otherwise, and data are not shown.
fn is_document(path: &str, language: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "license",
        "licence",
        "copying",
        "unlicense",
        "notice",
        "authors",
        "changelog",
        "changes",
        "history",
    ];
    let name = names::name(path);
    let stem = names::stem(name).to_lowercase();
    if OTHERS.iter().any(|start| stem.starts_with(start)) {
        return false;
    }
    let prose = matches!(language, "markdown" | "mdx" | "restructuredtext" | "asciidoc");
    prose || stem == "readme" || ["md", "rst", "adoc"].contains(&names::extension(name))
}

/// The first paragraph of a document that is prose: no heading, no badge, no list of links.
pub(crate) fn prose(text: &str) -> String {
    let text =
        text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")).map_or(text, |(_, rest)| rest);
    let mut fenced = false;
    let mut paragraph = String::new();
    let mut lines = text.lines().take(200).peekable();
    while let Some(whole) = lines.next() {
        let line = whole.trim();
        let fence = line.starts_with("```") || line.starts_with("~~~");
        fenced ^= fence;
        let underlined = lines.peek().is_some_and(|next| is_rule(next));
        let ends = fenced || fence || line.is_empty() || line.starts_with('#') || is_rule(line) || underlined;
        let note = line.trim_start_matches(['>', ' ']).starts_with("[!") && !line.contains("](");
        let aside = note
            || line.starts_with(['|', ':', '.', '$', '%'])
            || whole.starts_with("    ") && paragraph.is_empty();
        if !(ends || aside) {
            paragraph.push_str(line.trim_start_matches(['>', '*', '-', '+', ' ']));
            paragraph.push(' ');
            if lines.peek().is_some() {
                continue;
            }
        }
        if let Some(sentence) = sentence(&paragraph) {
            return sentence;
        }
        paragraph.clear();
    }
    String::new()
}

/// The line below a heading, or between parts.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| b"=-~^*_\"'`#+".contains(&byte))
        && line.bytes().all(|byte| byte == line.as_bytes()[0])
}

/// Takes the markup out of a paragraph; `None` when what is left says nothing.
pub(crate) fn sentence(paragraph: &str) -> Option<String> {
    let end = paragraph.floor_char_boundary(PARAGRAPH);
    let bare = without_markup(&paragraph[..end]);
    let bare = line::plain(&bare, 4 * PURPOSE);
    let first = line::first_sentence(&bare).trim_matches([' ', '-', ':', '·', '|', '•']);
    let words =
        first.split(' ').filter(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1);
    let urls = first.matches("://").count();
    // Before it is cut: half a secret is known by nobody, and still is one.
    (words.clone().count() >= 2
        && urls == 0
        && first.chars().count() >= 8
        && forbidden::found(first).is_none())
    .then(|| line::plain(first, PURPOSE))
}

/// Takes out tags, images, and what links point to.
fn without_markup(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '[', '!', '*', '_', '`', '\\']) {
        bare.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("![") || rest.starts_with("[![") {
            rest = behind_link(rest).map_or(&rest[1..], |(_, rest)| rest);
        } else if rest.starts_with('[') {
            match behind_link(rest) {
                Some((label, behind)) => {
                    bare.push_str(label);
                    rest = behind;
                }
                None => rest = &rest[1..],
            }
        } else if let Some(end) = tag_end(rest) {
            rest = &rest[end..];
        } else {
            let letter = rest.chars().next().unwrap_or(' ');
            let inside =
                bare.ends_with(char::is_alphanumeric) && rest[1..].starts_with(char::is_alphanumeric);
            let kept = match letter {
                '_' | '*' => inside && letter == '_',
                '\\' => false,
                _ => true,
            };
            if kept {
                bare.push(letter);
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    bare.push_str(rest);
    bare.replace("&amp;", "&")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
}

/// Where a tag, or a link in angles, ends.
fn tag_end(text: &str) -> Option<usize> {
    let named = text
        .strip_prefix('<')?
        .starts_with(|letter: char| letter.is_ascii_alphabetic() || "/!".contains(letter));
    named.then(|| text.find('>').map_or(text.len(), |at| at + 1))
}

/// The label of a link, and what stands behind it.
fn behind_link(text: &str) -> Option<(&str, &str)> {
    let open = text.find('[')?;
    let mut depth = 0;
    let close = text.char_indices().skip_while(|(at, _)| *at < open).find(|(_, letter)| {
        depth += i32::from(*letter == '[') - i32::from(*letter == ']');
        depth == 0
    });
    let close = close?.0;
    let label = &text[open + 1..close];
    let rest = &text[close + 1..];
    let behind = match rest.as_bytes().first() {
        Some(b'(') => rest.find(')').map_or("", |at| &rest[at + 1..]),
        Some(b'[') => rest.find(']').map_or("", |at| &rest[at + 1..]),
        _ => rest,
    };
    Some((label, behind))
}

/// `//!` and `/*!`.
fn rust(text: &str) -> Option<String> {
    let mut lines =
        text.lines().take(LINES).skip_while(|line| !line.starts_with("//!") && !line.starts_with("/*!"));
    let first = lines.next()?;
    let said: Vec<&str> = match first.strip_prefix("/*!") {
        Some(rest) => {
            let body = text.split_once("/*!").map_or(rest, |(_, body)| body);
            body.split("*/").next().unwrap_or_default().lines().collect()
        }
        None => [first].into_iter().chain(lines).map_while(|line| line.strip_prefix("//!")).collect(),
    };
    paragraphs(&said)
}

/// The docstring.
fn python(text: &str) -> Option<String> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.split_once('\n')?.1,
            None => break,
        }
    }
    let rest = rest.trim_start_matches(['r', 'R', 'u', 'U']);
    let quote = ["\"\"\"", "'''"].into_iter().find(|quote| rest.starts_with(quote))?;
    let body = rest[3..].split(quote).next()?;
    paragraphs(&body.lines().collect::<Vec<_>>())
}

/// The first comment that is about the file.
fn comment(text: &str, symbols: &[Symbol]) -> Option<String> {
    let mut at = 0;
    let mut block: Vec<&str> = Vec::new();
    let mut begin = 0;
    let mut open: Option<&str> = None;
    let mut lines = text.split_inclusive('\n').take(2 * LINES).peekable();
    while let Some(whole) = lines.next() {
        let line = whole.trim();
        let here = at + whole.len() - whole.trim_start().len();
        at += whole.len();
        let last = lines.peek().is_none();
        if let Some(end) = open {
            block.push(line);
            if line.contains(end) {
                open = None;
            }
            if open.is_some() && !last {
                continue;
            }
        } else if let Some(end) = opens(line) {
            if block.is_empty() {
                begin = here;
            }
            block.push(line);
            if end != "\n" {
                open = (!line[2..].contains(end)).then_some(end);
            }
            if open.is_some() && !last {
                continue;
            }
        }
        let next_opens = lines.peek().is_some_and(|next| opens(next.trim()) == Some("\n"));
        let whole_block = !block.is_empty() && (opens(line) != Some("\n") || !next_opens);
        if whole_block {
            if let Some(said) = of_block(&block, begin, symbols) {
                return Some(said);
            }
            block.clear();
        } else if block.is_empty() && !goes_on(line) {
            return None;
        }
    }
    None
}

/// What ends the comment that a line begins.
fn opens(line: &str) -> Option<&'static str> {
    const BLOCKS: [(&str, &str); 5] =
        [("/*", "*/"), ("<!--", "-->"), ("(*", "*)"), ("{-", "-}"), ("=begin", "=end")];
    const LINES: [&str; 5] = ["//", "#", "--", ";", "%"];
    const DIRECTIVES: [&str; 8] =
        ["#include", "#define", "#ifndef", "#ifdef", "#if", "#pragma", "#import", "#!"];
    if DIRECTIVES.iter().any(|directive| line.starts_with(directive)) {
        return None;
    }
    let block = BLOCKS.iter().find(|(begin, _)| line.starts_with(begin)).map(|(_, end)| *end);
    block.or_else(|| LINES.iter().any(|begin| line.starts_with(begin)).then_some("\n"))
}

/// Whether a comment about the file may still follow.
fn goes_on(line: &str) -> bool {
    const BEFORE: [&str; 13] = [
        "#!",
        "#pragma",
        "#ifndef",
        "#define",
        "#ifdef",
        "<?php",
        "package ",
        "\"use ",
        "'use ",
        "module ",
        "namespace ",
        "<script",
        "declare(",
    ];
    line.is_empty() || opens(line).is_some() || BEFORE.iter().any(|begin| line.starts_with(begin))
}

fn of_block(block: &[&str], begin: usize, symbols: &[Symbol]) -> Option<String> {
    // It belongs to the definition below it.
    if symbols.iter().take(3).any(|symbol| symbol.doc.as_ref().is_some_and(|doc| doc.start as usize == begin))
    {
        return None;
    }
    let whole = block.join(" ").to_lowercase();
    let legal = ["copyright", "license", "licence", "spdx", "all rights reserved"];
    if legal.iter().any(|word| whole.contains(word)) {
        return None;
    }
    paragraphs(&block.iter().map(|line| without_marks(line)).collect::<Vec<_>>())
}

/// Takes the marks of a comment off a line.
fn without_marks(line: &str) -> &str {
    let line = line.trim();
    let line =
        ["*/", "-->", "*)", "-}"].iter().fold(line, |line, end| line.strip_suffix(end).unwrap_or(line));
    let line = line.strip_prefix("<!--").unwrap_or(line);
    line.trim_start_matches(['/', '*', '#', '-', ';', '%', '!', '{', '(']).trim()
}

/// The first paragraph that says something.
fn paragraphs(lines: &[&str]) -> Option<String> {
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

/// What is said of the one definition that the file is about: it has the file's name, or is the only public one.
fn main_doc(path: &str, text: &str, symbols: &[Symbol]) -> Option<String> {
    let bare = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let stem = bare(names::stem(names::name(path)));
    let outer =
        || symbols.iter().filter(|symbol| symbol.owner.is_empty() && symbol.visibility == Visibility::Public);
    let named = outer().find(|symbol| bare(&symbol.name) == stem);
    let main = named.or_else(|| outer().next().filter(|_| outer().nth(1).is_none()))?;
    let doc = main.doc.as_ref()?;
    let said = text.get(doc.start as usize..doc.end as usize)?;
    let said = said.trim_start_matches(['r', '"', '\'']).trim_end_matches(['"', '\'']);
    paragraphs(&said.lines().map(without_marks).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, language: &str, text: &str, expected: &str) {
        let code = !matches!(language, "markdown" | "text" | "yaml" | "toml");
        assert_eq!(of(path, language, code, text, &[]), expected, "{text}");
    }

    #[test]
    fn a_document_says_it_in_its_first_paragraph() {
        check("README.md", "markdown", "# Shop\n\nSells *many* [things](x). Fast.\n", "Sells many things.");
        let badges = "Title\n=====\n\n[![CI](a)](b) [![x](y)](z)\n\n<p align=\"center\">\n <em>A fast web framework</em>\n</p>\n";
        check("README.md", "markdown", badges, "A fast web framework");
        check(
            "a.md",
            "markdown",
            "---\ntitle: x y z\n---\n```sh\nrun this now\n```\nReal words here.",
            "Real words here.",
        );
        check("a.md", "markdown", "# Only a title\n", "");
        check("a.md", "markdown", "> [!NOTE]\n> Mind the gap.\n", "Mind the gap.");
        check("summary", "", "rg 0.3 seconds, ag 1.7 seconds", "");
        check("LICENSE.md", "markdown", "Permission is hereby granted to all.", "");
        check("a.md", "markdown", "use `read_file` <!-- hidden --> well", "use 'read_file' well");
        check("a.md", "markdown", "<b", "");
    }

    #[test]
    fn code_says_it_in_its_module_comment() {
        check("a.rs", "rust", "// Copyright\n\n//! Reads files.\n//! More.\nuse x;", "Reads files.");
        check("a.rs", "rust", "/*!\nThe main module of it all.\n*/", "The main module of it all.");
        check("a.rs", "rust", "// not about the module\nfn a() {}", "");
        check(
            "a.py",
            "python",
            "#!/usr/bin/python\n# x\n\"\"\"Reads the files.\n\nMore\"\"\"\n",
            "Reads the files.",
        );
        check("a.py", "python", "import os\n\"\"\"No docstring here\"\"\"", "");
        let go = "// Copyright 2020 The Authors\n// All rights reserved.\n\n// Package shop sells things.\npackage shop\n";
        check("a.go", "go", go, "Package shop sells things.");
        check(
            "a.js",
            "javascript",
            "/** @import { X } from 'y' */\nimport a from 'b';\n// no module comment",
            "",
        );
        check(
            "a.js",
            "javascript",
            "/* eslint-disable */\n// Draws all charts.\n// More of it\nimport a",
            "Draws all charts.",
        );
        check("a.c", "c", "/*\n * Sorts numbers in place.\n */\n#include <x.h>\n", "Sorts numbers in place.");
        check("a.sh", "shell", "#!/bin/sh\n# Builds the release.\nset -e\n", "Builds the release.");
        check("Makefile", "makefile", &format!("# {}", "[".repeat(100_000)), "");
        check("a.md", "markdown", &"<b [x](".repeat(20_000), "");
        check("a.js", "javascript", "/* never closed, but said", "never closed, but said");
    }
}
