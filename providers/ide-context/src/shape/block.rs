//! The section's text about a file, in the form that agents of this protocol know.

use ctxhost_sdk::{
    protocol::ide_context::{Position, Selection, State},
    text::{fence, first_lines, span},
};

use crate::shape::words::{counted, plain, whole};

/// The heading of every block.
pub(super) const HEADING: &str = "### IDE Context\n";

/// The longest selection that is offered whole, as it counts in JSON. The spec says "in full, within the size limit
/// that the provider states": a client of our own stops at 200 KiB, and a reply may have 1 MiB in all.
const MOST_WHOLE_BYTES: usize = 256 * 1024;

/// How many characters of a selection the smaller sizes keep: about 2,000 tokens and about 500.
const SMALLER_SIZES: [usize; 2] = [8_000, 2_000];

/// The block in all its sizes, from the fullest to the smallest.
pub(crate) fn file_block(path: &str, state: &State, selection: Option<&Selection>) -> Vec<String> {
    let head = head(path, state);
    let Some(selection) = selection else { return vec![head] };
    let head = format!("{head}- **Selection**: {}\n", range(selection));
    let language = state.active_buffer.language.as_deref().unwrap_or_default();
    // Line ends are the editor's business; a model reads lines.
    let text = selection.text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.lines().count() as u64;
    let mut sizes = vec![largest(&text)];
    for most in SMALLER_SIZES {
        let (kept, _) = first_lines(&text, most);
        if sizes.last().is_some_and(|last| kept.len() < last.len()) {
            sizes.push(kept);
        }
    }
    let mut blocks: Vec<String> = sizes
        .into_iter()
        .filter(|kept| !kept.is_empty())
        .map(|kept| {
            let left_out = lines - kept.lines().count() as u64;
            let mark = match left_out {
                0 => String::new(),
                1 => "… (1 more line of the selection is left out)\n".to_owned(),
                left_out => format!("… ({left_out} more lines of the selection are left out)\n"),
            };
            format!("{head}\n{}{mark}", fence(language, kept))
        })
        .collect();
    blocks.push(format!("{head}… (the text of the selection, {}, is left out)\n", counted(lines, "line")));
    blocks
}

fn head(path: &str, state: &State) -> String {
    let buffer = &state.active_buffer;
    let mut head = format!("{HEADING}- **File**: {}\n", span(path));
    if let Some(language) = buffer.language.as_deref().filter(|language| !language.is_empty()) {
        head.push_str(&format!("- **Language**: {}\n", word(language)));
    }
    if let Some(cursor) = buffer.cursor.and_then(place) {
        head.push_str(&format!("- **Cursor**: {cursor}\n"));
    }
    let modified = if buffer.modified { " (modified)" } else { "" };
    head.push_str(&format!("- **Buffer**: {} lines{modified}\n", whole(buffer.lines_total)));
    head
}

/// A language id as it is, unless it is none.
fn word(language: &str) -> String {
    let is_word = |character: char| character.is_ascii_alphanumeric() || "+-#._".contains(character);
    if language.len() <= 64 && language.chars().all(is_word) {
        language.to_owned()
    } else {
        span(&plain(language))
    }
}

fn place(position: Position) -> Option<String> {
    let line = format!("line {}", whole(position.line?));
    Some(position.column.map_or(line.clone(), |column| format!("{line}, column {}", whole(column))))
}

/// The lines of a selection, or a word where the editor does not count them.
fn range(selection: &Selection) -> String {
    match lines(selection) {
        Some((start, end)) => format!("lines {start}-{end}"),
        None => "selection".to_owned(),
    }
}

/// The first and the last line of a selection.
pub(crate) fn lines(selection: &Selection) -> Option<(u64, u64)> {
    Some((whole(selection.start.line?), whole(selection.end.line?)))
}

/// The whole text, or as many of its lines as a reply has room for.
fn largest(text: &str) -> &str {
    let mut bytes = 0;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        bytes += json_length(line);
        if bytes > MOST_WHOLE_BYTES {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

/// How many bytes a text takes up inside a JSON string.
pub(super) fn json_length(text: &str) -> usize {
    text.bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
            0..0x20 => 6,
            _ => 1,
        })
        .sum()
}

#[cfg(test)]
mod tests;
