//! Talking to the backend: four requests, each within its time, each tried again only where that helps.

use std::{
    future::Future,
    net::IpAddr,
    path::PathBuf,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use ctxhost_sdk::{
    protocol::codebase_index::{
        ErrorBody, Health, IndexReply, IndexRequest, SearchReply, SearchRequest, SyncReply, SyncRequest,
    },
    serde::{Serialize, de::DeserializeOwned},
    serde_json,
};
use reqwest::{Certificate, Client, Method, Response, header::RETRY_AFTER, redirect::Policy};
use url::{Host, Url};

use super::limits::Limits;
use crate::error::{AuthError, BackendError};

/// A list of 200,000 changed paths takes some 30 MB.
const LARGEST_SYNC: usize = 64 << 20;

/// A hundred hits with snippets of fifteen long lines.
const LARGEST_REPLY: usize = 8 << 20;

/// What is read of an error, and shown of it.
pub(super) const LARGEST_ERROR: usize = 8 << 10;
const LONGEST_MESSAGE: usize = 300;

/// A certificate bundle of all public authorities has some 200 KB.
const LARGEST_BUNDLE: u64 = 4 << 20;

/// A token, or why there is none.
pub(crate) type Token<'a> = Pin<Box<dyn Future<Output = Result<String, AuthError>> + Send + 'a>>;

/// Who has the token that goes with each request.
pub(crate) trait Bearer: Send + Sync {
    /// Gives the token as it is.
    fn token(&self) -> Token<'_>;

    /// Gives another one, after the backend refused this one.
    fn renew<'a>(&'a self, refused: &'a str) -> Token<'a>;
}

/// Where the backend is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Address {
    /// `http` or `https`, host and port.
    pub(crate) url: String,
    /// Where the endpoints are below it.
    pub(crate) base_path: String,
    /// Certificates that are believed besides the system's, as PEM.
    pub(crate) ca_file: Option<PathBuf>,
}

/// A backend. Clones share its connections, which belong to the runtime that it was first used in: each runtime needs one of
/// its own.
#[derive(Clone)]
pub(crate) struct Backend(Arc<Inner>);

struct Inner {
    client: Client,
    base: String,
    bearer: Arc<dyn Bearer>,
    limits: Limits,
    up: AtomicU64,
    down: AtomicU64,
}

/// What came of one try.
enum Tried<T> {
    Done(T),
    /// The token is refused.
    Refused(String),
    /// Another try may help, after the time that the backend asks for.
    Again(BackendError, Option<Duration>),
    Failed(BackendError),
}

impl Backend {
    /// Prepares; nothing is sent yet.
    ///
    /// # Errors
    ///
    /// When the address is none, or the certificates cannot be read.
    pub(crate) fn new(
        address: &Address,
        bearer: Arc<dyn Bearer>,
        limits: &Limits,
    ) -> Result<Self, BackendError> {
        let base = base(address)?;
        let client = client(address, &base, limits)?;
        let base = base.to_string().trim_end_matches('/').to_owned();
        let (up, down) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self(Arc::new(Inner { client, base, bearer, limits: limits.clone(), up, down })))
    }

    /// Where the endpoints are: what tells one backend from another.
    pub(crate) fn base(&self) -> &str {
        &self.0.base
    }

    /// How many bytes of bodies went to the backend, those of tries that failed among them.
    pub(crate) fn bytes_up(&self) -> u64 {
        self.0.up.load(Ordering::Relaxed)
    }

    /// How many bytes of bodies came from it.
    pub(crate) fn bytes_down(&self) -> u64 {
        self.0.down.load(Ordering::Relaxed)
    }

    /// Tells what the client holds, and asks what is wanted of it.
    pub(crate) async fn sync(&self, request: &SyncRequest) -> Result<SyncReply, BackendError> {
        self.ask("/sync", Some(request), LARGEST_SYNC).await
    }

    /// Sends chunks, and files to drop.
    pub(crate) async fn index(&self, request: &IndexRequest) -> Result<IndexReply, BackendError> {
        self.ask("/index", Some(request), LARGEST_REPLY).await
    }

    /// Asks a question.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<SearchReply, BackendError> {
        self.ask("/search", Some(request), LARGEST_REPLY).await
    }

    /// Asks how the backend is; one that knows only the document does not say.
    pub(crate) async fn health(&self) -> Result<Health, BackendError> {
        self.ask("/health", None::<&()>, LARGEST_REPLY).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        endpoint: &'static str,
        body: Option<&impl Serialize>,
        most: usize,
    ) -> Result<T, BackendError> {
        let body = body.map(serde_json::to_vec).transpose();
        let body = body.map_err(|error| BackendError::Garbage { endpoint, why: error.to_string() })?;
        let Limits { attempts, pause, longest_pause, .. } = self.0.limits;
        let mut token = self.0.bearer.token().await?;
        let (mut tries, mut renewed) = (0, false);
        loop {
            match self.attempt(endpoint, body.as_deref(), &token, most).await {
                Tried::Done(reply) => return Ok(reply),
                Tried::Refused(message) if renewed => return Err(BackendError::Unauthorized(message)),
                Tried::Refused(_) => {
                    token = self.0.bearer.renew(&token).await?;
                    renewed = true;
                }
                Tried::Failed(error) => return Err(error),
                Tried::Again(error, asked) => {
                    tries += 1;
                    if tries >= attempts {
                        return Err(error);
                    }
                    let own = pause.saturating_mul(1 << (tries - 1).min(16));
                    tokio::time::sleep(asked.unwrap_or(own).min(longest_pause)).await;
                }
            }
        }
    }

    async fn attempt<T: DeserializeOwned>(
        &self,
        endpoint: &'static str,
        body: Option<&[u8]>,
        token: &str,
        most: usize,
    ) -> Tried<T> {
        let inner = &self.0;
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request =
            inner.client.request(method, format!("{}{endpoint}", inner.base)).bearer_auth(token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_vec());
            inner.up.fetch_add(body.len() as u64, Ordering::Relaxed);
        }
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => return self.broken(endpoint, error),
        };
        let status = response.status().as_u16();
        if !response.status().is_success() {
            let after = retry_after(&response);
            let text = read(response, LARGEST_ERROR).await.map_or_else(|_| Vec::new(), |(text, _)| text);
            return refused(endpoint, status, message(&text), after);
        }
        match read(response, most).await {
            Err(error) => self.broken(endpoint, error),
            Ok((_, false)) => Tried::Failed(BackendError::Oversize { endpoint, most }),
            Ok((bytes, true)) => {
                inner.down.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                match serde_json::from_slice(&bytes) {
                    Ok(reply) => Tried::Done(reply),
                    Err(error) => Tried::Failed(BackendError::Garbage { endpoint, why: error.to_string() }),
                }
            }
        }
    }

    /// A connection that does not come about or breaks is tried again, one that only takes long is not.
    fn broken<T>(&self, endpoint: &'static str, error: reqwest::Error) -> Tried<T> {
        let connecting = error.is_connect();
        if error.is_timeout() && !connecting {
            return Tried::Failed(BackendError::TimedOut { endpoint, within: self.0.limits.total });
        }
        let is_setting = error.is_builder();
        let error = BackendError::Unreachable { url: self.0.base.clone(), why: causes(error.without_url()) };
        if is_setting { Tried::Failed(error) } else { Tried::Again(error, None) }
    }
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Backend").field(&self.0.base).finish()
    }
}

