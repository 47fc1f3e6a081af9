//! Tests of the backend.

mod store;
