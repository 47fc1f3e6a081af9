//! A provider with a spec of its own brings the schemas beside its library.

use super::{bodies, inject, only_finding, rogue, text};
use crate::harness::{Place, codes, example, providers};

const SCHEMA: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "ctxhost://specs/c-rogue/v1/reply.schema.json",
  "type": "object",
  "required": ["data"],
  "properties": {"data": {"$ref": "number.schema.json"}}
}"#;
const NUMBER: &str = r#"{
  "$id": "ctxhost://specs/c-rogue/v1/number.schema.json",
  "type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 9}}
}"#;

/// A good provider, and a rogue of this spec that answers with this data.
fn place(spec: &str, data: &str) -> Place {
    let place = Place::with(&[example("good")]);
    let reply = format!(
        r#"{{"v":1,"spec":"{spec}","data":{data},"sections":[{{"key":"k","placement":"prompt","trust":"tool","variants":[{{"body":"own\n"}}]}}]}}"#
    );
    rogue(&place, &[text("SPEC", spec), text("REPLY", &reply)]);
    place
}

fn schemas(place: &Place, folder: &str) {
    place.write(format!("providers/spec/{folder}/reply.schema.json"), SCHEMA);
    place.write(format!("providers/spec/{folder}/number.schema.json"), NUMBER);
}

#[track_caller]
fn refused(place: &Place, code: &str, says: &str) -> String {
    let injection = inject(place);
    assert_eq!(providers(&injection), ["good"], "{injection:#}");
    assert_eq!(codes(&injection), [format!("c-rogue {code}")], "{injection:#}");
    let finding = only_finding(&injection);
    let message = finding["message"].as_str().expect("a message");
    assert!(message.contains(says), "{message}");
    finding["pointer"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_reply_that_satisfies_it_arrives() {
    let place = place("c-rogue/v1", r#"{"n": 7}"#);
    schemas(&place, "c-rogue/v1");
    let injection = inject(&place);
    assert_eq!(providers(&injection), ["c-rogue", "good"], "{injection:#}");
    assert_eq!(bodies(&injection)[0], "own\n");
    assert!(codes(&injection).is_empty(), "{injection:#}");
}

#[test]
fn a_reply_that_does_not_is_told_with_its_place() {
    let off = place("c-rogue/v1", r#"{"n": 10}"#);
    schemas(&off, "c-rogue/v1");
    assert_eq!(refused(&off, "off-spec", "does not satisfy c-rogue/v1 at /data/n"), "/data/n");

    let empty = place("c-rogue/v1", "{}");
    schemas(&empty, "c-rogue/v1");
    assert_eq!(refused(&empty, "off-spec", "\"n\" is a required property"), "/data");
}

#[test]
fn the_envelope_holds_all_the_same() {
    let place = Place::with(&[example("good")]);
    rogue(
        &place,
        &[
            text("SPEC", "c-rogue/v1"),
            text("REPLY", r#"{"v":1,"spec":"c-rogue/v1","data":{"n":1},"sections":[{"key":"k"}]}"#),
        ],
    );
    schemas(&place, "c-rogue/v1");
    assert!(refused(&place, "off-spec", "does not satisfy envelope/v1").starts_with("/sections/0"));
}

#[test]
fn schemas_that_are_missing_or_broken_are_one_finding() {
    let missing = place("c-rogue/v1", r#"{"n": 1}"#);
    refused(&missing, "unknown-spec", "No such file");

    let only_one = place("c-rogue/v1", r#"{"n": 1}"#);
    only_one.write("providers/spec/c-rogue/v1/number.schema.json", NUMBER);
    refused(&only_one, "unknown-spec", "has no reply.schema.json");

    let without_part = place("c-rogue/v1", r#"{"n": 1}"#);
    without_part.write("providers/spec/c-rogue/v1/reply.schema.json", SCHEMA);
    refused(&without_part, "unknown-spec", "number.schema.json");

    let broken = place("c-rogue/v1", r#"{"n": 1}"#);
    broken.write("providers/spec/c-rogue/v1/reply.schema.json", "{\"type\":");
    refused(&broken, "unknown-spec", "reply.schema.json");

    let no_schema = place("c-rogue/v1", r#"{"n": 1}"#);
    no_schema.write("providers/spec/c-rogue/v1/reply.schema.json", r#"{"type": 7}"#);
    refused(&no_schema, "unknown-spec", "cannot be used");

    let elsewhere = place("c-rogue/v1", r#"{"n": 1}"#);
    elsewhere.write("providers/spec/c-rogue/v1/reply.schema.json", r#"{"$ref": "file:///etc/passwd"}"#);
    refused(&elsewhere, "unknown-spec", "cannot be used");

    let pipe = place("c-rogue/v1", r#"{"n": 1}"#);
    schemas(&pipe, "c-rogue/v1");
    super::built(
        std::process::Command::new("mkfifo").arg(pipe.path("providers/spec/c-rogue/v1/pipe.schema.json")),
    );
    refused(&pipe, "unknown-spec", "not a regular file");
}

#[test]
fn a_provider_may_only_bring_its_own() {
    // Another provider's name, with schemas for it beside the library.
    let other = place("other/v1", r#"{"n": 1}"#);
    schemas(&other, "other/v1");
    refused(&other, "unknown-spec", "neither published nor under the provider's own id");

    // Its own name on a version that leads elsewhere.
    let up = place("c-rogue/../other/v1", r#"{"n": 1}"#);
    schemas(&up, "other/v1");
    schemas(&up, "c-rogue/v1");
    assert_eq!(refused(&up, "off-spec", "does not satisfy envelope/v1"), "/spec");

    // Documents that claim to be the envelope's, another provider's, or another version's.
    for id in ["envelope/v1/reply.schema.json", "other/v1/x.schema.json", "c-rogue/v2/x.schema.json"] {
        let claims = place("c-rogue/v1", r#"{"n": 1}"#);
        schemas(&claims, "c-rogue/v1");
        let schema = format!(r#"{{"$id": "ctxhost://specs/{id}"}}"#);
        claims.write("providers/spec/c-rogue/v1/claims.schema.json", schema);
        refused(&claims, "unknown-spec", "claims.schema.json");
    }
}

#[test]
fn its_schemas_may_refer_to_published_ones() {
    let place = place("c-rogue/v1", "null");
    let schema = r#"{
      "$id": "ctxhost://specs/c-rogue/v1/reply.schema.json",
      "allOf": [{"$ref": "../../envelope/v1/reply.schema.json"}],
      "properties": {"sections": {"maxItems": 1}}
    }"#;
    place.write("providers/spec/c-rogue/v1/reply.schema.json", schema);
    assert_eq!(providers(&inject(&place)), ["c-rogue", "good"]);
}
