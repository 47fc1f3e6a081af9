//! The provider as a host meets it: through the real C table, every reply validated against the published spec.

mod commands;
mod context;
mod hard;
mod support;
mod upkeep;
