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
    let found = match patch::touched(change.content, &text, is_same) {
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
    };
    // What is gone belonged to the definitions on both sides of it.
    let touches = |place: &&Place| match touched {
        Touched::Lines(..) => place.first <= last && place.last >= first,
        Touched::Gone(..) => place.first <= first && place.last >= last,
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
mod tests {
    use ctxhost_sdk::prelude::json;

    use super::*;

    const TEXT: &str = "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n\ndef free():\n    pass\n";

    fn places() -> Vec<Place> {
        [("A", 1, 6), ("A.one", 2, 3), ("A.two", 5, 6), ("free", 8, 9)]
            .map(|(name, first, last)| Place { name: name.to_owned(), first, last })
            .to_vec()
    }

    fn check(input: Value, wrote: bool, expected: &[&str]) {
        let change = Change { input: &input, content: &[], wrote };
        assert_eq!(names(change, TEXT, &places(), |_| true), expected, "{input}");
    }

    #[test]
    fn an_edit_gives_the_innermost_definitions_that_it_touched() {
        check(json!({"path": "a.py", "oldText": "x", "newText": "return 2"}), false, &["A.two"]);
        check(json!({"old_string": "x", "new_string": "        return 1\n"}), false, &["A.one"]);
        check(json!({"new_string": "return 1\n\n    def two"}), false, &["A", "A.one", "A.two"]);
        check(json!({"edits": [{"newText": "return 1"}, {"newText": "pass"}]}), false, &["A.one", "free"]);
    }

    #[test]
    fn what_cannot_be_told_gives_nothing() {
        check(json!({"newText": "is not there"}), false, &[]);
        check(json!({"newText": ""}), false, &[]);
        check(json!({"newText": 7, "edits": {"a": 1}}), false, &[]);
        check(json!(null), false, &[]);
    }

    #[test]
    fn a_written_file_gives_its_outermost_definitions() {
        check(json!({"content": TEXT}), true, &["A", "free"]);
    }

    #[test]
    fn a_text_that_stands_in_several_definitions_gives_none() {
        check(json!({"new_string": "self"}), false, &[]);
        check(json!({"new_string": "    def "}), false, &[]);
        check(json!({"new_string": "return "}), false, &[]);
        check(json!({"new_string": "s"}), false, &[]);
        check(json!({"new_string": "one(self):\r\n        return"}), false, &["A.one"]);
        // Twice in the same one.
        check(json!({"new_string": "e"}), false, &[]);
        let text = "def f():\n    a = 1\n    b = 1\n";
        let places = [Place { name: "f".to_owned(), first: 1, last: 3 }];
        let input = json!({"new_string": "= 1"});
        let change = Change { input: &input, content: &[], wrote: false };
        assert_eq!(names(change, text, &places, |_| true), ["f"]);
    }

    fn check_patch(hunks: Value, expected: &[&str]) {
        let piece = json!({"filePath": "/p/a.py", "structuredPatch": hunks});
        let content = [piece.as_object().expect("an object").clone()];
        for wrote in [false, true] {
            let change = Change { input: &Value::Null, content: &content, wrote };
            assert_eq!(names(change, TEXT, &places(), |_| true), expected, "{hunks}");
        }
    }

    fn hunk(start: u32, lines: &[&str]) -> Value {
        json!({"oldStart": start, "oldLines": 1, "newStart": start, "newLines": 1, "lines": lines})
    }

    #[test]
    fn a_patch_gives_the_lines_that_it_added() {
        check_patch(
            json!([hunk(5, &["     def two(self):", "-        pass", "+        return 2", " "])]),
            &["A.two"],
        );
        check_patch(json!([hunk(3, &["+        return 1"]), hunk(9, &["+    pass"])]), &["A.one", "free"]);
        // The context around a change is no change.
        let lines =
            ["         return 1", " ", "-    def too(self):", "+    def two(self):", "         return 2"];
        check_patch(json!([hunk(3, &lines)]), &["A.two"]);
        check_patch(
            json!([hunk(8, &[" def free():", "+    pass\r", "\\ No newline at end of file"])]),
            &["free"],
        );
    }

    #[test]
    fn what_a_patch_took_away_belonged_to_what_is_around_it() {
        check_patch(
            json!([hunk(5, &["     def two(self):", "-        x = 1", "         return 2"])]),
            &["A.two"],
        );
        check_patch(
            json!([hunk(3, &["         return 1", " ", "-    x = 1", "     def two(self):"])]),
            &["A"],
        );
        check_patch(json!([hunk(7, &[" ", "-x = 1", " def free():"])]), &[]);
        check_patch(json!([hunk(1, &["-import x", " class A:"])]), &[]);
    }

    #[test]
    fn a_patch_whose_lines_have_moved_is_found_where_they_stand_once() {
        check_patch(json!([hunk(1, &["     def two(self):", "+        return 2"])]), &["A.two"]);
        check_patch(json!([hunk(900_000, &["+    pass"])]), &["free"]);
        check_patch(json!([hunk(1, &["     def three(self):", "+        return 3"])]), &[]);
        // An empty line stands in several places.
        check_patch(json!([hunk(1, &["+"])]), &[]);
    }

    #[test]
    fn a_patch_that_is_none_gives_nothing() {
        for hunks in [
            json!([7]),
            json!([{"lines": "x"}]),
            json!([{"newStart": -1, "lines": ["+x"]}]),
            json!([{"newStart": 1, "lines": [3, "", "é", null]}]),
        ] {
            check_patch(hunks, &[]);
        }
    }
}
