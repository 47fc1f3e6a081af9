//! What is published holds together: the catalogue, the folders, the references between schemas, and the texts.

use std::collections::BTreeSet;
use std::path::Path;

use ctxhost_protocol::{catalogue, codebase_index, envelope, ide_context, pilot_index, project_map, serve};
use serde_json::Value;

use crate::folders::{entries, name};
use crate::frozen::is_released;
use crate::place::{Schemas, Subschema, documents};

#[test]
fn the_catalogue_holds_every_schema_of_every_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut on_disk = BTreeSet::new();
    for spec in entries(root).iter().filter(|path| path.is_dir()) {
        for version in entries(spec).iter().filter(|path| path.join("SPEC.md").is_file()) {
            let id = format!("{}/{}", name(spec), name(version));
            let files = entries(version).into_iter().map(|file| name(&file));
            on_disk
                .extend(files.filter(|file| file.ends_with(".schema.json")).map(|file| (id.clone(), file)));
        }
    }
    let published: BTreeSet<_> =
        documents().map(|(spec, document)| (spec.id().to_owned(), document.name.to_owned())).collect();
    assert_eq!(on_disk, published);
}

#[test]
fn specs_are_found_by_id_and_by_bare_name() {
    for id in [
        codebase_index::SPEC,
        envelope::SPEC,
        ide_context::SPEC,
        pilot_index::SPEC,
        project_map::SPEC,
        serve::SPEC,
    ] {
        let spec = catalogue::find(id).expect("the mirror's spec is published");
        assert_eq!(format!("{}/{}", spec.name, spec.version), id);
        assert_eq!(catalogue::find(spec.name), Some(spec));
    }
    for unknown in ["", "envelope/v2", "envelope/", "/v1", "ide"] {
        assert_eq!(catalogue::find(unknown), None, "{unknown}");
    }
    let spec = catalogue::find("ide-context").expect("there is one version");
    assert_eq!(spec.schema("state").map(|document| document.name), Some("state.schema.json"));
    assert_eq!(spec.schema("note"), None);
}

#[test]
fn ids_and_references_lead_to_published_schemas() {
    let schemas = Schemas::published();
    each_subschema(&schemas, &mut |at, schema| {
        if at.pointer.is_empty() {
            assert_eq!(schema["$id"], at.document);
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{at:?}");
        }
        if let Some(reference) = schema.get("$ref") {
            let reference = reference.as_str().expect("a $ref is text");
            assert!(!reference.contains(':'), "{at:?}: {reference} is not relative");
            let target = schemas.resolve(at.document, reference);
            assert!(schemas.get(&target).is_some(), "{at:?}: {reference} leads nowhere");
        }
    });
}

#[test]
fn everything_is_described() {
    let schemas = Schemas::published();
    each_subschema(&schemas, &mut |at, schema| {
        if at.pointer.is_empty() {
            assert_described(at, schema);
        }
        for group in ["properties", "$defs"].iter().filter(|_| !is_condition(at)) {
            for (name, subschema) in schema[*group].as_object().into_iter().flatten() {
                assert_described(&at.below(&[*group, name]), subschema);
            }
        }
    });
}

#[test]
fn required_fields_are_described_fields() {
    let schemas = Schemas::published();
    each_subschema(&schemas, &mut |at, schema| {
        let fields = schemas.fields(&schemas.place(at.clone()));
        for name in schema["required"].as_array().into_iter().flatten().filter(|_| !is_condition(at)) {
            assert!(fields.contains(name.as_str().expect("names are text")), "{at:?}: {name} is unknown");
        }
    });
}

#[test]
fn each_text_names_every_schema_of_its_spec() {
    for (spec, document) in documents() {
        assert!(spec.text.contains(document.name), "{}: SPEC.md does not name {}", spec.id(), document.name);
        assert!(
            spec.text.starts_with(&format!("# {}\n", spec.id())),
            "{}: SPEC.md has another title",
            spec.id()
        );
    }
}

#[test]
fn the_envelope_text_names_every_event_and_every_field_of_its_data() {
    let schemas = Schemas::published();
    let spec = catalogue::find(envelope::SPEC).expect("the envelope is published");
    let request = Subschema::published(envelope::SPEC, "request", "");
    let conditions =
        schemas.get(&request.below(&["allOf"])).and_then(Value::as_array).expect("it has conditions");
    for condition in conditions {
        let event =
            condition["if"]["properties"]["event"]["const"].as_str().expect("a condition names an event");
        let row = spec.text.lines().find(|line| line.starts_with(&format!("| `{event}` |")));
        let row = row.unwrap_or_else(|| panic!("SPEC.md has no row for {event}"));
        let definition = schemas.place(request.below(&["$defs", event]));
        for field in schemas.fields(&definition) {
            let inherited = event == "tool.after" && row.contains("the same");
            assert!(inherited || row.contains(&format!("`{field}`")), "SPEC.md: {event} has no {field}");
        }
    }
}

#[test]
fn secret_rules_are_listed_once_and_in_order() {
    let rules: Vec<&str> =
        ide_context::SECRET_RULES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    for (index, rule) in rules.iter().enumerate() {
        assert_eq!(rule.trim(), *rule, "a rule has blanks around it");
        assert!(!rules[..index].contains(rule), "{rule} stands twice");
    }
    // After a release the list may grow, and its SPEC.md may not.
    let spec = catalogue::find(ide_context::SPEC).expect("the spec is published");
    let unlisted = |rule: &&&str| !spec.text.contains(&format!("`{rule}`"));
    let unlisted: Vec<_> = rules.iter().filter(unlisted).filter(|_| !is_released(spec.id())).collect();
    assert!(unlisted.is_empty(), "SPEC.md does not list {unlisted:?}");
}

fn assert_described(at: &Subschema, schema: &Value) {
    let description = schema["description"].as_str().unwrap_or_default();
    assert!(description.ends_with('.') && description.len() > 1, "{at:?} is not described");
}

/// Whether a subschema is a condition or follows from one: it only narrows what is described where it is defined.
fn is_condition(at: &Subschema) -> bool {
    at.pointer.split('/').any(|part| ["if", "then", "else"].contains(&part))
}

/// Visits every published schema and all the subschemas in it.
fn each_subschema(schemas: &Schemas, visit: &mut dyn FnMut(&Subschema, &Value)) {
    for (_, document) in documents() {
        let root = Subschema::root(document);
        descend(&root, schemas.get(&root).expect("the document is published"), visit);
    }
}

fn descend(at: &Subschema, schema: &Value, visit: &mut dyn FnMut(&Subschema, &Value)) {
    if !schema.is_object() {
        return;
    }
    visit(at, schema);
    for one in ["items", "additionalProperties", "propertyNames", "if", "then", "else"] {
        descend(&at.below(&[one]), &schema[one], visit);
    }
    for list in ["allOf", "anyOf"] {
        for (index, subschema) in schema[list].as_array().into_iter().flatten().enumerate() {
            descend(&at.below(&[list, &index.to_string()]), subschema, visit);
        }
    }
    for group in ["properties", "$defs"] {
        for (name, subschema) in schema[group].as_object().into_iter().flatten() {
            descend(&at.below(&[group, name]), subschema, visit);
        }
    }
}
