//! Decisions, as pure functions.

pub(crate) mod bypass;
mod conventions;
mod digest;
mod entry;
pub(crate) mod expand;
pub(crate) mod facts;
mod families;
mod folding;
pub(crate) mod ignore;
mod imports;
pub(crate) mod inspect;
pub(crate) mod inventory;
mod line;
mod links;
pub(crate) mod manifest;
pub(crate) mod map;
mod names;
mod pages;
pub(crate) mod pair;
pub(crate) mod policy;
mod purpose;
pub(crate) mod relevance;
pub(crate) mod roles;
pub(crate) mod score;
pub(crate) mod sensitive;
pub(crate) mod sets;
pub(crate) mod shown;
pub(crate) mod standing;
mod symbols;
mod tags;
mod tree;
mod workflows;

pub(crate) use names::is_within;
