//! What crosses the boundaries between agent, host and provider, written down.
//!
//! Each spec is a folder `<name>/<version>/` of this crate with a `SPEC.md`, JSON Schemas and examples; [`catalogue`]
//! carries the schemas inside the binary.
//! The modules [`codebase_index`], [`envelope`], [`ide_context`], [`pilot_index`], [`project_map`] and [`serve`] are typed mirrors of those
//! schemas, and a test holds them against each other.
//!
//! This crate deliberately knows nothing of libraries, processes or validation; it is serde types and text.

pub mod catalogue;
pub mod codebase_index;
mod document_names;
pub mod envelope;
pub mod ide_context;
mod number;
pub mod pilot_index;
pub mod project_map;
pub mod serve;
pub mod tokens;
