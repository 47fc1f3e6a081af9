//! The examples: valid ones survive their mirror, invalid ones say where they fail.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ctxhost_protocol::catalogue::{self, Spec};
use ctxhost_protocol::codebase_index;
use ctxhost_protocol::envelope::{
    CommandReply, CommandRequest, Create, Finding, Manifest, Note, Notify, Reply, Request, ToolReply,
    ToolRequest, ToolsReply,
};
use ctxhost_protocol::ide_context::{Contribution, State};
use ctxhost_protocol::pilot_index;
use ctxhost_protocol::project_map;
use ctxhost_protocol::serve::{
    CancelParams, CancelResult, CommandParams, ErrorObject, EventParams, Hello, HelloResult, Message,
    Notification, OutcomeDocument, ToolParams, ToolsParams, ToolsResult,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::folders::{entries, name};
use crate::place::{Place, Schemas, Subschema};

#[test]
fn valid_examples_survive_their_mirror() {
    let schemas = Schemas::published();
    for_each(|spec| {
        let cases = cases(spec, "valid");
        assert!(cases.len() >= 12, "{}: only {} valid examples", spec.id(), cases.len());
        for case in cases {
            let schema = case.schema.as_str();
            let place = schemas.place(Subschema::published(spec.id(), schema, ""));
            let back = read_and_write(spec.id(), schema, case.value.clone());
            let back = back.unwrap_or_else(|fault| panic!("{}: {fault}", case.label));
            survives(&schemas, &case.label, Some(&case.value), Some(&back), &place);
        }
    });
}

#[test]
fn every_schema_has_a_valid_and_an_invalid_example() {
    for_each(|spec| {
        for kind in ["valid", "invalid"] {
            let shown: BTreeSet<_> = cases(spec, kind).into_iter().map(|case| case.schema).collect();
            let published: BTreeSet<_> =
                spec.schemas.iter().map(|document| document.short_name().to_owned()).collect();
            assert_eq!(shown, published, "{}: schemas with {kind} examples", spec.id());
        }
    });
}

#[test]
fn invalid_examples_and_their_reasons_agree() {
    for_each(|spec| {
        let text =
            fs::read_to_string(folder(spec, "invalid").join("reasons.json")).expect("reasons.json is there");
        let mut reasons: BTreeMap<String, String> =
            serde_json::from_str(&text).expect("reasons.json is a map");
        let cases = cases(spec, "invalid");
        assert!(cases.len() >= 25, "{}: only {} invalid examples", spec.id(), cases.len());
        for case in cases {
            let reason = reasons.remove(&case.label);
            let reason = reason.unwrap_or_else(|| panic!("{}: {} has no reason", spec.id(), case.label));
            let place = case.value.pointer(&reason);
            assert!(place.is_some(), "{}: {} has no {reason}", spec.id(), case.label);
        }
        assert!(reasons.is_empty(), "{}: reasons without an example: {reasons:?}", spec.id());
    });
}

#[test]
fn an_absent_value_is_its_default_and_nothing_else() {
    let schemas = Schemas::published();
    let read =
        |value: Value| read_and_write("envelope/v1", "manifest", value).expect("the manifest can be read");
    let smallest = json!({"id": "a", "version": "1", "title": "a", "spec": "a/v1", "abi": "1.0"});
    let back = read(smallest.clone());
    let place = schemas.place(Subschema::published("envelope/v1", "manifest", ""));
    survives(&schemas, "manifest", Some(&smallest), Some(&back), &place);

    let mut other = back;
    other["needs"]["network"] = json!(true);
    let refused = std::panic::catch_unwind(|| {
        survives(&schemas, "manifest", Some(&smallest), Some(&other), &place);
    });
    assert!(refused.is_err(), "a need that nobody wrote went unseen");
}

/// Reads a message into the mirror of its schema and writes it again.
fn read_and_write(spec: &str, schema: &str, value: Value) -> serde_json::Result<Value> {
    match (spec, schema) {
        ("envelope/v1", "note") => through::<Note>(value),
        ("envelope/v1", "manifest") => through::<Manifest>(value),
        ("envelope/v1", "create") => through::<Create>(value),
        ("envelope/v1", "request") => through::<Request>(value),
        ("envelope/v1", "reply") => through::<Reply>(value),
        ("envelope/v1", "finding") => through::<Finding>(value),
        ("envelope/v1", "tool-request") => through::<ToolRequest>(value),
        ("envelope/v1", "tool-reply") => through::<ToolReply>(value),
        ("envelope/v1", "command-request") => through::<CommandRequest>(value),
        ("envelope/v1", "command-reply") => through::<CommandReply>(value),
        ("envelope/v1", "tools-reply") => through::<ToolsReply>(value),
        ("envelope/v1", "notify") => through::<Notify>(value),
        ("ide-context/v0.2", "state") => through::<State>(value),
        ("ide-context/v0.2", "contribution") => through::<Contribution>(value),
        ("ide-context/v0.2", "reply") => {
            let mut reply: Reply = serde_json::from_value(value)?;
            reply.data = through::<Contribution>(reply.data)?;
            serde_json::to_value(reply)
        }
        ("pilot-index/v1", "contribution") => through::<pilot_index::Contribution>(value),
        ("pilot-index/v1", "episode") => through::<pilot_index::Episode>(value),
        ("pilot-index/v1", "query") => through::<pilot_index::QueryResult>(value),
        ("pilot-index/v1", "symbol") => through::<pilot_index::SymbolResult>(value),
        ("pilot-index/v1", "settings") => through::<pilot_index::Settings>(value),
        ("pilot-index/v1", "reply") => {
            let mut reply: Reply = serde_json::from_value(value)?;
            reply.data = through::<pilot_index::Contribution>(reply.data)?;
            serde_json::to_value(reply)
        }
        ("project-map/v1", "contribution") => through::<project_map::Contribution>(value),
        ("project-map/v1", "bundle") => through::<project_map::Bundle>(value),
        ("project-map/v1", "report") => through::<project_map::Report>(value),
        ("project-map/v1", "project-file") => through::<project_map::ProjectFile>(value),
        ("project-map/v1", "settings") => through::<project_map::Settings>(value),
        ("project-map/v1", "reply") => {
            let mut reply: Reply = serde_json::from_value(value)?;
            reply.data = through::<project_map::Contribution>(reply.data)?;
            serde_json::to_value(reply)
        }
        ("codebase-index/v1", schema) => codebase_index_document(schema, value),
        ("serve/v1", "message") => through::<Message>(value),
        ("serve/v1", "error") => through::<ErrorObject>(value),
        ("serve/v1", "hello") => through::<Hello>(value),
        ("serve/v1", "hello-result") => through::<HelloResult>(value),
        ("serve/v1", "event") => through::<EventParams>(value),
        ("serve/v1", "outcome") => through::<OutcomeDocument>(value),
        ("serve/v1", "tool") => through::<ToolParams>(value),
        ("serve/v1", "tool-result") => through::<ToolReply>(value),
        ("serve/v1", "command") => through::<CommandParams>(value),
        ("serve/v1", "command-result") => through::<CommandReply>(value),
        ("serve/v1", "tools") => through::<ToolsParams>(value),
        ("serve/v1", "tools-result") => through::<ToolsResult>(value),
        ("serve/v1", "cancel") => through::<CancelParams>(value),
        ("serve/v1", "cancel-result") => through::<CancelResult>(value),
        ("serve/v1", notification) => {
            let message = json!({"method": notification.replace('-', "_"), "params": value});
            Ok(through::<Notification>(message)?["params"].take())
        }
        _ => panic!("{spec} {schema} has no mirror here"),
    }
}

fn codebase_index_document(schema: &str, value: Value) -> serde_json::Result<Value> {
    match schema {
        "contribution" => through::<codebase_index::Contribution>(value),
        "development" => through::<codebase_index::Development>(value),
        "error" => through::<codebase_index::ErrorBody>(value),
        "health" => through::<codebase_index::Health>(value),
        "index-reply" => through::<codebase_index::IndexReply>(value),
        "index-request" => through::<codebase_index::IndexRequest>(value),
        "refresh-reply" => through::<codebase_index::RefreshReply>(value),
        "refresh-request" => through::<codebase_index::RefreshRequest>(value),
        "search-reply" => through::<codebase_index::SearchReply>(value),
        "search-request" => through::<codebase_index::SearchRequest>(value),
        "search-result" => through::<codebase_index::SearchResult>(value),
        "settings" => through::<codebase_index::Settings>(value),
        "status-result" => through::<codebase_index::StatusResult>(value),
        "sync-reply" => through::<codebase_index::SyncReply>(value),
        "sync-request" => through::<codebase_index::SyncRequest>(value),
        "token-payload" => through::<codebase_index::TokenPayload>(value),
        "reply" => {
            let mut reply: Reply = serde_json::from_value(value)?;
            reply.data = through::<codebase_index::Contribution>(reply.data)?;
            serde_json::to_value(reply)
        }
        _ => panic!("codebase-index/v1 {schema} has no mirror here"),
    }
}

fn through<T: Serialize + DeserializeOwned>(value: Value) -> serde_json::Result<Value> {
    serde_json::to_value(serde_json::from_value::<T>(value)?)
}

/// Asserts that what was written again says the same: numbers by value, and absent, `null` and the default alike.
fn survives(schemas: &Schemas, label: &str, before: Option<&Value>, after: Option<&Value>, place: &Place) {
    let before = before.filter(|value| !value.is_null());
    let after = after.filter(|value| !value.is_null());
    match (before, after) {
        (None, None) => {}
        (Some(before), None) => panic!("{label}: {before} is lost"),
        (Some(Value::Array(before)), Some(Value::Array(after))) => {
            assert_eq!(before.len(), after.len(), "{label}: another number of items");
            let items = schemas.items(place).unwrap_or_default();
            for (index, (before, after)) in before.iter().zip(after).enumerate() {
                survives(schemas, &format!("{label}/{index}"), Some(before), Some(after), &items);
            }
        }
        (before, Some(Value::Object(after))) if before.is_none_or(Value::is_object) => {
            let described = schemas.fields(place);
            let mut names: BTreeSet<&String> = after.keys().collect();
            // An unknown field may be dropped; an open object and a map keep all they hold.
            let kept = |name: &&String| described.is_empty() || described.contains(name.as_str());
            names.extend(
                before.and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name).filter(kept),
            );
            for name in names {
                let place =
                    schemas.field(place, name).or_else(|| schemas.map_values(place)).unwrap_or_default();
                let before = before.and_then(|before| before.get(name));
                survives(schemas, &format!("{label}/{name}"), before, after.get(name), &place);
            }
        }
        (Some(before), Some(after)) if before.is_number() && after.is_number() => {
            assert_eq!(before.as_f64(), after.as_f64(), "{label}");
        }
        (Some(before), Some(after)) => assert_eq!(before, after, "{label}"),
        (None, Some(after)) => {
            let default =
                schemas.default(place).unwrap_or_else(|| panic!("{label}: {after} came from nowhere"));
            survives(schemas, label, Some(default), Some(after), &Place::default());
        }
    }
}

struct Case {
    /// `<schema>/<case>.json`
    label: String,
    schema: String,
    value: Value,
}

fn cases(spec: &Spec, kind: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for schema in entries(&folder(spec, kind)).into_iter().filter(|path| path.is_dir()) {
        for file in entries(&schema) {
            let label = format!("{}/{}", name(&schema), name(&file));
            let text = fs::read_to_string(&file).unwrap_or_else(|fault| panic!("{label}: {fault}"));
            let value = serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{label}: {fault}"));
            cases.push(Case { label, schema: name(&schema), value });
        }
    }
    cases
}

fn for_each(check: impl Fn(&Spec)) {
    catalogue::specs().iter().for_each(check);
}

fn folder(spec: &Spec, kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(spec.id()).join("examples").join(kind)
}
