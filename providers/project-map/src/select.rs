//! Decisions, as pure functions.

pub(crate) mod inventory;
pub(crate) mod pair;
pub(crate) mod score;
