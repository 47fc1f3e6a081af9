//! What deserves to be said. Nothing here touches the outside world.

pub(crate) mod memory;
pub(crate) mod picked;
pub(crate) mod redact;
pub(crate) mod window;
