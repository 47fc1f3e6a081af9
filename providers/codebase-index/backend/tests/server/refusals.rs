//! Requests that are wrong, and stores that fail: always a message and a code, never more.

use std::sync::Arc;

use ctxhost_index::store::{ChunkId, Scope, Scored, Serving, Store, StoreError, StoredChunk, TextId};
use ctxhost_protocol::codebase_index::{IndexRequest, SyncReply, SyncRequest};
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::{Plan, Running, assert_refused, header, refused};

async fn send(server: &Running, path: &str, kind: Option<&str>, body: &str) -> reqwest::Response {
    let mut request = server.request(Method::POST, &server.data(path), &server.token()).body(body.to_owned());
    if let Some(kind) = kind {
        request = request.header("content-type", kind);
    }
    request.send().await.expect("an answer")
}

const JSON: Option<&str> = Some("application/json");

#[tokio::test]
async fn what_is_no_json_or_of_another_shape_is_400_and_the_place_is_named() {
    let server = Running::new().await;
    for (path, body, place) in [
        ("/sync", "", "body"),
        ("/sync", "{", "line 1"),
        ("/sync", "[]", "body"),
        ("/sync", "{}", "repos"),
        ("/sync", "{\"repos\":[]} x", "follows"),
        ("/sync", "{\"repos\":[{\"name\":\"a\"}]}", "repos[0]"),
        (
            "/sync",
            "{\"repos\":[{\"name\":\"a\",\"rootHash\":\"b\",\"files\":[{\"path\":1}]}]}",
            "repos[0].files[0].path",
        ),
        ("/index", "{\"chunks\":null}", "chunks"),
        ("/search", "{\"query\":\"\\ud800\"}", "query"),
        ("/search", "\u{0}", "body"),
    ] {
        let (status, code, message) = refused(send(&server, path, JSON, body).await).await;
        assert_eq!((status, code.as_str()), (400, "bad-request"), "{path} {body}: {message}");
        assert!(message.contains(place), "{path} {body}: {message}");
    }
    let deep = "[".repeat(100_000);
    assert_refused(send(&server, "/sync", JSON, &deep).await, 400, "bad-request").await;
    let long = format!("{{\"query\":{{\"{}\":1}}}}", "x".repeat(100_000));
    let (_, _, message) = refused(send(&server, "/search", JSON, &long).await).await;
    assert!(message.len() < 2000);
}

#[tokio::test]
async fn another_content_type_or_coding_is_415() {
    let server = Running::new().await;
    for kind in
        [None, Some("text/plain"), Some("application/jsonx"), Some("application/x-www-form-urlencoded")]
    {
        assert_refused(send(&server, "/sync", kind, "{\"repos\":[]}").await, 415, "unsupported-media-type")
            .await;
    }
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        assert_eq!(send(&server, "/sync", Some(kind), "{\"repos\":[]}").await.status(), StatusCode::OK);
    }
    let request = server.request(Method::POST, &server.data("/sync"), &server.token());
    let request = request.header("content-encoding", "gzip").json(&json!({ "repos": [] }));
    assert_refused(request.send().await.expect("an answer"), 415, "unsupported-media-type").await;
}

#[tokio::test]
async fn another_method_is_405_and_another_path_404_behind_the_guard() {
    let server = Running::new().await;
    let token = server.token();
    let ask = async |method: Method, url: String| {
        server.request(method, &url, &token).send().await.expect("an answer")
    };
    for (method, path, allowed) in [
        (Method::GET, "/sync", "POST"),
        (Method::PUT, "/index", "POST"),
        (Method::OPTIONS, "/search", "POST"),
        (Method::POST, "/health", "GET, HEAD"),
    ] {
        let answer = ask(method, server.data(path)).await;
        assert_eq!(header(&answer, "allow"), allowed);
        assert_refused(answer, 405, "method-not-allowed").await;
    }
    for path in [
        "/",
        "/codebase-index",
        "/codebase-index/",
        "/codebase-index/sync/",
        "/health",
        "/auth/dev",
        "/auth/",
    ] {
        assert_refused(ask(Method::GET, server.url(path)).await, 404, "not-found").await;
    }
    assert_refused(ask(Method::DELETE, server.url("/auth/dev/start")).await, 405, "method-not-allowed").await;
}

