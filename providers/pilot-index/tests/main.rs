//! The provider as a host meets it: through the real C table, every reply validated against the published spec.

mod appending;
mod cold;
mod commands;
mod conformance;
mod faults;
mod hard;
mod memory;
mod names;
mod reconstructing;
mod support;
mod tools;
mod troubles;
