//! What stands while several checkouts, or several requests, bring one file.

use serde_json::{Value, json};

use crate::conformance::{
    Target,
    asker::{Asker, Held, ensure, same},
    repo::{Synced, brief},
};

const GLACIER: &str = "fn measure_glacier() {\n    drill a core out of the ice\n}";
const DESERT: &str = "fn cross_desert() {\n    count the dunes between two wells\n}";

fn none() -> Synced {
    Synced { changed: Vec::new(), removed: Vec::new() }
}

fn says(hit: &Value, words: &str) -> bool {
    hit["snippet"].as_str().is_some_and(|snippet| snippet.contains(words))
}

pub(super) async fn held(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let (one, other) = (repo.checkout("c0ffee01"), repo.checkout("c0ffee02"));
    one.sync(&[("land.rs", 1)]).await?;
    one.index(vec![one.part("land.rs", 1, "walk", GLACIER, 1)]).await?;
    same("the answer to another checkout", &other.sync(&[("land.rs", 1)]).await?, &none())?;
    other.find(GLACIER, "land.rs").await?;
    // A branch that is left and come back to.
    one.sync(&[("land.rs", 2)]).await?;
    one.index(vec![one.part("land.rs", 2, "walk", DESERT, 1)]).await?;
    same("the answer to an earlier version", &one.sync(&[("land.rs", 1)]).await?, &none())
}

pub(super) async fn apart(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let (one, other) = (repo.checkout("c0ffee01"), repo.checkout("c0ffee02"));
    one.sync(&[("land.rs", 1), ("only.rs", 1)]).await?;
    let chunks =
        vec![one.part("land.rs", 1, "walk", GLACIER, 1), one.part("only.rs", 1, "stay", "fn stay() {}", 1)];
    one.index(chunks).await?;
    let synced = other.sync(&[("land.rs", 2)]).await?;
    same("`removed` of a checkout that never had the file", &synced.removed, &Vec::new())?;
    other.index(vec![other.part("land.rs", 2, "walk", DESERT, 1)]).await?;
    same("the answer to the first", &one.sync(&[("land.rs", 1), ("only.rs", 1)]).await?, &none())?;
    same("the answer to the second", &other.sync(&[("land.rs", 2)]).await?, &none())
}

pub(super) async fn views(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let (one, other) = (repo.checkout("c0ffee01"), repo.checkout("c0ffee02"));
    for (checkout, version, content) in [(&one, 1, GLACIER), (&other, 2, DESERT)] {
        checkout.sync(&[("land.rs", version)]).await?;
        checkout.index(vec![checkout.part("land.rs", version, "walk", content, 1)]).await?;
    }
    for (searched, words) in [(&one, "core out of the ice"), (&other, "dunes"), (&repo, "dunes")] {
        let hits = searched.find("land walk glacier desert ice dunes", "land.rs").await?;
        ensure(hits.len() == 1 && says(&hits[0], words), || {
            let of = searched.reference.unwrap_or("the latest");
            format!("of {of} another version, or more than one, is found: {}", brief(&hits))
        })?;
    }
    Ok(())
}

pub(super) async fn gap(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("land.rs", 1)]).await?;
    repo.index(vec![repo.part("land.rs", 1, "walk", GLACIER, 1)]).await?;
    repo.find(GLACIER, "land.rs").await?;
    let old = |hits: &[Value]| !hits.is_empty() && hits.iter().all(|hit| says(hit, "ice"));
    repo.sync(&[("land.rs", 2)]).await?;
    repo.find_until(GLACIER, "the old version, after /sync", old).await?;
    repo.index(vec![repo.part("land.rs", 2, "walk", DESERT, 2)]).await?;
    repo.find_until(GLACIER, "the old version alone, after half of the new one", old).await?;
    repo.index(vec![repo.part("land.rs", 2, "rest", "fn rest_at_well() {}", 2)]).await?;
    let new = |hits: &[Value]| !hits.is_empty() && hits.iter().all(|hit| !says(hit, "ice"));
    repo.find_until(DESERT, "the new version alone", new).await.map(|_| ())
}

pub(super) async fn parts(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let files = [("land.rs", 1)];
    repo.sync(&files).await?;
    repo.index(vec![repo.part("land.rs", 1, "walk", GLACIER, 2)]).await?;
    same("`changed` after the first half", &repo.sync(&files).await?.changed, &vec!["land.rs".to_owned()])?;
    repo.index(vec![repo.part("land.rs", 1, "rest", DESERT, 2)]).await?;
    same("`changed` after both", &repo.sync(&files).await?.changed, &Vec::new())?;
    let both = |hits: &[Value]| {
        ["walk", "rest"].iter().all(|symbol| hits.iter().any(|hit| hit["symbol"] == json!(symbol)))
    };
    repo.find_until(&format!("{GLACIER} {DESERT}"), "both halves", both).await.map(|_| ())
}

pub(super) async fn organisations(asker: &Asker) -> Held {
    let token = asker.target.other_token.clone().ok_or("there is no second token")?;
    let stranger = Asker::new(&Target { token, ..asker.target.clone() })?;
    let held = of_two(asker, &stranger).await;
    stranger.clean().await;
    held
}

async fn of_two(asker: &Asker, stranger: &Asker) -> Held {
    let mine = asker.repo()?;
    let theirs = stranger.named(&mine.name);
    let files = [("land.rs", 1)];
    mine.sync(&files).await?;
    mine.index(vec![mine.chunk("land.rs", 1, "walk", GLACIER)]).await?;
    mine.find(GLACIER, "land.rs").await?;
    for request in [json!({ "query": GLACIER, "repo": mine.name }), json!({ "query": GLACIER, "limit": 50 })]
    {
        let hits = stranger.hits(&request).await?;
        ensure(hits.iter().all(|hit| hit["repo"] != json!(mine.name)), || {
            "a search finds the code of another organisation".to_owned()
        })?;
    }
    // Who knows a name and a root is told no more than who made them up.
    let known = stranger.post("/sync", &json!({ "repos": [theirs.root(&files)] })).await?;
    let made_up = stranger.repo()?;
    let unknown = stranger.post("/sync", &json!({ "repos": [made_up.root(&files)] })).await?;
    same("the status for a repository of another organisation", &known.status, &unknown.status)?;
    // Nor who knows a hash.
    let synced = theirs.sync(&files).await?;
    same("`changed` of hashes that another organisation has", &synced.changed, &vec!["land.rs".to_owned()])?;
    let synced = theirs.sync(&[]).await?;
    ensure(synced.changed.is_empty(), || "`files: []` asks for a file".to_owned())?;
    mine.find(GLACIER, "land.rs").await?;
    same("the answer to the first", &mine.sync(&files).await?, &none())
}