#[tokio::test]
async fn what_the_store_refuses_has_its_status_and_word() {
    let server = Running::new().await;
    let repo = json!({ "name": "a", "rootHash": "r", "files": [{ "path": "x", "hash": "h" }] });
    let chunk = |path: &str| json!({ "repo": "a", "path": path, "symbol": "s", "lang": "", "content": "" });
    server.ask(&server.token(), "/sync", &json!({ "repos": [repo.clone()] })).await;
    for (path, body, status, code) in [
        ("/sync", json!({ "repos": [repo.clone(), repo] }), 400, "duplicate"),
        ("/sync", json!({ "repos": [{ "name": "new", "rootHash": "r" }] }), 422, "files-needed"),
        ("/index", json!({ "chunks": [chunk("y")] }), 422, "not-listed"),
        ("/index", json!({ "chunks": [chunk("x"), chunk("x")] }), 400, "duplicate"),
        ("/index", json!({ "chunks": vec![chunk("x"); 513] }), 413, "too-large"),
        ("/search", json!({ "query": "a", "limit": 101 }), 422, "over-limit"),
    ] {
        let (was, called, message) = refused(send(&server, path, JSON, &body.to_string()).await).await;
        assert_eq!((was, called.as_str()), (status, code), "{path}: {message}");
    }
}

type Fail = fn() -> StoreError;

/// A store of which every call does the same.
struct Failing(Fail);

impl Store for Failing {
    fn sync(&self, _: &str, _: &SyncRequest, _: i64) -> Result<SyncReply, StoreError> {
        Err((self.0)())
    }

    fn index(&self, _: &str, _: &IndexRequest, _: i64) -> Result<u64, StoreError> {
        Err((self.0)())
    }

    fn lexical(&self, _: &str, _: &Scope, _: &[String], _: usize) -> Result<Vec<Scored>, StoreError> {
        Err((self.0)())
    }

    fn exact(
        &self,
        _: &str,
        _: &Scope,
        _: &[String],
        _: &[String],
        _: usize,
    ) -> Result<Vec<ChunkId>, StoreError> {
        Err((self.0)())
    }

    fn dense(&self, _: &str, _: &Scope, _: i64, _: &[f32], _: usize) -> Result<Vec<Scored>, StoreError> {
        Err((self.0)())
    }

    fn chunks(&self, _: &str, _: &[ChunkId]) -> Result<Vec<StoredChunk>, StoreError> {
        Err((self.0)())
    }

    fn generation(&self, _: &str, _: u32) -> Result<i64, StoreError> {
        Err((self.0)())
    }

    fn serving(&self, _: &str) -> Result<Option<Serving>, StoreError> {
        Err((self.0)())
    }

    fn unembedded(&self, _: i64, _: usize) -> Result<Vec<(TextId, String)>, StoreError> {
        Err((self.0)())
    }

    fn waiting(&self, _: &str, _: i64) -> Result<u64, StoreError> {
        Err((self.0)())
    }

    fn put_vectors(&self, _: i64, _: &[(TextId, Vec<f32>)]) -> Result<(), StoreError> {
        Err((self.0)())
    }

    fn prune(&self, _: i64) -> Result<(), StoreError> {
        Err((self.0)())
    }
}

#[tokio::test]
async fn a_store_that_fails_or_panics_is_answered_and_the_reason_goes_to_the_log_alone() {
    let cases: [(Fail, u16, &str); 4] = [
        (|| StoreError::Busy, 503, "unavailable"),
        (|| StoreError::Full("reason".to_owned()), 503, "full"),
        (|| StoreError::Damaged("reason".to_owned()), 500, "internal"),
        (|| panic!("reason"), 500, "internal"),
    ];
    for (fail, status, code) in cases {
        let server = Running::with(Plan { store: Some(Arc::new(Failing(fail))), ..Plan::default() }).await;
        for (path, body) in [
            ("/sync", json!({ "repos": [] })),
            ("/index", json!({ "chunks": [] })),
            ("/search", json!({ "query": "a" })),
        ] {
            let answer = send(&server, path, JSON, &body.to_string()).await;
            assert_eq!(answer.headers().contains_key("retry-after"), status == 503);
            let (was, called, message) = refused(answer).await;
            assert_eq!((was, called.as_str()), (status, code), "{path}");
            assert!(!message.contains("reason"), "{message}");
        }
        assert_eq!(server.health(&server.token()).await.status(), StatusCode::OK, "it goes on");
    }
}
