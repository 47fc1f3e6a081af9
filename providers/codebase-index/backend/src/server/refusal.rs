//! Answers that are no success: always a message for a person and a word for programs.

use axum::{
    Json,
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use ctxhost_protocol::codebase_index::ErrorBody;

use crate::{auth::AuthError, store::StoreError};

/// After how many seconds to try again.
const RETRY_SECONDS: &str = "1";
/// The longest message that is told.
const LONGEST: usize = 1000;

/// Why a request is not answered as it was asked.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// What only whoever runs the backend may know.
    fault: Option<String>,
    header: Option<(HeaderName, &'static str)>,
}

/// Rides on an answer to the log, and is not sent.
#[derive(Clone, Debug)]
pub(super) struct Fault(pub(super) String);

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), fault: None, header: None }
    }

    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    pub(super) fn too_large(limit: usize) -> Self {
        let message = format!("the body is larger than {limit} bytes; send less at once");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    pub(super) fn too_slow() -> Self {
        let message = "the body did not come in time; send it again";
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message)
    }

    pub(super) fn media_type() -> Self {
        let message = "the body is not called `application/json`, or it is compressed; send plain JSON";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", message)
    }

    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is no such endpoint here; see the specification")
    }

    pub(super) fn method(allowed: &'static str) -> Self {
        let message = format!("this endpoint takes {allowed}");
        let header = Some((header::ALLOW, allowed));
        Self { header, ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", message) }
    }

    pub(super) fn unavailable(message: impl Into<String>) -> Self {
        Self::later("unavailable", message)
    }

    pub(super) fn internal(fault: impl Into<String>) -> Self {
        let message = "the backend failed; its log says why";
        let refusal = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message);
        Self { fault: Some(fault.into()), ..refusal }
    }

    fn later(code: &'static str, message: impl Into<String>) -> Self {
        let header = Some((header::RETRY_AFTER, RETRY_SECONDS));
        Self { header, ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message) }
    }

    fn unauthorized(code: &'static str, message: String) -> Self {
        let header = Some((header::WWW_AUTHENTICATE, "Bearer"));
        Self { header, ..Self::new(StatusCode::UNAUTHORIZED, code, message) }
    }

    /// The answer for a browser: plain text, which the contract allows, to be read by a person.
    pub(super) fn for_browser(self, headers: &HeaderMap) -> Response {
        let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !accept.contains("text/html") {
            return self.into_response();
        }
        let text = format!("{}\n", short(self.message.clone()));
        let mut response = self.into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(text.len()));
        *response.body_mut() = Body::from(text);
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = ErrorBody { message: short(self.message), code: Some(self.code.to_owned()) };
        let mut response = (self.status, Json(body)).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        if let Some(fault) = self.fault {
            response.extensions_mut().insert(Fault(fault));
        }
        response
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match error {
            StoreError::Invalid { status, code, .. } => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
                Self::new(status, code, message)
            }
            StoreError::Busy => Self::unavailable("the index is busy; try again in a moment"),
            StoreError::Full(_) => {
                let told = "there is no room left for the index; whoever runs the backend has to make some";
                Self { fault: Some(message), ..Self::later("full", told) }
            }
            _ => Self::internal(message),
        }
    }
}

impl From<AuthError> for Refusal {
    fn from(error: AuthError) -> Self {
        let message = error.to_string();
        match error {
            AuthError::Missing => Self::unauthorized("token-missing", message),
            AuthError::Invalid => Self::unauthorized("token-invalid", message),
            AuthError::Expired => Self::unauthorized("token-expired", message),
            AuthError::NotAllowed(_) => Self::new(StatusCode::FORBIDDEN, "not-allowed", message),
            AuthError::NoProvider(_) => Self::new(StatusCode::NOT_FOUND, "not-found", message),
            AuthError::Redirect(_) => Self::new(StatusCode::BAD_REQUEST, "redirect-refused", message),
            AuthError::Bad(_) => Self::bad(message),
            AuthError::Upstream(_) => {
                let refusal = Self::new(StatusCode::BAD_GATEWAY, "upstream", message.clone());
                Self { fault: Some(message), ..refusal }
            }
            AuthError::Internal(fault) => Self::internal(fault),
        }
    }
}

/// A message that quotes what was sent ends somewhere.
fn short(mut message: String) -> String {
    if message.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|at| message.is_char_boundary(*at)).unwrap_or_default();
        message.truncate(end);
        message.push('…');
    }
    message
}
