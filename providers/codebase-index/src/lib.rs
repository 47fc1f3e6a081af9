//! Semantic code search against any backend that speaks four endpoints: a context provider for ctxhost.
//!
//! - `source` is the only code that meets the outside world: work trees, files, the backend, the browser, token files.
//! - `select` decides, and touches nothing: chunks, roots, batches, which files are never sent.
//! - `shape` writes: sections, documents, what commands print. It touches nothing either.
//! - `provider` puts the three together for each question.
#![forbid(unsafe_code)]

mod error;
mod provider;
mod select;
mod settings;
mod shape;
mod source;

pub use provider::CodebaseIndex;
pub use settings::Settings;

ctxhost_sdk::export_provider!(
    CodebaseIndex,
    id = "codebase-index",
    title = "Codebase search",
    spec = "codebase-index/v1",
    events = ["session.start", "prompt", "tool.after"],
);
