//! What is said, to the model, to a person, to a program. Nothing here touches the outside world.

pub(crate) mod block;
pub(crate) mod database;
pub(crate) mod document;
pub(crate) mod explain;
pub(crate) mod findings;
pub(crate) mod glyphs;
pub(crate) mod list;
pub(crate) mod quote;
pub(crate) mod status;
pub(crate) mod words;
