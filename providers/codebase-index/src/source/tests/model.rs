//! A backend that speaks the contract over real sockets and keeps what it is told in memory, by the rules of the
//! specification; and that misbehaves when asked to.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, State},
    http::{HeaderMap, Response, StatusCode, Uri},
    routing::{get, post},
};
use ctxhost_sdk::{
    protocol::codebase_index::{FileRef, IndexReply, IndexRequest, SyncReply, SyncRequest},
    serde_json::{self, Value, json},
};

use crate::{
    error::AuthError,
    source::{
        backend::{Address, Backend, Bearer, Token},
        limits::Limits,
    },
};

/// What goes wrong with one request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// It is answered with a status and a body, and perhaps with `Retry-After`.
    Status(u16, &'static str, Option<&'static str>),
    /// The connection is dropped without an answer, after the request was carried out or before.
    Dropped { after: bool },
    /// It takes this long.
    Slow(Duration),
    /// It is answered with this.
    Says(String),
}

/// A checkout as the backend sees it: root, and the hash of each path.
type View = (String, BTreeMap<String, String>);

/// What a search could show: by repository, checkout and path the hash, and each symbol's content.
pub(crate) type Index = BTreeMap<(String, String, String), (String, BTreeMap<String, String>)>;

/// What the model has and has seen.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) views: BTreeMap<(String, String), View>,
    /// Chunks by repository, path and hash of the file: symbol to content.
    pub(crate) blobs: BTreeMap<(String, String, String), BTreeMap<String, String>>,
    /// Blobs of which everything has come.
    complete: BTreeSet<(String, String, String)>,
    /// Requests in their order: the endpoint and the body.
    pub(crate) seen: Vec<(String, Value)>,
    /// What goes wrong next, by endpoint.
    pub(crate) faults: BTreeMap<&'static str, VecDeque<Fault>>,
    /// Larger bodies are refused.
    pub(crate) most_bytes: Option<usize>,
    /// The token that is let in.
    pub(crate) token: String,
    /// How many requests were being answered at once, at most.
    pub(crate) most_at_once: usize,
    at_once: usize,
}

/// The model, served on a port of its own.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) url: String,
    kept: Arc<Mutex<Kept>>,
}

impl Model {
    pub(crate) async fn serve() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let kept = Arc::new(Mutex::new(Kept { token: "first".into(), ..Kept::default() }));
        let model = Self { url, kept };
        let router = Router::new()
            .route("/codebase-index/health", get(answer))
            .route("/codebase-index/{endpoint}", post(answer))
            .layer(DefaultBodyLimit::disable())
            .with_state(model.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        model
    }

    pub(crate) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub(crate) fn address(&self) -> Address {
        Address { url: self.url.clone(), base_path: "/codebase-index".into(), ca_file: None }
    }

    pub(crate) fn backend(&self, limits: &Limits) -> Backend {
        Backend::new(&self.address(), Arc::new(Fixed::default()), limits).unwrap()
    }

    pub(crate) fn fail(&self, endpoint: &'static str, faults: impl IntoIterator<Item = Fault>) {
        self.kept().faults.entry(endpoint).or_default().extend(faults);
    }

    /// Loses all that was told, as a backend does whose file was deleted.
    pub(crate) fn forget(&self) {
        let mut kept = self.kept();
        let token = kept.token.clone();
        *kept = Kept { token, ..Kept::default() };
    }

    /// The bodies of all requests to an endpoint since the last call, which are forgotten with all others.
    pub(crate) fn take(&self, endpoint: &str) -> Vec<Value> {
        let seen = std::mem::take(&mut self.kept().seen);
        seen.into_iter().filter(|(at, _)| at == endpoint).map(|(_, body)| body).collect()
    }

    pub(crate) fn count(&self, endpoint: &str) -> usize {
        self.kept().seen.iter().filter(|(at, _)| at == endpoint).count()
    }
}

impl Kept {
    /// Everything that a search could show: for each checkout and path the hash, and symbol with content.
    pub(crate) fn index(&self) -> Index {
        let mut index = BTreeMap::new();
        for ((repo, reference), (_, files)) in &self.views {
            for (path, hash) in files {
                let blob =
                    self.blobs.get(&(repo.clone(), path.clone(), hash.clone())).cloned().unwrap_or_default();
                index.insert((repo.clone(), reference.clone(), path.clone()), (hash.clone(), blob));
            }
        }
        index
    }

    fn sync(&mut self, request: SyncRequest) -> Result<SyncReply, (u16, String)> {
        let mut reply = SyncReply::default();
        for repo in request.repos {
            let reference = repo.reference.clone().unwrap_or_default();
            let known = self.views.get(&(repo.name.clone(), reference.clone()));
            let file = |path: &str| FileRef {
                repo: repo.name.clone(),
                path: path.into(),
                reference: repo.reference.clone(),
            };
            let files: BTreeMap<String, String> = match (repo.files, known) {
                (Some(files), _) => files.into_iter().map(|file| (file.path, file.hash)).collect(),
                (None, None) => return Err((422, "unknown repository, send `files`".into())),
                (None, Some((root, files))) => {
                    if *root != repo.root_hash {
                        reply.changed.extend(files.keys().map(|path| file(path)));
                        continue;
                    }
                    files.clone()
                }
            };
            let known = known.map(|(_, files)| files.clone()).unwrap_or_default();
            reply
                .removed
                .extend(known.keys().filter(|path| !files.contains_key(*path)).map(|path| file(path)));
            let wanted = files.iter().filter(|(path, hash)| {
                !self.complete.contains(&(repo.name.clone(), (*path).clone(), (*hash).clone()))
            });
            reply.changed.extend(wanted.map(|(path, _)| file(path)));
            self.views.insert((repo.name, reference), (repo.root_hash, files));
        }
        Ok(reply)
    }

