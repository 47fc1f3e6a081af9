//! Typed mirrors of `codebase-index/v1`: what client and backend say to each other, the provider's own document, what
//! its tools answer, and the settings.

mod answer;
mod contribution;
mod development;
pub mod limits;
mod settings;
mod wire;

pub use answer::{BackendFacts, Fate, ListedFile, SearchResult, StatusResult};
pub use contribution::{Contribution, Found, RankedHit, RepoStanding, State};
pub use development::Development;
pub use settings::{Narrow, Settings};
pub use wire::{
    Chunk, ErrorBody, FileHash, FileRef, Health, IndexReply, IndexRequest, RefreshReply, RefreshRequest,
    RepoState, SearchHit, SearchReply, SearchRequest, SyncReply, SyncRequest, TokenPayload, View,
};

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "codebase-index/v1";

/// The HTTP contract as an OpenAPI 3.1 document; its schemas are those of this spec.
pub const OPENAPI: &str = include_str!("../codebase-index/v1/openapi.json");

/// Where the reference backend mounts the data endpoints, and where the client looks for them unless told otherwise.
pub const BASE_PATH: &str = "/codebase-index";

/// The file by which a development backend tells the client of the same user where it is and with which token; below the
/// provider's state folder (`$XDG_STATE_HOME/ctxhost/providers/codebase-index`).
pub const DEVELOPMENT_FILE: &str = "development.json";
