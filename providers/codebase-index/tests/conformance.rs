//! What every provider has to hold, and the scenario folders.

use codebase_index::CodebaseIndex;

#[test]
fn it_conforms() {
    ctxhost_testkit::conformance::<CodebaseIndex>();
}

#[test]
fn scenarios_hold() {
    ctxhost_testkit::scenarios::<CodebaseIndex>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios"));
}