fn refused<T>(endpoint: &'static str, status: u16, message: String, after: Option<Duration>) -> Tried<T> {
    Tried::Failed(match status {
        401 => return Tried::Refused(message),
        429 | 503 => return Tried::Again(BackendError::Busy { status, message }, after),
        403 => BackendError::Forbidden(message),
        413 => BackendError::TooLarge(message),
        300..=399 => BackendError::Redirected { endpoint, status },
        500.. => BackendError::Failed { endpoint, status, message },
        _ => BackendError::Rejected { endpoint, status, message },
    })
}

/// Reads a body up to a size, and says whether that was all.
pub(super) async fn read(mut response: Response, most: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await? {
        let room = most - bytes.len();
        bytes.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() > room {
            return Ok((bytes, false));
        }
    }
    Ok((bytes, true))
}

/// Reads a number of seconds; of a date nothing is made, and the client's own pause holds.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// Gives what an error says, on one line.
pub(super) fn message(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let said = serde_json::from_str::<ErrorBody>(&text).map(|body| body.message);
    let said = said.unwrap_or_else(|_| {
        if text.trim_start().starts_with('<') { "it answers with a page".into() } else { text.into_owned() }
    });
    let plain = said.split(|letter: char| letter.is_whitespace() || letter.is_control());
    let line: String = plain.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let line: String = line.chars().take(LONGEST_MESSAGE).collect();
    if line.is_empty() { "it does not say why".into() } else { line }
}

pub(super) fn causes(error: reqwest::Error) -> String {
    let mut said = error.to_string();
    let mut next = std::error::Error::source(&error);
    while let Some(cause) = next {
        let cause_said = cause.to_string();
        if !said.contains(&cause_said) {
            said = format!("{said}: {cause_said}");
        }
        next = cause.source();
    }
    said
}

pub(super) fn base(address: &Address) -> Result<Url, BackendError> {
    let Address { url, base_path, .. } = address;
    let wrong = |why: &str| {
        BackendError::Setting(format!("`url` is {url:?}, and {why}; set it to http(s)://host:port"))
    };
    let mut base = Url::parse(url).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
        return Err(wrong("that is no address of a server"));
    }
    if !base.username().is_empty() || base.password().is_some() {
        return Err(BackendError::Setting(
            "`url` holds a user or password, which is not sent; take them out".into(),
        ));
    }
    if base.query().is_some() || base.fragment().is_some() {
        return Err(wrong("it has more than a path behind the host"));
    }
    let path = format!("{}/{}", base.path().trim_end_matches('/'), base_path.trim_matches('/'));
    base.set_path(&path);
    Ok(base)
}

pub(super) fn client(address: &Address, base: &Url, limits: &Limits) -> Result<Client, BackendError> {
    // Installed once in a process; whoever was first is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("ctxhost-codebase-index/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .connect_timeout(limits.connect)
        .timeout(limits.total);
    if is_loopback(base) {
        // What runs on this machine is not asked through another.
        builder = builder.no_proxy();
    }
    if base.scheme() == "http" {
        // No certificate is looked at, so that a system without any will do.
        builder = builder.tls_certs_only([]);
    } else if let Some(file) = &address.ca_file {
        builder = builder.tls_certs_merge(certificates(file)?);
    }
    builder
        .build()
        .map_err(|error| BackendError::Setting(format!("no connection can be made: {}", causes(error))))
}

fn certificates(file: &std::path::Path) -> Result<Vec<Certificate>, BackendError> {
    let wrong = |why: String| {
        BackendError::Setting(format!(
            "`ca_file` {} {why}; it should hold certificates as PEM",
            file.display()
        ))
    };
    let text = super::private::read(file, LARGEST_BUNDLE).ok_or_else(|| wrong("cannot be read".into()))?;
    match Certificate::from_pem_bundle(&text) {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(wrong("holds no certificate".into())),
        Err(error) => Err(wrong(format!("cannot be used: {}", causes(error)))),
    }
}

/// Whether an address is one of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests;
