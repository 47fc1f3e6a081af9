//! Logging in.

use reqwest::StatusCode;
use serde_json::json;

use super::{
    REDIRECT, Running, assert_refused,
    fake_github::{FakeGitHub, Mood, come_back, log_in, to_callback, with_github},
    header, parameter, refused,
};

#[tokio::test]
async fn a_member_logs_in_and_is_let_in() {
    let fake = FakeGitHub::new("alice", &["Other", "ACME"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (token, refresh_token) = log_in(&server).await;
    assert_eq!(server.health(&token).await.status(), StatusCode::OK);
    assert_ne!(token, refresh_token);
}

#[tokio::test]
async fn what_leads_on_is_not_kept_and_says_nothing_of_where_it_came_from() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    let answer = come_back(&server, &address, &cookie).await;
    assert_eq!(header(&answer, "cache-control"), "no-store");
    assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
    let start = server.url(&format!("/auth/github/start?redirect_url={REDIRECT}"));
    let answer = server.client.get(start).send().await.expect("an answer");
    let cookie = header(&answer, "set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
}

#[tokio::test]
async fn denied_consent_is_403() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    fake.mood(Mood::Denied);
    let (address, cookie) = to_callback(&server).await;
    assert_refused(come_back(&server, &address, &cookie).await, 403, "not-allowed").await;
    // The login is over.
    assert_refused(come_back(&server, &address, &cookie).await, 400, "bad-request").await;
}

#[tokio::test]
async fn a_wrong_or_missing_state_is_400() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    let state = parameter(&address, "state").expect("a state");
    for wrong in [address.replace(&state, "other"), server.url("/auth/github/callback?code=code-0")] {
        assert_refused(come_back(&server, &wrong, &cookie).await, 400, "bad-request").await;
    }
    // None of these ended the login of the browser that began it.
    assert_eq!(come_back(&server, &address, &cookie).await.status(), StatusCode::FOUND);
}

#[tokio::test]
async fn a_state_of_another_browser_is_400_and_does_not_end_the_login() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    let (_, other) = to_callback(&server).await;
    for wrong in ["", "a=b", &other, &format!("{}=0", cookie.split('=').next().expect("a name"))] {
        assert_refused(come_back(&server, &address, wrong).await, 400, "bad-request").await;
    }
    assert_eq!(come_back(&server, &address, &cookie).await.status(), StatusCode::FOUND);
}

#[tokio::test]
async fn a_replayed_code_is_400() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    assert_eq!(come_back(&server, &address, &cookie).await.status(), StatusCode::FOUND);
    assert_refused(come_back(&server, &address, &cookie).await, 400, "bad-request").await;
    // The same code with another login's state: PKCE and the provider refuse it.
    let code = parameter(&address, "code").expect("a code");
    let (next, cookie) = to_callback(&server).await;
    let mixed = next.replace(&parameter(&next, "code").expect("a code"), &code);
    assert_refused(come_back(&server, &mixed, &cookie).await, 400, "bad-request").await;
}

#[tokio::test]
async fn a_login_that_takes_too_long_is_400() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    server.pass(600);
    assert_refused(come_back(&server, &address, &cookie).await, 400, "bad-request").await;
}

#[tokio::test]
async fn a_provider_that_fails_hangs_or_answers_a_page_is_502() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme"]).await;
    for mood in [
        Mood::TokenFails,
        Mood::TokenHangs,
        Mood::TokenIsHtml,
        Mood::TokenRefusesApp,
        Mood::ApiFails,
        Mood::ApiIsHtml,
    ] {
        fake.mood(mood);
        let (address, cookie) = to_callback(&server).await;
        let (status, code, message) = refused(come_back(&server, &address, &cookie).await).await;
        assert_eq!((status, code.as_str()), (502, "upstream"), "{mood:?}: {message}");
        assert!(!message.contains("Unicorn") && !message.contains("the-secret"), "{message}");
    }
}

