//! From the bytes of a state file to a state that satisfies its spec.

mod check;
mod surrogates;

use ctxhost_sdk::protocol::ide_context::State;
use serde::Deserialize;
use serde_json::Value;

use crate::error::OffSpec;

/// A state that satisfies its spec, both as the client wrote it and as this provider reads it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The document.
    pub(crate) document: Value,
    /// The same, typed.
    pub(crate) state: State,
}

/// Reads a state.
///
/// Clients cut texts at bytes and at UTF-16 units, so neither broken UTF-8 nor half a surrogate pair costs the state.
pub(crate) fn read(bytes: &[u8]) -> Result<Written, OffSpec> {
    let text = String::from_utf8_lossy(bytes);
    // The parser's own limit keeps deep nesting from using up the stack.
    let document = match serde_json::from_str(&text) {
        Ok(document) => document,
        Err(error) => match surrogates::mended(&text).map(|text| serde_json::from_str(&text)) {
            Some(Ok(document)) => document,
            _ if text.trim().is_empty() => return Err(whole("it is empty")),
            _ => return Err(whole(format!("it is not JSON: {error}"))),
        },
    };
    check::state(&document)?;
    // What is checked is what the type takes; a test holds the two against each other.
    let state = State::deserialize(&document).map_err(|error| whole(error.to_string()))?;
    Ok(Written { document, state })
}

fn whole(reason: impl Into<String>) -> OffSpec {
    OffSpec { pointer: String::new(), reason: reason.into() }
}

#[cfg(test)]
mod tests;
