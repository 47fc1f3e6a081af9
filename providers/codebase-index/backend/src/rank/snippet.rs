//! The lines of a chunk that show best why it was found.

use std::collections::{HashMap, HashSet};

use ctxhost_code::words;

use crate::store::StoredChunk;

/// How many lines a snippet has.
const LINES: usize = 15;
/// The longest line of a snippet in bytes; minified code has lines without end.
const LONGEST_LINE: usize = 400;

/// Some lines of a chunk.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) text: String,
    /// Where they stand in the file, first and last, if the chunk knows where it stands.
    pub(super) lines: Option<(u32, u32)>,
}

/// The lines that hold most of the words, the rarer ones counting more; the first ones when none holds any.
pub(super) fn best(chunk: &StoredChunk, asked: &[String]) -> Window {
    let lines: Vec<&str> = chunk.content.lines().collect();
    let start = if lines.len() > LINES { first(&lines, asked) } else { 0 };
    let end = (start + LINES).min(lines.len());
    let text: Vec<String> = lines[start..end].iter().map(|line| short(line)).collect();
    Window { text: text.join("\n"), lines: place(chunk, lines.len(), start, end) }
}

fn first(lines: &[&str], asked: &[String]) -> usize {
    let asked: HashSet<&str> = asked.iter().map(String::as_str).collect();
    let held: Vec<HashSet<String>> = lines.iter().map(|line| held(line, &asked)).collect();
    let mut often = HashMap::<&str, f64>::new();
    for word in held.iter().flatten() {
        *often.entry(word).or_default() += 1.0;
    }
    let mut best = (0.0, 0);
    for start in 0..=lines.len() - LINES {
        let window: HashSet<&str> = held[start..start + LINES].iter().flatten().map(String::as_str).collect();
        let score: f64 =
            window.iter().filter_map(|word| often.get(word)).map(|often| 1.0 + 1.0 / often).sum();
        // Only what is clearly better moves the window on: sums differ in their last bits by their order.
        if score > best.0 + 1e-9 {
            best = (score, start);
        }
    }
    centred(best.1, &held)
}

/// Moves a window down until its words stand in its middle: the first that scored best has the last of them in its last
/// line. One that begins with the chunk stays, since what a chunk is stands in its first lines.
fn centred(start: usize, held: &[HashSet<String>]) -> usize {
    let free = held[start..start + LINES].iter().position(|words| !words.is_empty()).unwrap_or(0);
    if start == 0 { 0 } else { (start + free / 2).min(held.len() - LINES) }
}

fn held(line: &str, asked: &HashSet<&str>) -> HashSet<String> {
    let mut held = HashSet::new();
    words::split(line, &mut |word| {
        if asked.contains(word) {
            held.insert(word.to_owned());
        }
    });
    held
}

fn short(line: &str) -> String {
    if line.len() <= LONGEST_LINE {
        return line.to_owned();
    }
    let mut end = LONGEST_LINE;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &line[..end])
}

/// Where the lines stand in the file. A client may have put context in front of the code: those lines stand nowhere.
fn place(chunk: &StoredChunk, lines: usize, start: usize, end: usize) -> Option<(u32, u32)> {
    let (first, last) = (chunk.line_start?, chunk.line_end?);
    let own = last.checked_sub(first)?.checked_add(1)?;
    let context = u32::try_from(lines).ok()?.saturating_sub(own);
    let line =
        |at: usize| Some(first.saturating_add(u32::try_from(at).ok()?.saturating_sub(context)).min(last));
    Some((line(start)?, line(end.saturating_sub(1))?))
}
