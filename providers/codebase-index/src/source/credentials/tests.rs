use std::{
    collections::VecDeque,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{Router, body::Bytes, http::StatusCode, routing::post};
use ctxhost_sdk::{prelude::json, serde_json::Value};

use super::*;
use crate::source::{backend::Address, limits::Limits};

/// A backend's endpoints of a login; it gives pair after pair, and answers with what is told first.
#[derive(Clone, Default)]
struct Accounts {
    instead: Arc<Mutex<VecDeque<(u16, String)>>>,
    asked: Arc<AtomicUsize>,
}

impl Accounts {
    async fn serve(&self) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let this = self.clone();
        let refresh = move |body: Bytes| {
            let this = this.clone();
            async move { this.answer(&body) }
        };
        let router = Router::new().route("/auth/acme/refresh", post(refresh));
        tokio::spawn(async move { axum::serve(listener, router).await });
        url
    }

    fn answer(&self, body: &[u8]) -> (StatusCode, String) {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if let Some((status, text)) = self.instead.lock().unwrap().pop_front() {
            return (StatusCode::from_u16(status).unwrap(), text);
        }
        let body: Value = ctxhost_sdk::serde_json::from_slice(body).unwrap();
        assert_eq!(body["refresh_token"], json!(format!("r{number}")), "each is used once");
        let next = number + 1;
        let pair = json!({"access_token": format!("t{next}"), "refresh_token": format!("r{next}"), "expires_in": 3_600});
        (StatusCode::OK, pair.to_string())
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

fn credentials(state: &Path, url: &str) -> Credentials {
    let address = Address { url: url.to_owned(), base_path: "/codebase-index".to_owned(), ca_file: None };
    let account = Account::new(&address, "acme", &Limits::default()).unwrap();
    let calendar = Calendar::new(|| 0);
    calendar.set(1_000.0);
    Credentials::new(state, account, Arc::new(calendar), Arc::default())
}

/// Keeps a login whose token ends after so many seconds.
fn keep(credentials: &Credentials, ends_after: f64) {
    let pair = Pair { token: "t0".to_owned(), refresh_token: Some("r0".to_owned()) };
    let login = Login { ends: Some(1_000.0 + ends_after), ..Login::new(&pair, None, 0.0) };
    credentials.0.write(Some(&login)).unwrap();
}

#[tokio::test]
async fn a_token_is_renewed_when_less_than_a_minute_is_left() {
    for (left, expected) in [(61.0, "t0"), (59.0, "t1"), (-5.0, "t1")] {
        let (state, accounts) = (tempfile::tempdir().unwrap(), Accounts::default());
        let credentials = credentials(state.path(), &accounts.serve().await);
        keep(&credentials, left);
        assert_eq!(credentials.token().await.as_deref(), Ok(expected), "{left}");
        assert_eq!(credentials.token().await.as_deref(), Ok(expected), "{left}");
        assert_eq!(accounts.asked(), usize::from(expected == "t1"));
    }
}

#[tokio::test]
async fn whoever_comes_second_takes_what_the_first_was_given() {
    let (state, accounts) = (tempfile::tempdir().unwrap(), Accounts::default());
    let url = accounts.serve().await;
    // As two processes would: nothing in common but the files.
    let (one, other) = (credentials(state.path(), &url), credentials(state.path(), &url));
    keep(&one, -5.0);
    let (first, second) = tokio::join!(one.token(), other.token());
    assert_eq!((first.as_deref(), second.as_deref()), (Ok("t1"), Ok("t1")));
    assert_eq!(
        other.renew("t0").await.as_deref(),
        Ok("t1"),
        "refused is another token than the one that holds"
    );
    assert_eq!(accounts.asked(), 1);
}

#[tokio::test]
async fn a_refusal_ends_it_and_anything_else_does_not() {
    for (status, text, ends) in [
        (401, r#"{"message": "used before"}"#, true),
        (400, "", true),
        (403, "no", true),
        (404, "not here", false),
        (429, "busy", false),
        (500, "broken", false),
        (200, "<html>", false),
        (302, "", false),
    ] {
        let (state, accounts) = (tempfile::tempdir().unwrap(), Accounts::default());
        let credentials = credentials(state.path(), &accounts.serve().await);
        keep(&credentials, -5.0);
        accounts.instead.lock().unwrap().push_back((status, text.to_owned()));
        let error = credentials.token().await.unwrap_err();
        let said = error.to_string();
        assert!(!said.contains("r0") && !said.contains("t0"), "{said}");
        assert_eq!(matches!(error, AuthError::LoginNeeded(_)), ends, "{status}: {said}");
        let kept = credentials.login().unwrap().unwrap();
        assert_eq!(
            (kept.refused.is_some(), kept.refresh_token.is_none(), kept.token.is_empty()),
            (ends, ends, ends)
        );
        // The reason stays, and nobody is asked again.
        if ends {
            assert_eq!(credentials.token().await, Err(error));
            assert_eq!(accounts.asked(), 1);
        }
    }
}

#[tokio::test]
async fn a_token_that_cannot_be_renewed_is_used_until_it_is_refused() {
    let state = tempfile::tempdir().unwrap();
    let credentials = credentials(state.path(), "http://127.0.0.1:9");
    assert!(matches!(credentials.token().await, Err(AuthError::LoginNeeded(_))));
    let pair = Pair { token: "only".to_owned(), refresh_token: None };
    credentials.keep(&pair, &Stop::default()).await.unwrap();
    assert_eq!(credentials.token().await.as_deref(), Ok("only"));
    assert!(matches!(credentials.renew("only").await, Err(AuthError::LoginNeeded(_))));
    assert!(credentials.login().unwrap().unwrap().refused.unwrap().contains("gives none to renew it"));
    // A new login puts that right.
    credentials.keep(&pair, &Stop::default()).await.unwrap();
    assert_eq!(credentials.token().await.as_deref(), Ok("only"));
    assert_eq!(credentials.forget(&Stop::default()).await.unwrap(), Some(Revoked::NotOffered));
    assert_eq!(credentials.forget(&Stop::default()).await.unwrap(), None);
}

#[tokio::test]
async fn whoever_leaves_does_not_lose_what_the_backend_gave() {
    let (state, accounts) = (tempfile::tempdir().unwrap(), Accounts::default());
    let credentials = credentials(state.path(), &accounts.serve().await);
    keep(&credentials, -5.0);
    // Asked, and left at once.
    let left = tokio::time::timeout(Duration::from_micros(1), credentials.token()).await;
    if left.is_err() {
        // What is held while it goes on is what the end of the program waits for.
        for _ in 0..500 {
            if credentials.login().unwrap().unwrap().token == "t1" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    assert_eq!(credentials.login().unwrap().unwrap().token, "t1");
}
