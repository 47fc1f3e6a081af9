//! Compiled schemas: the published ones, and those that a provider brings itself. Nothing is fetched.

use std::{collections::BTreeMap, path::Path};

use ctxhost_protocol::catalogue;
use jsonschema::Validator;
use serde_json::Value;

use crate::files::read_regular;

/// The largest schema file of a provider's own, in bytes.
const SCHEMA_CAP: u64 = 1024 * 1024;

/// How many schema files a provider's own spec may have.
const SCHEMA_FILES: usize = 100;

/// A schema could not be compiled.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

/// Compiles a schema by its id, with every published one and `more` to refer to; nothing is fetched.
///
/// What is compiled is a reference to it: the validator holds its root against the meta-schema, and that of a published
/// schema was held against it by a test, so a prompt does not pay for it.
pub(super) fn compile(id: &str, more: BTreeMap<String, Value>) -> Result<Validator, SchemaError> {
    const DRAFT: jsonschema::Draft = jsonschema::Draft::Draft202012;
    let failed = |error: &dyn std::fmt::Display| SchemaError(error.to_string());
    let mut resources = more;
    let mut wanted = vec![id.to_owned()];
    wanted.extend(resources.iter().flat_map(|(id, document)| references(id, document)));
    while let Some(id) = wanted.pop() {
        if resources.contains_key(&id) {
            continue;
        }
        let published =
            catalogue::specs().iter().flat_map(|spec| spec.schemas).find(|schema| schema.id == id);
        if let Some(published) = published {
            let parsed =
                serde_json::from_str(published.text).map_err(|error| failed(&format!("{id}: {error}")))?;
            wanted.extend(references(&id, &parsed));
            resources.insert(id, parsed);
        }
    }
    let registry = jsonschema::Registry::new()
        .draft(DRAFT)
        .retrieve_known_draft_meta_schemas(false)
        .extend(resources.iter().map(|(id, document)| (id.as_str(), document)))
        .and_then(jsonschema::RegistryBuilder::prepare)
        .map_err(|error| failed(&error))?;
    jsonschema::options()
        .with_draft(DRAFT)
        // Patterns without backtracking: a schema of a provider's own cannot make a prompt wait.
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .with_registry(&registry)
        .build(&serde_json::json!({"$ref": id}))
        .map_err(|error| failed(&error))
}

