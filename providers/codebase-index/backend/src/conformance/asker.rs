//! Asks a backend over HTTP, as a client would that knows nothing but the contract.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use reqwest::{Client, Method, StatusCode, header::CONTENT_TYPE, redirect::Policy};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::sleep;

use super::Target;
use crate::hex;

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(60);
/// How long to wait before looking again whether something is found.
const BREATH: Duration = Duration::from_millis(100);

/// Whether something holds, and why not.
pub(super) type Held<T = ()> = Result<T, String>;

/// A backend that is asked.
pub(super) struct Asker {
    pub(super) target: Target,
    http: Client,
    /// What this check synced, so that it can be taken away again.
    used: Mutex<Vec<(String, Option<String>)>>,
}

/// What a backend says.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) location: Option<String>,
    pub(super) text: String,
    place: String,
}

impl Answer {
    pub(super) fn json(&self) -> Held<Value> {
        serde_json::from_str(&self.text).map_err(|error| format!("{} answers no JSON: {error}", self.place))
    }

    /// The body of a success.
    pub(super) fn good(&self) -> Held<Value> {
        if !self.status.is_success() {
            return Err(format!("{} answers {}, where it has to succeed", self.place, self.said()));
        }
        self.json()
    }

    /// That it is refused by one of these.
    pub(super) fn refused(&self, statuses: &[u16]) -> Held {
        if statuses.contains(&self.status.as_u16()) {
            return self.explained();
        }
        Err(format!("{} answers {}, where {statuses:?} is due", self.place, self.said()))
    }

    /// That its body says what is wrong, as the error model has it.
    pub(super) fn explained(&self) -> Held {
        let text = self.text.trim();
        let explained = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(body)) => {
                body.get("message").and_then(Value::as_str).is_some_and(|message| !message.is_empty())
            }
            Ok(Value::String(_)) | Err(_) => !text.is_empty(),
            Ok(_) => false,
        };
        if explained {
            return Ok(());
        }
        Err(format!(
            "{} answers {} with a body that is neither a plain text nor has a `message`",
            self.place, self.status
        ))
    }

    fn said(&self) -> String {
        let text: String = self.text.chars().take(200).collect();
        format!("{} {}", self.status.as_u16(), text.trim())
    }
}

impl Asker {
    pub(super) fn new(target: &Target) -> Held<Self> {
        let url = url::Url::parse(&target.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url =
            url.ok_or_else(|| format!("{:?} is no address; write one with http or https", target.url))?;
        let mut http = Client::builder().timeout(ANSWER).redirect(Policy::none());
        if url.host_str().is_some_and(|host| host == "localhost" || host.starts_with("127.")) {
            http = http.no_proxy();
        }
        let http = http.build().map_err(|error| format!("there is no client for HTTP: {error}"))?;
        Ok(Self { target: target.clone(), http, used: Mutex::default() })
    }

    /// Sends a request as it is.
    pub(super) async fn send(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        kind: &str,
        body: Option<String>,
    ) -> Held<Answer> {
        let place = format!("{method} {path}");
        let mut request = self.http.request(method, format!("{}{path}", self.target.url));
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, kind).body(body);
        }
        let answer = request.send().await.map_err(|error| {
            format!("{place} gets no answer: {}", std::error::Error::source(&error).unwrap_or(&error))
        })?;
        let status = answer.status();
        let location =
            answer.headers().get("location").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let text = answer.text().await.map_err(|error| format!("{place} breaks off: {error}"))?;
        Ok(Answer { status, location, text, place })
    }

    /// Sends a body to a data endpoint.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Held<Answer> {
        self.post_text(path, "application/json", body.to_string()).await
    }

    pub(super) async fn post_text(&self, path: &str, kind: &str, body: String) -> Held<Answer> {
        let path = format!("{}{path}", self.target.base_path);
        self.send(Method::POST, &path, Some(&self.target.token), kind, Some(body)).await
    }

    /// The answer of a data endpoint, which has to succeed.
    pub(super) async fn ask(&self, path: &str, body: &Value) -> Held<Value> {
        self.post(path, body).await?.good()
    }

    pub(super) async fn get(&self, path: &str, token: Option<&str>) -> Held<Answer> {
        self.send(Method::GET, &format!("{}{path}", self.target.base_path), token, "", None).await
    }

    /// A repository that nobody has.
    pub(super) fn repo(&self) -> Held<Repo<'_>> {
        let random =
            hex::random::<6>().map_err(|error| format!("the system has no random bytes: {error}"))?;
        Ok(Repo { asker: self, name: format!("conformance-{random}"), reference: None })
    }

    /// Takes away what the check left.
    pub(super) async fn clean(&self) {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, reference) in used {
            let mut repo = json!({ "name": name, "rootHash": root_hash(""), "files": [] });
            with_reference(&mut repo, reference.as_deref());
            // A backend that does not take it is told so by a check.
            let _ = self.post("/sync", &json!({ "repos": [repo] })).await;
        }
    }
}

