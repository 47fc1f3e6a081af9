//! The provider as a host meets it: through the real C table, every reply validated against the published spec, and a
//! backend at the other end of real sockets.

mod conformance;
mod development;
mod login;
mod prompting;
mod renewing;
mod signed_out;
mod support;
mod syncing;
mod tools;
