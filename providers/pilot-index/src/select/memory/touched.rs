//! Which lines of a file an edit touched, and so which definitions.

use serde_json::Value;

/// A definition and the lines it stands in, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// How many names one call gives.
const MOST: usize = 20;

/// The fields in which agents write what takes the place of the old text.
const NEW: &[&str] = &["newText", "new_string", "newString", "new_str", "replacement", "new"];

/// The names of the definitions that a call touched: `text` is the file as it is now.
///
/// The innermost definitions count; where the lines of an edit cannot be told, none does. A file that was written whole
/// gives its outermost ones.
pub(crate) fn names(input: &Value, wrote: bool, text: &str, places: &[Place]) -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |place: &Place| {
        if names.len() < MOST && !names.contains(&place.name) {
            names.push(place.name.clone());
        }
    };
    if wrote {
        let inside = |place: &Place| {
            places.iter().any(|outer| {
                (outer.first < place.first && outer.last >= place.last)
                    || (outer.first <= place.first && outer.last > place.last)
            })
        };
        places.iter().filter(|place| !inside(place)).for_each(add);
        return names;
    }
    for (first, last) in lines(input, text) {
        let overlaps = |place: &&Place| place.first <= last && place.last >= first;
        let innermost = |place: &&Place| {
            !places.iter().filter(overlaps).any(|inner| {
                inner != *place
                    && inner.first >= place.first
                    && inner.last <= place.last
                    && (inner.first, inner.last) != (place.first, place.last)
                    // What an edit reaches beyond the inner one belongs to the outer one too.
                    && first >= inner.first
                    && last <= inner.last
            })
        };
        places.iter().filter(overlaps).filter(innermost).for_each(&mut add);
    }
    names
}

/// The lines that an edit's new text stands in now.
fn lines(input: &Value, text: &str) -> Vec<(u32, u32)> {
    let edits = input.get("edits").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    std::iter::once(input)
        .chain(edits.iter().take(100))
        .filter_map(|edit| NEW.iter().find_map(|field| edit.get(field)?.as_str()))
        .filter_map(|new| {
            let new = new.trim_matches(['\n', '\r']);
            let start = if new.trim().is_empty() { None } else { text.find(new) }?;
            let line = |end: usize| text[..end].matches('\n').count() as u32 + 1;
            Some((line(start), line(start + new.len())))
        })
        .collect()
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
        assert_eq!(names(&input, wrote, TEXT, &places()), expected, "{input}");
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
}
