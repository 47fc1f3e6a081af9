//! Which tokens let in.

use std::fs;

use ctxhost_index::auth::{Auth, Rotation};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{NOW, Plan, Running, assert_refused};

/// The key that this server signs by: its name and its bytes.
fn key(server: &Running) -> (String, Vec<u8>) {
    let text = fs::read_to_string(server.folder.path().join("keys.json")).expect("keys");
    let keys: Value = serde_json::from_str(&text).expect("JSON");
    let text = |name: &str| keys["keys"][0][name].as_str().expect("text").to_owned();
    let digits = text("secret");
    let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
    (text("kid"), (0..digits.len()).step_by(2).map(byte).collect())
}

/// What a good access token says.
fn claims() -> Value {
    json!({
        "iss": "test", "aud": "codebase-index", "typ": "access", "username": "me", "org": "local",
        "provider": "dev", "fam": "f", "jti": "j", "iat": NOW, "exp": NOW + 3600,
    })
}

fn sign(server: &Running, claims: &Value) -> String {
    let (kid, secret) = key(server);
    let header = Header { kid: Some(kid), ..Header::new(Algorithm::HS256) };
    encode(&header, claims, &EncodingKey::from_secret(&secret).expect("a key")).expect("a token")
}

async fn assert_invalid(server: &Running, token: &str) {
    assert_refused(server.health(token).await, 401, "token-invalid").await;
}

#[tokio::test]
async fn no_token_or_none_that_is_called_bearer_is_401() {
    let server = Running::new().await;
    for (method, path) in [
        (Method::POST, "/codebase-index/sync"),
        (Method::POST, "/codebase-index/index"),
        (Method::POST, "/codebase-index/search"),
        (Method::GET, "/codebase-index/health"),
        (Method::DELETE, "/codebase-index/sync"),
        (Method::GET, "/"),
        (Method::GET, "/codebase-index/unknown"),
        (Method::GET, "/authentic"),
    ] {
        let answer = server.client.request(method, server.url(path)).send().await.expect("an answer");
        assert_eq!(super::header(&answer, "www-authenticate"), "Bearer");
        assert_refused(answer, 401, "token-missing").await;
    }
    for authorization in ["", "Bearer", "Bearer ", "Basic bWU6bWU=", &server.token()] {
        let request = server.client.get(server.data("/health")).header("authorization", authorization);
        assert_refused(request.send().await.expect("an answer"), 401, "token-missing").await;
    }
}

#[tokio::test]
async fn the_schemes_name_has_no_case() {
    let server = Running::new().await;
    let authorization = format!("bEaReR {}", server.token());
    let request = server.client.get(server.data("/health")).header("authorization", authorization);
    assert_eq!(request.send().await.expect("an answer").status(), StatusCode::OK);
}

#[tokio::test]
async fn a_token_with_another_issuer_audience_or_kind_is_401() {
    let server = Running::new().await;
    assert_eq!(server.health(&sign(&server, &claims())).await.status(), StatusCode::OK);
    for (name, value) in [
        ("iss", json!("other")),
        ("aud", json!("other")),
        ("aud", json!(null)),
        ("typ", json!("refresh")),
        ("typ", json!(null)),
        ("exp", json!("tomorrow")),
        ("exp", json!(NOW + 3601)),
        ("iat", json!(NOW + 61)),
        ("fam", json!(7)),
    ] {
        let mut changed = claims();
        changed[name] = value.clone();
        println!("{name} {value}");
        assert_invalid(&server, &sign(&server, &changed)).await;
    }
    for name in ["iss", "aud", "exp", "iat", "typ", "org"] {
        let mut changed = claims();
        changed.as_object_mut().expect("an object").remove(name);
        println!("without {name}");
        assert_invalid(&server, &sign(&server, &changed)).await;
    }
}

#[tokio::test]
async fn an_expired_token_is_401_and_says_so() {
    let server = Running::new().await;
    let token = server.token();
    server.pass(3600);
    assert_eq!(server.health(&token).await.status(), StatusCode::OK, "clocks may be a minute apart");
    server.pass(60);
    assert_refused(server.health(&token).await, 401, "token-expired").await;
}

#[tokio::test]
async fn a_token_of_a_clock_a_minute_ahead_lets_in() {
    let server = Running::new().await;
    let token = server.token();
    server.pass(-60);
    assert_eq!(server.health(&token).await.status(), StatusCode::OK);
    server.pass(-1);
    assert_invalid(&server, &token).await;
}

#[tokio::test]
async fn a_token_that_nobody_or_someone_else_signed_is_401() {
    let server = Running::new().await;
    let good = sign(&server, &claims());
    let (kid, secret) = key(&server);
    let parts: Vec<&str> = good.split('.').collect();
    // {"alg":"none","kid":…} and the like, in base64url.
    let none = "eyJhbGciOiJub25lIn0";
    assert_invalid(&server, &format!("{none}.{}.", parts[1])).await;
    assert_invalid(&server, &format!("{none}.{}.{}", parts[1], parts[2])).await;
    assert_invalid(&server, &format!("{}.{}.", parts[0], parts[1])).await;
    assert_invalid(&server, "a.b.c").await;
    assert_invalid(&server, &"a".repeat(8000)).await;
    let with = |header: Header, secret: &[u8]| {
        encode(&header, &claims(), &EncodingKey::from_secret(secret).expect("a key")).expect("a token")
    };
    let named = |algorithm| Header { kid: Some(kid.clone()), ..Header::new(algorithm) };
    assert_invalid(&server, &with(named(Algorithm::HS256), &[7; 32])).await;
    assert_invalid(&server, &with(named(Algorithm::HS512), &secret)).await;
    assert_invalid(&server, &with(Header::new(Algorithm::HS256), &secret)).await;
    let other = Header { kid: Some("other".to_owned()), ..Header::new(Algorithm::HS256) };
    assert_invalid(&server, &with(other, &secret)).await;
}

#[tokio::test]
async fn an_organisation_that_may_not_enter_any_more_is_403() {
    let server = Running::new().await;
    for (name, value) in [("org", "acme"), ("provider", "github")] {
        let mut changed = claims();
        changed[name] = json!(value);
        assert_refused(server.health(&sign(&server, &changed)).await, 403, "not-allowed").await;
    }
}

#[tokio::test]
async fn a_rotated_key_verifies_what_it_signed_and_a_forgotten_one_does_not() {
    let server = Running::new().await;
    let (token, first) = (server.token(), key(&server));
    let clock: ctxhost_index::surroundings::Clock = std::sync::Arc::new(|| NOW);
    Auth::rotate(server.folder.path(), Rotation::Now, &clock).expect("rotated");
    let next = Running::with(Plan { folder: Some(server.folder), ..Plan::default() }).await;
    assert_ne!(key(&next), first, "another key signs");
    assert_eq!(next.health(&token).await.status(), StatusCode::OK);
    let newer = next.token();
    assert_eq!(next.health(&newer).await.status(), StatusCode::OK);
    Auth::rotate(next.folder.path(), Rotation::Forget, &clock).expect("rotated");
    let last = Running::with(Plan { folder: Some(next.folder), ..Plan::default() }).await;
    assert_invalid(&last, &token).await;
    assert_invalid(&last, &newer).await;
}