/// The documents that a document refers to, by their ids.
fn references(id: &str, document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
                    found.push(resolve(id, reference));
                }
                open.extend(map.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// The fields of a document that a published schema does not name, as JSON pointers.
///
/// Readers ignore them, so they are no faults; whoever writes a document wants to know of them all the same.
/// Where a schema names no fields at all, any may stand.
pub fn unknown_fields(spec: &str, schema: &str, document: &Value) -> Vec<String> {
    let Some(published) = catalogue::find(spec).and_then(|spec| spec.schema(schema)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let root = Place { id: published.id.to_owned(), schema: parsed(published.id) };
    collect_unknown(&[root], document, "", &mut found);
    found
}

/// A schema, and the document that its references are relative to.
#[derive(Clone)]
struct Place {
    id: String,
    schema: Value,
}

fn parsed(id: &str) -> Value {
    let published = catalogue::specs().iter().flat_map(|spec| spec.schemas).find(|schema| schema.id == id);
    published.and_then(|published| serde_json::from_str(published.text).ok()).unwrap_or_default()
}

fn collect_unknown(places: &[Place], document: &Value, pointer: &str, found: &mut Vec<String>) {
    let places = applied(places);
    let below = |keyword: &str, key: Option<&str>| -> Vec<Place> {
        let schema = |place: &Place| match key {
            Some(key) => place.schema.get(keyword)?.get(key).cloned(),
            None => place.schema.get(keyword).cloned(),
        };
        places
            .iter()
            .filter_map(|place| Some(Place { id: place.id.clone(), schema: schema(place)? }))
            .collect()
    };
    match document {
        Value::Object(fields) if places.iter().any(|place| place.schema.get("properties").is_some()) => {
            for (name, value) in fields {
                let known = below("properties", Some(name));
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                if known.is_empty() {
                    found.push(pointer);
                } else {
                    collect_unknown(&known, value, &pointer, found);
                }
            }
        }
        Value::Array(items) => {
            let places = below("items", None);
            for (index, item) in items.iter().enumerate() {
                collect_unknown(&places, item, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// The schemas themselves and all that they include: by reference, in `allOf`, and for some cases only.
fn applied(places: &[Place]) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    let mut open = places.to_vec();
    while let Some(place) = open.pop() {
        if let Some(reference) = place.schema.get("$ref").and_then(Value::as_str) {
            let id = resolve(&place.id, reference);
            let fragment = reference.split_once('#').map_or("", |(_, fragment)| fragment);
            if let Some(schema) = parsed(&id).pointer(fragment) {
                open.push(Place { schema: schema.clone(), id });
            }
        }
        let parts = ["allOf", "anyOf", "oneOf"]
            .into_iter()
            .filter_map(|keyword| place.schema.get(keyword)?.as_array());
        let cases = ["then", "else"].into_iter().filter_map(|keyword| place.schema.get(keyword));
        let included: Vec<Place> = parts
            .flatten()
            .chain(cases)
            .map(|schema| Place { id: place.id.clone(), schema: schema.clone() })
            .collect();
        open.extend(included);
        all.push(place);
    }
    all
}

/// A reference of one of our schemas, without its fragment, as a document's id.
fn resolve(base: &str, reference: &str) -> String {
    let reference = reference.split('#').next().unwrap_or_default();
    if reference.is_empty() {
        return base.to_owned();
    }
    if reference.contains("://") {
        return reference.to_owned();
    }
    let mut folders: Vec<&str> = base.split('/').collect();
    folders.pop();
    for part in reference.split('/') {
        match part {
            "." => {}
            ".." => drop(folders.pop()),
            part => folders.push(part),
        }
    }
    folders.join("/")
}

/// A provider's own spec: `spec/<id>/<version>/*.schema.json` beside its library.
pub(super) fn compile_custom(
    provider: &str,
    spec: &str,
    library: Option<&Path>,
) -> Result<Validator, SchemaError> {
    let failed = |why: String| SchemaError(why);
    let (name, version) =
        spec.split_once('/').ok_or_else(|| failed("it is not of the form name/version".to_owned()))?;
    if name != provider {
        return Err(failed("it is neither published nor under the provider's own id".to_owned()));
    }
    let version_is_plain =
        version.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.') && !version.contains("..");
    let folder = library
        .and_then(Path::parent)
        .filter(|_| version_is_plain)
        .map(|folder| folder.join("spec").join(name).join(version))
        .ok_or_else(|| failed("there is no place to look for it".to_owned()))?;
    let entries =
        std::fs::read_dir(&folder).map_err(|error| failed(format!("{}: {error}", folder.display())))?;
    let mut documents = BTreeMap::new();
    let mut reply = None;
    let is_schema = |path: &std::path::PathBuf| path.to_string_lossy().ends_with(".schema.json");
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_schema)
        .take(SCHEMA_FILES + 1)
        .collect();
    if paths.len() > SCHEMA_FILES {
        return Err(failed(format!("{} has more than {SCHEMA_FILES} schemas", folder.display())));
    }
    paths.sort();
    for path in paths {
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let bytes = read_regular(&path, SCHEMA_CAP).map_err(|error| failed(error.to_string()))?;
        let document: Value =
            serde_json::from_slice(&bytes).map_err(|error| failed(format!("{}: {error}", path.display())))?;
        jsonschema::meta::validate(&document)
            .map_err(|error| failed(format!("{} is not a schema: {}", path.display(), error.masked())))?;
        let id = document
            .get("$id")
            .and_then(Value::as_str)
            .map_or_else(|| format!("ctxhost://specs/{spec}/{file}"), str::to_owned);
        if id.starts_with("ctxhost:") && !id.starts_with(&format!("ctxhost://specs/{spec}/")) {
            return Err(failed(format!("{} claims to be of another spec: {id}", path.display())));
        }
        if file == "reply.schema.json" {
            reply = Some(id.clone());
        }
        documents.insert(id, document);
    }
    let reply = reply.ok_or_else(|| failed(format!("{} has no reply.schema.json", folder.display())))?;
    compile(&reply, documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_resolved_against_its_document() {
        let base = "ctxhost://specs/ide-context/v0.2/reply.schema.json";
        let cases = [
            ("state.schema.json", "ctxhost://specs/ide-context/v0.2/state.schema.json"),
            (
                "../../envelope/v1/reply.schema.json#/$defs/section",
                "ctxhost://specs/envelope/v1/reply.schema.json",
            ),
            ("./x.schema.json", "ctxhost://specs/ide-context/v0.2/x.schema.json"),
            ("#/$defs/a", base),
            ("ctxhost://specs/envelope/v1/note.schema.json#", "ctxhost://specs/envelope/v1/note.schema.json"),
        ];
        for (reference, expected) in cases {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
    }

    #[test]
    fn a_misspelt_field_is_found_wherever_it_stands() {
        let reply = serde_json::json!({
            "v": 1, "spec": "envelope/v1", "data": {"any": {"thing": 1}}, "sectoins": [],
            "sections": [{"key": "k", "placement": "prompt", "trust": "tool", "prio": 1, "variants": [{"body": "x", "a/b": 1}]}],
        });
        let mut found = unknown_fields("envelope/v1", "reply", &reply);
        found.sort();
        assert_eq!(found, ["/sections/0/prio", "/sections/0/variants/0/a~1b", "/sectoins"]);
        assert!(unknown_fields("no-such/v1", "reply", &reply).is_empty());
    }

    #[test]
    fn every_published_schema_is_one_and_compiles() {
        for spec in catalogue::specs() {
            for schema in spec.schemas {
                let document: Value = serde_json::from_str(schema.text).unwrap();
                assert!(jsonschema::meta::validate(&document).is_ok(), "{}", schema.id);
                assert!(compile(schema.id, BTreeMap::new()).is_ok(), "{}", schema.id);
            }
        }
    }
}
