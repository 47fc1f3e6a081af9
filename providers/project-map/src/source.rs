//! The outside world: the project's files, the artifacts, git's exclude file.

pub(crate) mod facts;
mod kept;
pub(crate) mod workspace;
