//! Which endpoints there are.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    response::IntoResponse,
    routing::{MethodRouter, get, post},
};

use super::{App, body::drain, data, login, refusal::Refusal};

/// Below this path no token is needed.
const LOGIN: &str = "/auth/";

/// All endpoints, without what stands in front of them.
pub(super) fn router(base_path: &str) -> Router<Arc<App>> {
    let data = [
        ("/sync", only("POST", post(data::sync))),
        ("/index", only("POST", post(data::index))),
        ("/search", only("POST", post(data::search))),
        ("/health", only("GET, HEAD", get(data::health))),
    ];
    let mut router = Router::new()
        .route("/auth/{provider}/start", only("GET, HEAD", get(login::start)))
        .route("/auth/{provider}/callback", only("GET, HEAD", get(login::callback)))
        .route("/auth/{provider}/refresh", only("POST", post(login::refresh)))
        .route("/auth/{provider}/revoke", only("POST", post(login::revoke)));
    for (path, route) in data {
        router = router.route(&format!("{base_path}{path}"), route);
    }
    router.fallback(|request: Request| async move {
        drain(request.into_body()).await;
        Refusal::not_found()
    })
}

fn only(methods: &'static str, route: MethodRouter<Arc<App>>) -> MethodRouter<Arc<App>> {
    route.fallback(move |request: Request| async move {
        drain(request.into_body()).await;
        Refusal::method(methods).into_response()
    })
}

/// Whether a path is one of logins.
pub(super) fn is_login(path: &str) -> bool {
    path.starts_with(LOGIN)
}

/// The name of a route for the log.
pub(super) fn name(base_path: &str, path: &str) -> &'static str {
    if let Some(login) = path.strip_prefix(LOGIN) {
        return match login.split_once('/').map(|(_, what)| what) {
            Some("start") => "/auth/{provider}/start",
            Some("callback") => "/auth/{provider}/callback",
            Some("refresh") => "/auth/{provider}/refresh",
            Some("revoke") => "/auth/{provider}/revoke",
            _ => "other",
        };
    }
    match path.strip_prefix(base_path) {
        Some("/sync") => "/sync",
        Some("/index") => "/index",
        Some("/search") => "/search",
        Some("/health") => "/health",
        _ => "other",
    }
}
