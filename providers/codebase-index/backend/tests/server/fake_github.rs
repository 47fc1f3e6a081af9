//! A stand-in for GitHub that holds the flow to what GitHub asks of it: one use of a code, the secret, PKCE.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use ctxhost_index::auth::{GitHub, Settings};
use oauth2::{PkceCodeChallenge, PkceCodeVerifier};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{Plan, REDIRECT, Running, header as head, parameter};

/// How it behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mood {
    #[default]
    Well,
    /// The person refuses.
    Denied,
    /// Codes become an error of the server, nothing at all, a page, or a refusal of the app.
    TokenFails,
    TokenHangs,
    TokenIsHtml,
    TokenRefusesApp,
    /// The API fails, or answers a page.
    ApiFails,
    ApiIsHtml,
}

#[derive(Default)]
struct Inner {
    mood: Mood,
    /// The person at the browser.
    person: String,
    /// Who belongs where.
    orgs: HashMap<String, Vec<String>>,
    /// Codes that were given out: who, and PKCE's challenge.
    codes: HashMap<String, (String, String)>,
    used: HashSet<String>,
    tokens: HashMap<String, String>,
    asked_api: usize,
}

/// The stand-in.
#[derive(Clone)]
pub(super) struct FakeGitHub {
    url: String,
    inner: Arc<Mutex<Inner>>,
}

impl FakeGitHub {
    pub(super) async fn new(person: &str, orgs: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let fake = Self { url, inner: Arc::default() };
        fake.person(person, orgs);
        let router = Router::new()
            .route("/login/oauth/authorize", get(authorize))
            .route("/login/oauth/access_token", post(access_token))
            .route("/api/user", get(user))
            .route("/api/user/orgs", get(user_orgs))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        fake
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("no panic")
    }

    /// Who sits at the browser from now on, and where they belong.
    pub(super) fn person(&self, name: &str, orgs: &[&str]) {
        let mut inner = self.lock();
        inner.person = name.to_owned();
        inner.orgs.insert(name.to_owned(), orgs.iter().map(|org| (*org).to_owned()).collect());
    }

    pub(super) fn mood(&self, mood: Mood) {
        self.lock().mood = mood;
    }

    /// The person takes back what they allowed.
    pub(super) fn withdraw(&self) {
        self.lock().tokens.clear();
    }

    pub(super) fn asked_api(&self) -> usize {
        self.lock().asked_api
    }

    pub(super) fn settings(&self, callback: &str, orgs: &[&str]) -> GitHub {
        let url = |path: &str| format!("{}{path}", self.url).parse().expect("an address");
        GitHub {
            client_id: "the-app".to_owned(),
            client_secret: "the-secret".to_owned(),
            orgs: orgs.iter().map(|org| (*org).to_owned()).collect(),
            authorize_url: url("/login/oauth/authorize"),
            token_url: url("/login/oauth/access_token"),
            api_url: url("/api"),
            callback_url: callback.parse().expect("an address"),
            patience: Duration::from_millis(500),
        }
    }
}

/// A server whose people log in by the stand-in.
pub(super) async fn with_github(fake: &FakeGitHub, orgs: &[&str]) -> Running {
    with_github_behind(fake, orgs, |router| router).await
}

/// The same with something in front of it.
pub(super) async fn with_github_behind(
    fake: &FakeGitHub,
    orgs: &[&str],
    wrap: fn(axum::Router) -> axum::Router,
) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let callback = format!("http://{}/auth/github/callback", listener.local_addr().expect("an address"));
    let github = Some(fake.settings(&callback, orgs));
    let settings = Settings { issuer: "test".to_owned(), dev: None, github };
    Running::on(listener, Plan { settings, wrap, ..Plan::default() })
}

/// The way of a browser up to where it comes back: the address, and the cookie it kept.
pub(super) async fn to_callback(server: &Running) -> (String, String) {
    let start = server.url(&format!("/auth/github/start?redirect_url={REDIRECT}"));
    let answer = server.client.get(start).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::FOUND);
    let cookie = head(&answer, "set-cookie").split(';').next().expect("a cookie").to_owned();
    let asked = server.client.get(head(&answer, "location")).send().await.expect("an answer");
    assert_eq!(asked.status(), StatusCode::FOUND);
    (head(&asked, "location"), cookie)
}

/// The browser comes back.
pub(super) async fn come_back(server: &Running, address: &str, cookie: &str) -> reqwest::Response {
    server.client.get(address).header("cookie", cookie).send().await.expect("an answer")
}

