//! Asks a backend over HTTP, as a client would that knows nothing but the contract.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use reqwest::{Client, Method, StatusCode, header::CONTENT_TYPE, redirect::Policy};
use serde_json::{Value, json};

use super::{
    Target,
    repo::{Repo, root_hash, with_reference},
};
use crate::hex;

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(60);

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
        Ok(self.named(&format!("conformance-{random}")))
    }

    /// A repository of this name.
    pub(super) fn named(&self, name: &str) -> Repo<'_> {
        Repo { asker: self, name: name.to_owned(), reference: None }
    }

    /// Remembers that a checkout is used, to take it away again.
    pub(super) fn note(&self, name: &str, reference: Option<&str>) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let this = (name.to_owned(), reference.map(str::to_owned));
        if !used.contains(&this) {
            used.push(this);
        }
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

impl Asker {
    /// The results of a search.
    pub(super) async fn hits(&self, request: &Value) -> Held<Vec<Value>> {
        let reply = self.ask("/search", request).await?;
        let results = reply["results"].as_array();
        results.cloned().ok_or_else(|| "the reply of /search has no list `results`".to_owned())
    }
}

/// Fails with these words unless it holds.
pub(super) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Fails unless both are the same.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, due: &T) -> Held {
    ensure(got == due, || format!("{what} is {got:?}, where {due:?} is due"))
}
