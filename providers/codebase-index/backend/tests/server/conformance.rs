//! The checks by which any backend can be held: ours keeps them all, and each of them notices a backend that is wrong in
//! just that.

mod wrong;

use std::{process::Command, time::Duration};

use ctxhost_index::conformance::{self, Part, Report, Target};

use self::wrong::WRONG;
use super::{
    fake_github::{FakeGitHub, log_in, with_github_behind},
    *,
};

fn target(running: &Running) -> Target {
    Target {
        url: running.url(""),
        base_path: "/codebase-index".to_owned(),
        auth_provider: "dev".to_owned(),
        token: running.token(),
        other_token: None,
        // Ours finds at once what it took.
        patience: Duration::ZERO,
    }
}

async fn held(target: &Target, only: Option<&str>) -> Report {
    conformance::hold(target, only).await.expect("it can be asked")
}

#[tokio::test]
async fn ours_keeps_every_check() {
    let running = Running::new().await;
    let report = held(&target(&running), None).await;
    assert!(report.holds(), "{}", report.text());
    assert!(report.outcomes.len() > 40);
    // A second time too, beside what the first has left.
    let report = held(&target(&running), None).await;
    assert!(report.holds(), "{}", report.text());
}

/// A backend with two organisations, and how one of each asks.
async fn of_two(wrap: fn(Router) -> Router) -> (Running, FakeGitHub, Target) {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let running = with_github_behind(&fake, &["acme", "globex"], wrap).await;
    let (alice, _) = log_in(&running).await;
    fake.person("bob", &["globex"]);
    let (bob, _) = log_in(&running).await;
    let target = Target {
        url: running.url(""),
        base_path: "/codebase-index".to_owned(),
        auth_provider: "github".to_owned(),
        token: alice,
        other_token: Some(bob),
        patience: Duration::ZERO,
    };
    (running, fake, target)
}

#[tokio::test]
async fn with_a_second_login_organisations_are_held_apart_too() {
    let (_running, _fake, target) = of_two(|router| router).await;
    let report = held(&target, None).await;
    assert!(report.holds() && report.outcomes.iter().all(|one| !one.skipped), "{}", report.text());
    let alone = held(&Target { other_token: None, ..target }, Some("organisations-apart")).await;
    assert!(alone.outcomes[0].skipped && alone.holds());
    assert!(alone.text().contains("not asked; give `--other-token-file FILE`"));
}

#[tokio::test]
async fn nothing_of_it_is_found_afterwards() {
    let running = Running::new().await;
    held(&target(&running), None).await;
    let body = serde_json::json!({ "query": "settle invoice berth glacier ledger", "limit": 100 });
    let reply = running.ask(&running.token(), "/search", &body).await;
    assert_eq!(reply["results"], serde_json::json!([]));
}

#[tokio::test]
async fn each_check_notices_a_backend_that_is_wrong_in_it() {
    for (id, wrong) in WRONG {
        let report = if *id == "organisations-apart" {
            let (_running, _fake, target) = of_two(*wrong).await;
            held(&target, Some(id)).await
        } else {
            let running = Running::with(Plan { wrap: *wrong, ..Plan::default() }).await;
            held(&target(&running), Some(id)).await
        };
        assert_eq!(report.outcomes.len(), 1, "{id} is a check");
        let fault = report.outcomes[0].fault.as_ref();
        let fault = fault.unwrap_or_else(|| panic!("{id} does not notice the wrong backend"));
        assert!(!fault.contains("gets no answer"), "{id}: the wrong backend answers: {fault}");
    }
}

#[test]
fn each_check_has_a_wrong_backend() {
    let without: Vec<&str> =
        conformance::names().filter(|id| WRONG.iter().all(|(known, _)| known != id)).collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[tokio::test]
async fn who_knows_the_document_only_is_told_so() {
    let running = Running::with(Plan { wrap: wrong::of_the_document, ..Plan::default() }).await;
    let report = held(&target(&running), None).await;
    let fails = |part| report.outcomes.iter().filter(|one| one.part == part && one.fault.is_some()).count();
    assert_eq!(fails(Part::Document), 0, "{}", report.text());
    assert!(fails(Part::Completion) > 3);
    let text = report.text();
    assert!(text.contains("keeps the contract document; parts of its completion do not hold"), "{text}");
    let json: Value = serde_json::from_str(&report.json()).expect("JSON");
    assert_eq!((&json["v"], &json["holds"]), (&Value::from(1), &Value::from(false)));
    assert_eq!(json["document"]["held"], json["document"]["checks"]);
    let failed: Vec<_> = json["checks"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|check| check["fault"].is_string())
        .map(|check| check["part"].as_str().expect("a part"))
        .collect();
    assert!(!failed.is_empty() && failed.iter().all(|part| *part == "completion"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_ends_with_0_or_1_or_2() {
    let good = Running::new().await;
    let bad = Running::with(Plan { wrap: wrong::of_the_document, ..Plan::default() }).await;
    let folder = tempfile::tempdir().expect("a folder");
    let token_file = folder.path().join("token");
    std::fs::write(&token_file, good.token()).expect("written");
    let run = |arguments: Vec<String>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctxhost-index"));
        command.arg("conformance").args(arguments).env_clear().env("HOME", folder.path());
        tokio::task::spawn_blocking(move || command.output().expect("it runs"))
    };
    let file = vec!["--token-file".to_owned(), token_file.to_str().expect("text").to_owned()];
    let output = run([vec![good.url(""), "--json".to_owned()], file].concat()).await.expect("no panic");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["holds"], Value::from(true));
    let output = run(vec![bad.url(""), "--token".to_owned(), bad.token()]).await.expect("no panic");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).expect("text").contains("FAIL  health:"));
    for arguments in [vec![good.url("")], vec!["ftp://x".to_owned(), "--token".to_owned(), "x".to_owned()]] {
        let output = run(arguments).await.expect("no panic");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8(output.stderr).expect("text").starts_with("ctxhost-index: "));
    }
}
