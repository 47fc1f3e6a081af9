use std::time::Instant;

use ctxhost_sdk::protocol::codebase_index::{FileHash, RepoState};

use super::*;
use crate::source::tests::model::{Fault, Fixed, Model};

mod secure;

fn quick() -> Limits {
    Limits {
        pause: Duration::from_millis(20),
        longest_pause: Duration::from_millis(1_500),
        total: Duration::from_millis(900),
        connect: Duration::from_millis(500),
        ..Limits::default()
    }
}

fn question() -> SearchRequest {
    SearchRequest { query: "where".into(), ..SearchRequest::default() }
}

/// Asks once while these things go wrong, and says what came of it and how often the backend was asked.
async fn ask(faults: impl IntoIterator<Item = Fault>) -> (Result<SearchReply, BackendError>, usize) {
    let model = Model::serve().await;
    model.fail("search", faults);
    let reply = model.backend(&quick()).search(&question()).await;
    let count = model.count("search");
    (reply, count)
}

fn status(status: u16) -> Fault {
    Fault::Status(status, "{\"message\": \"so it is\"}", None)
}

#[tokio::test]
async fn what_may_be_tried_again_is() {
    for fault in [status(503), status(429), Fault::Dropped { after: false }, Fault::Dropped { after: true }] {
        let (reply, count) = ask([fault.clone(), fault.clone()]).await;
        assert_eq!((reply.is_ok(), count), (true, 3), "{fault:?}");
        let (reply, count) = ask(vec![fault.clone(); 10]).await;
        assert_eq!((reply.is_err(), count), (true, 4), "{fault:?}");
    }
}

#[tokio::test]
async fn what_would_be_refused_again_is_asked_once() {
    let said = "so it is".to_owned();
    let rejected = |status| BackendError::Rejected { endpoint: "/search", status, message: said.clone() };
    for (number, expected) in [
        (400, rejected(400)),
        (404, rejected(404)),
        (422, rejected(422)),
        (403, BackendError::Forbidden(said.clone())),
        (413, BackendError::TooLarge(said.clone())),
        (500, BackendError::Failed { endpoint: "/search", status: 500, message: said.clone() }),
        (307, BackendError::Redirected { endpoint: "/search", status: 307 }),
    ] {
        let (reply, count) = ask([status(number)]).await;
        assert_eq!((reply.unwrap_err(), count), (expected, 1), "{number}");
    }
}

#[tokio::test]
async fn a_refused_token_is_renewed_once() {
    let model = Model::serve().await;
    model.kept().token = "second".into();
    let bearer = Arc::new(Fixed::default());
    let backend = Backend::new(&model.address(), bearer.clone(), &quick()).unwrap();
    assert!(backend.search(&question()).await.is_ok());
    assert!(backend.health().await.is_ok());
    assert_eq!((bearer.renewals(), model.count("search")), (1, 2));
    model.kept().token = "third".into();
    let error = backend.search(&question()).await.unwrap_err();
    assert!(matches!(error, BackendError::Auth(AuthError::LoginNeeded(_))), "{error}");

    model.kept().token = "neither".into();
    let error = model.backend(&quick()).search(&question()).await.unwrap_err();
    assert_eq!(error, BackendError::Unauthorized("the token has expired".into()));
}

#[tokio::test]
async fn the_wait_is_what_the_backend_asks_for_within_bounds() {
    for (after, least, most) in [("1", 1_000, 1_400), ("3600", 1_500, 1_900), ("soon", 20, 800)] {
        let begun = Instant::now();
        let (reply, _) = ask([Fault::Status(503, "", Some(after))]).await;
        let took = begun.elapsed();
        assert!(reply.is_ok());
        assert!(took >= Duration::from_millis(least), "{after}: {took:?}");
        assert!(took < Duration::from_millis(most + 2_000), "{after}: {took:?}");
    }
}

