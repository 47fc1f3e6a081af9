//! The outside world: the project's files, the artifacts, git's exclude file.

pub(crate) mod artifacts;
pub(crate) mod exclude;
pub(crate) mod facts;
pub(crate) mod folder;
pub(crate) mod git;
pub(crate) mod hits;
mod kept;
pub(crate) mod project_file;
pub(crate) mod root;
pub(crate) mod texts;
pub(crate) mod workspace;
