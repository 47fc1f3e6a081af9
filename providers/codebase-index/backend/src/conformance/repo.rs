//! Repositories that checks make up, and what a client does with them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::sleep;

use super::asker::{Asker, Held};
use crate::hex;

/// How long to wait before looking again whether something is found.
const BREATH: Duration = Duration::from_millis(100);

/// A repository, or a checkout of it.
#[derive(Clone)]
pub(super) struct Repo<'a> {
    pub(super) asker: &'a Asker,
    pub(super) name: String,
    pub(super) reference: Option<&'static str>,
}

/// What `/sync` says about one repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Synced {
    pub(super) changed: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl Repo<'_> {
    /// The same repository, as another checkout has it.
    pub(super) fn checkout(&self, reference: &'static str) -> Self {
        Self { reference: Some(reference), ..self.clone() }
    }

    /// A made-up hash of a version of a file. It is no other repository's, since theirs hold something else.
    pub(super) fn file_hash(&self, path: &str, version: u32) -> String {
        hex::digits(&hex::hash(&[self.name.as_bytes(), path.as_bytes(), &version.to_be_bytes()]))
    }

    /// A repository of a `/sync`: these files, each with a version of it.
    pub(super) fn state(&self, files: &[(&str, u32)]) -> Value {
        let listed: Vec<Value> = files
            .iter()
            .map(|(path, version)| json!({ "path": path, "hash": self.file_hash(path, *version) }))
            .collect();
        let mut state = self.root(files);
        state["files"] = json!(listed);
        state
    }

    /// The same without its files.
    pub(super) fn root(&self, files: &[(&str, u32)]) -> Value {
        self.asker.note(&self.name, self.reference);
        let mut files = files.to_vec();
        files.sort_unstable();
        let lines: Vec<String> = files
            .iter()
            .map(|(path, version)| format!("{path}:{}", self.file_hash(path, *version)))
            .collect();
        let mut state = json!({ "name": self.name, "rootHash": root_hash(&lines.join("\n")) });
        with_reference(&mut state, self.reference);
        state
    }

    pub(super) async fn sync(&self, files: &[(&str, u32)]) -> Held<Synced> {
        self.sync_as(self.state(files)).await
    }

    pub(super) async fn sync_as(&self, state: Value) -> Held<Synced> {
        let reply = self.asker.ask("/sync", &json!({ "repos": [state] })).await?;
        let changed = self.paths(&reply, "changed")?;
        let removed =
            if reply.get("removed").is_some() { self.paths(&reply, "removed")? } else { Vec::new() };
        Ok(Synced { changed, removed })
    }

    fn paths(&self, reply: &Value, list: &str) -> Held<Vec<String>> {
        let list =
            reply[list].as_array().ok_or_else(|| format!("the reply of /sync has no list `{list}`"))?;
        let mut paths = Vec::new();
        for file in list {
            let (Some(repo), Some(path)) = (file["repo"].as_str(), file["path"].as_str()) else {
                return Err(format!("/sync names a file without `repo` or `path`: {file}"));
            };
            if repo != self.name {
                return Err(format!("/sync names repository {repo:?}, which the request does not have"));
            }
            paths.push(path.to_owned());
        }
        paths.sort();
        Ok(paths)
    }

    /// A chunk as a client of the document sends it: the hash of its file stands in `gitSha`.
    pub(super) fn chunk(&self, path: &str, version: u32, symbol: &str, content: &str) -> Value {
        let mut chunk = json!({
            "repo": self.name, "path": path, "symbol": symbol, "lang": "rust",
            "gitSha": self.file_hash(path, version), "lineStart": 1, "lineEnd": content.lines().count().max(1),
            "content": content,
        });
        with_reference(&mut chunk, self.reference);
        chunk
    }

    /// A chunk as a client of the completion sends it: of a file that has so many.
    pub(super) fn part(&self, path: &str, version: u32, symbol: &str, content: &str, of: u32) -> Value {
        let mut chunk = self.chunk(path, version, symbol, content);
        chunk["fileHash"] = json!(self.file_hash(path, version));
        chunk["fileChunks"] = json!(of);
        chunk
    }

    pub(super) async fn index(&self, chunks: Vec<Value>) -> Held<u64> {
        let count = chunks.len();
        let reply = self.asker.ask("/index", &json!({ "chunks": chunks })).await?;
        let indexed = reply["indexed"].as_u64();
        indexed.ok_or_else(|| format!("the reply of /index to {count} chunks has no number `indexed`"))
    }

    pub(super) async fn remove(&self, path: &str) -> Held {
        let mut gone = json!({ "repo": self.name, "path": path });
        with_reference(&mut gone, self.reference);
        self.asker.ask("/index", &json!({ "chunks": [], "remove": [gone] })).await.map(|_| ())
    }

    /// What is found in this repository.
    pub(super) async fn search(&self, query: &str) -> Held<Vec<Value>> {
        let mut request = json!({ "query": query, "repo": self.name });
        if let Some(reference) = self.reference {
            request["views"] = json!([{ "repo": self.name, "ref": reference }]);
        }
        self.asker.hits(&request).await
    }

    /// Waits until this path is found, and gives all that is.
    pub(super) async fn find(&self, query: &str, path: &str) -> Held<Vec<Value>> {
        self.find_until(query, &format!("a hit in {path:?}"), |hits| {
            hits.iter().any(|hit| hit["path"] == path)
        })
        .await
    }

    pub(super) async fn find_until(
        &self,
        query: &str,
        what: &str,
        enough: impl Fn(&[Value]) -> bool,
    ) -> Held<Vec<Value>> {
        let begun = Instant::now();
        loop {
            let hits = self.search(query).await?;
            if enough(&hits) {
                return Ok(hits);
            }
            if begun.elapsed() >= self.asker.target.patience {
                return Err(format!("/search for {query:?} finds {}, and not {what}", brief(&hits)));
            }
            sleep(BREATH).await;
        }
    }
}

/// The root over these lines of files.
pub(super) fn root_hash(lines: &str) -> String {
    hex::digits(&Sha256::digest(lines))
}

/// Which places were found.
pub(super) fn brief(hits: &[Value]) -> String {
    let places: Vec<String> = hits
        .iter()
        .take(20)
        .map(|hit| {
            format!("{}#{}", hit["path"].as_str().unwrap_or("?"), hit["symbol"].as_str().unwrap_or("?"))
        })
        .collect();
    if places.is_empty() { "nothing".to_owned() } else { places.join(", ") }
}

pub(super) fn with_reference(object: &mut Value, reference: Option<&str>) {
    if let Some(reference) = reference {
        object["ref"] = json!(reference);
    }
}
