//! A document's first paragraph.

use super::sentence::{is_rule, sentence};

/// What a document says of itself in its head, or else its first paragraph that is prose: no heading, no badge, no list of
/// links. A document that begins with a list says nothing as a whole, unless it `presents` its folder.
pub(super) fn prose(text: &str, presents: bool) -> String {
    let (head, text) = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---"))
        .map_or(("", text), |(head, rest)| (head, rest));
    described(head).or_else(|| paragraph(text, presents)).unwrap_or_default()
}

fn described(head: &str) -> Option<String> {
    let said = head.lines().find_map(|line| line.strip_prefix("description:"))?;
    sentence(said.trim().trim_matches(['"', '\'']))
}

fn paragraph(text: &str, presents: bool) -> Option<String> {
    let mut fenced = false;
    let mut paragraph = String::new();
    let mut listed = false;
    let mut lines = text.lines().take(200).peekable();
    while let Some(whole) = lines.next() {
        let line = whole.trim();
        let fence = line.starts_with("```") || line.starts_with("~~~");
        fenced ^= fence;
        let underlined = lines.peek().is_some_and(|next| is_rule(next));
        let ends = fenced || fence || line.is_empty() || line.starts_with('#') || is_rule(line) || underlined;
        let quote = line.trim_start_matches(['>', ' ']);
        let note = quote.starts_with("[!") && !quote.contains("](");
        // What begins an item goes on until the paragraph ends.
        listed = !ends && (listed || paragraph.is_empty() && is_item(line));
        let aside = note
            || listed
            || line.starts_with(['|', ':', '.', '$', '%', '@'])
            || whole.starts_with("    ") && paragraph.is_empty();
        if listed && !presents && sentence(bare(line)).is_some() {
            return None;
        }
        if !(ends || aside) {
            paragraph.push_str(bare(line));
            paragraph.push(' ');
            if lines.peek().is_some() {
                continue;
            }
        }
        if let Some(sentence) = sentence(&paragraph) {
            return Some(sentence);
        }
        paragraph.clear();
    }
    None
}

/// A line without the mark of a quotation, an item, or an alert that is named in front of it.
fn bare(line: &str) -> &str {
    let line = line.trim_start_matches(['>', '*', '-', '+', ' ']);
    let named = line.strip_prefix("[!").and_then(|rest| rest.split_once(']'));
    named
        .filter(|(name, _)| name.bytes().all(|c| c.is_ascii_uppercase()))
        .map_or(line, |(_, rest)| rest.trim())
}

/// `- …`, `* …`, `1. …`; `**Bold**` begins a sentence.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        number.len() < line.len() && number.starts_with(['.', ')']) && number[1..].starts_with(' ');
    numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}
