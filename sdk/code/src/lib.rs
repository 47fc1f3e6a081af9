//! Reading a code base, for context providers.
//!
//! - `walk` finds the files that git would show, and `snapshot` says what has changed since the last look.
//! - `language` tells what a file is written in, `grammar` opens the shared grammar library, `symbols` finds
//!   definitions and references.
//! - `words` splits names and prose, `bm25f` ranks, `index` keeps what was found.
//! - `project` ties them together: one cache a project, shared by providers and processes under a lock.
//! - `exclude` keeps what a provider writes into a project out of git.
//!
//! This crate deliberately knows nothing of providers, hosts and messages, and reads neither environment nor clock by
//! itself: both are handed in.

pub mod bm25f;
pub mod exclude;
pub mod finding;
pub mod grammar;
pub mod index;
pub mod language;
pub mod project;
pub mod snapshot;
pub mod symbols;
pub mod walk;
#[cfg(feature = "watch")]
pub mod watch;
pub mod words;
