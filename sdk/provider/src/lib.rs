//! What a context provider for ctxhost is written with.
//!
//! A provider is a type with the trait [`Provider`] and one [`export_provider!`] line; it is built as a `cdylib` (and as
//! an `rlib`, so that tests can link it).
//! The macro writes both doors of the boundary, the note section and the guard that catches panics.
//!
//! ```
//! use ctxhost_sdk::prelude::*;
//!
//! struct Hello;
//!
//! impl Provider for Hello {
//!     type Settings = NoSettings;
//!
//!     fn new(_setup: Setup, _settings: NoSettings) -> Result<Self> {
//!         Ok(Hello)
//!     }
//!
//!     fn event(&self, cx: &Cx<'_>, request: Request) -> Result<Reply> {
//!         cx.check()?;
//!         let prompt: PromptData = request.data_as()?;
//!         Ok(Reply::new().section(Section::prompt("echo", Trust::Tool).body(format!("You said: {}\n", prompt.text))))
//!     }
//! }
//!
//! export_provider!(Hello, id = "hello", title = "Hello", spec = "envelope/v1", events = ["prompt"]);
//! # fn main() {}
//! ```
//!
//! This crate deliberately knows nothing of the host's side: loading, validating and composing are the host's.

mod build;
mod clock;
mod cx;
mod error;
pub mod exit;
mod export;
mod hash;
mod provider;
mod recent;
mod sessions;
mod state;
pub mod text;

pub use build::{CommandReplyExt, ReplyExt, RequestExt, SectionExt, SessionExt, ToolReplyExt, command, tool};
pub use clock::{Clock, system_time};
pub use ctxhost_abi as abi;
pub use ctxhost_protocol as protocol;
pub use cx::{CODE_ENVIRONMENT, Cx, HostHandle, Setup};
pub use error::{Error, Result};
#[doc(hidden)]
pub use export::{
    ABI as __ABI, LibHeader, NotePart, RUSTC as __RUSTC, RootModuleResult, SDK as __SDK, TARGET as __TARGET,
    entry, header, keep_panics, note, note_len, root,
};
pub use export::{PANIC, table};
pub use hash::fnv1a;
pub use provider::{Exported, Head, NoSettings, Provider};
pub use recent::Recent;
pub use serde;
pub use serde_json;
pub use sessions::Sessions;
pub use state::StateFolder;

/// Everything that a provider usually names.
pub mod prelude {
    pub use ctxhost_protocol::envelope::{
        Choice, Command, CommandReply, CommandRequest, Content, Decision, Finding, Level, Manifest, Needs,
        Notify, Person, Placement, PromptData, Reply, Request, Section, Source, Status, Tool, ToolReply,
        ToolRequest, Trust, Variant,
    };
    pub use serde::{Deserialize, Serialize};
    pub use serde_json::json;

    pub use crate::{
        CommandReplyExt as _, Cx, Error, HostHandle, NoSettings, Provider, ReplyExt as _, RequestExt as _,
        Result, SectionExt as _, SessionExt as _, Setup, ToolReplyExt as _, exit, export_provider,
    };
}

/// The README's example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
