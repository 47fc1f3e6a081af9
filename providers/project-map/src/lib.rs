//! Paired maps of a project's directories: a context provider for ctxhost.
//!
//! Each directory that is worth it has two artifacts, made without a model: `.pi-map.index.md` routes, `.pi-map.md` orients.
//! The root's pair comes with the first prompt, others as far as there is room, and none of them is ever silently stale.
//!
//! - `source` is the only code that meets the outside world: the project's files, the artifacts, git's exclude file.
//! - `select` decides, and touches nothing: which directories have a pair, what a pair says, what a query finds, what an
//!   event injects.
//! - `shape` writes: pages, bundles, reports, sections. It touches nothing either.
//! - `provider` puts the three together for each question.
//!
//! This crate deliberately knows nothing of parsing, hashing and walking, which `ctxhost-code` does, and nothing of how
//! an agent is told, which is the host's.
#![forbid(unsafe_code)]

mod error;
mod provider;
mod select;
mod settings;
mod shape;
mod source;

pub use provider::ProjectMap;
pub use settings::Settings;

/// The provider's id, as the host has it.
pub(crate) const ID: &str = "project-map";

ctxhost_sdk::export_provider!(
    ProjectMap,
    id = "project-map",
    title = "Project map",
    spec = "project-map/v1",
    events = ["session.start", "prompt", "tool.before", "compact", "session.end"],
);
