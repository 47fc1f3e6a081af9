//! The patch that an agent shows of what its edit did: hunks with the lines before and after.

use serde_json::{Map, Value};

/// How many hunks of one call are looked at.
const HUNKS: usize = 100;

/// How many lines of one hunk.
const LINES: usize = 20_000;

/// Lines that an edit touched, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    /// These stand there now.
    Lines(u32, u32),
    /// Something between this line and the next one is gone.
    Gone(u32),
}

/// What the patches of a call's result touched in the file as it is now; `None` without a patch of this file.
///
/// Claude Code sends `structuredPatch` with the file's name beside it. `is_same` says whether a name is the file's.
pub(super) fn touched(
    content: &[Map<String, Value>],
    text: &str,
    is_same: impl Fn(&str) -> bool,
) -> Option<Vec<Touched>> {
    let hunks: Vec<&Value> = content
        .iter()
        .filter(|piece| piece.get("filePath").and_then(Value::as_str).is_none_or(&is_same))
        .filter_map(|piece| piece.get("structuredPatch")?.as_array())
        .flatten()
        .take(HUNKS)
        .collect();
    (!hunks.is_empty()).then(|| hunks.into_iter().flat_map(|hunk| of_hunk(hunk, text)).collect())
}

fn of_hunk(hunk: &Value, text: &str) -> Vec<Touched> {
    let lines = hunk.get("lines").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let lines: Vec<(char, &str)> =
        lines.iter().take(LINES).filter_map(|line| parted(line.as_str()?)).collect();
    let Some(start) = begins(hunk, &lines, text) else { return Vec::new() };
    let mut found: Vec<Touched> = Vec::new();
    let (mut at, mut replaced) = (start, false);
    for (sign, _) in &lines {
        match (sign, found.last_mut()) {
            ('-', _) => replaced = true,
            ('+', Some(Touched::Lines(_, last))) if *last + 1 == at => (*last, replaced) = (at, false),
            ('+', _) => {
                found.push(Touched::Lines(at, at));
                replaced = false;
            }
            _ => gone(&mut found, &mut replaced, at),
        }
        at = at.saturating_add(u32::from(*sign != '-'));
    }
    gone(&mut found, &mut replaced, at);
    found
}

/// Lines went away with none in their place.
fn gone(found: &mut Vec<Touched>, open: &mut bool, at: u32) {
    let told = matches!(found.last(), Some(Touched::Lines(_, last)) if *last + 1 == at);
    if std::mem::take(open) && !told && at > 1 {
        found.push(Touched::Gone(at - 1));
    }
}

/// What a line of a hunk is, and its text; a remark about the file's last line is none.
fn parted(line: &str) -> Option<(char, &str)> {
    let sign = line.chars().next().filter(|sign| [' ', '+', '-'].contains(sign))?;
    Some((sign, line[1..].trim_end_matches('\r')))
}

/// The line at which a hunk begins in the file as it is now: where it says, else where its lines stand only once, since
/// other calls may have moved them.
fn begins(hunk: &Value, lines: &[(char, &str)], text: &str) -> Option<u32> {
    let new = lines.iter().filter(|(sign, _)| *sign != '-').map(|(_, line)| *line);
    let said = hunk.get("newStart").and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok())?.max(1);
    let mut there = text.lines().skip(said as usize - 1);
    if new.clone().all(|line| there.next() == Some(line)) {
        return Some(said);
    }
    let block: String = new.flat_map(|line| ["\n", line]).chain(["\n"]).collect();
    let text = format!("\n{}\n", text.trim_end_matches('\n'));
    let place = text.find(&block).filter(|place| text.rfind(&block) == Some(*place))?;
    u32::try_from(text[..place].matches('\n').count()).ok().map(|before| before + 1)
}
