//! Bodies: how large, how slow and of which type they may be, and what they say.

use std::{future::poll_fn, pin::Pin, sync::Arc, time::Duration};

use axum::{
    body::{Body, HttpBody},
    extract::{FromRequest, Request},
    http::{HeaderMap, header},
};
use serde::de::DeserializeOwned;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{App, refusal::Refusal, routes};

/// How much of a body that nobody wants is still read, so that its sender hears the answer: what is left unread when a
/// connection is closed makes the other side lose it.
const DRAIN: usize = 64 << 20;
/// For how long.
const DRAIN_TIME: Duration = Duration::from_secs(10);

/// A body that came whole, and its share of the room for bodies.
pub(super) struct Payload {
    bytes: Vec<u8>,
    _room: OwnedSemaphorePermit,
}

impl Payload {
    /// What it says. It may be large: to be called where blocking is no harm.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let mut json = serde_json::Deserializer::from_slice(&self.bytes);
        let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
            let place = error.path().to_string();
            let inner = error.into_inner();
            match place.as_str() {
                "." | "?" => Refusal::bad(format!("the body is not what this endpoint takes: {inner}")),
                _ => Refusal::bad(format!("the body is not what this endpoint takes, at {place}: {inner}")),
            }
        })?;
        json.end()
            .map_err(|error| Refusal::bad(format!("something follows the JSON of the body: {error}")))?;
        Ok(parsed)
    }
}

impl FromRequest<Arc<App>> for Payload {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        // Who refreshes has no token yet, and has little to say.
        let login = routes::is_login(request.uri().path());
        let limit = if login { app.limits.login_body_bytes } else { app.limits.body_bytes };
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            drain(body).await;
            return Err(Refusal::media_type());
        }
        let announced = announced(&parts.headers);
        if announced.is_some_and(|bytes| bytes > limit) {
            drain(body).await;
            return Err(Refusal::too_large(limit));
        }
        let Some(room) = take(&app.room, announced.unwrap_or(limit)) else {
            drain(body).await;
            return Err(Refusal::unavailable("too much is being sent at once; try again in a moment"));
        };
        match timeout(app.limits.body_time, read(body, limit)).await {
            Ok(read) => Ok(Self { bytes: read?, _room: room }),
            Err(_) => Err(Refusal::too_slow()),
        }
    }
}

async fn read(mut body: Body, limit: usize) -> Result<Vec<u8>, Refusal> {
    let (mut bytes, mut seen) = (Vec::new(), 0_usize);
    while let Some(part) = next(&mut body).await {
        let part = part.map_err(|()| Refusal::bad("the body broke off; send it again"))?;
        seen = seen.saturating_add(part.len());
        if seen > DRAIN {
            break;
        }
        if seen <= limit {
            bytes.extend_from_slice(&part);
        }
    }
    if seen > limit { Err(Refusal::too_large(limit)) } else { Ok(bytes) }
}

/// Reads a body away, within bounds.
pub(super) async fn drain(mut body: Body) {
    let read = async {
        let mut seen = 0_usize;
        while let Some(Ok(part)) = next(&mut body).await {
            seen = seen.saturating_add(part.len());
            if seen > DRAIN {
                break;
            }
        }
    };
    let _ = timeout(DRAIN_TIME, read).await;
}

/// The next bytes; other frames are none.
async fn next(body: &mut Body) -> Option<Result<axum::body::Bytes, ()>> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
        match frame.map(hyper::body::Frame::into_data) {
            Ok(Ok(bytes)) => return Some(Ok(bytes)),
            Ok(Err(_)) => {}
            Err(_) => return Some(Err(())),
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let plain = text(header::CONTENT_ENCODING).is_none_or(|coding| coding.eq_ignore_ascii_case("identity"));
    let kind = text(header::CONTENT_TYPE).unwrap_or_default().split(';').next().unwrap_or_default().trim();
    plain && kind.eq_ignore_ascii_case("application/json")
}

/// How many bytes are to come, where the client says it.
pub(super) fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Room for so many bytes, counted in kilobytes.
fn take(room: &Arc<Semaphore>, bytes: usize) -> Option<OwnedSemaphorePermit> {
    let kilobytes = u32::try_from(bytes / 1024 + 1).ok()?;
    Arc::clone(room).try_acquire_many_owned(kilobytes).ok()
}
