//! Holds a backend against the contract, check by check.

use std::io::Write;

use crate::surroundings::Surroundings;

/// Runs the checks, and gives the exit code: 0 when all hold, 1 when one does not.
pub fn run(_url: &str, _token: Option<&str>, _surroundings: &Surroundings) -> u8 {
    let _ = writeln!(std::io::stderr(), "ctxhost-index: this build has no checks");
    70
}
