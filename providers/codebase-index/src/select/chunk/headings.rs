//! Prose: a section for each heading, named by the headings above it.

use ctxhost_code::language::Language;

use super::{lines::Lines, pieces::Layout, pieces::Piece};

/// Languages with headings, and the sign that begins one; without a sign they are underlined only.
const LANGUAGES: &[(&str, Option<char>)] = &[
    ("markdown", Some('#')),
    ("rmarkdown", Some('#')),
    ("mdx", Some('#')),
    ("asciidoc", Some('=')),
    ("org", Some('*')),
    ("restructuredtext", None),
];

/// Whether a language has headings.
pub(super) fn has(language: Language) -> bool {
    LANGUAGES.iter().any(|(id, _)| *id == language.id())
}

/// A heading and where its section begins.
struct Heading {
    line: usize,
    level: usize,
    text: String,
}

/// Cuts prose at its headings. A section with next to nothing in it joins the one that follows.
pub(super) fn pieces(lines: &Lines<'_>, language: Language, file: &str) -> Vec<Piece> {
    let sign = LANGUAGES.iter().find(|(id, _)| *id == language.id()).and_then(|(_, sign)| *sign);
    let headings = headings(lines, sign);
    let mut layout = Layout::new(lines, file);
    if let Some(first) = headings.first() {
        layout.gap(None, first.line);
    }
    let mut above: Vec<(usize, &str)> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let end = headings.get(at + 1).map_or(lines.len(), |next| next.line);
        above.retain(|(level, _)| *level < heading.level);
        above.push((heading.level, &heading.text));
        let last = end.saturating_sub(1);
        if lines.is_slight(heading.line, last) && end < lines.len() {
            layout.wait(end);
            continue;
        }
        let names: Vec<_> = above.iter().map(|(_, text)| *text).collect();
        layout.piece(&names.join(" > "), last);
    }
    layout.finish()
}

fn headings(lines: &Lines<'_>, sign: Option<char>) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut underlines = String::new();
    for line in 0..lines.len() {
        let text = lines.get(line).trim();
        let opens = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence));
        match (fence, opens) {
            (Some(open), Some(closes)) if open == closes => fence = None,
            (None, Some(opens)) => fence = Some(opens),
            _ => {}
        }
        if fence.is_some() || opens.is_some() {
            continue;
        }
        if let Some(heading) = sign.and_then(|sign| signed(text, sign)) {
            // In code that is set in deep a sign means something else.
            if lines.indent(line) < 4 {
                found.push(Heading { line, ..heading });
            }
        } else if let Some(letter) = underline(text, sign)
            && line > 0
            && is_title(lines, line - 1, text)
        {
            let level = underlines.chars().position(|known| known == letter).unwrap_or_else(|| {
                underlines.push(letter);
                underlines.chars().count() - 1
            });
            // In Markdown the two kinds of lines mean the first two levels.
            let level = if sign.is_some() { usize::from(letter == '-') } else { level };
            found.push(Heading {
                line: line - 1,
                level: level + 1,
                text: lines.get(line - 1).trim().to_owned(),
            });
        }
    }
    found
}

/// Reads `## Title ##`.
fn signed(text: &str, sign: char) -> Option<Heading> {
    let level = text.chars().take_while(|letter| *letter == sign).count();
    let rest = &text[level * sign.len_utf8()..];
    let title = rest.trim().trim_end_matches(sign).trim_end();
    let is_heading = (1..=6).contains(&level) && rest.starts_with([' ', '\t']) && !title.is_empty();
    is_heading.then(|| Heading { line: 0, level, text: title.to_owned() })
}

/// Gives the sign of a line that underlines.
fn underline(text: &str, sign: Option<char>) -> Option<char> {
    let letter = text.chars().next()?;
    let known = if sign == Some('#') {
        "=-"
    } else if sign.is_none() {
        "=-~^\"'`#*+:."
    } else {
        ""
    };
    (known.contains(letter) && text.len() >= 3 && text.chars().all(|other| other == letter)).then_some(letter)
}

fn is_title(lines: &Lines<'_>, line: usize, under: &str) -> bool {
    let text = lines.get(line).trim();
    let paragraph = line > 0 && !lines.is_blank(line - 1) && !lines.is_wordless(line - 1, line - 1);
    let plain = text.chars().any(char::is_alphanumeric) && !text.starts_with(['|', '>', '-', '*', '+', '#']);
    plain && !paragraph && lines.indent(line) < 4 && text.chars().count() <= 2 * under.len()
}
