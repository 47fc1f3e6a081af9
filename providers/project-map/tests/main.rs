//! The provider as a host meets it: through the real C table, every reply validated against the published spec.

mod commands;
mod conformance;
mod context;
mod guarding;
mod hard;
mod injecting;
mod places;
mod secrets;
mod support;
mod talk;
mod troubles;
mod upkeep;
