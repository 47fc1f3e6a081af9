//! What `/index` takes, replaces, drops and refuses.

use serde_json::{Value, json};

use crate::conformance::{
    asker::{Asker, Held, ensure, same},
    repo::brief,
};

const HARBOUR: &str = "fn berth_in_harbour() {\n    moor the vessel at a free berth\n}";
const ORCHARD: &str = "fn prune_orchard() {\n    cut every branch of the apple tree\n}";

pub(super) async fn counts(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    let chunks = vec![
        repo.chunk("port.rs", 1, "berth_in_harbour", HARBOUR),
        repo.chunk("port.rs", 1, "prune_orchard", ORCHARD),
    ];
    same("`indexed` of two chunks", &repo.index(chunks).await?, &2)?;
    same("`indexed` of none", &repo.index(Vec::new()).await?, &0)
}

pub(super) async fn replaced(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    repo.index(vec![repo.chunk("port.rs", 1, "berth", HARBOUR)]).await?;
    repo.find(HARBOUR, "port.rs").await?;
    repo.sync(&[("port.rs", 2)]).await?;
    repo.index(vec![repo.chunk("port.rs", 2, "berth", ORCHARD)]).await?;
    let new = |hit: &Value| hit["snippet"].as_str().is_some_and(|text| text.contains("apple tree"));
    let hits = repo.find_until(ORCHARD, "the new content", |hits| hits.iter().any(new)).await?;
    ensure(hits.len() == 1, || format!("one chunk was sent twice, and there are {}", brief(&hits)))?;
    ensure(repo.search(HARBOUR).await?.iter().all(new), || "the old content is still found".to_owned())
}

pub(super) async fn file(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    let chunks =
        vec![repo.chunk("port.rs", 1, "berth", HARBOUR), repo.chunk("port.rs", 1, "orchard", ORCHARD)];
    repo.index(chunks).await?;
    repo.find_until(ORCHARD, "the orchard", |hits| hits.iter().any(|hit| hit["symbol"] == "orchard")).await?;
    repo.sync(&[("port.rs", 2)]).await?;
    repo.index(vec![repo.chunk("port.rs", 2, "berth", HARBOUR)]).await?;
    let gone = |hits: &[Value]| hits.iter().all(|hit| hit["symbol"] != "orchard");
    repo.find_until(ORCHARD, "that the orchard is gone", gone).await.map(|_| ())
}

pub(super) async fn removes(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1), ("tree.rs", 1)]).await?;
    let chunks =
        vec![repo.chunk("port.rs", 1, "berth", HARBOUR), repo.chunk("tree.rs", 1, "orchard", ORCHARD)];
    repo.index(chunks).await?;
    repo.find(ORCHARD, "tree.rs").await?;
    repo.remove("tree.rs").await?;
    let gone = |hits: &[Value]| hits.iter().all(|hit| hit["path"] != "tree.rs");
    repo.find_until(ORCHARD, "that tree.rs is gone", gone).await?;
    repo.find(HARBOUR, "port.rs").await.map(|_| ())
}

pub(super) async fn empty(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let files = [("empty.rs", 1)];
    repo.sync(&files).await?;
    repo.remove("empty.rs").await?;
    same("`changed`", &repo.sync(&files).await?.changed, &Vec::new())
}

pub(super) async fn duplicate(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    let chunk = repo.chunk("port.rs", 1, "berth", HARBOUR);
    let answer = asker.post("/index", &json!({ "chunks": [chunk.clone(), chunk] })).await?;
    answer.refused(&[400])?;
    ensure(answer.text.contains("berth"), || "the message does not name the symbol".to_owned())
}

pub(super) async fn not_listed(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    let mut chunk = repo.chunk("other.rs", 1, "berth", HARBOUR);
    chunk["gitSha"] = json!("0123456789abcdef0123456789abcdef01234567");
    asker.post("/index", &json!({ "chunks": [chunk] })).await?.refused(&[422])
}

pub(super) async fn limits(asker: &Asker) -> Held {
    let health = asker.get("/health", Some(&asker.target.token)).await?.good()?;
    let limit = |name: &str| {
        let limit = health[name].as_u64().and_then(|limit| usize::try_from(limit).ok());
        limit.ok_or_else(|| format!("/health says no `{name}`"))
    };
    let (most, longest) = (limit("maxChunks")?, limit("maxContentBytes")?);
    let repo = asker.repo()?;
    repo.sync(&[("port.rs", 1)]).await?;
    let mut long = repo.chunk("port.rs", 1, "berth", &"x".repeat(longest + 1));
    asker.post("/index", &json!({ "chunks": [long.clone()] })).await?.refused(&[413])?;
    long["content"] = json!("x".repeat(longest));
    same("`indexed` of the longest content", &repo.index(vec![long]).await?, &1)?;
    let hash = repo.file_hash("port.rs", 1);
    let chunks: Vec<Value> = (0..=most)
        .map(|number| {
            json!({ "repo": repo.name, "path": "port.rs", "symbol": number.to_string(), "lang": "rust",
                "gitSha": hash, "content": "x" })
        })
        .collect();
    asker.post("/index", &json!({ "chunks": chunks })).await?.refused(&[413])
}
