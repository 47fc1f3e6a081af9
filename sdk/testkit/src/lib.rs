//! Tests a provider in-process, through the real C table and the host's own validation.
//!
//! A provider's crate has this as a dev-dependency; no library file is needed.
//!
//! ```
//! use ctxhost_sdk::prelude::*;
//! use ctxhost_testkit::Harness;
//!
//! struct Hello;
//! impl Provider for Hello {
//!     type Settings = NoSettings;
//!     fn new(_: Setup, _: NoSettings) -> Result<Self> {
//!         Ok(Hello)
//!     }
//!     fn event(&self, _: &Cx<'_>, request: Request) -> Result<Reply> {
//!         let prompt: PromptData = request.data_as()?;
//!         Ok(Reply::new().section(Section::prompt("echo", Trust::Tool).body(prompt.text)))
//!     }
//! }
//! export_provider!(Hello, id = "hello", title = "Hello", spec = "envelope/v1", events = ["prompt"]);
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let harness = Harness::<Hello>::new()?;
//! let reply = harness.prompt("good day", "/tmp")?;
//! assert_eq!(reply.sections[0].variants[0].body, "good day\n");
//!
//! // One suite for all providers.
//! ctxhost_testkit::conformance::<Hello>();
//! # Ok(()) }
//! ```
//!
//! This crate deliberately has no unsafe code: the table is reached through the host's loader, as a library's is.

mod clock;
mod conversation;
mod harness;
mod scenario;

use std::fmt::Write as _;

pub use clock::FakeClock;
pub use harness::{Failure, Harness, HarnessBuilder, faults};
pub use scenario::{run_scenario, scenarios};

pub use ctxhost::load::{Call, CallError};

use ctxhost::conformance::{Subject, TESTS};
use ctxhost_sdk::Exported;

/// Runs the conformance suite on a provider, each test on an instance of its own.
///
/// # Panics
/// A test fails; the message lists each that did, and why.
pub fn conformance<P: Exported>() {
    ctxhost_sdk::keep_panics();
    let subject = Subject::Table { table: ctxhost_sdk::table::<P>(), id: P::HEAD.id };
    let mut failures = String::new();
    for test in TESTS {
        if let Err(why) = (test.run)(&subject) {
            let _ = writeln!(failures, "  {}: {why}", test.name);
        }
    }
    assert!(failures.is_empty(), "{} does not conform:\n{failures}", P::HEAD.id);
}

/// The README's example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
