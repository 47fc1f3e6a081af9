//! The contract over HTTP.
//!
//! In front of everything stands the guard: without a token nobody learns anything, not even which endpoints there are.
//! Behind it a request takes a place among those in flight, its body is bounded in bytes and time, and what blocks is done
//! apart. Whatever goes wrong is answered by a message and a code.

mod body;
mod data;
mod gate;
pub mod limits;
mod login;
mod refusal;
mod routes;

use std::{any::Any, sync::Arc};

use axum::{
    Router,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};
use tokio::sync::{Notify, Semaphore};
use tower_http::catch_panic::CatchPanicLayer;

pub use self::limits::Limits;
use self::refusal::Refusal;
use crate::{auth::Auth, embed::Embedder, log::Log, store::Store, surroundings::Clock};

/// What the endpoints work with.
pub struct App {
    /// Where everything is kept.
    pub store: Arc<dyn Store>,
    /// What makes vectors of questions.
    pub embedder: Arc<Embedder>,
    /// Who asks.
    pub auth: Arc<Auth>,
    /// Told when there are new texts to embed.
    pub wake: Arc<Notify>,
    /// The calendar.
    pub clock: Clock,
    /// Where lines go.
    pub log: Log,
    /// How much of everything is taken.
    pub limits: Limits,
    /// Below which path the data endpoints are: empty, or with `/` in front and none behind.
    pub base_path: String,
    /// Whether browsers come by https, so that cookies stay there.
    pub secure_cookies: bool,
    places: Arc<Semaphore>,
    login_places: Arc<Semaphore>,
    room: Arc<Semaphore>,
}

impl App {
    /// Endpoints over these, with the contract's base path and the default limits.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        embedder: Arc<Embedder>,
        auth: Arc<Auth>,
        clock: Clock,
        log: Log,
    ) -> Self {
        let app = Self {
            store,
            embedder,
            auth,
            wake: Arc::new(Notify::new()),
            clock,
            log,
            limits: Limits::default(),
            base_path: ctxhost_protocol::codebase_index::BASE_PATH.to_owned(),
            secure_cookies: false,
            places: gate::places(0),
            login_places: gate::places(0),
            room: gate::places(0),
        };
        app.with(Limits::default())
    }

    /// The same with other limits.
    #[must_use]
    pub fn with(mut self, limits: Limits) -> Self {
        self.places = gate::places(limits.in_flight);
        self.login_places = gate::places(limits.logins_in_flight);
        self.room = gate::places(limits.all_bodies_bytes / 1024 + 1);
        self.limits = limits;
        self
    }
}

/// The endpoints with all that stands in front of them.
pub fn router(app: App) -> Router {
    let app = Arc::new(app);
    // The last layer is the first that a request meets.
    routes::router(&app.base_path)
        .layer(from_fn_with_state(Arc::clone(&app), gate::place))
        .layer(from_fn_with_state(Arc::clone(&app), gate::guard))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(&app), gate::record))
        .with_state(app)
}

/// What the panic says could quote code; the hook has logged where it was.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    Refusal::internal("a request panicked").into_response()
}
