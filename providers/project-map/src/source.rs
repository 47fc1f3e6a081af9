//! The outside world: the project's files, the artifacts, git's exclude file.

pub(crate) mod artifacts;
pub(crate) mod facts;
pub(crate) mod folder;
pub(crate) mod hits;
mod kept;
pub(crate) mod workspace;
