//! The reference backend of codebase-index: semantic code search over one SQLite file, with no service and no key.
//!
//! `server` speaks HTTP and knows no SQL, `auth` says who asks and in which organisation, `store` keeps, `rank` decides
//! what a search means, `embed` asks a model. `serve` puts them together for one process.

pub mod auth;
pub mod cli;
pub mod config;
pub mod conformance;
pub mod embed;
mod hex;
pub mod log;
mod private;
pub mod rank;
pub mod serve;
pub mod server;
pub mod store;
pub mod surroundings;
