//! The provider as a host meets it: through the real C table, every reply validated against the published spec.

mod choosing;
mod commands;
mod conformance;
mod hostile;
mod rules;
mod section;
mod selections;
mod support;
