//! Private keys in their armour, with or without the end of it.

use super::Found;

const BEGIN: &str = "-----BEGIN ";
const DASHES: &str = "-----";

/// Finds armoured private keys, and the private part of a PuTTY key file.
pub(super) fn find(text: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    while let Some(start) = text[at..].find(BEGIN).map(|start| at + start) {
        at = start + BEGIN.len();
        let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let Some(label) = text[at..line_end].find(DASHES).map(|end| &text[at..at + end]) else { continue };
        if !label.contains("PRIVATE KEY") {
            continue;
        }
        let end = end_of_block(text, at + label.len() + DASHES.len());
        found.push(Found { start, end, name: "private-key" });
        at = end;
    }
    putty(text, found);
}

/// Behind the closing line; without one everything belongs to the key.
fn end_of_block(text: &str, at: usize) -> usize {
    let Some(end) = text[at..].find("-----END ").map(|end| at + end + 9) else { return text.len() };
    match text[end..].find(DASHES) {
        Some(dashes) if dashes < 64 => end + dashes + DASHES.len(),
        _ => end,
    }
}

fn putty(text: &str, found: &mut Vec<Found>) {
    let mut at = 0;
    while let Some(start) = text[at..].find("Private-Lines:").map(|start| at + start) {
        let end = text[start..].find("Private-MAC:").map_or(text.len(), |end| start + end);
        found.push(Found { start, end, name: "private-key" });
        at = end;
    }
}