/// A whole login: access and refresh token.
pub(super) async fn log_in(server: &Running) -> (String, String) {
    let (address, cookie) = to_callback(server).await;
    let answer = come_back(server, &address, &cookie).await;
    assert_eq!(answer.status(), StatusCode::FOUND, "{:?}", answer.text().await);
    let location = head(&answer, "location");
    assert!(location.starts_with(REDIRECT), "{location}");
    (parameter(&location, "token").expect("a token"), parameter(&location, "refresh_token").expect("another"))
}

type Asked = Query<HashMap<String, String>>;

async fn authorize(State(fake): State<FakeGitHub>, Query(asked): Asked) -> Response {
    assert_eq!(asked["client_id"], "the-app");
    assert_eq!(asked["response_type"], "code");
    assert_eq!(asked["scope"], "read:org");
    assert_eq!(asked["code_challenge_method"], "S256");
    let mut inner = fake.lock();
    let mut back: url::Url = asked["redirect_uri"].parse().expect("an address");
    back.query_pairs_mut().append_pair("state", &asked["state"]);
    if inner.mood == Mood::Denied {
        back.query_pairs_mut().append_pair("error", "access_denied");
    } else {
        let code = format!("code-{}", inner.codes.len());
        let person = inner.person.clone();
        inner.codes.insert(code.clone(), (person, asked["code_challenge"].clone()));
        back.query_pairs_mut().append_pair("code", &code);
    }
    (StatusCode::FOUND, [(header::LOCATION, back.to_string())]).into_response()
}

async fn access_token(State(fake): State<FakeGitHub>, body: String) -> Response {
    let mood = fake.lock().mood;
    match mood {
        Mood::TokenFails => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Mood::TokenHangs => tokio::time::sleep(Duration::from_secs(30)).await,
        Mood::TokenIsHtml => return page(),
        Mood::TokenRefusesApp => return refuse("incorrect_client_credentials"),
        _ => {}
    }
    let form: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let mut inner = fake.lock();
    if form["client_id"] != "the-app" || form["client_secret"] != "the-secret" {
        return refuse("incorrect_client_credentials");
    }
    let code = form["code"].clone();
    let Some((person, challenge)) = inner.codes.get(&code).cloned() else {
        return refuse("bad_verification_code");
    };
    let verifier = PkceCodeVerifier::new(form["code_verifier"].clone());
    let proven = PkceCodeChallenge::from_code_verifier_sha256(&verifier).as_str() == challenge;
    if !proven || !inner.used.insert(code) {
        return refuse("bad_verification_code");
    }
    let token = format!("gho_{}", inner.used.len());
    inner.tokens.insert(token.clone(), person);
    Json(json!({ "access_token": token, "token_type": "bearer", "scope": "read:org" })).into_response()
}

/// GitHub refuses with status 200.
fn refuse(word: &str) -> Response {
    Json(json!({ "error": word, "error_description": "no" })).into_response()
}

fn page() -> Response {
    ([(header::CONTENT_TYPE, "text/html")], "<html>Unicorn!</html>").into_response()
}

async fn user(State(fake): State<FakeGitHub>, headers: HeaderMap) -> Response {
    api(&fake, &headers, |_, person| json!({ "login": person, "id": 1 }))
}

async fn user_orgs(State(fake): State<FakeGitHub>, headers: HeaderMap, Query(asked): Asked) -> Response {
    let number = |name: &str| asked[name].parse::<usize>().expect("a number");
    let (page, size) = (number("page"), number("per_page"));
    api(&fake, &headers, |inner, person| {
        let orgs = inner.orgs.get(person).into_iter().flatten();
        orgs.skip((page - 1) * size).take(size).map(|org| json!({ "login": org, "id": 2 })).collect()
    })
}

fn api(fake: &FakeGitHub, headers: &HeaderMap, answer: impl Fn(&Inner, &str) -> Value) -> Response {
    let mut inner = fake.lock();
    inner.asked_api += 1;
    match inner.mood {
        Mood::ApiFails => return StatusCode::BAD_GATEWAY.into_response(),
        Mood::ApiIsHtml => return page(),
        _ => {}
    }
    let token = headers[header::AUTHORIZATION].to_str().expect("text").trim_start_matches("Bearer ");
    match inner.tokens.get(token) {
        Some(person) => Json(answer(&inner, person)).into_response(),
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}
