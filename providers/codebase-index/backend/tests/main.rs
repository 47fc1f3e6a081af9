//! Tests of the backend.

mod server;
mod store;
