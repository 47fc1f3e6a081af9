//! What a person sees of a selection that was sent: a line under their message, and an entry that their agent stores.

use std::path::Path;

use ctxhost_sdk::protocol::{
    envelope::{Entry, Person},
    ide_context::{Selection, State},
};
use serde_json::json;

use crate::shape::{
    block::lines,
    words::{clipped, plain},
};

/// The kind of entry, a name of the protocol's reference client.
const ENTRY: &str = "pi-ide-selection";

/// How much of a selection is quoted.
const LONGEST_TEXT: usize = 200;

/// The quote and the entry for a selection; `None` when there is nothing in it to see.
pub(crate) fn person(state: &State, selection: &Selection) -> Option<Person> {
    let text = clipped(&plain(&selection.text), LONGEST_TEXT);
    if text.is_empty() {
        return None;
    }
    let name = buffer_name(state);
    let range = lines(selection);
    let place = range.map_or_else(|| name.clone(), |(start, end)| format!("{name}:{start}-{end}"));
    let data = json!({
        "file": name,
        "startLine": range.map(|(start, _)| start),
        "endLine": range.map(|(_, end)| end),
        "text": text,
    });
    Some(Person {
        show: false,
        quote: Some(format!("↳ {place} · {text}")),
        entry: Some(Entry { kind: ENTRY.to_owned(), data }),
    })
}

/// The name of a buffer for a person: what the editor shows, else the file's last name.
pub(crate) fn buffer_name(state: &State) -> String {
    let buffer = &state.active_buffer;
    let shown = plain(&buffer.name);
    let file = || buffer.file.as_deref().and_then(|file| Some(plain(Path::new(file).file_name()?.to_str()?)));
    let name = if shown.is_empty() { file().unwrap_or_else(|| "unnamed".to_owned()) } else { shown };
    clipped(&name, LONGEST_TEXT)
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::protocol::ide_context::{Buffer, Position};

    use super::*;

    fn quote(name: &str, text: &str, start: Option<f64>, end: Option<f64>) -> Option<Person> {
        let buffer = Buffer { name: name.to_owned(), file: Some("/a/b.rs".to_owned()), ..Buffer::default() };
        let state = State { active_buffer: buffer, ..State::default() };
        let at = |line| Position { line, column: None };
        person(
            &state,
            &Selection { start: at(start), end: at(end), text: text.to_owned(), selected_at: None },
        )
    }

    #[test]
    fn a_quote_names_the_place_and_shows_the_text_on_one_line() {
        let person = quote("main.ts", "  a\r\n\tb  c\n", Some(3.0), Some(4.0)).expect("there is text");
        assert_eq!(person.quote.as_deref(), Some("↳ main.ts:3-4 · a b c"));
        let entry = person.entry.expect("it is stored");
        assert_eq!(entry.kind, "pi-ide-selection");
        assert_eq!(entry.data, json!({"file": "main.ts", "startLine": 3, "endLine": 4, "text": "a b c"}));
    }

    #[test]
    fn a_place_without_lines_is_a_name() {
        let person = quote("", "x", None, Some(4.0)).expect("there is text");
        assert_eq!(person.quote.as_deref(), Some("↳ b.rs · x"));
        assert_eq!(person.entry.expect("it is stored").data["startLine"], json!(null));
    }

    #[test]
    fn a_long_text_is_clipped_and_a_blank_one_is_not_quoted() {
        let person = quote("m", &"ö".repeat(300), None, None).expect("there is text");
        assert_eq!(person.entry.expect("it is stored").data["text"], json!(format!("{}…", "ö".repeat(199))));
        assert_eq!(quote("m", " \n\t", None, None), None);
    }
}
