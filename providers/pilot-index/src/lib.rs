//! The right code for a prompt, and what earlier edits taught: a context provider for ctxhost.
//!
//! A symbol index of the project is kept fresh in the background; each prompt gets the few definitions that matter, one
//! section a file, and the episodes of earlier edits that have to do with it.
//!
//! - `source` is the only code that meets the outside world: the index, the project's files, the memory's file.
//! - `select` decides, and touches nothing: which files, which symbols, which episodes, which messages stay.
//! - `shape` writes: sections, documents, status, what commands print. It touches nothing either.
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

/// Ranking, for the evaluation program of this crate; no promise is made about it.
#[doc(hidden)]
pub mod ranking {
    pub use crate::select::{
        corpus::{Corpus, FileFacts, Place},
        files::{RankedFile, rank as rank_files},
        filter::Filter,
        prompt::{Intent, Mention, Name, Prompt, Word},
        signals::{Signal, Signals},
        symbols::{Context, RankedSymbol, rank as rank_symbols},
    };
    pub use crate::source::corpus::Indexed;
}

pub use provider::PilotIndex;
pub use settings::Settings;

ctxhost_sdk::export_provider!(
    PilotIndex,
    id = "pilot-index",
    title = "Code index",
    spec = "pilot-index/v1",
    events = [
        "session.start",
        "prompt",
        "model_call",
        "tool.before",
        "tool.after",
        "compact",
        "turn.end",
        "session.end",
    ],
);
