//! What a file's first comment says.

use ctxhost_code::symbols::Symbol;

use super::sentence::paragraphs;

/// How many lines may stand in front of a module comment.
const LINES: usize = 60;

/// `//!` and `/*!`.
pub(super) fn rust(text: &str) -> Option<String> {
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
pub(super) fn python(text: &str) -> Option<String> {
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
pub(super) fn comment(text: &str, symbols: &[Symbol]) -> Option<String> {
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
pub(super) fn without_marks(line: &str) -> &str {
    let line = line.trim();
    let line =
        ["*/", "-->", "*)", "-}"].iter().fold(line, |line, end| line.strip_suffix(end).unwrap_or(line));
    let line = line.strip_prefix("<!--").unwrap_or(line);
    line.trim_start_matches(['/', '*', '#', '-', ';', '%', '!', '{', '(']).trim()
}
