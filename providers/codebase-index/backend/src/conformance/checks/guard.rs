//! Who gets in, and how a request is refused.

use ctxhost_protocol::codebase_index::{ErrorBody, Health};
use reqwest::Method;
use serde_json::{Value, json};

use crate::conformance::asker::{Answer, Asker, Held, ensure};

const JSON: &str = "application/json";

fn requests() -> [(&'static str, Value); 3] {
    [
        ("/sync", json!({ "repos": [] })),
        ("/index", json!({ "chunks": [] })),
        ("/search", json!({ "query": "anything" })),
    ]
}

async fn without_token(asker: &Asker) -> Held<Answer> {
    let path = format!("{}/search", asker.target.base_path);
    asker.send(Method::POST, &path, None, JSON, Some(json!({ "query": "anything" }).to_string())).await
}

pub(super) async fn token(asker: &Asker) -> Held {
    for (path, body) in requests() {
        // The first is how it has to be, so that a backend which refuses everything is seen.
        asker.ask(path, &body).await?;
        for token in [None, Some("x.y.z")] {
            let path = format!("{}{path}", asker.target.base_path);
            let answer = asker.send(Method::POST, &path, token, JSON, Some(body.to_string())).await?;
            if answer.status.as_u16() != 401 {
                let with = if token.is_some() { "a made-up token" } else { "no token" };
                return Err(format!("{path} answers {} to {with}, where 401 is due", answer.status));
            }
        }
    }
    Ok(())
}

pub(super) async fn says_why(asker: &Asker) -> Held {
    without_token(asker).await?.explained()?;
    let answer = asker.post_text("/search", JSON, "{".to_owned()).await?;
    ensure(!answer.status.is_success(), || "a body that is no JSON is answered by a success".to_owned())?;
    answer.explained()
}

pub(super) async fn refresh(asker: &Asker) -> Held {
    let path = format!("/auth/{}/refresh", asker.target.auth_provider);
    let body = json!({ "refresh_token": "made-up" }).to_string();
    let answer = asker.send(Method::POST, &path, None, JSON, Some(body)).await?;
    ensure(answer.status.is_client_error(), || {
        format!("{path} answers {} to a made-up token, where a refusal is due", answer.status)
    })?;
    answer.explained()
}

pub(super) async fn null(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let mut state = repo.state(&[("a.rs", 1)]);
    state["ref"] = Value::Null;
    repo.sync_as(state).await?;
    let mut chunk = repo.chunk("a.rs", 1, "a", "fn a() {}");
    for name in ["fileHash", "fileChunks", "ref", "lineStart", "lineEnd"] {
        chunk[name] = Value::Null;
    }
    asker.ask("/index", &json!({ "chunks": [chunk], "remove": null })).await?;
    let request = json!({ "query": "fn a", "repo": repo.name, "lang": null, "limit": null, "views": null });
    for hit in asker.hits(&request).await? {
        let null = hit.as_object().into_iter().flatten().find(|(_, value)| value.is_null());
        ensure(null.is_none(), || format!("a hit has null: {hit}"))?;
    }
    Ok(())
}

pub(super) async fn unknown(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let mut state = repo.state(&[("a.rs", 1)]);
    state["surprise"] = json!({ "of": "tomorrow" });
    repo.sync_as(state).await?;
    let mut chunk = repo.chunk("a.rs", 1, "a", "fn a() {}");
    chunk["surprise"] = json!(1);
    asker.ask("/index", &json!({ "chunks": [chunk], "surprise": [] })).await?;
    asker.ask("/search", &json!({ "query": "a", "repo": repo.name, "surprise": true })).await.map(|_| ())
}

pub(super) async fn bad(asker: &Asker) -> Held {
    for path in ["/sync", "/index", "/search"] {
        for body in ["", "{", "[]", r#"{"repos":1,"chunks":1,"query":1}"#, "{}"] {
            asker.post_text(path, JSON, body.to_owned()).await?.refused(&[400])?;
        }
    }
    Ok(())
}

pub(super) async fn media(asker: &Asker) -> Held {
    for (path, body) in requests() {
        asker.post_text(path, "text/plain", body.to_string()).await?.refused(&[415])?;
    }
    Ok(())
}

pub(super) async fn nowhere(asker: &Asker) -> Held {
    asker.post("/no-such-endpoint", &json!({})).await?.refused(&[404])?;
    asker.get("/search", Some(&asker.target.token)).await?.refused(&[405])
}

pub(super) async fn code(asker: &Asker) -> Held {
    for (answer, due) in [
        (without_token(asker).await?, "token-missing"),
        (asker.post_text("/sync", JSON, "{".to_owned()).await?, "bad-request"),
        (asker.post("/no-such-endpoint", &json!({})).await?, "not-found"),
    ] {
        let body: ErrorBody = serde_json::from_value(answer.json()?)
            .map_err(|error| format!("the body of a refusal is not of its schema: {error}"))?;
        ensure(body.code.as_deref() == Some(due), || {
            format!("the code of a refusal is {:?}, where {due:?} is due", body.code)
        })?;
    }
    Ok(())
}

pub(super) async fn redirect(asker: &Asker) -> Held {
    for foreign in ["https://example.org/cb", "http://127.0.0.1.example.org/cb", "http://x@example.org/cb"] {
        let query = url::form_urlencoded::byte_serialize(foreign.as_bytes()).collect::<String>();
        let path = format!("/auth/{}/start?redirect_url={query}", asker.target.auth_provider);
        let answer = asker.send(Method::GET, &path, None, "", None).await?;
        ensure(answer.status.is_client_error(), || {
            format!("{path} answers {} to {:?}, where a refusal is due", answer.status, answer.location)
        })?;
    }
    Ok(())
}

pub(super) async fn health(asker: &Asker) -> Held {
    asker.get("/health", None).await?.refused(&[401])?;
    let answer = asker.get("/health", Some(&asker.target.token)).await?.good()?;
    let health: Health = serde_json::from_value(answer)
        .map_err(|error| format!("the answer of /health is not of its schema: {error}"))?;
    let limits = [u64::from(health.max_chunks), u64::from(health.max_content_bytes), health.max_body_bytes];
    ensure(health.status == "ok", || format!("`status` is {:?}", health.status))?;
    ensure(!health.embedder.is_empty(), || "`embedder` is empty".to_owned())?;
    ensure(limits.iter().all(|limit| *limit > 0) && health.max_limit > 0, || "a limit is 0".to_owned())
}
