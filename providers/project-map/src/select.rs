//! Decisions, as pure functions.

pub(crate) mod inspect;
pub(crate) mod inventory;
pub(crate) mod pair;
pub(crate) mod standing;
