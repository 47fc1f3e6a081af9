//! Semantic code search against any backend that speaks four endpoints: a context provider for ctxhost.
//!
//! - `source` is the only code that meets the outside world: work trees, files, the backend, the browser, token files.
//! - `select` decides, and touches nothing: chunks, roots, batches, which files are never sent.
//! - `shape` writes: sections, documents, what commands print. It touches nothing either.
//! - `provider` puts the three together for each question.
#![forbid(unsafe_code)]
// Until the provider is there that uses them.
#![cfg_attr(not(test), allow(dead_code))]

mod error;
mod select;
mod source;
