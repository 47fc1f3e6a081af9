//! What deserves to be said. Nothing here touches the outside world.

pub(crate) mod choice;
pub(crate) mod corpus;
pub(crate) mod files;
pub(crate) mod filter;
pub(crate) mod memory;
pub(crate) mod named;
pub(crate) mod picked;
pub(crate) mod prompt;
pub(crate) mod redact;
pub(crate) mod signals;
pub(crate) mod symbols;
pub(crate) mod window;
