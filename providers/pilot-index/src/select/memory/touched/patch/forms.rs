//! The forms in which agents write a patch.

use serde_json::{Map, Value};

use super::{Change, HUNKS, Hunk, LINES, Place};

/// The hunks of a call that are about the file whose names `is_same` knows, in the form that says most.
pub(super) fn hunks<'a>(change: Change<'a>, is_same: &dyn Fn(&str) -> bool) -> Vec<Hunk<'a>> {
    let detail = |name: &str| change.details?.get(name)?.as_str();
    let found = structured(change.content, is_same);
    let found = or(found, || detail("patch").map(|text| unified(text, is_same)));
    let found = or(found, || detail("diff").map(numbered));
    or(found, || input(change.input).map(|text| enveloped(text, is_same)))
}

fn or<'a>(found: Vec<Hunk<'a>>, next: impl FnOnce() -> Option<Vec<Hunk<'a>>>) -> Vec<Hunk<'a>> {
    if found.is_empty() { next().unwrap_or_default() } else { found }
}

/// What a line of a hunk is, and its text; a remark about the file's last line is none.
fn parted(line: &str) -> Option<(char, &str)> {
    let sign = line.chars().next().filter(|sign| [' ', '+', '-'].contains(sign))?;
    Some((sign, line[1..].trim_end_matches('\r')))
}

/// Claude Code's: `structuredPatch` with the file's name beside it.
fn structured<'a>(content: &'a [Map<String, Value>], is_same: &dyn Fn(&str) -> bool) -> Vec<Hunk<'a>> {
    let hunk = |hunk: &'a Value| {
        let start = hunk.get("newStart").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok());
        let lines = hunk.get("lines").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        Hunk {
            // What says no place is told by its lines alone.
            place: start.map_or_else(Place::default, Place::Line),
            lines: lines.iter().take(LINES).filter_map(|line| parted(line.as_str()?)).collect(),
        }
    };
    content
        .iter()
        .filter(|piece| piece.get("filePath").and_then(Value::as_str).is_none_or(is_same))
        .filter_map(|piece| piece.get("structuredPatch")?.as_array())
        .flatten()
        .take(HUNKS)
        .map(hunk)
        .collect()
}

/// A unified patch, as Pi's newer edits have it. The numbers in a hunk's head say how many lines are its own, since a
/// line of a file may look like a head.
fn unified<'a>(text: &'a str, is_same: &dyn Fn(&str) -> bool) -> Vec<Hunk<'a>> {
    let mut found: Vec<Hunk<'_>> = Vec::new();
    let (mut old, mut new, mut ours) = (0, 0, true);
    for line in text.split('\n') {
        if old + new > 0 {
            let Some((sign, line)) = parted(line) else { continue };
            old -= u32::from(sign != '+').min(old);
            new -= u32::from(sign != '-').min(new);
            if let Some(hunk) = found.last_mut().filter(|hunk| ours && hunk.lines.len() < LINES) {
                hunk.lines.push((sign, line));
            }
        } else if let Some(name) = line.strip_prefix("+++ ") {
            ours = is_same(name.split('\t').next().unwrap_or_default().trim_end());
        } else if let Some(head) = line.strip_prefix("@@ ").and_then(head) {
            (old, new) = (head.0, head.2);
            if ours && found.len() < HUNKS {
                found.push(Hunk { place: Place::Line(head.1), lines: Vec::new() });
            }
        }
    }
    found
}

/// `-3,7 +3,8 @@`: how many lines there were, at which one they stand now, how many there are.
fn head(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split(' ');
    let mut range = |sign: char| {
        let (start, count) =
            parts.next()?.strip_prefix(sign).map(|range| range.split_once(',').unwrap_or((range, "1")))?;
        Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
    };
    let (_, old) = range('-')?;
    let (start, new) = range('+')?;
    // A hunk without lines stands behind the line that it names.
    Some((old, start.saturating_add(u32::from(new == 0)), new))
}

/// Pi's diff for people: a sign, the line's number, its text. Numbers of lines that stay or go are those of the old file.
fn numbered(text: &str) -> Vec<Hunk<'_>> {
    let mut found: Vec<Hunk<'_>> = Vec::new();
    let (mut more, mut is_open) = (0_i64, false);
    for line in text.split('\n') {
        let part = parted(line).and_then(|(sign, rest)| {
            let (number, line) = rest.trim_start_matches(' ').split_once(' ').unwrap_or((rest.trim(), ""));
            Some((sign, number.parse::<u32>().ok()?, line))
        });
        // Between two hunks stand dots in place of a number.
        let Some((sign, number, line)) = part else {
            is_open = false;
            continue;
        };
        if !std::mem::replace(&mut is_open, true) {
            if found.len() >= HUNKS {
                break;
            }
            let start = i64::from(number) + if sign == '+' { 0 } else { more };
            let place = u32::try_from(start).map_or_else(|_| Place::default(), Place::Line);
            found.push(Hunk { place, lines: Vec::new() });
        }
        more += i64::from(sign == '+') - i64::from(sign == '-');
        if let Some(hunk) = found.last_mut().filter(|hunk| hunk.lines.len() < LINES) {
            hunk.lines.push((sign, line));
        }
    }
    found
}

/// The text of Codex's `apply_patch`, whatever its field is called.
fn input(input: &Value) -> Option<&str> {
    let text = input
        .as_str()
        .or_else(|| ["input", "patch", "command"].iter().find_map(|key| input.get(key)?.as_str()))?;
    text.contains("*** Begin Patch").then_some(text)
}

/// Codex's own form: `*** Update File: …` and hunks that no number places, only lines behind `@@`.
fn enveloped<'a>(text: &'a str, is_same: &dyn Fn(&str) -> bool) -> Vec<Hunk<'a>> {
    let mut found: Vec<Hunk<'_>> = Vec::new();
    let mut of_file: Vec<Hunk<'_>> = Vec::new();
    let mut ours = false;
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("*** ") {
            let (what, name) = said.split_once(": ").unwrap_or((said, ""));
            match what {
                "Move to" => ours |= is_same(name.trim()),
                "End of File" => {}
                _ => {
                    found.extend(of_file.drain(..).filter(|hunk| ours && !hunk.lines.is_empty()));
                    ours = is_same(name.trim());
                    let place = if what == "Add File" { Place::Whole } else { Place::default() };
                    of_file.push(Hunk { place, lines: Vec::new() });
                }
            }
        } else if let Some(head) = line.strip_prefix("@@") {
            head_of(&mut of_file, head.trim());
        } else if let (Some(hunk), Some(line)) = (of_file.last_mut(), parted_or_empty(line))
            && hunk.lines.len() < LINES
        {
            hunk.lines.push(line);
        }
    }
    found.extend(of_file.into_iter().filter(|hunk| ours && !hunk.lines.is_empty()));
    found
}

/// Several heads may stand in front of one hunk, such as a class and its method.
fn head_of<'a>(hunks: &mut Vec<Hunk<'a>>, head: &'a str) {
    if hunks.last().is_none_or(|hunk| !hunk.lines.is_empty()) {
        hunks.push(Hunk::default());
    }
    if let Some(Hunk { place: Place::Below(heads), .. }) = hunks.last_mut()
        && !head.is_empty()
        && heads.len() < HUNKS
    {
        heads.push(head);
    }
}

/// Models leave out the blank in front of an empty line, and Codex takes it.
fn parted_or_empty(line: &str) -> Option<(char, &str)> {
    if line.is_empty() { Some((' ', line)) } else { parted(line) }
}
