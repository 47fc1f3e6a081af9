//! Decisions, as pure functions.

mod conventions;
mod digest;
mod entry;
pub(crate) mod facts;
mod families;
mod folding;
pub(crate) mod ignore;
mod imports;
pub(crate) mod inventory;
mod line;
mod links;
pub(crate) mod manifest;
pub(crate) mod map;
mod names;
mod pages;
pub(crate) mod pair;
mod purpose;
mod roles;
mod symbols;
mod tags;
mod tree;
mod workflows;

pub(crate) use names::is_within;
