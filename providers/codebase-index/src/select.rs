//! Decisions, without a look at the outside world.

pub(crate) mod batch;
pub(crate) mod chunk;
pub(crate) mod filter;
pub(crate) mod prompt;
pub(crate) mod root;