#[tokio::test]
async fn a_slow_backend_is_waited_for_once() {
    let begun = Instant::now();
    let (reply, count) = ask([Fault::Slow(Duration::from_secs(30))]).await;
    let error = reply.unwrap_err();
    assert_eq!(error, BackendError::TimedOut { endpoint: "/search", within: Duration::from_millis(900) });
    assert_eq!(count, 1);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn answers_that_are_none_are_errors() {
    for text in ["", "{", "[]", "{\"results\": 1}", "<html>", "{\"results\": [{}]}"] {
        let (reply, count) = ask([Fault::Says(text.into())]).await;
        assert!(matches!(reply, Err(BackendError::Garbage { endpoint: "/search", .. })), "{text}: {reply:?}");
        assert_eq!(count, 1);
    }
    let huge = format!("{{\"results\": [], \"x\": \"{}\"}}", "y".repeat(LARGEST_REPLY));
    let (reply, _) = ask([Fault::Says(huge)]).await;
    assert_eq!(reply, Err(BackendError::Oversize { endpoint: "/search", most: LARGEST_REPLY }));
}

#[tokio::test]
async fn nobody_there_is_said_within_the_tries() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let address = Address { url, base_path: "/codebase-index".into(), ca_file: None };
    let backend = Backend::new(&address, Arc::new(Fixed::default()), &quick()).unwrap();
    let error = backend.health().await.unwrap_err();
    assert!(matches!(error, BackendError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains("refused") && !error.to_string().contains("first"), "{error}");
}

#[tokio::test]
async fn a_dropped_request_ends_the_connection() {
    let model = Model::serve().await;
    model.fail("search", [Fault::Slow(Duration::from_secs(30))]);
    let backend = model.backend(&quick());
    let asked = tokio::time::timeout(Duration::from_millis(100), backend.search(&question())).await;
    assert!(asked.is_err());
    assert!(backend.health().await.is_ok(), "the next one is answered");
}

#[tokio::test]
async fn bodies_are_counted() {
    let model = Model::serve().await;
    let backend = model.backend(&quick());
    let files = Some(vec![FileHash { path: "a".into(), hash: "b".into() }]);
    let state = RepoState { name: "r".into(), root_hash: "x".into(), files, reference: None };
    let request = SyncRequest { repos: vec![state] };
    let length = serde_json::to_vec(&request).unwrap().len() as u64;
    backend.sync(&request).await.unwrap();
    assert_eq!(backend.bytes_up(), length);
    assert!(backend.bytes_down() > 0);
}

#[test]
fn addresses_are_checked() {
    let made = |url: &str, base_path: &str| {
        let address = Address { url: url.into(), base_path: base_path.into(), ca_file: None };
        Backend::new(&address, Arc::new(Fixed::default()), &quick()).map(|backend| backend.base().to_owned())
    };
    for (url, base_path, expected) in [
        ("http://127.0.0.1:7171", "/codebase-index", "http://127.0.0.1:7171/codebase-index"),
        ("http://localhost:7171/", "codebase-index/", "http://localhost:7171/codebase-index"),
        ("https://host.example/team", "/x/y", "https://host.example/team/x/y"),
        ("http://[::1]:1", "", "http://[::1]:1"),
    ] {
        assert_eq!(made(url, base_path).as_deref(), Ok(expected), "{url}");
    }
    for url in
        ["", "host", "ftp://host/", "file:///a", "http://", "http://me:secret@host/", "http://host/?a=b"]
    {
        let error = made(url, "/x").unwrap_err();
        assert!(matches!(error, BackendError::Setting(_)), "{url}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn certificates_are_checked_before_anything_is_sent() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("ca.pem");
    for (text, expected) in [(None, "cannot be read"), (Some("nothing"), "holds no certificate")] {
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let address = Address {
            url: "https://host.example".into(),
            base_path: "/x".into(),
            ca_file: Some(file.clone()),
        };
        let error = Backend::new(&address, Arc::new(Fixed::default()), &quick()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[tokio::test]
async fn a_certificate_counts_when_its_authority_is_named() {
    let server = secure::Server::start();
    let ask = |ca_file| {
        let address = Address { url: server.url.clone(), base_path: "/x".into(), ca_file };
        let backend = Backend::new(&address, Arc::new(Fixed::default()), &quick()).unwrap();
        async move { backend.health().await }
    };
    assert_eq!(ask(Some(server.authority())).await.unwrap().status, "ok");
    let error = ask(None).await.unwrap_err();
    assert!(matches!(error, BackendError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[test]
fn what_a_backend_says_becomes_one_line() {
    for (text, expected) in [
        ("{\"message\": \"no\\nway\"}", "no way"),
        ("plain \u{1b}[31m text", "plain [31m text"),
        ("  <html><body>…", "it answers with a page"),
        ("", "it does not say why"),
    ] {
        assert_eq!(message(text.as_bytes()), expected);
    }
    assert_eq!(message("x".repeat(9_000).as_bytes()).len(), LONGEST_MESSAGE);
}
