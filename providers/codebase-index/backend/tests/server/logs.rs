//! What the log says of requests, and what it never says.

use serde_json::{Value, json};

use super::{REDIRECT, Running, header, parameter};

#[tokio::test]
async fn a_line_tells_a_request_and_holds_no_code_question_name_or_token() {
    let server = Running::new().await;
    let start = server.url(&format!("/auth/dev/start?redirect_url={REDIRECT}"));
    let answer = server.client.get(start).send().await.expect("an answer");
    let token = parameter(&header(&answer, "location"), "token").expect("a token");
    let files = json!([{ "path": "s3cret_path.rs", "hash": "ab" }]);
    server
        .ask(
            &token,
            "/sync",
            &json!({ "repos": [{ "name": "s3cret_repo", "rootHash": "r", "files": files }] }),
        )
        .await;
    let chunk = json!({
        "repo": "s3cret_repo", "path": "s3cret_path.rs", "symbol": "s3cret", "lang": "rust", "content": "s3cret",
    });
    server.ask(&token, "/index", &json!({ "chunks": [chunk] })).await;
    server.ask(&token, "/search", &json!({ "query": "s3cret" })).await;
    let odd = server.client.get(server.url("/s3cret?s3cret=1")).bearer_auth(&token).send().await;
    assert_eq!(odd.expect("an answer").status(), 404);

    let text = server.lines.text();
    for never in ["s3cret", "n0nce", "local", token.as_str(), &token[..20], "\"me\""] {
        assert!(!text.contains(never), "{never} in {text}");
    }
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let routes: Vec<&str> = lines.iter().map(|line| line["route"].as_str().expect("a route")).collect();
    assert_eq!(routes, ["/auth/{provider}/start", "/sync", "/index", "/search", "other"]);
    let index = &lines[2];
    assert_eq!(
        (&index["method"], &index["status"], &index["level"]),
        (&json!("POST"), &json!(200), &json!("info"))
    );
    assert!(index["ms"].is_u64() && index["bytes_in"].as_u64() > Some(50) && index["bytes_out"] == 13);
    assert_eq!((&index["org"], index["org"].as_str().map(str::len)), (&lines[1]["org"], Some(8)));
    assert!(lines[0].get("org").is_none());
}
