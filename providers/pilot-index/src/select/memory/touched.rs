//! Which lines of a file an edit touched, and so which definitions.

mod patch;

use serde_json::{Map, Value};

use patch::Touched;

/// A definition and the lines it stands in, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// What is known of a call that changed a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    pub(crate) input: &'a Value,
    /// What the tool gave back.
    pub(crate) content: &'a [Map<String, Value>],
    /// What the agent keeps beside it for its own display.
    pub(crate) details: Option<&'a Map<String, Value>>,
    /// Whether the file was written whole.
    pub(crate) wrote: bool,
}

/// How many names one call gives.
const MOST: usize = 20;

/// How many places of one text are compared.
const PLACES: usize = 100;

/// The fields in which agents write what takes the place of the old text.
const NEW: &[&str] = &["newText", "new_string", "newString", "new_str", "replacement", "new"];

/// The names of the definitions that a call touched: `text` is the file as it is now, `is_same` says whether a name is
/// the file's.
///
/// The innermost definitions count; where the lines of an edit cannot be told, none does. The agent's own patch says it
/// best; without one, a text that stands in one definition only. A file that was written whole gives its outermost ones.
pub(crate) fn names(
    change: Change<'_>,
    text: &str,
    places: &[Place],
    is_same: impl Fn(&str) -> bool,
) -> Vec<String> {
    // Agents write `\n` where a file has more.
    let text = text.replace("\r\n", "\n");
    let found = match patch::touched(change, &text, is_same) {
        Some(touched) => touched.into_iter().flat_map(|touched| innermost(touched, places)).collect(),
        None if change.wrote => outermost(places),
        None => by_text(change.input, &text, places),
    };
    let mut names: Vec<String> = Vec::new();
    for place in found {
        if names.len() < MOST && !names.contains(&place.name) {
            names.push(place.name.clone());
        }
    }
    names
}

fn outermost(places: &[Place]) -> Vec<&Place> {
    let inside = |place: &Place| {
        places.iter().any(|outer| {
            (outer.first < place.first && outer.last >= place.last)
                || (outer.first <= place.first && outer.last > place.last)
        })
    };
    places.iter().filter(|place| !inside(place)).take(MOST).collect()
}

fn innermost(touched: Touched, places: &[Place]) -> Vec<&Place> {
    let (first, last) = match touched {
        Touched::Lines(first, last) => (first, last),
        Touched::Gone(before) => (before, before.saturating_add(1)),
        Touched::Whole => return outermost(places),
    };
    // What is gone belonged to the definitions on both sides of it.
    let touches = |place: &&Place| match touched {
        Touched::Gone(..) => place.first <= first && place.last >= last,
        _ => place.first <= last && place.last >= first,
    };
    let innermost = |place: &&Place| {
        !places.iter().filter(touches).any(|inner| {
            inner != *place
                && inner.first >= place.first
                && inner.last <= place.last
                && (inner.first, inner.last) != (place.first, place.last)
                // What an edit reaches beyond the inner one belongs to the outer one too.
                && first >= inner.first
                && last <= inner.last
        })
    };
    places.iter().filter(touches).filter(innermost).collect()
}

/// The definitions that an edit's new texts stand in now.
fn by_text<'a>(input: &Value, text: &str, places: &'a [Place]) -> Vec<&'a Place> {
    let edits = input.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    std::iter::once(input)
        .chain(edits.iter().take(100))
        .filter_map(|edit| NEW.iter().find_map(|field| edit.get(field)?.as_str()))
        .flat_map(|new| only_places(new, text, places))
        .collect()
}

/// The definitions that a text stands in; none where it stands in others as well, since any of them may be meant.
fn only_places<'a>(new: &str, text: &str, places: &'a [Place]) -> Vec<&'a Place> {
    let new = new.replace("\r\n", "\n");
    let new = new.trim_matches('\n');
    if new.trim().is_empty() {
        return Vec::new();
    }
    let starts: Vec<usize> = text.match_indices(new).map(|(start, _)| start).take(PLACES).collect();
    // Beyond the last one compared, or half over it, stands another.
    let (Some(first), true) = (starts.first(), starts.last().copied() == text.rfind(new)) else {
        return Vec::new();
    };
    let line = |end: usize| u32::try_from(text[..end].matches('\n').count()).unwrap_or(u32::MAX - 1) + 1;
    let at = |start: usize| innermost(Touched::Lines(line(start), line(start + new.len())), places);
    let found = at(*first);
    if starts[1..].iter().all(|start| at(*start) == found) { found } else { Vec::new() }
}

#[cfg(test)]
mod tests;
