//! The backend over real HTTP: a server on a free port, and a stand-in for GitHub.

mod conformance;
mod embedding;
mod fake_embedder;
mod fake_github;
mod limits;
mod login;
mod logs;
mod orgs;
mod process;
mod real_model;
mod refresh;
mod refusals;
mod tokens;

use std::{
    io::{self, Write},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use axum::Router;
use ctxhost_index::{
    auth::{Auth, Dev, Rotation, Settings},
    embed::{self, Embedder},
    log::Log,
    serve::connections,
    server::{self, App, Limits},
    store::{Sqlite, Store},
    surroundings::Clock,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, redirect::Policy};
use serde_json::Value;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// Where time begins in these tests.
const NOW: i64 = 1_700_000_000;
/// Where clients wait in these tests; nobody listens there.
const REDIRECT: &str = "http://127.0.0.1:1/cb/n0nce";

/// Lines that a test can read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lines {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("text")
    }
}

/// How a server is made.
struct Plan {
    settings: Settings,
    limits: Limits,
    store: Option<Arc<dyn Store>>,
    folder: Option<TempDir>,
    embedder: Option<Arc<Embedder>>,
    /// What stands in front of the endpoints.
    wrap: fn(Router) -> Router,
}

impl Default for Plan {
    fn default() -> Self {
        let dev = Dev { user: "me".to_owned(), login: true };
        let settings = Settings { issuer: "test".to_owned(), dev: Some(dev), github: None };
        Self {
            settings,
            limits: Limits::default(),
            store: None,
            folder: None,
            embedder: None,
            wrap: |router| router,
        }
    }
}

/// A server that runs.
struct Running {
    address: SocketAddr,
    clock: Arc<AtomicI64>,
    lines: Lines,
    client: Client,
    auth: Arc<Auth>,
    folder: TempDir,
    stop: watch::Sender<bool>,
    ended: JoinHandle<()>,
}

impl Running {
    async fn new() -> Self {
        Self::with(Plan::default()).await
    }

    async fn with(plan: Plan) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Self::on(listener, plan)
    }

    fn on(listener: TcpListener, plan: Plan) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = plan.folder.unwrap_or_else(|| tempfile::tempdir().expect("a folder"));
        let now = Arc::new(AtomicI64::new(NOW));
        let read = Arc::clone(&now);
        let clock: Clock = Arc::new(move || read.load(Ordering::SeqCst));
        let auth = Auth::open(folder.path(), plan.settings, Rotation::WhenDue, Arc::clone(&clock));
        let auth = Arc::new(auth.expect("logins"));
        let lines = Lines::default();
        let log = Log::new(Box::new(lines.clone()), Arc::clone(&clock));
        let store = plan.store.unwrap_or_else(|| Arc::new(Sqlite::in_memory().expect("a store")));
        let embedder = plan.embedder.unwrap_or_else(|| Arc::new(Embedder::None));
        let app = App::new(Arc::clone(&store), Arc::clone(&embedder), Arc::clone(&auth), clock, log.clone());
        let wake = Arc::clone(&app.wake);
        let router = (plan.wrap)(server::router(app.with(plan.limits.clone())));
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = watch::channel(false);
        embed::spawn_worker(store, embedder, wake, log, stopped.clone());
        let ended = tokio::spawn(connections::serve(listener, router, plan.limits, stopped));
        let client = Client::builder().redirect(Policy::none()).no_proxy().build().expect("a client");
        Self { address, clock: now, lines, client, auth, folder, stop, ended }
    }

    /// So many seconds go by.
    fn pass(&self, seconds: i64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn data(&self, path: &str) -> String {
        self.url(&format!("/codebase-index{path}"))
    }

    /// A token of the person who owns the machine.
    fn token(&self) -> String {
        self.auth.development_token(None).expect("a token")
    }

    fn request(&self, method: Method, url: &str, token: &str) -> RequestBuilder {
        self.client.request(method, url).bearer_auth(token)
    }

    /// Asks a data endpoint, which has to answer.
    async fn ask(&self, token: &str, path: &str, body: &Value) -> Value {
        let answer = self.request(Method::POST, &self.data(path), token).json(body).send().await;
        let answer = answer.expect("an answer");
        let status = answer.status();
        let text = answer.text().await.expect("a body");
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        serde_json::from_str(&text).expect("JSON")
    }

    /// Whether a token lets in.
    async fn health(&self, token: &str) -> Response {
        self.request(Method::GET, &self.data("/health"), token).send().await.expect("an answer")
    }
}

/// The status and code of a refusal, which has to be typed; and its message.
async fn refused(answer: Response) -> (u16, String, String) {
    let status = answer.status().as_u16();
    let kind = answer.headers()["content-type"].to_str().expect("text").to_owned();
    let text = answer.text().await.expect("a body");
    assert_eq!(kind, "application/json", "{status} {text}");
    let body: Value = serde_json::from_str(&text).expect("JSON");
    let text = |name: &str| body[name].as_str().unwrap_or_else(|| panic!("{name} in {body}")).to_owned();
    assert!(!text("message").is_empty());
    (status, text("code"), text("message"))
}

/// Refused by this status and code.
async fn assert_refused(answer: Response, status: u16, code: &str) {
    let (was, called, message) = refused(answer).await;
    assert_eq!((was, called.as_str()), (status, code), "{message}");
}

/// The value of a parameter in an address.
fn parameter(address: &str, name: &str) -> Option<String> {
    let url = url::Url::parse(address).expect("an address");
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn header(answer: &Response, name: &str) -> String {
    answer.headers().get(name).unwrap_or_else(|| panic!("{name}")).to_str().expect("text").to_owned()
}
