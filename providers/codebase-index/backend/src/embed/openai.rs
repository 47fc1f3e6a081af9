//! A server that speaks like OpenAI's `/v1/embeddings`: Ollama, TEI, vLLM, llama.cpp and hosted ones do.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use reqwest::{Client, Response, header::RETRY_AFTER, redirect::Policy};
use serde_json::json;
use tokio::time::sleep;

use super::{EmbedError, Kind, reply, settings::Model};
use crate::hex;

/// The most bytes of an answer: 2048 vectors of 1536 numbers take about half of it.
const LARGEST: usize = 64 << 20;
/// How long to wait at most when the server says how long.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A model on such a server.
#[derive(Debug)]
pub struct OpenAi {
    model: Model,
    http: Client,
    /// 0 while it is not known.
    dimension: AtomicU32,
}

impl OpenAi {
    /// This model.
    ///
    /// # Errors
    /// When the system has no client for HTTP.
    pub fn new(model: Model) -> Result<Self, reqwest::Error> {
        // reqwest takes whichever is installed; a second time it is there already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut http = Client::builder()
            .timeout(model.patience.answer)
            .connect_timeout(Duration::from_secs(10).min(model.patience.answer))
            // Code and the key go where the settings say, and are not sent on.
            .redirect(Policy::none())
            .user_agent(concat!("ctxhost-index/", env!("CARGO_PKG_VERSION")));
        if model.url.scheme() == "http" {
            // It is this machine.
            http = http.no_proxy();
        }
        let dimension = AtomicU32::new(model.dimensions.unwrap_or(0));
        Ok(Self { http: http.build()?, dimension, model })
    }

    /// Which model it is: its name and all that we ask it for. Where it runs is not in there, since it is the same model
    /// wherever it runs; how many numbers its vectors really have is a generation's own.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let Model { name, dimensions, query_prefix, passage_prefix, .. } = &self.model;
        let mut fingerprint = format!("openai:{name}");
        if let Some(dimensions) = dimensions {
            fingerprint.push_str(&format!(":{dimensions}"));
        }
        if !query_prefix.is_empty() || !passage_prefix.is_empty() {
            let hash = hex::hash(&[query_prefix.as_bytes(), passage_prefix.as_bytes()]);
            fingerprint.push_str(&format!(":prefix-{}", hex::digits(&hash[..4])));
        }
        fingerprint
    }

    /// How many numbers its vectors have, as the settings say, or else its first answer.
    #[must_use]
    pub fn dimension(&self) -> Option<u32> {
        Some(self.dimension.load(Ordering::Acquire)).filter(|dimension| *dimension > 0)
    }

    /// Lets its next answer say anew how many numbers its vectors have, unless the settings do.
    pub(super) fn forget_dimension(&self) {
        self.dimension.store(self.model.dimensions.unwrap_or(0), Ordering::Release);
    }

    pub(super) fn settings(&self) -> &Model {
        &self.model
    }

    /// The vectors of these texts, in their order. What may pass (429 and 5xx) is tried again; nothing else is.
    ///
    /// # Errors
    /// When the model does not answer as it should.
    pub async fn embed(&self, texts: &[String], kind: Kind) -> Result<Vec<Vec<f32>>, EmbedError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let prefix = match kind {
            Kind::Query => &self.model.query_prefix,
            Kind::Passage => &self.model.passage_prefix,
        };
        let input: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let mut body = json!({ "model": self.model.name, "input": input });
        if let Some(dimensions) = self.model.dimensions {
            body["dimensions"] = json!(dimensions);
        }
        let bytes = self.ask(&serde_json::to_vec(&body).expect("texts are JSON")).await?;
        let vectors = reply::vectors(&bytes, texts.len())?;
        self.check(&vectors)?;
        Ok(vectors)
    }

    async fn ask(&self, body: &[u8]) -> Result<Vec<u8>, EmbedError> {
        let mut pause = self.model.patience.pause;
        for left in (0..self.model.patience.tries.max(1)).rev() {
            let (error, told) = match self.send(body).await? {
                Ok(bytes) => return Ok(bytes),
                Err(refused) => refused,
            };
            let passing = matches!(error, EmbedError::Busy(_) | EmbedError::Failed(_));
            if left == 0 || !passing {
                return Err(error);
            }
            sleep(told.unwrap_or(pause).min(LONGEST_PAUSE)).await;
            pause *= 2;
        }
        Err(EmbedError::None)
    }

    /// What one request gets: bytes, or a status with how long the server says to wait.
    async fn send(&self, body: &[u8]) -> Result<Result<Vec<u8>, (EmbedError, Option<Duration>)>, EmbedError> {
        let mut request = self
            .http
            .post(self.model.url.clone())
            .header(reqwest::header::CONTENT_TYPE, "application/json")
            .body(body.to_vec());
        if let Some(key) = &self.model.api_key {
            request = request.bearer_auth(key);
        }
        let answer = request.send().await.map_err(|error| no_answer(&error))?;
        let status = answer.status().as_u16();
        let error = match status {
            200..=299 => return read(answer).await.map(Ok),
            429 => EmbedError::Busy(status),
            400 | 413 | 422 => EmbedError::Refused(status),
            500..=599 => EmbedError::Failed(status.to_string()),
            _ => EmbedError::Denied(status),
        };
        let wait = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Err((error, wait.map(Duration::from_secs))))
    }

    /// Every vector of every answer has as many numbers as the first one had.
    fn check(&self, vectors: &[Vec<f32>]) -> Result<(), EmbedError> {
        let first = vectors.first().map_or(0, Vec::len);
        let length = u32::try_from(first).ok().filter(|length| *length > 0);
        let length = length.ok_or_else(|| EmbedError::Wrong("a vector is empty".to_owned()))?;
        if vectors.iter().any(|vector| vector.len() != first) {
            return Err(EmbedError::Wrong("vectors of one answer have several lengths".to_owned()));
        }
        match self.dimension.compare_exchange(0, length, Ordering::AcqRel, Ordering::Acquire) {
            Err(known) if known != length => Err(EmbedError::Dimension { expected: known, got: first }),
            _ => Ok(()),
        }
    }
}

fn no_answer(error: &reqwest::Error) -> EmbedError {
    if error.is_timeout() && !error.is_connect() {
        return EmbedError::Failed("no answer in time".to_owned());
    }
    let why = if error.is_connect() { "no connection" } else { "the connection breaks off" };
    EmbedError::Unreachable(why.to_owned())
}

async fn read(mut answer: Response) -> Result<Vec<u8>, EmbedError> {
    let mut bytes = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(|error| no_answer(&error))? {
        bytes.extend_from_slice(&part);
        if bytes.len() > LARGEST {
            return Err(EmbedError::Wrong("the answer is too large".to_owned()));
        }
    }
    Ok(bytes)
}
