//! What every provider has to hold, and the scenario folders.

use project_map::ProjectMap;

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<ProjectMap>();
}

#[test]
fn scenarios_hold() {
    ctxhost_testkit::scenarios::<ProjectMap>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"));
}
