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
const VECTOR_TIME: Duration = Duration::from_secs(2);

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
    let model = embedder.clone().map(|fingerprint| (fingerprint, app.embedder.dimension()));
    let (dimension, waiting) = blocking(&app, &place, move |app| {
        let (generation, dimension) = match model {
            None => return Ok((None, 0)),
            Some((fingerprint, Some(dimension))) => {
                (app.store.generation(&fingerprint, dimension)?, dimension)
            }
            // It has not answered yet in this process.
            Some((fingerprint, None)) => match app.store.serving(&caller.org)? {
                Some(serving) if serving.fingerprint == fingerprint => {
                    (serving.generation, serving.dimension)
                }
                _ => return Ok((None, 0)),
            },
        };
        Ok((Some(dimension), app.store.waiting(&caller.org, generation)?))
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
    let Some(serving) = serving else {
        return Ok((None, Some("searched by words only: the vectors are still being made")));
    };
    // A question is compared with what its own model made.
    let Some(model) = app.embedder.of(&serving.fingerprint) else {
        return Ok((None, Some("searched by words only: the vectors of another model are still being made")));
    };
    let texts = [request.query.clone()];
    let vector = match timeout(VECTOR_TIME, model.embed(&texts, Kind::Query)).await {
        Err(_) => return Ok((None, Some("searched by words only: the model does not answer in time"))),
        Ok(Err(_)) => {
            return Ok((None, Some("searched by words only: the model does not answer as it should")));
        }
        Ok(Ok(mut vectors)) => vectors.pop(),
    };
    let earlier = serving.fingerprint != fingerprint;
    let note = earlier.then_some("searched by an earlier model, until the vectors of the new one are made");
    Ok((vector.map(|vector| (serving.generation, vector)), note))
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
