//! What every provider has to hold, and the scenario folders.

use ide_context::IdeContext;

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<IdeContext>();
}

#[test]
fn scenarios_hold() {
    ctxhost_testkit::scenarios::<IdeContext>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"));
}
