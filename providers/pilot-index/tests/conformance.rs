//! What every provider has to hold, and the scenario folders.

use pilot_index::PilotIndex;

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<PilotIndex>();
}

#[test]
fn scenarios_hold() {
    ctxhost_testkit::scenarios::<PilotIndex>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"));
}
