//! The published examples against the published schemas; adding a file adds a case.

use std::{collections::BTreeMap, fs, path::Path};

use ctxhost::{protocol::catalogue, validate::Validators};
use serde_json::Value;

use crate::harness::{Place, root};

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every example of a kind: spec, schema, case, document.
fn examples(kind: &str) -> Vec<(String, String, String, Value)> {
    let mut found = Vec::new();
    for spec in catalogue::specs() {
        let folder = root().join("protocol-specs").join(spec.id()).join("examples").join(kind);
        for schema in fs::read_dir(&folder)
            .expect("the spec has examples")
            .flatten()
            .filter(|entry| entry.path().is_dir())
        {
            for case in fs::read_dir(schema.path()).expect("a folder").flatten() {
                let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
                found.push((spec.id().to_owned(), name(&schema), name(&case), read(&case.path())));
            }
        }
    }
    found
}

#[test]
fn valid_examples_satisfy_their_schema() {
    let validators = Validators::default();
    let examples = examples("valid");
    assert!(examples.len() >= 24, "{} examples", examples.len());
    for (spec, schema, case, document) in examples {
        let faults =
            validators.faults(&spec, &schema, &document).unwrap_or_else(|| panic!("{spec} has no {schema}"));
        assert_eq!(faults.expect("the schema compiles"), [], "{spec} {schema}/{case}");
    }
}

#[test]
fn invalid_examples_fail_where_they_say() {
    let validators = Validators::default();
    let examples = examples("invalid");
    assert!(examples.len() >= 50, "{} examples", examples.len());
    let mut wrong = Vec::new();
    for (spec, schema, case, document) in examples {
        let reasons = read(&root().join("protocol-specs").join(&spec).join("examples/invalid/reasons.json"));
        let reason = reasons[format!("{schema}/{case}")]
            .as_str()
            .unwrap_or_else(|| panic!("{schema}/{case} has a reason"))
            .to_owned();
        let faults = validators
            .faults(&spec, &schema, &document)
            .expect("the schema exists")
            .expect("the schema compiles");
        if !faults.iter().any(|fault| fault.pointer == reason) {
            wrong.push(format!("{spec} {schema}/{case}: {faults:?} instead of {reason:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_published_spec_contains_the_envelope() {
    // The host holds a reply against its own spec alone, so that spec must ask for the envelope too.
    // `serve/v1` is a face's spec: no provider replies in it, so it has no reply schema.
    let without: Vec<_> = catalogue::specs()
        .iter()
        .filter(|spec| spec.schema("reply").is_none())
        .map(|spec| spec.id())
        .collect();
    assert_eq!(without, ["serve/v1"]);
    let validators = Validators::default();
    for spec in catalogue::specs().iter().filter(|spec| spec.schema("reply").is_some()) {
        let document: Value =
            serde_json::json!({"v": 1, "spec": spec.id(), "data": null, "findings": "not a list"});
        let faults = validators
            .faults(spec.id(), "reply", &document)
            .expect("the schema exists")
            .expect("it compiles");
        assert!(faults.iter().any(|fault| fault.pointer == "/findings"), "{}: {faults:?}", spec.id());
    }
}

#[test]
fn the_command_line_lists_shows_and_validates() {
    let place = Place::new();
    let listed = place.run(&["specs", "list", "--json"]).ends(0).json();
    let ids: Vec<_> =
        listed.as_array().expect("a list").iter().map(|spec| spec["spec"].as_str().expect("an id")).collect();
    assert_eq!(
        ids,
        [
            "codebase-index/v1",
            "envelope/v1",
            "ide-context/v0.2",
            "pilot-index/v1",
            "project-map/v1",
            "serve/v1"
        ]
    );
    assert!(place.run(&["specs", "show", "ide-context/v0.2"]).ends(0).out.contains("selected_at"));
    assert!(place.run(&["specs", "show", "ide-context/v0.2/state"]).ends(0).json()["$id"].is_string());
    place.run(&["specs", "show", "no-such/v1"]).ends(3);

    let good = root().join("protocol-specs/ide-context/v0.2/examples/valid/state");
    let good = fs::read_dir(good).expect("examples").flatten().next().expect("one").path();
    let bad = place.write("bad.json", br#"{"pid": "x"}"#);
    let arguments = |file: &Path| {
        ["specs", "validate", "ide-context/v0.2/state", &file.to_string_lossy()].map(str::to_owned)
    };
    place.run(&arguments(&good)).ends(0);
    let ran = place.run(&arguments(&bad)).ends(1);
    assert!(ran.out.contains("/pid"), "{}", ran.out);
    place.run(&arguments(&place.path("none.json"))).ends(3);
}

#[test]
fn the_conversation_of_serve_satisfies_its_schemas() {
    let spec = catalogue::find("serve/v1").expect("it is published");
    let validators = Validators::default();
    let satisfies = |schema: &str, document: &Value, line: &str| {
        let faults = validators.faults(spec.id(), schema, document).expect("the schema exists");
        assert_eq!(faults.expect("the schema compiles"), [], "{schema}: {line}");
    };
    let (_, rest) = spec.text.split_once("```text\n").expect("there is a conversation");
    let (conversation, _) = rest.split_once("```").expect("it ends");
    let mut methods = BTreeMap::new();
    let mut checked = 0;
    for line in conversation.lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line[2..]) else { continue };
        satisfies("message", &message, line);
        let id = message["id"].to_string();
        if let Some(method) = message["method"].as_str() {
            satisfies(&method.replace('_', "-"), &message["params"], line);
            methods.insert(id, method.to_owned());
        } else if message["result"].is_object() {
            let method = methods.get(&id).unwrap_or_else(|| panic!("{line} answers nothing"));
            let schema = if method == "event" { "outcome".to_owned() } else { format!("{method}-result") };
            satisfies(&schema, &message["result"], line);
        }
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} messages");
}

#[test]
fn an_example_is_named_once() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (spec, schema, case, document) in examples("valid") {
        let text = document.to_string();
        let name = format!("{spec} {schema}/{case}");
        if let Some(other) = seen.insert(format!("{spec} {schema} {text}"), name.clone()) {
            panic!("{name} and {other} are the same example");
        }
    }
}
