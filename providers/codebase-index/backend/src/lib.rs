//! The reference backend of codebase-index.

pub mod rank;
pub mod store;
