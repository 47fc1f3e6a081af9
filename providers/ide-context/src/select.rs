//! What deserves to be said: which editor, which file, which selection. Nothing here touches the outside world.

pub(crate) mod connect;
pub(crate) mod exclude;
pub(crate) mod freshness;
pub(crate) mod ignore;
pub(crate) mod offer;
pub(crate) mod snapshot;
pub(crate) mod tier;