#[tokio::test]
async fn a_user_outside_the_organisations_is_403() {
    let fake = FakeGitHub::new("mallory", &["evil", "acme-fans"]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    let (status, code, message) = refused(come_back(&server, &address, &cookie).await).await;
    assert_eq!((status, code.as_str()), (403, "not-allowed"));
    assert!(message.contains("mallory") && !message.contains("acme"), "{message}");
}

#[tokio::test]
async fn no_organisations_at_all_is_403_with_a_hint() {
    let fake = FakeGitHub::new("alice", &[]).await;
    let server = with_github(&fake, &["acme"]).await;
    let (address, cookie) = to_callback(&server).await;
    let (status, _, message) = refused(come_back(&server, &address, &cookie).await).await;
    assert_eq!(status, 403);
    assert!(message.contains("OAuth app"), "{message}");
}

#[tokio::test]
async fn an_organisation_on_the_third_page_lets_in() {
    let mut orgs: Vec<String> = (0..250).map(|number| format!("org-{number}")).collect();
    orgs.push("acme".to_owned());
    let fake = FakeGitHub::new("alice", &orgs.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let server = with_github(&fake, &["acme"]).await;
    log_in(&server).await;
}

#[tokio::test]
async fn a_foreign_redirect_is_400() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let (github, dev) = (with_github(&fake, &["acme"]).await, Running::new().await);
    for redirect in ["http://example.org/", "https://127.0.0.1/", "http://127.0.0.1@example.org/", "x", ""] {
        for (server, provider) in [(&github, "github"), (&dev, "dev")] {
            let start = server.client.get(server.url(&format!("/auth/{provider}/start")));
            let answer = start.query(&[("redirect_url", redirect)]).send().await.expect("an answer");
            assert_refused(answer, 400, "redirect-refused").await;
        }
    }
    let answer = github.client.get(github.url("/auth/github/start")).send().await.expect("an answer");
    assert_refused(answer, 400, "bad-request").await;
}

#[tokio::test]
async fn an_unknown_provider_is_404() {
    let server = Running::new().await;
    for path in ["/auth/gitlab/start", "/auth/github/start", "/auth/github/callback", "/auth/dev/callback"] {
        let address = format!("{}?redirect_url={REDIRECT}&state=a&code=b", server.url(path));
        assert_refused(server.client.get(address).send().await.expect("an answer"), 404, "not-found").await;
    }
    let refresh = server.client.post(server.url("/auth/gitlab/refresh")).json(&json!({"refresh_token": "a"}));
    assert_refused(refresh.send().await.expect("an answer"), 404, "not-found").await;
}

#[tokio::test]
async fn the_owner_of_the_machine_logs_in_by_dev_where_they_allow_it() {
    let server = Running::new().await;
    let start = server.url(&format!("/auth/dev/start?redirect_url={REDIRECT}"));
    let answer = server.client.get(&start).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::FOUND);
    let token = parameter(&header(&answer, "location"), "token").expect("a token");
    assert_eq!(server.health(&token).await.status(), StatusCode::OK);
    // A page whose name leads to this machine does not get one.
    let rebound = server.client.get(&start).header("host", "evil.example:7171").send().await;
    assert_refused(rebound.expect("an answer"), 400, "bad-request").await;
}

#[tokio::test]
async fn dev_lets_no_browser_in_unless_it_is_allowed() {
    let mut plan = super::Plan::default();
    plan.settings.dev.as_mut().expect("dev").login = false;
    let server = Running::with(plan).await;
    let start = server.url(&format!("/auth/dev/start?redirect_url={REDIRECT}"));
    let (status, code, message) = refused(server.client.get(start).send().await.expect("an answer")).await;
    assert_eq!((status, code.as_str()), (404, "not-found"));
    assert!(message.contains("auth.dev.login"), "{message}");
    assert_eq!(server.health(&server.token()).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_person_at_a_browser_reads_text() {
    let server = Running::new().await;
    let start = server.client.get(server.url("/auth/dev/start")).header("accept", "text/html,*/*");
    let answer = start.send().await.expect("an answer");
    assert_eq!(
        (answer.status().as_u16(), header(&answer, "content-type")),
        (400, "text/plain; charset=utf-8".into())
    );
    assert!(answer.text().await.expect("a body").starts_with("`redirect_url` is missing"));
}
