use std::{fs, path::Path};

use serde_json::Value;

use super::{Written, read};
use crate::error::OffSpec;

/// The examples of the published spec: this reader must agree with its schema on each of them.
fn examples(kind: &str) -> Vec<(String, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-specs/ide-context/v0.2/examples");
    let folder = root.join(kind).join("state");
    let mut examples: Vec<_> = fs::read_dir(&folder)
        .expect("the spec has examples")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = format!("state/{}", path.file_name().expect("a name").to_string_lossy());
            (name, fs::read(&path).expect("an example"))
        })
        .collect();
    examples.sort();
    assert!(examples.len() >= 12, "{} has too few examples", folder.display());
    examples
}

#[test]
fn every_valid_example_is_read() {
    for (name, bytes) in examples("valid") {
        if let Err(error) = read(&bytes) {
            panic!("{name}: {error} at `{}`", error.pointer);
        }
    }
}

#[test]
fn every_invalid_example_is_refused_at_the_place_that_the_spec_names() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-specs/ide-context/v0.2/examples/invalid");
    let reasons: Value = serde_json::from_slice(&fs::read(root.join("reasons.json")).expect("the reasons"))
        .expect("they are JSON");
    for (name, bytes) in examples("invalid") {
        let OffSpec { pointer, .. } = read(&bytes).expect_err(&name);
        assert_eq!(reasons[&name], pointer, "{name}");
    }
}

fn written(json: &str) -> Result<Written, OffSpec> {
    read(json.as_bytes())
}

#[test]
fn every_field_with_a_wrong_type_is_refused_at_its_place() {
    let whole = examples("valid")
        .into_iter()
        .find(|(name, _)| name.contains("jetbrains-table-view"))
        .expect("it is there");
    let whole: Value = serde_json::from_slice(&whole.1).expect("it is JSON");
    let mut whole = whole;
    whole["active_buffer"]["selection"] = serde_json::json!({
        "start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 2}, "text": "x", "selected_at": 1
    });
    whole["active_buffer"]["cursor"] = serde_json::json!({"line": 1, "column": 1});
    let mut places = Vec::new();
    pointers(&whole, String::new(), &mut places);
    assert!(places.len() > 40, "the example has every field: {places:?}");
    let is_text = |place: &str| whole.pointer(place).is_some_and(Value::is_string);
    let is_number = |place: &str| whole.pointer(place).is_some_and(Value::is_number);
    let is_flag = |place: &str| whole.pointer(place).is_some_and(Value::is_boolean);
    for place in &places {
        let (text, number, flag) = (is_text(place), is_number(place), is_flag(place));
        let wrong = [
            (!text, serde_json::json!("text")),
            (!number, serde_json::json!(7)),
            (!flag, serde_json::json!(true)),
            (true, serde_json::json!([{}])),
            (text || number || flag, serde_json::json!({})),
        ];
        for (_, value) in wrong.iter().filter(|(is_wrong, _)| *is_wrong) {
            let mut broken = whole.clone();
            *broken.pointer_mut(place).expect("it is a place") = value.clone();
            let error = written(&broken.to_string()).expect_err(&format!("{place} = {value}"));
            assert!(error.pointer.starts_with(place.as_str()), "{place} = {value}: {error:?}");
        }
    }
}

fn pointers(value: &Value, place: String, found: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => Vec::new(),
    };
    for (name, value) in below {
        let place = format!("{place}/{name}");
        // The example may have fields that the spec does not know.
        if !value.is_null() && !name.starts_with("x_") {
            found.push(place.clone());
            pointers(value, place, found);
        }
    }
}

#[test]
fn what_is_not_json_is_refused_with_a_reason() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, reason) in [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("{\"pid\": 1", "it is not JSON"),
        ("{\"pid\": NaN}", "it is not JSON"),
        ("{\"pid\": Infinity}", "it is not JSON"),
        ("{\"pid\": 1e999}", "it is not JSON"),
        (deep.as_str(), "it is not JSON"),
        ("null", "it should be an object and is null"),
    ] {
        let error = written(text).expect_err("it is refused");
        assert!(error.reason.starts_with(reason) && error.pointer.is_empty(), "{error:?}");
    }
}

#[test]
fn texts_that_a_client_cut_in_the_middle_of_a_character_are_read() {
    let state = |name: &[u8]| {
        let mut bytes =
            br#"{"pid": 1, "cwd": "/", "timestamp": 1, "app": "x", "active_buffer": {"name": ""#.to_vec();
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(b"\"}}");
        read(&bytes).expect("it is read").state.active_buffer.name
    };
    assert_eq!(state(b"gr\xc3\xb6\xc3"), "grö\u{fffd}");
    assert_eq!(state(br"half \ud83d"), "half \u{fffd}");
}
