//! A backend over real sockets: it keeps what it is told in memory, has people log in at once, and misbehaves when asked to.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Response, Uri},
    routing::any,
};
use ctxhost_sdk::{
    prelude::json,
    serde_json::{self, Value},
};

#[derive(Default)]
pub(crate) struct Kept {
    /// Path and symbol with the chunk.
    pub(crate) chunks: BTreeMap<(String, String), Value>,
    /// Path with hash, of the latest sync.
    pub(crate) files: BTreeMap<String, String>,
    root: String,
    /// The token that is let in, and the one that renews it.
    pub(crate) token: String,
    pub(crate) refresh_token: String,
    issued: usize,
    /// Every request: its path with the query.
    pub(crate) seen: Vec<String>,
    /// What an endpoint answers instead, by the last part of its path.
    pub(crate) instead: HashMap<&'static str, (u16, String)>,
    /// How long an endpoint takes.
    pub(crate) slow: HashMap<&'static str, Duration>,
    /// What every hit says besides.
    pub(crate) hits_say: Value,
}

#[derive(Clone)]
pub(crate) struct Backend {
    pub(crate) url: String,
    kept: Arc<Mutex<Kept>>,
}

impl Backend {
    pub(crate) fn serve() -> Self {
        let (send, port) = std::sync::mpsc::channel();
        let kept = Arc::new(Mutex::new(Kept {
            token: jwt(0),
            refresh_token: "refresh-0".into(),
            ..Kept::default()
        }));
        let inner = Arc::clone(&kept);
        thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                send.send(listener.local_addr().expect("an address").port()).expect("somebody listens");
                let router = Router::new().fallback(any(answer)).with_state(inner);
                axum::serve(listener, router).await.expect("it serves");
            });
        });
        Self { url: format!("http://127.0.0.1:{}", port.recv().expect("a port")), kept }
    }

    pub(crate) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn token(&self) -> String {
        self.kept().token.clone()
    }

    pub(crate) fn instead(&self, endpoint: &'static str, status: u16, body: &str) {
        self.kept().instead.insert(endpoint, (status, body.to_owned()));
    }

    pub(crate) fn count(&self, endpoint: &str) -> usize {
        self.kept()
            .seen
            .iter()
            .filter(|seen| seen.split('?').next().unwrap_or_default().ends_with(endpoint))
            .count()
    }

    /// Another token is the right one from now on.
    pub(crate) fn end_token(&self) {
        self.kept().token = jwt(1_000);
    }
}