/// A repository, or a checkout of it.
#[derive(Clone)]
pub(super) struct Repo<'a> {
    asker: &'a Asker,
    pub(super) name: String,
    pub(super) reference: Option<&'static str>,
}

/// What `/sync` says about one repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Synced {
    pub(super) changed: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl Repo<'_> {
    /// The same repository, as another checkout has it.
    pub(super) fn checkout(&self, reference: &'static str) -> Self {
        Self { reference: Some(reference), ..self.clone() }
    }

    /// A made-up hash of a version of a file. It is no other repository's, since theirs hold something else.
    pub(super) fn file_hash(&self, path: &str, version: u32) -> String {
        hex::digits(&hex::hash(&[self.name.as_bytes(), path.as_bytes(), &version.to_be_bytes()]))
    }

    /// A repository of a `/sync`: these files, each with a version of it.
    pub(super) fn state(&self, files: &[(&str, u32)]) -> Value {
        let listed: Vec<Value> = files
            .iter()
            .map(|(path, version)| json!({ "path": path, "hash": self.file_hash(path, *version) }))
            .collect();
        let mut state = self.root(files);
        state["files"] = json!(listed);
        state
    }

    /// The same without its files.
    pub(super) fn root(&self, files: &[(&str, u32)]) -> Value {
        let mut used = self.asker.used.lock().unwrap_or_else(PoisonError::into_inner);
        let this = (self.name.clone(), self.reference.map(str::to_owned));
        if !used.contains(&this) {
            used.push(this);
        }
        drop(used);
        let mut files = files.to_vec();
        files.sort_unstable();
        let lines: Vec<String> = files
            .iter()
            .map(|(path, version)| format!("{path}:{}", self.file_hash(path, *version)))
            .collect();
        let mut state = json!({ "name": self.name, "rootHash": root_hash(&lines.join("\n")) });
        with_reference(&mut state, self.reference);
        state
    }

    pub(super) async fn sync(&self, files: &[(&str, u32)]) -> Held<Synced> {
        self.sync_as(self.state(files)).await
    }

    pub(super) async fn sync_as(&self, state: Value) -> Held<Synced> {
        let reply = self.asker.ask("/sync", &json!({ "repos": [state] })).await?;
        let changed = self.paths(&reply, "changed")?;
        let removed =
            if reply.get("removed").is_some() { self.paths(&reply, "removed")? } else { Vec::new() };
        Ok(Synced { changed, removed })
    }

    fn paths(&self, reply: &Value, list: &str) -> Held<Vec<String>> {
        let list =
            reply[list].as_array().ok_or_else(|| format!("the reply of /sync has no list `{list}`"))?;
        let mut paths = Vec::new();
        for file in list {
            let (Some(repo), Some(path)) = (file["repo"].as_str(), file["path"].as_str()) else {
                return Err(format!("/sync names a file without `repo` or `path`: {file}"));
            };
            if repo != self.name {
                return Err(format!("/sync names repository {repo:?}, which the request does not have"));
            }
            paths.push(path.to_owned());
        }
        paths.sort();
        Ok(paths)
    }

    /// A chunk as a client of the document sends it: the hash of its file stands in `gitSha`.
    pub(super) fn chunk(&self, path: &str, version: u32, symbol: &str, content: &str) -> Value {
        let mut chunk = json!({
            "repo": self.name, "path": path, "symbol": symbol, "lang": "rust",
            "gitSha": self.file_hash(path, version), "lineStart": 1, "lineEnd": content.lines().count().max(1),
            "content": content,
        });
        with_reference(&mut chunk, self.reference);
        chunk
    }

    /// A chunk as a client of the completion sends it: of a file that has so many.
    pub(super) fn part(&self, path: &str, version: u32, symbol: &str, content: &str, of: u32) -> Value {
        let mut chunk = self.chunk(path, version, symbol, content);
        chunk["fileHash"] = json!(self.file_hash(path, version));
        chunk["fileChunks"] = json!(of);
        chunk
    }

    pub(super) async fn index(&self, chunks: Vec<Value>) -> Held<u64> {
        let count = chunks.len();
        let reply = self.asker.ask("/index", &json!({ "chunks": chunks })).await?;
        let indexed = reply["indexed"].as_u64();
        indexed.ok_or_else(|| format!("the reply of /index to {count} chunks has no number `indexed`"))
    }

    pub(super) async fn remove(&self, path: &str) -> Held {
        let mut gone = json!({ "repo": self.name, "path": path });
        with_reference(&mut gone, self.reference);
        self.asker.ask("/index", &json!({ "chunks": [], "remove": [gone] })).await.map(|_| ())
    }

    /// What is found in this repository.
    pub(super) async fn search(&self, query: &str) -> Held<Vec<Value>> {
        let mut request = json!({ "query": query, "repo": self.name });
        if let Some(reference) = self.reference {
            request["views"] = json!([{ "repo": self.name, "ref": reference }]);
        }
        self.asker.hits(&request).await
    }

    /// Waits until this path is found, and gives all that is.
    pub(super) async fn find(&self, query: &str, path: &str) -> Held<Vec<Value>> {
        self.find_until(query, &format!("a hit in {path:?}"), |hits| {
            hits.iter().any(|hit| hit["path"] == path)
        })
        .await
    }

    pub(super) async fn find_until(
        &self,
        query: &str,
        what: &str,
        enough: impl Fn(&[Value]) -> bool,
    ) -> Held<Vec<Value>> {
        let begun = Instant::now();
        loop {
            let hits = self.search(query).await?;
            if enough(&hits) {
                return Ok(hits);
            }
            if begun.elapsed() >= self.asker.target.patience {
                return Err(format!("/search for {query:?} finds {}, and not {what}", brief(&hits)));
            }
            sleep(BREATH).await;
        }
    }
}

impl Asker {
    /// The results of a search.
    pub(super) async fn hits(&self, request: &Value) -> Held<Vec<Value>> {
        let reply = self.ask("/search", request).await?;
        let results = reply["results"].as_array();
        results.cloned().ok_or_else(|| "the reply of /search has no list `results`".to_owned())
    }
}

/// The root over these lines of files.
fn root_hash(lines: &str) -> String {
    hex::digits(&Sha256::digest(lines))
}

/// Which places were found.
pub(super) fn brief(hits: &[Value]) -> String {
    let places: Vec<String> = hits
        .iter()
        .take(20)
        .map(|hit| {
            format!("{}#{}", hit["path"].as_str().unwrap_or("?"), hit["symbol"].as_str().unwrap_or("?"))
        })
        .collect();
    if places.is_empty() { "nothing".to_owned() } else { places.join(", ") }
}

/// Fails with these words unless it holds.
pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Fails unless both are the same.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, due: &T) -> Held {
    ensure(got == due, || format!("{what} is {got:?}, where {due:?} is due"))
}

fn with_reference(object: &mut Value, reference: Option<&str>) {
    if let Some(reference) = reference {
        object["ref"] = json!(reference);
    }
}
