//! The outside world: work trees, their files, the backend, and what is kept between runs.

pub(crate) mod account;
pub(crate) mod acknowledged;
pub(crate) mod backend;
pub(crate) mod beneath;
pub(crate) mod browser;
pub(crate) mod calendar;
pub(crate) mod checkout;
pub(crate) mod credentials;
pub(crate) mod development;
pub(crate) mod engine;
pub(crate) mod files;
pub(crate) mod hashes;
pub(crate) mod hits;
pub(crate) mod hold;
pub(crate) mod limits;
pub(crate) mod login;
pub(crate) mod net;
pub(crate) mod own;
pub(crate) mod private;
pub(crate) mod stop;
pub(crate) mod workspace;

#[cfg(test)]
pub(crate) mod tests;
