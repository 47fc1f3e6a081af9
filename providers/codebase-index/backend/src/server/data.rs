//! The data endpoints.

use std::{sync::Arc, time::Duration};

use axum::{Extension, Json, extract::State};
use ctxhost_protocol::codebase_index::{Health, IndexReply, SearchReply, SearchRequest, SyncReply, limits};
use tokio::time::timeout;

use super::{App, body::Payload, gate::Place, refusal::Refusal};
use crate::{
    auth::Caller,
    embed::Kind,
    rank::{self, Question},
};

/// How long a question waits for its vector; without one the words answer.
const VECTOR_TIME: Duration = Duration::from_secs(3);

type From = Extension<Caller>;
type In = Extension<Place>;

pub(super) async fn sync(
    State(app): State<Arc<App>>,
    Extension(caller): From,
    Extension(place): In,
    payload: Payload,
) -> Result<Json<SyncReply>, Refusal> {
    let reply = blocking(&app, &place, move |app| {
        Ok(app.store.sync(&caller.org, &payload.parse()?, (app.clock)())?)
    });
    Ok(Json(reply.await?))
}

pub(super) async fn index(
    State(app): State<Arc<App>>,
    Extension(caller): From,
    Extension(place): In,
    payload: Payload,
) -> Result<Json<IndexReply>, Refusal> {
    let indexed = blocking(&app, &place, move |app| {
        Ok(app.store.index(&caller.org, &payload.parse()?, (app.clock)())?)
    });
    let indexed = indexed.await?;
    if indexed > 0 {
        app.wake.notify_one();
    }
    Ok(Json(IndexReply { indexed }))
}

pub(super) async fn search(
    State(app): State<Arc<App>>,
    Extension(caller): From,
    Extension(place): In,
    payload: Payload,
) -> Result<Json<SearchReply>, Refusal> {
    let request: SearchRequest = blocking(&app, &place, move |_| payload.parse()).await?;
    let (vector, note) = vector(&app, &place, &caller, &request).await?;
    let mut reply = blocking(&app, &place, move |app| {
        let question =
            vector.as_ref().map(|(generation, vector)| Question { generation: *generation, vector });
        Ok(rank::search(app.store.as_ref(), &caller.org, &request, question)?)
    })
    .await?;
    reply.notes.extend(note.map(str::to_owned));
    Ok(Json(reply))
}

pub(super) async fn health(
    State(app): State<Arc<App>>,
    Extension(caller): From,
    Extension(place): In,
) -> Result<Json<Health>, Refusal> {
    let embedder = app.embedder.fingerprint();
    let model = embedder.is_some();
    let (dimension, waiting) = blocking(&app, &place, move |app| {
        if !model {
            return Ok((None, 0));
        }
        let Some(serving) = app.store.serving(&caller.org)? else { return Ok((None, 0)) };
        Ok((Some(serving.dimension), app.store.waiting(&caller.org, serving.generation)?))
    })
    .await?;
    Ok(Json(Health {
        status: "ok".to_owned(),
        embedder: embedder.unwrap_or_else(|| "none".to_owned()),
        dimension,
        waiting,
        max_body_bytes: app.limits.body_bytes as u64,
        max_chunks: number(limits::CHUNKS),
        max_content_bytes: number(limits::CONTENT_BYTES),
        max_limit: limits::RESULTS,
    }))
}

fn number(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}

/// The question's vector with its generation; else, where that matters, a note why there is none.
type Vector = (Option<(i64, Vec<f32>)>, Option<&'static str>);

async fn vector(
    app: &Arc<App>,
    place: &Place,
    caller: &Caller,
    request: &SearchRequest,
) -> Result<Vector, Refusal> {
    let Some(fingerprint) = app.embedder.fingerprint() else {
        return Ok((None, Some("searched by words only: this backend has no model")));
    };
    let org = caller.org.clone();
    let serving = blocking(app, place, move |app| Ok(app.store.serving(&org)?)).await?;
    // An older model's vectors say nothing to this one's.
    let Some(serving) = serving.filter(|serving| serving.fingerprint == fingerprint) else {
        return Ok((None, Some("searched by words only: the vectors are still being made")));
    };
    let texts = [request.query.clone()];
    let asked = timeout(VECTOR_TIME, app.embedder.embed(&texts, Kind::Query)).await;
    match asked.ok().and_then(Result::ok).and_then(|mut vectors| vectors.pop()) {
        Some(vector) => Ok((Some((serving.generation, vector)), None)),
        None => Ok((None, Some("searched by words only: the model does not answer"))),
    }
}

/// Does what blocks where that is no harm. The place in the queue is kept until it is done, even when nobody waits for
/// the answer any more.
async fn blocking<T: Send + 'static>(
    app: &Arc<App>,
    place: &Place,
    what: impl FnOnce(&App) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let (app, place) = (Arc::clone(app), place.clone());
    let done = tokio::task::spawn_blocking(move || {
        let answer = what(&app);
        drop(place);
        answer
    });
    done.await.unwrap_or_else(|_| Err(Refusal::internal("a call of the store panicked")))
}
