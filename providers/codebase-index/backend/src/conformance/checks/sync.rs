//! What `/sync` answers.

use serde_json::json;

use crate::conformance::{
    asker::{Asker, Held, ensure, same},
    repo::{Repo, Synced},
};

const LEDGER: &str = "fn balance_of_ledger() {\n    add all entries of the ledger\n}";
const PARSER: &str = "fn parse_timetable() {\n    read departures from the timetable\n}";

fn none() -> Synced {
    Synced { changed: Vec::new(), removed: Vec::new() }
}

fn changed(paths: &[&str]) -> Synced {
    Synced { changed: paths.iter().map(|path| (*path).to_owned()).collect(), removed: Vec::new() }
}

/// Two files, synced and indexed.
async fn filled(asker: &Asker) -> Held<Repo<'_>> {
    let repo = asker.repo()?;
    repo.sync(&[("ledger.rs", 1), ("src/parser.rs", 1)]).await?;
    let chunks = vec![
        repo.chunk("ledger.rs", 1, "balance_of_ledger", LEDGER),
        repo.chunk("src/parser.rs", 1, "parse_timetable", PARSER),
    ];
    repo.index(chunks).await?;
    Ok(repo)
}

pub(super) async fn new(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let synced = repo.sync(&[("ledger.rs", 1), ("src/parser.rs", 1), ("a b/é.rs", 1)]).await?;
    same("the answer to a new repository", &synced, &changed(&["a b/é.rs", "ledger.rs", "src/parser.rs"]))
}

pub(super) async fn idempotent(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let files = [("ledger.rs", 1), ("src/parser.rs", 1)];
    let first = repo.sync(&files).await?;
    ensure(!first.changed.is_empty(), || "nothing is asked for of a new repository".to_owned())?;
    same("the second answer", &repo.sync(&files).await?, &first)
}

pub(super) async fn unchanged(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    same("the answer", &repo.sync(&[("ledger.rs", 1), ("src/parser.rs", 1)]).await?, &none())
}

pub(super) async fn commit(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("ledger.rs", 1)]).await?;
    let mut chunk = repo.chunk("ledger.rs", 1, "balance_of_ledger", LEDGER);
    chunk["gitSha"] = json!("0123456789abcdef0123456789abcdef01234567");
    repo.index(vec![chunk]).await?;
    same("the answer", &repo.sync(&[("ledger.rs", 1)]).await?, &none())
}

pub(super) async fn changes(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    let synced = repo.sync(&[("ledger.rs", 2), ("new.rs", 1), ("src/parser.rs", 1)]).await?;
    same("the answer", &synced, &changed(&["ledger.rs", "new.rs"]))
}

pub(super) async fn removed(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    repo.find(PARSER, "src/parser.rs").await?;
    let synced = repo.sync(&[("ledger.rs", 1)]).await?;
    same("`removed`", &synced.removed, &vec!["src/parser.rs".to_owned()])?;
    same("`changed`", &synced.changed, &Vec::new())?;
    let gone = |hits: &[serde_json::Value]| hits.iter().all(|hit| hit["path"] != "src/parser.rs");
    repo.find_until(PARSER, "that src/parser.rs is gone", gone).await.map(|_| ())
}

pub(super) async fn apart(asker: &Asker) -> Held {
    let (one, other) = (filled(asker).await?, asker.repo()?);
    let files = [("ledger.rs", 1), ("src/parser.rs", 1)];
    let body = json!({ "repos": [one.state(&files), other.state(&[("ledger.rs", 7)])] });
    let reply = asker.ask("/sync", &body).await?;
    let named: Vec<_> = reply["changed"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|file| (file["repo"].as_str().unwrap_or_default(), file["path"].as_str().unwrap_or_default()))
        .collect();
    same("`changed`", &named, &vec![(other.name.as_str(), "ledger.rs")])
}

pub(super) async fn root_unchanged(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    let root = repo.root(&[("ledger.rs", 1), ("src/parser.rs", 1)]);
    same("the answer", &repo.sync_as(root).await?, &none())
}

pub(super) async fn root_waiting(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let files = [("ledger.rs", 1), ("src/parser.rs", 1)];
    repo.sync(&files).await?;
    repo.index(vec![repo.chunk("ledger.rs", 1, "balance_of_ledger", LEDGER)]).await?;
    same("the answer", &repo.sync_as(repo.root(&files)).await?, &changed(&["src/parser.rs"]))
}

pub(super) async fn root_other(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    let root = repo.root(&[("ledger.rs", 2), ("src/parser.rs", 1)]);
    same("the answer", &repo.sync_as(root).await?, &changed(&["ledger.rs", "src/parser.rs"]))
}

pub(super) async fn root_unknown(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    asker.post("/sync", &json!({ "repos": [repo.root(&[("ledger.rs", 1)])] })).await?.refused(&[422])
}

pub(super) async fn emptied(asker: &Asker) -> Held {
    let repo = filled(asker).await?;
    repo.find(LEDGER, "ledger.rs").await?;
    let synced = repo.sync(&[]).await?;
    same("`removed`", &synced.removed, &vec!["ledger.rs".to_owned(), "src/parser.rs".to_owned()])?;
    repo.find_until(LEDGER, "that it is empty", <[_]>::is_empty).await.map(|_| ())
}

pub(super) async fn duplicates(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let state = repo.state(&[("ledger.rs", 1)]);
    asker.post("/sync", &json!({ "repos": [state.clone(), state] })).await?.refused(&[400])?;
    let twice = repo.state(&[("ledger.rs", 1), ("ledger.rs", 2)]);
    asker.post("/sync", &json!({ "repos": [twice] })).await?.refused(&[400])
}
