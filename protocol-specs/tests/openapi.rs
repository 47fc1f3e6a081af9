//! The OpenAPI document of `codebase-index/v1` says what its schemas and its text say.

use std::collections::BTreeSet;
use std::{fs, path::Path};

use ctxhost_protocol::catalogue::{self, Document};
use ctxhost_protocol::codebase_index::{BASE_PATH, OPENAPI, SPEC};
use serde_json::{Map, Value};

/// The schemas of what crosses HTTP; the others are the client's own.
const WIRE: [&str; 11] = [
    "error",
    "health",
    "index-reply",
    "index-request",
    "refresh-reply",
    "refresh-request",
    "search-reply",
    "search-request",
    "sync-reply",
    "sync-request",
    "token-payload",
];

#[test]
fn its_components_are_the_published_schemas() {
    let document = openapi();
    let expected = components();
    if document["components"]["schemas"] != expected {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openapi.json");
        let mut renewed = document;
        renewed["components"]["schemas"] = expected;
        let text = serde_json::to_string_pretty(&renewed).expect("it can be written") + "\n";
        fs::write(&file, text).expect("the test's folder can be written to");
        panic!("openapi.json has other schemas than {SPEC}; take over those of {}", file.display());
    }
}

#[test]
fn every_reference_leads_to_something_and_every_schema_is_used() {
    let document = openapi();
    let mut references = BTreeSet::new();
    gather(&document, &mut references);
    for reference in &references {
        let pointer = reference.strip_prefix('#').expect("a reference stays in the document");
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let used = |name: &str| {
        let itself = format!("#/components/schemas/{name}");
        references.iter().any(|reference| *reference == itself)
    };
    let unused: Vec<_> = WIRE.map(component_name).into_iter().filter(|name| !used(name)).collect();
    // The payload stands inside a token, where no schema reaches.
    assert_eq!(unused, ["TokenPayload"]);
}

#[test]
fn data_needs_a_token_and_every_failure_has_the_body_of_an_error() {
    let document = openapi();
    let error = serde_json::json!({"$ref": "#/components/schemas/Error"});
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let label = format!("{method} {path}");
            assert!(!operation["description"].as_str().unwrap_or_default().is_empty(), "{label}");
            let open = operation.get("security") == Some(&Value::Array(Vec::new()));
            assert_eq!(open, !path.starts_with(BASE_PATH), "{label}: with a token or without");
            let responses = operation["responses"].as_object().expect("responses");
            assert!(open || responses.contains_key("401") && responses.contains_key("403"), "{label}");
            for (status, response) in responses.iter().filter(|(status, _)| status.starts_with(['4', '5'])) {
                let reference = response["$ref"].as_str().expect("failures are shared");
                let shared = document.pointer(&reference[1..]).expect("it is there");
                let body = &shared["content"]["application/json"]["schema"];
                assert_eq!(*body, error, "{label} {status}");
            }
        }
    }
    assert_eq!(document["security"], serde_json::json!([{"bearer": []}]));
}

#[test]
fn the_text_names_every_path_and_every_error_code() {
    let text = catalogue::find(SPEC).expect("it is published").text;
    for path in openapi()["paths"].as_object().expect("paths").keys() {
        let short = path.replace(BASE_PATH, "").replace("{provider}", "<provider>");
        assert!(text.contains(&short), "SPEC.md does not name {short}");
    }
    let error: Value = serde_json::from_str(schema("error").text).expect("schemas are JSON");
    for code in error["properties"]["code"]["examples"].as_array().expect("codes") {
        let code = code.as_str().expect("a code is text");
        assert!(text.contains(&format!("`{code}`")), "SPEC.md does not name the code {code}");
    }
}

fn openapi() -> Value {
    serde_json::from_str(OPENAPI).expect("openapi.json is JSON")
}

fn schema(name: &str) -> &'static Document {
    catalogue::find(SPEC).and_then(|spec| spec.schema(name)).unwrap_or_else(|| panic!("{SPEC} has no {name}"))
}

/// The wire's schemas as components: without what makes each a document of its own, and with references that stay in.
fn components() -> Value {
    let component = |name| {
        let parsed = serde_json::from_str(schema(name).text).expect("schemas are JSON");
        (component_name(name), inside(parsed, name))
    };
    Value::Object(WIRE.into_iter().map(component).collect())
}

fn inside(value: Value, document: &str) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| name != "$schema" && name != "$id");
            Value::Object(kept.map(|(name, value)| field(name, value, document)).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| inside(item, document)).collect()),
        other => other,
    }
}

fn field(name: String, value: Value, document: &str) -> (String, Value) {
    let Some(reference) = value.as_str().filter(|_| name == "$ref") else {
        return (name, inside(value, document));
    };
    let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let target = file.strip_suffix(".schema.json").unwrap_or(document);
    (name, Value::String(format!("#/components/schemas/{}{fragment}", component_name(target))))
}

/// `SyncRequest` for `sync-request`.
fn component_name(schema: &str) -> String {
    let capital = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
    schema.split('-').map(capital).collect()
}

fn gather(value: &Value, references: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                references.insert(reference.clone());
            }
            fields.values().for_each(|value| gather(value, references));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, references)),
        _ => {}
    }
}
