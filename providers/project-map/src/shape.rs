//! Text and documents, made of what was decided.

pub(crate) mod level;
pub(crate) mod page;
pub(crate) mod plain;