/// A token as a backend makes them: `username`, `exp` and `iat`, for an hour.
pub(crate) fn jwt(number: usize) -> String {
    let payload = json!({"username": "ada", "iat": 1_000_000, "exp": 1_003_600, "jti": number}).to_string();
    format!("e30.{}.c2ln", base64(payload.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let three = |part: &[u8]| {
        let bits =
            (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(part.get(at).copied().unwrap_or(0)));
        (0..=part.len()).map(move |at| char::from(LETTERS[bits >> (18 - 6 * at) & 63])).collect::<String>()
    };
    bytes.chunks(3).map(three).collect()
}

async fn answer(
    State(kept): State<Arc<Mutex<Kept>>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let endpoint = uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    let (slow, instead) = {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.seen.push(uri.to_string());
        (kept.slow.get(endpoint.as_str()).copied(), kept.instead.get(endpoint.as_str()).cloned())
    };
    if let Some(slow) = slow {
        tokio::time::sleep(slow).await;
    }
    if let Some((status, body)) = instead {
        return Response::builder().status(status).body(Body::from(body)).expect("a response");
    }
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    let body: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    if uri.path().starts_with("/auth/github/") {
        return kept.auth(&endpoint, &uri, &body);
    }
    let bearer = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if bearer != format!("Bearer {}", kept.token) {
        return said(401, &json!({"message": "the token has ended"}));
    }
    match uri.path().strip_prefix("/codebase-index/") {
        Some("health") => said(
            200,
            &json!({"status": "ok", "embedder": "none", "maxBodyBytes": 16_777_216, "maxChunks": 512, "maxContentBytes": 65_536, "maxLimit": 100}),
        ),
        Some("sync") => kept.sync(&body),
        Some("index") => kept.index(&body),
        Some("search") => kept.search(&body),
        _ => said(404, &json!({"message": "no such endpoint"})),
    }
}

fn said(status: u16, body: &Value) -> Response<Body> {
    Response::builder().status(status).body(Body::from(body.to_string())).expect("a response")
}

impl Kept {
    fn issue(&mut self) {
        self.issued += 1;
        (self.token, self.refresh_token) = (jwt(self.issued), format!("refresh-{}", self.issued));
    }

    fn auth(&mut self, endpoint: &str, uri: &Uri, body: &Value) -> Response<Body> {
        match endpoint {
            "start" => {
                self.issue();
                let query = uri.query().unwrap_or_default();
                let to = query.strip_prefix("redirect_url=").expect("where to send the browser");
                let to = to.replace("%3A", ":").replace("%2F", "/");
                let to = format!("{to}?token={}&refresh_token={}", self.token, self.refresh_token);
                Response::builder()
                    .status(302)
                    .header("location", to)
                    .body(Body::empty())
                    .expect("a response")
            }
            "refresh" if body["refresh_token"] == json!(self.refresh_token) => {
                self.issue();
                let pair = json!({"access_token": self.token, "refresh_token": self.refresh_token, "expires_in": 3_600});
                said(200, &pair)
            }
            "refresh" => said(401, &json!({"message": "this refresh token was used before"})),
            "revoke" => {
                (self.token, self.refresh_token) = ("nobody".to_owned(), "nobody".to_owned());
                said(200, &json!({}))
            }
            _ => said(404, &json!({"message": "no such endpoint"})),
        }
    }

    fn sync(&mut self, body: &Value) -> Response<Body> {
        let repo = &body["repos"][0];
        let Some(files) = repo["files"].as_array() else {
            return if repo["rootHash"] == json!(self.root) {
                said(200, &json!({"changed": [], "removed": []}))
            } else {
                said(422, &json!({"message": "files are needed", "code": "files-needed"}))
            };
        };
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let now: BTreeMap<_, _> =
            files.iter().map(|file| (text(&file["path"]), text(&file["hash"]))).collect();
        let changed = now.iter().filter(|(path, hash)| self.files.get(*path) != Some(hash));
        let changed: Vec<Value> = changed
            .map(|(path, _)| json!({"repo": repo["name"], "path": path, "ref": repo["ref"]}))
            .collect();
        self.chunks.retain(|(path, _), _| now.contains_key(path));
        (self.files, self.root) = (now, text(&repo["rootHash"]));
        said(200, &json!({"changed": changed}))
    }

    fn index(&mut self, body: &Value) -> Response<Body> {
        let chunks = body["chunks"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        for chunk in &chunks {
            let hash = &chunk["fileHash"];
            self.chunks.retain(|(path, _), known| json!(path) != chunk["path"] || known["fileHash"] == *hash);
            self.chunks.insert((text(&chunk["path"]), text(&chunk["symbol"])), chunk.clone());
        }
        said(200, &json!({"indexed": chunks.len()}))
    }

    /// Chunks that hold any word of the question, those with more of them first.
    fn search(&mut self, body: &Value) -> Response<Body> {
        let query = body["query"].as_str().unwrap_or_default().to_lowercase();
        let words: Vec<&str> =
            query.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 3).collect();
        let score = |chunk: &Value| {
            let text = chunk.to_string().to_lowercase();
            words.iter().filter(|word| text.contains(**word)).count()
        };
        let mut found: Vec<(usize, &Value)> =
            self.chunks.values().map(|chunk| (score(chunk), chunk)).filter(|(score, _)| *score > 0).collect();
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let limit = body["limit"].as_u64().unwrap_or(10) as usize;
        let hit = |(score, chunk): &(usize, &Value)| {
            let mut hit = json!({
                "repo": chunk["repo"], "path": chunk["path"], "symbol": chunk["symbol"], "lang": chunk["lang"],
                "snippet": chunk["content"], "score": *score as f64 / 10.0, "lineStart": chunk["lineStart"],
                "lineEnd": chunk["lineEnd"], "fileHash": chunk["fileHash"],
            });
            for (key, value) in self.hits_say.as_object().into_iter().flatten() {
                hit[key] = value.clone();
            }
            hit
        };
        let results: Vec<Value> = found.iter().take(limit).map(hit).collect();
        said(200, &json!({"results": results, "mode": "lexical", "notes": ["words alone are searched"]}))
    }
}
