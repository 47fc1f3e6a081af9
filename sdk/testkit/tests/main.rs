//! The testkit on providers that behave and providers that do not.
//!
//! Their heads are written by hand: `export_provider!` in one program twice would give one symbol twice.

mod asynchronous;
mod clock;
mod conforming;
mod end;
mod harness;
mod scenario;

use std::{thread, time::Instant};

use ctxhost_sdk::{Head, abi::Status};
use ctxhost_testkit::{CallError, Failure};

/// The head of a provider that is asked about prompts and offers sections.
const fn head(id: &'static str) -> Head {
    Head { id, version: "1.0.0", title: "Of a test", spec: "envelope/v1", events: &["prompt"] }
}

/// The status and the sentence that a call came back with.
#[track_caller]
fn status<T: std::fmt::Debug>(result: Result<T, Failure>) -> (Status, String) {
    match result {
        Err(Failure::Call(CallError::Status { status, message })) => (status, message),
        other => panic!("a status and not {other:?}"),
    }
}

/// Waits for something that another thread does.
#[track_caller]
fn until(happened: impl Fn() -> bool) {
    let started = Instant::now();
    while !happened() {
        assert!(started.elapsed().as_secs() < 60, "it did not happen");
        thread::yield_now();
    }
}
