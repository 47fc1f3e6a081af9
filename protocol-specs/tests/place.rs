//! A place inside the published schemas: what all the schemas that apply there say together.

use std::collections::{BTreeMap, BTreeSet};

use ctxhost_protocol::catalogue::{self, Document, Spec};
use serde_json::Value;

/// All published documents, parsed, by their `$id`.
pub(crate) struct Schemas(BTreeMap<&'static str, Value>);

/// A subschema: the document it stands in, and its JSON pointer there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subschema {
    pub(crate) document: &'static str,
    pub(crate) pointer: String,
}

/// The subschemas that apply to one value, with everything they refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place(pub(crate) Vec<Subschema>);

impl Schemas {
    pub(crate) fn published() -> Self {
        let parse = |document: &Document| serde_json::from_str(document.text).expect("schemas are JSON");
        Self(documents().map(|(_, document)| (document.id, parse(document))).collect())
    }

    pub(crate) fn get(&self, at: &Subschema) -> Option<&Value> {
        self.0.get(at.document)?.pointer(&at.pointer)
    }

    /// The place that a subschema describes: itself, and what it refers to or combines.
    pub(crate) fn place(&self, start: Subschema) -> Place {
        let mut place = Place::default();
        self.gather(start, &mut place);
        place
    }

    fn gather(&self, at: Subschema, place: &mut Place) {
        let schema = self.get(&at).unwrap_or_else(|| panic!("{at:?} is no subschema"));
        if place.0.contains(&at) {
            return;
        }
        place.0.push(at.clone());
        if let Some(reference) = schema["$ref"].as_str() {
            self.gather(self.resolve(at.document, reference), place);
        }
        for combination in ["allOf", "anyOf"] {
            for index in 0..schema[combination].as_array().map_or(0, Vec::len) {
                self.gather(at.below(&[combination, &index.to_string()]), place);
            }
        }
        // "An object of this kind, or null"; any other condition narrows what is described elsewhere.
        if schema["if"] == serde_json::json!({"type": "object"}) {
            self.gather(at.below(&["then"]), place);
        }
    }

    /// Resolves a `$ref` as RFC 3986 would, for the two forms in use: a relative path, and a fragment.
    pub(crate) fn resolve(&self, base: &str, reference: &str) -> Subschema {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let mut id: Vec<&str> = base.split('/').collect();
        for part in path.split('/').filter(|_| !path.is_empty()) {
            if part == ".." {
                id.truncate(id.len() - 2);
                id.push("");
            } else {
                *id.last_mut().expect("an id has parts") = part;
                id.push("");
            }
        }
        if !path.is_empty() {
            id.pop();
        }
        let id = id.join("/");
        let document = self.0.keys().find(|known| **known == id);
        Subschema {
            document: document.unwrap_or_else(|| panic!("{reference} in {base} leads to {id}: unpublished")),
            pointer: fragment.to_owned(),
        }
    }

    /// The fields that are described at a place; empty where it leaves its content open.
    pub(crate) fn fields(&self, place: &Place) -> BTreeSet<String> {
        self.values(place, "properties")
            .into_iter()
            .filter_map(Value::as_object)
            .flat_map(|properties| properties.keys().cloned())
            .collect()
    }

    /// The place of a field.
    pub(crate) fn field(&self, place: &Place, name: &str) -> Option<Place> {
        self.child(place, &["properties", name])
    }

    /// The place of an array's items.
    pub(crate) fn items(&self, place: &Place) -> Option<Place> {
        self.child(place, &["items"])
    }

    /// The place of the values of a map, an object whose fields have no fixed names.
    pub(crate) fn map_values(&self, place: &Place) -> Option<Place> {
        self.child(place, &["additionalProperties"])
    }

    /// The value that stands for an absent one.
    pub(crate) fn default(&self, place: &Place) -> Option<&Value> {
        self.values(place, "default").first().copied()
    }

    fn values<'a>(&'a self, place: &Place, keyword: &str) -> Vec<&'a Value> {
        place.0.iter().filter_map(|at| self.get(at)?.get(keyword)).collect()
    }

    fn child(&self, place: &Place, path: &[&str]) -> Option<Place> {
        let mut child = Place::default();
        for at in place.0.iter().map(|at| at.below(path)) {
            if self.get(&at).is_some() {
                self.gather(at, &mut child);
            }
        }
        (!child.0.is_empty()).then_some(child)
    }
}

impl Subschema {
    pub(crate) fn root(document: &'static Document) -> Self {
        Self { document: document.id, pointer: String::new() }
    }

    /// The subschema at `spec`, a schema's short name and a pointer in it.
    pub(crate) fn published(spec: &str, schema: &str, pointer: &str) -> Self {
        let document = catalogue::find(spec).and_then(|spec| spec.schema(schema));
        let document = document.unwrap_or_else(|| panic!("{spec} has no schema {schema}"));
        Self { document: document.id, pointer: pointer.to_owned() }
    }

    pub(crate) fn below(&self, path: &[&str]) -> Self {
        let pointer = path.iter().fold(self.pointer.clone(), |pointer, part| {
            pointer + "/" + &part.replace('~', "~0").replace('/', "~1")
        });
        Self { document: self.document, pointer }
    }
}

/// All published documents, each with its spec.
pub(crate) fn documents() -> impl Iterator<Item = (&'static Spec, &'static Document)> {
    catalogue::specs().iter().flat_map(|spec| spec.schemas.iter().map(move |document| (spec, document)))
}
