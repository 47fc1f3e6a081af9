//! The file of a development backend.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::number::whole;

/// Where a development backend of the same user is, and the token for it (`development.schema.json`).
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Development {
    /// The version of this file: 1.
    #[serde(deserialize_with = "whole")]
    pub v: u32,
    /// Where it listens, on loopback, without the base path.
    pub url: String,
    /// An access token.
    pub token: String,
    /// The backend's process.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
}

impl fmt::Debug for Development {
    /// Leaves the token out, so that no log has it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { v, url, pid, .. } = self;
        out.debug_struct("Development")
            .field("v", v)
            .field("url", url)
            .field("pid", pid)
            .finish_non_exhaustive()
    }
}
