//! What the tests of this folder share: work trees that git made, and a backend that keeps what it is told.

pub(crate) mod model;
pub(crate) mod tree;
