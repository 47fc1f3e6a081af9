//! Text and documents, made of what was decided.

pub(crate) mod artifact;
pub(crate) mod block;
pub(crate) mod bundle;
pub(crate) mod forbidden;
pub(crate) mod header;
pub(crate) mod hint;
pub(crate) mod level;
pub(crate) mod notes;
pub(crate) mod page;
pub(crate) mod plain;
pub(crate) mod report;
pub(crate) mod sections;
