//! A stand-in for a server of models: it knows a few words that mean the same, and fails as it is told.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU16, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Json, Router, extract::State, http::HeaderMap, http::StatusCode, routing::post};
use ctxhost_index::embed::{Embedder, Model, Patience, Settings};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Words that mean the same.
const MEANINGS: [&[&str]; 3] =
    [&["car", "automobile", "vehicle"], &["apple", "fruit", "orchard"], &["ship", "vessel", "boat"]];

/// How it is, for a test to change.
pub(super) struct Mood {
    /// How many numbers a vector has.
    pub(super) dimension: AtomicUsize,
    /// A status by which everything is answered.
    pub(super) status: AtomicU16,
    /// How many requests are answered before that begins.
    pub(super) good: AtomicUsize,
    /// How long a question takes, and how long any other text.
    pub(super) slow: Mutex<(Duration, Duration)>,
    /// Texts with such a word are answered by a status.
    pub(super) poison: Mutex<Vec<(&'static str, u16)>>,
    /// Texts beyond so many bytes are refused.
    pub(super) longest: AtomicUsize,
    /// A model that is not there.
    pub(super) missing: Mutex<Option<&'static str>>,
    /// What was asked, with the key.
    pub(super) asked: Mutex<Vec<(Value, String)>>,
}

/// The server.
pub(super) struct Fake {
    address: SocketAddr,
    pub(super) mood: Arc<Mood>,
}

impl Fake {
    pub(super) async fn new() -> Self {
        let mood = Arc::new(Mood {
            dimension: AtomicUsize::new(4),
            status: AtomicU16::new(0),
            good: AtomicUsize::new(0),
            slow: Mutex::default(),
            poison: Mutex::default(),
            longest: AtomicUsize::new(usize::MAX),
            missing: Mutex::default(),
            asked: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new().route("/v1/embeddings", post(embed)).with_state(Arc::clone(&mood));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, mood }
    }

    /// A model of this server.
    pub(super) fn model(&self, name: &str) -> Model {
        Model {
            url: format!("http://{}/v1/embeddings", self.address).parse().expect("an address"),
            name: name.to_owned(),
            api_key: Some("k3y".to_owned()),
            batch: 4,
            dimensions: None,
            query_prefix: "query: ".to_owned(),
            passage_prefix: "passage: ".to_owned(),
            patience: Patience {
                answer: Duration::from_secs(20),
                pause: Duration::from_millis(2),
                tries: 2,
                rest: Duration::from_millis(10),
                longest_rest: Duration::from_millis(40),
            },
        }
    }

    pub(super) fn embedder(&self, name: &str, previous: Option<&str>) -> Arc<Embedder> {
        let previous = previous.map(|name| self.model(name));
        let settings = Settings { model: self.model(name), previous };
        Arc::new(Embedder::new(Some(settings)).expect("a client"))
    }

    /// The texts of each request so far, with the name of the model.
    pub(super) fn requests(&self) -> Vec<(String, Vec<String>)> {
        let asked = self.mood.asked.lock().expect("no panic");
        let texts = |body: &Value| {
            let texts = body["input"].as_array().expect("texts").iter();
            texts.map(|text| text.as_str().expect("a text").to_owned()).collect()
        };
        asked
            .iter()
            .map(|(body, _)| (body["model"].as_str().expect("a name").to_owned(), texts(body)))
            .collect()
    }
}

async fn embed(
    State(mood): State<Arc<Mood>>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<Json<Value>, StatusCode> {
    let key = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    mood.asked.lock().expect("no panic").push((body.clone(), key.to_owned()));
    let texts: Vec<&str> =
        body["input"].as_array().expect("texts").iter().filter_map(Value::as_str).collect();
    let (question, passage) = *mood.slow.lock().expect("no panic");
    let slow = if texts[0].starts_with("query: ") { question } else { passage };
    tokio::time::sleep(slow).await;
    match mood.status.load(Ordering::SeqCst) {
        0 => {}
        _ if mood.good.load(Ordering::SeqCst) > 0 => drop(mood.good.fetch_sub(1, Ordering::SeqCst)),
        status => return Err(StatusCode::from_u16(status).expect("a status")),
    }
    if mood.missing.lock().expect("no panic").is_some_and(|name| body["model"] == name) {
        return Err(StatusCode::NOT_FOUND);
    }
    for (word, status) in mood.poison.lock().expect("no panic").iter() {
        if texts.iter().any(|text| text.contains(word)) {
            return Err(StatusCode::from_u16(*status).expect("a status"));
        }
    }
    if texts.iter().any(|text| text.len() > mood.longest.load(Ordering::SeqCst)) {
        return Err(StatusCode::BAD_REQUEST);
    }
    let dimension = mood.dimension.load(Ordering::SeqCst);
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(index, text)| json!({ "object": "embedding", "index": index, "embedding": vector(text, dimension) }))
        .rev() // The order is nothing to lean on.
        .collect();
    Ok(Json(json!({ "object": "list", "data": data, "model": body["model"] })))
}

/// A number for each meaning, and one for whatever else there is.
fn vector(text: &str, dimension: usize) -> Vec<f32> {
    let mut vector = vec![0.0; dimension];
    vector[dimension - 1] = 0.1;
    for (place, words) in MEANINGS.iter().enumerate() {
        if words.iter().any(|word| text.contains(word)) {
            vector[place] = 1.0;
        }
    }
    vector
}
