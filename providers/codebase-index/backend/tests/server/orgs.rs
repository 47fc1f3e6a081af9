//! Two organisations on one server: neither sees nor learns of the other. How long an answer takes is no part of this:
//! they share one machine.

use serde_json::{Value, json};

use super::{
    Running, assert_refused,
    fake_github::{FakeGitHub, log_in, with_github},
};

const FILE: &str = "src/renew.rs";

fn hash() -> String {
    "a".repeat(64)
}

fn sync() -> Value {
    let files = json!([{ "path": FILE, "hash": hash() }]);
    json!({ "repos": [{ "name": "shop", "rootHash": "root", "ref": "main", "files": files }] })
}

fn chunk(symbol: &str, content: &str) -> Value {
    json!({
        "repo": "shop", "ref": "main", "path": FILE, "symbol": symbol, "lang": "rust", "fileHash": hash(),
        "content": content,
    })
}

/// What one organisation asks, and everything it is told.
async fn conversation(server: &Running, token: &str, before: bool) -> Vec<Value> {
    let mut told = Vec::new();
    let view = json!([{ "repo": "shop", "ref": "main" }]);
    let searches = [
        json!({ "query": "renew subscription" }),
        json!({ "query": "renew", "repo": "shop", "views": view }),
        json!({ "query": "secret", "lang": "rust", "limit": 100 }),
    ];
    if before {
        for search in &searches {
            told.push(server.ask(token, "/search", search).await);
        }
        told.push(server.ask(token, "/sync", &sync()).await);
    }
    let chunks =
        json!([chunk("renew", "fn renew(subscription: &mut Subscription) { subscription.renew() }")]);
    told.push(server.ask(token, "/index", &json!({ "chunks": chunks })).await);
    told.push(server.ask(token, "/sync", &sync()).await);
    for search in &searches {
        told.push(server.ask(token, "/search", search).await);
    }
    told.push(server.health(token).await.json().await.expect("JSON"));
    told
}

#[tokio::test]
async fn neither_sees_nor_learns_of_the_other() {
    let fake = FakeGitHub::new("alice", &["acme"]).await;
    let server = with_github(&fake, &["acme", "globex"]).await;
    let (alice, _) = log_in(&server).await;
    fake.person("bob", &["globex"]);
    let (bob, _) = log_in(&server).await;

    // Acme has the same repository, checkout, path, root and hash, and other words.
    server.ask(&alice, "/sync", &sync()).await;
    let many: Vec<Value> =
        (0..50).map(|n| chunk(&format!("renew{n}"), "the secret of acme: renew the subscription")).collect();
    server.ask(&alice, "/index", &json!({ "chunks": many })).await;

    let unknown = json!({ "repos": [{ "name": "shop", "rootHash": "root", "ref": "main" }] });
    let request = server.request(reqwest::Method::POST, &server.data("/sync"), &bob).json(&unknown);
    assert_refused(request.send().await.expect("an answer"), 422, "files-needed").await;

    // Globex is told, to the last digit of a score, what it would be told if it were alone.
    let beside = conversation(&server, &bob, true).await;
    let alone = Running::new().await;
    assert_eq!(beside, conversation(&alone, &alone.token(), true).await);
    assert!(!json!(beside).to_string().contains("secret of acme"));

    // What Globex did changed nothing for Acme.
    let found = server.ask(&alice, "/search", &json!({ "query": "secret", "limit": 100 })).await;
    let hits = found["results"].as_array().expect("results");
    assert!(
        !hits.is_empty()
            && hits.iter().all(|hit| hit["snippet"] == "the secret of acme: renew the subscription")
    );
    let gone = json!({ "chunks": [], "remove": [{ "repo": "shop", "ref": "main", "path": FILE }] });
    server.ask(&bob, "/index", &gone).await;
    let files_gone = json!({ "repos": [{ "name": "shop", "rootHash": "e", "ref": "main", "files": [] }] });
    server.ask(&bob, "/sync", &files_gone).await;
    assert_eq!(server.ask(&alice, "/search", &json!({ "query": "secret", "limit": 100 })).await, found);
    assert_eq!(server.ask(&alice, "/sync", &sync()).await, json!({ "changed": [], "removed": [] }));
}
