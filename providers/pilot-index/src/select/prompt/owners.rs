//! Names with what they belong to in front: `Registry.add`, `Registry::add`, `Registry#add`, `registry->add`.

/// So many are looked for.
const CAP: usize = 32;

/// A longer one is none.
const LONGEST: usize = 200;

const JOINTS: [&str; 5] = ["::", "->", "?.", ".", "#"];

/// Adds the names of a line that have an owner, as `Registry.add`.
pub(super) fn collect(line: &str, found: &mut Vec<String>) {
    let mut at = 0;
    while found.len() < CAP {
        let Some(start) = line[at..].find(is_part).map(|length| at + length) else { return };
        let mut end = name_end(line, start);
        let mut whole = line[start..end].to_owned();
        let mut owned = false;
        while let Some(next) = joint(&line[end..]).map(|length| end + length) {
            if !begins_name(&line[next..]) {
                break;
            }
            end = name_end(line, next);
            whole.push('.');
            whole.push_str(&line[next..end]);
            owned = true;
        }
        at = end;
        let stands_free = !line[..start].ends_with('/') && !line[end..].starts_with(['/', '\\']);
        if owned && stands_free && whole.len() <= LONGEST && !found.contains(&whole) {
            found.push(whole);
        }
    }
}

/// Whether the name at this place is joined to another one. A letter alone is none: `i.e.` is English.
pub(super) fn is_owned(line: &str, start: usize, end: usize) -> bool {
    let name = &line[start..end];
    if !begins_name(name) || name.chars().nth(1).is_none() {
        return false;
    }
    let before = JOINTS.iter().find_map(|joint| line[..start].strip_suffix(joint));
    let owner = |before: &str| {
        let reversed = before.chars().rev().take_while(|letter| is_part(*letter));
        reversed.last().is_some_and(|first| first.is_alphabetic() || first == '_')
    };
    before.is_some_and(owner) || joint(&line[end..]).is_some_and(|length| begins_name(&line[end + length..]))
}

fn joint(text: &str) -> Option<usize> {
    JOINTS.iter().find(|joint| text.starts_with(**joint)).map(|joint| joint.len())
}

fn name_end(line: &str, start: usize) -> usize {
    line[start..].find(|letter| !is_part(letter)).map_or(line.len(), |length| start + length)
}

fn begins_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || matches!(letter, '\u{300}'..='\u{36f}')
}
