//! What stands in front of every endpoint: the guard, a place among the requests in flight, time, and the log.

use std::{sync::Arc, time::Instant};

use axum::{
    body::HttpBody,
    extract::{Request, State},
    http::header,
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{
    App,
    body::{announced, drain},
    refusal::{Fault, Refusal},
    routes,
};
use crate::log::{self, mark};

/// A place among the requests in flight; given back when the last copy is gone.
#[derive(Clone)]
pub(super) struct Place(#[expect(dead_code, reason = "it is held")] Arc<OwnedSemaphorePermit>);

/// Rides on an answer to the log, and is not sent.
#[derive(Clone)]
struct Of(String);

/// Lets nobody in without a token but to a login: whoever has none does not even learn which endpoints there are.
pub(super) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    if routes::is_login(request.uri().path()) {
        return next.run(request).await;
    }
    let authorization = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    match app.auth.caller(authorization) {
        Ok(caller) => {
            let of = Of(mark(&caller.org));
            request.extensions_mut().insert(caller);
            let mut response = next.run(request).await;
            response.extensions_mut().insert(of);
            response
        }
        Err(error) => {
            drain(request.into_body()).await;
            Refusal::from(error).into_response()
        }
    }
}

/// Takes so many requests at once, and tells the others to come back.
pub(super) async fn place(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let places = if routes::is_login(request.uri().path()) { &app.login_places } else { &app.places };
    let Ok(permit) = Arc::clone(places).try_acquire_owned() else {
        drain(request.into_body()).await;
        return Refusal::unavailable("too many requests are in flight; try again in a moment")
            .into_response();
    };
    request.extensions_mut().insert(Place(Arc::new(permit)));
    let limits = &app.limits;
    match timeout(limits.body_time + limits.answer_time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Refusal::unavailable("the answer takes too long; try again in a moment").into_response(),
    }
}

/// Writes one line for each request.
pub(super) async fn record(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().as_str();
    let method = if method.len() <= 16 { method.to_owned() } else { "other".to_owned() };
    let route = routes::name(&app.base_path, request.uri().path());
    let bytes_in = announced(request.headers()).unwrap_or_default() as u64;
    let response = next.run(request).await;
    if let Some(Fault(fault)) = response.extensions().get::<Fault>() {
        app.log.fault("fault", fault);
    }
    app.log.request(&log::Request {
        method,
        route,
        status: response.status().as_u16(),
        ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        bytes_in,
        bytes_out: response.body().size_hint().exact().unwrap_or_default(),
        org: response.extensions().get::<Of>().map(|Of(org)| org.clone()),
    });
    response
}

/// Places for so many.
pub(super) fn places(number: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(number.min(Semaphore::MAX_PERMITS)))
}