    fn index_these(&mut self, request: IndexRequest) -> Result<IndexReply, (u16, String)> {
        let mut once = BTreeSet::new();
        let indexed = request.chunks.len() as u64;
        for chunk in request.chunks {
            if !once.insert((chunk.path.clone(), chunk.symbol.clone())) {
                return Err((400, format!("{} {} is there twice", chunk.path, chunk.symbol)));
            }
            let hash = chunk.file_hash.clone().or(chunk.git_sha.clone()).unwrap_or_default();
            let key = (chunk.repo, chunk.path, hash);
            let blob = self.blobs.entry(key.clone()).or_default();
            blob.insert(chunk.symbol, chunk.content);
            if chunk.file_chunks.is_none_or(|count| blob.len() >= count as usize) {
                self.complete.insert(key);
            }
        }
        for file in request.remove {
            let view = self.views.get(&(file.repo.clone(), file.reference.unwrap_or_default()));
            if let Some(hash) = view.and_then(|(_, files)| files.get(&file.path)) {
                self.complete.insert((file.repo, file.path, hash.clone()));
            }
        }
        Ok(IndexReply { indexed })
    }
}

async fn answer(State(model): State<Model>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let endpoint = uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    let fault = {
        let mut kept = model.kept();
        let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
        kept.seen.push((endpoint.clone(), value));
        kept.at_once += 1;
        kept.most_at_once = kept.most_at_once.max(kept.at_once);
        kept.faults.get_mut(endpoint.as_str()).and_then(VecDeque::pop_front)
    };
    let early = match &fault {
        Some(Fault::Slow(time)) => {
            tokio::time::sleep(*time).await;
            None
        }
        Some(Fault::Status(status, text, after)) => {
            let mut reply = Response::builder().status(*status);
            if let Some(after) = after {
                reply = reply.header("retry-after", *after);
            }
            Some(reply.body(Body::from(*text)).unwrap())
        }
        Some(Fault::Says(text)) => Some(Response::new(Body::from(text.clone()))),
        Some(Fault::Dropped { after: false }) => {
            model.kept().at_once -= 1;
            hang_up()
        }
        _ => None,
    };
    let reply = early.unwrap_or_else(|| carry_out(&mut model.kept(), &endpoint, &headers, &body));
    // Others get their turn, so that requests are seen side by side.
    tokio::time::sleep(Duration::from_millis(2)).await;
    model.kept().at_once -= 1;
    if matches!(fault, Some(Fault::Dropped { after: true })) {
        hang_up();
    }
    reply
}

/// Ends the task of the connection without a word, as a backend does that is killed.
fn hang_up() -> ! {
    std::panic::resume_unwind(Box::new(()))
}

fn carry_out(kept: &mut Kept, endpoint: &str, headers: &HeaderMap, body: &[u8]) -> Response<Body> {
    let said = |status: u16, value: Value| {
        Response::builder().status(status).body(Body::from(value.to_string())).unwrap()
    };
    let bearer = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if bearer != format!("Bearer {}", kept.token) {
        return said(401, json!({"message": "the token has expired"}));
    }
    if kept.most_bytes.is_some_and(|most| body.len() > most) {
        return said(413, json!({"message": "too large"}));
    }
    let reply = match endpoint {
        "health" => Ok(
            json!({"status": "ok", "embedder": "none", "maxBodyBytes": 1, "maxChunks": 1, "maxContentBytes": 1, "maxLimit": 1}),
        ),
        "search" => Ok(json!({"results": []})),
        "sync" => {
            let request = serde_json::from_slice(body).expect("a request to sync");
            kept.sync(request).map(|reply| serde_json::to_value(reply).unwrap())
        }
        "index" => {
            let request = serde_json::from_slice(body).expect("a request to index");
            kept.index_these(request).map(|reply| serde_json::to_value(reply).unwrap())
        }
        _ => Err((StatusCode::NOT_FOUND.as_u16(), "no such endpoint".to_owned())),
    };
    reply.map_or_else(|(status, message)| said(status, json!({"message": message})), |value| said(200, value))
}

/// A bearer with two tokens.
#[derive(Default)]
pub(crate) struct Fixed {
    renewed: std::sync::atomic::AtomicUsize,
}

impl Fixed {
    pub(crate) fn renewals(&self) -> usize {
        self.renewed.load(std::sync::atomic::Ordering::Relaxed)
    }
}

impl Bearer for Fixed {
    fn token(&self) -> Token<'_> {
        let token = if self.renewals() == 0 { "first" } else { "second" };
        Box::pin(async move { Ok(token.to_owned()) })
    }

    fn renew<'a>(&'a self, refused: &'a str) -> Token<'a> {
        Box::pin(async move {
            if refused != "first" {
                return Err(AuthError::LoginNeeded("the second token is refused too".into()));
            }
            self.renewed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok("second".to_owned())
        })
    }
}
