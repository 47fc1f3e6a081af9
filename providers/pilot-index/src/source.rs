//! The outside world: the index, the project's files, the memory's file.

pub(crate) mod chosen;
pub(crate) mod code;
pub(crate) mod cold;
pub(crate) mod corpus;
pub(crate) mod memory;
pub(crate) mod switches;
