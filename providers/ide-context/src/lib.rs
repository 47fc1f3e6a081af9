//! What the editor beside an agent shows: a context provider for ctxhost.
//!
//! Editors write their state to one file each, as the pi-ide-context protocol v0.2 describes; this provider reads those
//! files on every prompt, decides which editor belongs to the session's directory, and offers one section about it.
//!
//! - `source` is the only code that meets the outside world: files, processes, links.
//! - `select` decides, and touches nothing: which editor, which rule, how fresh.
//! - `shape` writes: the section, the status, what the commands print. It touches nothing either.
//! - `provider` puts the three together for each question.
//!
//! This crate deliberately knows nothing of how an agent is told: placement, budgets, repetition and neutralizing are
//! the host's. It never writes an editor's file and never deletes one.
#![forbid(unsafe_code)]

mod error;
mod provider;
mod select;
mod settings;
mod shape;
mod source;

pub use provider::IdeContext;
pub use settings::{Glyphs, Settings};

ctxhost_sdk::export_provider!(
    IdeContext,
    id = "ide-context",
    title = "Editor",
    spec = "ide-context/v0.2",
    events = ["session.start", "prompt"],
);
