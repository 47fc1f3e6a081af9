//! The frame around every message, JSON-RPC 2.0.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::Notification;
use crate::number::whole;

/// What every message carries in `jsonrpc`.
pub const JSONRPC: &str = "2.0";

/// One line of the stream (`message.schema.json`): a request, a notification, a result or an error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// [`JSONRPC`].
    pub jsonrpc: String,
    /// The request's name, repeated in its answer; a notification has none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub id: Option<Id>,
    /// What is asked or told; an answer has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// What belongs to the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    /// What came of a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why nothing came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// Keeps an id that is there and `null`: it is no id, and no notification either.
fn present<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Id>, D::Error> {
    whole(reader).map(Some)
}

impl Message {
    /// Builds a request.
    pub fn request(id: Id, method: impl Into<String>, params: Value) -> Self {
        Self { id: Some(id), method: Some(method.into()), params: Some(params), ..Self::default() }
    }

    /// Builds a notification.
    pub fn notification(method: impl Into<String>, params: Value) -> Self {
        Self { method: Some(method.into()), params: Some(params), ..Self::default() }
    }

    /// Builds the answer to a request that succeeded.
    pub fn result(id: Id, result: Value) -> Self {
        Self { id: Some(id), result: Some(result), ..Self::default() }
    }

    /// Builds the answer to a request that failed; [`Id::Null`] where none could be read.
    pub fn failure(id: Id, error: ErrorObject) -> Self {
        Self { id: Some(id), error: Some(error), ..Self::default() }
    }
}

impl Default for Message {
    fn default() -> Self {
        Self { jsonrpc: JSONRPC.to_owned(), id: None, method: None, params: None, result: None, error: None }
    }
}

/// The client's name for a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// Text.
    Text(String),
    /// Stands in an answer for an id that could not be read, and nowhere else.
    Null,
}

/// Why nothing came of a request (`error.schema.json`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorObject {
    /// One of [`code::ALL`].
    #[serde(deserialize_with = "whole")]
    pub code: i64,
    /// What, where, and what to do next, in one sentence.
    pub message: String,
    /// More for programs: an [`InvalidParams`] or a [`Finding`](crate::envelope::Finding), by
    /// the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The `data` of an error with [`code::INVALID_PARAMS`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvalidParams {
    /// The place in the parameters, as a JSON pointer.
    pub pointer: String,
}

impl From<Notification> for Message {
    fn from(notification: Notification) -> Self {
        let params = json!(notification)["params"].take();
        Self::notification(notification.method(), params)
    }
}

/// The codes of an [`ErrorObject`].
pub mod code {
    /// The line is not JSON.
    pub const NOT_JSON: i64 = -32700;
    /// The line is JSON and no request, or a batch.
    pub const NO_REQUEST: i64 = -32600;
    /// There is no such method.
    pub const UNKNOWN_METHOD: i64 = -32601;
    /// The parameters do not satisfy their schema.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The host itself failed.
    pub const OUR_FAULT: i64 = -32603;
    /// A provider failed, or there is no such tool or command.
    pub const PROVIDER_FAILED: i64 = -32000;
    /// The line is longer than the host reads.
    pub const FRAME_TOO_LONG: i64 = -32001;
    /// More requests are in flight than the host takes.
    pub const TOO_MANY_IN_FLIGHT: i64 = -32002;
    /// The client has not said hello yet.
    pub const NO_HELLO: i64 = -32003;
    /// The request was cancelled.
    pub const CANCELLED: i64 = -32800;

    /// All of them.
    pub const ALL: [i64; 10] = [
        NOT_JSON,
        NO_REQUEST,
        UNKNOWN_METHOD,
        INVALID_PARAMS,
        OUR_FAULT,
        PROVIDER_FAILED,
        FRAME_TOO_LONG,
        TOO_MANY_IN_FLIGHT,
        NO_HELLO,
        CANCELLED,
    ];
}
