//! What deserves to be said. Nothing here touches the outside world.

pub(crate) mod redact;
