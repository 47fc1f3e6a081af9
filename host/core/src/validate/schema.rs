//! Compiled schemas: the published ones, and those that a provider brings itself. Nothing is fetched.

use std::{collections::BTreeMap, path::Path};

use ctxhost_protocol::{catalogue, envelope::Manifest};
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
pub(super) fn compile_custom(manifest: &Manifest, library: Option<&Path>) -> Result<Validator, SchemaError> {
    let failed = |why: String| SchemaError(why);
    let (name, version) = manifest
        .spec
        .split_once('/')
        .ok_or_else(|| failed("it is not of the form name/version".to_owned()))?;
    if name != manifest.id {
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
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).take(SCHEMA_FILES) {
        let Some(file) =
            path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".schema.json"))
        else {
            continue;
        };
        let bytes = read_regular(&path, SCHEMA_CAP).map_err(|error| failed(error.to_string()))?;
        let document: Value =
            serde_json::from_slice(&bytes).map_err(|error| failed(format!("{}: {error}", path.display())))?;
        jsonschema::meta::validate(&document)
            .map_err(|error| failed(format!("{} is not a schema: {}", path.display(), error.masked())))?;
        let id = document
            .get("$id")
            .and_then(Value::as_str)
            .map_or_else(|| format!("ctxhost://specs/{}/{file}", manifest.spec), str::to_owned);
        if id.starts_with("ctxhost:") && !id.starts_with(&format!("ctxhost://specs/{}/", manifest.spec)) {
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
