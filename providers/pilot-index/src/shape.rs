//! What is said, to the model, to a person, to a program. Nothing here touches the outside world.

pub(crate) mod answers;
pub(crate) mod debug;
pub(crate) mod memory;
pub(crate) mod sections;
pub(crate) mod snippet;
pub(crate) mod status;
