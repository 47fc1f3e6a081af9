//! Refreshing and logging out.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::{
    Plan, Running, assert_refused,
    fake_github::{FakeGitHub, Mood, log_in, with_github},
};

async fn post(server: &Running, what: &str, token: &str) -> reqwest::Response {
    let request = server.client.post(server.url(&format!("/auth/github/{what}")));
    request.json(&json!({ "refresh_token": token })).send().await.expect("an answer")
}

/// A new pair.
async fn refresh(server: &Running, token: &str) -> (String, String) {
    let answer = post(server, "refresh", token).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(super::header(&answer, "cache-control"), "no-store");
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(body["expires_in"], 3600);
    let text = |name: &str| body[name].as_str().expect("text").to_owned();
    (text("access_token"), text("refresh_token"))
}

async fn member() -> (FakeGitHub, Running, String, String) {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (token, refresh_token) = log_in(&server).await;
    (fake, server, token, refresh_token)
}

#[tokio::test]
async fn a_refresh_token_is_good_for_a_new_pair() {
    let (_fake, server, token, first) = member().await;
    server.pass(3660);
    assert_refused(server.health(&token).await, 401, "token-expired").await;
    let (token, second) = refresh(&server, &first).await;
    assert_ne!(first, second);
    assert_eq!(server.health(&token).await.status(), StatusCode::OK);
    server.pass(3600);
    refresh(&server, &second).await;
}

#[tokio::test]
async fn neither_kind_of_token_is_taken_for_the_other() {
    let (_fake, server, token, refresh_token) = member().await;
    assert_refused(server.health(&refresh_token).await, 401, "token-invalid").await;
    assert_refused(post(&server, "refresh", &token).await, 401, "token-invalid").await;
    assert_refused(post(&server, "refresh", "x").await, 401, "token-invalid").await;
}

#[tokio::test]
async fn a_refresh_token_ends_after_thirty_days() {
    let (_fake, server, _, refresh_token) = member().await;
    server.pass(30 * 86_400 + 60);
    assert_refused(post(&server, "refresh", &refresh_token).await, 401, "token-expired").await;
}

#[tokio::test]
async fn using_a_refresh_token_again_ends_the_whole_login_at_once() {
    let (_fake, server, first_access, first) = member().await;
    let (access, second) = refresh(&server, &first).await;
    server.pass(10);
    assert_refused(post(&server, "refresh", &first).await, 401, "token-invalid").await;
    // Whoever has the second one, thief or owner, is out as well, and so are the access tokens.
    assert_refused(post(&server, "refresh", &second).await, 401, "token-invalid").await;
    assert_refused(server.health(&access).await, 401, "token-invalid").await;
    assert_refused(server.health(&first_access).await, 401, "token-invalid").await;
    // Another login of the same person is not.
    let (other, _) = log_in(&server).await;
    assert_eq!(server.health(&other).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn two_that_refresh_at_once_get_the_same_successor() {
    let (_fake, server, _, first) = member().await;
    let all = tokio::join!(
        refresh(&server, &first),
        refresh(&server, &first),
        refresh(&server, &first),
        refresh(&server, &first)
    );
    let (one, two, three, four) = all;
    assert!([&two, &three, &four].iter().all(|(_, token)| *token == one.1));
    server.pass(9);
    let (access, late) = refresh(&server, &first).await;
    assert_eq!(late, one.1, "an answer that was lost is asked for again");
    assert_eq!(server.health(&access).await.status(), StatusCode::OK);
    server.pass(3600);
    refresh(&server, &late).await;
}

#[tokio::test]
async fn logins_outlive_the_process() {
    let (fake, server, token, refresh_token) = member().await;
    let (ended, revoked) = log_in(&server).await;
    assert_eq!(post(&server, "revoke", &revoked).await.status(), StatusCode::NO_CONTENT);
    let settings = super::Settings {
        issuer: "test".to_owned(),
        dev: None,
        github: Some(fake.settings("http://127.0.0.1:1/", &["acme"])),
    };
    let next = Running::with(Plan { settings, folder: Some(server.folder), ..Plan::default() }).await;
    assert_eq!(next.health(&token).await.status(), StatusCode::OK);
    refresh(&next, &refresh_token).await;
    assert_refused(next.health(&ended).await, 401, "token-invalid").await;
    assert_refused(post(&next, "refresh", &revoked).await, 401, "token-invalid").await;
}

#[tokio::test]
async fn logging_out_ends_every_token_of_the_login() {
    let (_fake, server, token, first) = member().await;
    let (access, second) = refresh(&server, &first).await;
    assert_eq!(post(&server, "revoke", &second).await.status(), StatusCode::NO_CONTENT);
    for token in [&token, &access] {
        assert_refused(server.health(token).await, 401, "token-invalid").await;
    }
    assert_refused(post(&server, "refresh", &second).await, 401, "token-invalid").await;
    // What is no token, or has ended, is out already.
    for token in [second.as_str(), "x", ""] {
        assert_eq!(post(&server, "revoke", token).await.status(), StatusCode::NO_CONTENT);
    }
}

#[tokio::test]
async fn whoever_left_the_organisation_is_out_at_the_next_refresh() {
    let (fake, server, _, first) = member().await;
    fake.person("alice", &["elsewhere"]);
    let (_, second) = refresh(&server, &first).await;
    server.pass(600);
    assert_refused(post(&server, "refresh", &second).await, 403, "not-allowed").await;
    fake.person("alice", &["acme"]);
    assert_refused(post(&server, "refresh", &second).await, 401, "token-invalid").await;
}

#[tokio::test]
async fn the_provider_is_asked_again_only_after_ten_minutes() {
    let (fake, server, _, first) = member().await;
    let asked = fake.asked_api();
    let (_, second) = refresh(&server, &first).await;
    assert_eq!(fake.asked_api(), asked);
    server.pass(600);
    let (_, third) = refresh(&server, &second).await;
    assert!(fake.asked_api() > asked);
    let asked = fake.asked_api();
    server.pass(599);
    refresh(&server, &third).await;
    assert_eq!(fake.asked_api(), asked);
}

#[tokio::test]
async fn a_provider_that_fails_at_a_refresh_costs_no_login() {
    let (fake, server, _, first) = member().await;
    server.pass(3600);
    fake.mood(Mood::ApiFails);
    assert_refused(post(&server, "refresh", &first).await, 502, "upstream").await;
    server.pass(600);
    fake.mood(Mood::Well);
    refresh(&server, &first).await;
}

#[tokio::test]
async fn a_consent_that_was_withdrawn_ends_the_login() {
    let (fake, server, _, first) = member().await;
    fake.withdraw();
    server.pass(600);
    assert_refused(post(&server, "refresh", &first).await, 401, "token-invalid").await;
}

#[tokio::test]
async fn neither_file_of_logins_holds_a_token_or_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let (_fake, server, _, first) = member().await;
    refresh(&server, &first).await;
    for entry in std::fs::read_dir(server.folder.path()).expect("a folder").flatten() {
        let mode = entry.metadata().expect("metadata").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.path());
        let bytes = std::fs::read(entry.path()).expect("a file");
        let signature = first.rsplit('.').next().expect("a signature").as_bytes();
        assert!(!bytes.windows(signature.len()).any(|window| window == signature), "{:?}", entry.path());
    }
}
