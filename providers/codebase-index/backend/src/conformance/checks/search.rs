//! What `/search` finds and says.

use ctxhost_protocol::codebase_index::SearchHit;
use reqwest::Method;
use serde_json::{Value, json};

use crate::conformance::{
    asker::{Asker, Held, ensure, same},
    repo::{Repo, brief},
};

const INVOICE: &str = "fn settle_invoice() {\n    pay what the customer owes\n}";
/// "About 15 lines": half as many again are still about as many.
const LONGEST_SNIPPET: usize = 23;

/// One file with one chunk, which is found.
async fn one<'a>(asker: &'a Asker, content: &str) -> Held<(Repo<'a>, Value)> {
    let repo = asker.repo()?;
    repo.sync(&[("src/money.rs", 1)]).await?;
    let mut chunk = repo.chunk("src/money.rs", 1, "Invoice.settle", content);
    chunk["lineStart"] = json!(101);
    chunk["lineEnd"] = json!(100 + content.lines().count());
    repo.index(vec![chunk]).await?;
    let hit = repo.find(INVOICE, "src/money.rs").await?.swap_remove(0);
    Ok((repo, hit))
}

/// Sixty lines, of which those of the invoice are in the middle.
fn long() -> String {
    let filler = |number: usize| format!("    let filler_{number} = {number};\n");
    let (before, after): (String, String) = ((0..30).map(filler).collect(), (30..57).map(filler).collect());
    format!("{before}{INVOICE}\n{after}")
}

pub(super) async fn shape(asker: &Asker) -> Held {
    let (repo, hit) = one(asker, INVOICE).await?;
    let place = (&hit["repo"], &hit["path"], &hit["symbol"], &hit["lang"]);
    let due = (&json!(repo.name), &json!("src/money.rs"), &json!("Invoice.settle"), &json!("rust"));
    same("the place of a hit", &place, &due)?;
    let lines = (hit["lineStart"].as_f64(), hit["lineEnd"].as_f64());
    same("the lines of a hit", &lines, &(Some(101.0), Some(103.0)))?;
    ensure(hit["snippet"].is_string() && hit["score"].is_number(), || {
        format!("a hit lacks a text `snippet` or a number `score`: {hit}")
    })
}

pub(super) async fn snippet(asker: &Asker) -> Held {
    let content = long();
    let (_, hit) = one(asker, &content).await?;
    let snippet = hit["snippet"].as_str().unwrap_or_default();
    let count = snippet.lines().count();
    ensure((5..=LONGEST_SNIPPET).contains(&count), || {
        format!("the snippet of a chunk of 60 lines has {count} lines")
    })?;
    ensure(content.contains(snippet.trim()), || "the snippet is no part of its chunk".to_owned())
}

/// Two repositories with one file each.
async fn two(asker: &Asker) -> Held<[Repo<'_>; 2]> {
    let repos = [asker.repo()?, asker.repo()?];
    for repo in &repos {
        repo.sync(&[("src/money.rs", 1)]).await?;
        repo.index(vec![repo.chunk("src/money.rs", 1, "settle", INVOICE)]).await?;
        repo.find(INVOICE, "src/money.rs").await?;
    }
    Ok(repos)
}

pub(super) async fn by_repo(asker: &Asker) -> Held {
    let [one, other] = two(asker).await?;
    for repo in [one, other] {
        let hits = repo.search(INVOICE).await?;
        ensure(!hits.is_empty() && hits.iter().all(|hit| hit["repo"] == json!(repo.name)), || {
            format!("with `repo` set, another repository, or nothing, is found: {}", brief(&hits))
        })?;
    }
    Ok(())
}

pub(super) async fn across(asker: &Asker) -> Held {
    let [one, other] = two(asker).await?;
    // A word that only they have, since all that the organisation has is searched; and not the same code, which may be
    // found once for both.
    let word = format!("invoice{}", &one.name["conformance-".len()..]);
    for (repo, digit) in [(&one, "one"), (&other, "two")] {
        repo.sync(&[("src/money.rs", 2)]).await?;
        let content = format!("fn {word}() {{\n    {word} {digit}\n}}");
        repo.index(vec![repo.chunk("src/money.rs", 2, &word, &content)]).await?;
        repo.find_until(&word, "it", |hits| hits.iter().any(|hit| hit["symbol"] == json!(word))).await?;
    }
    let hits = asker.hits(&json!({ "query": word, "limit": 10 })).await?;
    for repo in [&one, &other] {
        ensure(hits.iter().any(|hit| hit["repo"] == json!(repo.name)), || {
            format!("without `repo`, one of two repositories is not found: {}", brief(&hits))
        })?;
    }
    Ok(())
}

pub(super) async fn by_lang(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("a.rs", 1), ("b.py", 1)]).await?;
    let mut python = repo.chunk("b.py", 1, "settle_invoice", INVOICE);
    python["lang"] = json!("python");
    repo.index(vec![repo.chunk("a.rs", 1, "settle_invoice", INVOICE), python]).await?;
    repo.find(INVOICE, "a.rs").await?;
    repo.find(INVOICE, "b.py").await?;
    for (lang, path) in [("rust", "a.rs"), ("python", "b.py")] {
        let hits = asker.hits(&json!({ "query": INVOICE, "repo": repo.name, "lang": lang })).await?;
        ensure(!hits.is_empty() && hits.iter().all(|hit| hit["path"] == path), || {
            format!("of language {lang} there are {}", brief(&hits))
        })?;
    }
    Ok(())
}

pub(super) async fn limit(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    let paths: Vec<String> = (0..13).map(|number| format!("src/money{number}.rs")).collect();
    let files: Vec<(&str, u32)> = paths.iter().map(|path| (path.as_str(), 1)).collect();
    repo.sync(&files).await?;
    repo.index(paths.iter().map(|path| repo.chunk(path, 1, "settle_invoice", INVOICE)).collect()).await?;
    repo.find_until(INVOICE, "ten of thirteen without a limit", |hits| hits.len() == 10).await?;
    for limit in [1, 3, 12] {
        let hits = asker.hits(&json!({ "query": INVOICE, "repo": repo.name, "limit": limit })).await?;
        same(&format!("the number of results with limit {limit}"), &hits.len(), &limit)?;
    }
    Ok(())
}

pub(super) async fn order(asker: &Asker) -> Held {
    let repo = asker.repo()?;
    repo.sync(&[("a.rs", 1), ("b.rs", 1), ("c.rs", 1)]).await?;
    let chunks = vec![
        repo.chunk("a.rs", 1, "settle_invoice", INVOICE),
        repo.chunk("b.rs", 1, "customer", "fn customer() {\n    // owes\n}"),
        repo.chunk("c.rs", 1, "pay", "fn pay() {}"),
    ];
    repo.index(chunks).await?;
    let query = "settle invoice: pay what the customer owes";
    let hits = repo.find(query, "a.rs").await?;
    let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().unwrap_or(-1.0)).collect();
    ensure(scores.iter().all(|score| (0.0..=1.0).contains(score)), || format!("scores are {scores:?}"))?;
    ensure(scores.is_sorted_by(|one, other| one >= other), || format!("scores are {scores:?}"))
}

pub(super) async fn lines(asker: &Asker) -> Held {
    let content = long();
    let (_, hit) = one(asker, &content).await?;
    let hit: SearchHit =
        serde_json::from_value(hit).map_err(|error| format!("a hit is not of its schema: {error}"))?;
    ensure(hit.snippet.contains("settle_invoice"), || {
        format!("the snippet leaves out the lines that match: {:?}", hit.snippet)
    })?;
    let (Some(start), Some(end)) = (hit.snippet_start, hit.snippet_end) else {
        return Err("a hit lacks `snippetStart` or `snippetEnd`".to_owned());
    };
    ensure(101 <= start && start <= end && end <= 160, || {
        format!("the snippet's lines are {start} to {end}, of a chunk from 101 to 160")
    })?;
    let (first, last) = ((start - 101) as usize, (end - 100) as usize);
    let due = content.lines().collect::<Vec<_>>()[first..last].join("\n");
    ensure(hit.snippet.trim() == due.trim(), || {
        format!("lines {start} to {end} are another text than the snippet")
    })
}

pub(super) async fn hash(asker: &Asker) -> Held {
    let (repo, hit) = one(asker, INVOICE).await?;
    same("`fileHash`", &hit["fileHash"], &json!(repo.file_hash("src/money.rs", 1)))
}

pub(super) async fn unknown(asker: &Asker) -> Held {
    let (repo, _) = one(asker, INVOICE).await?;
    let nobody = asker.repo()?;
    for filter in [json!({ "repo": nobody.name }), json!({ "repo": repo.name, "lang": "no-such-language" })] {
        let mut request = filter.clone();
        request["query"] = json!(INVOICE);
        let hits = asker.hits(&request).await?;
        ensure(hits.is_empty(), || format!("with {filter} there is {}", brief(&hits)))?;
    }
    Ok(())
}

pub(super) async fn range(asker: &Asker) -> Held {
    let path = format!("{}/health", asker.target.base_path);
    let health = asker.send(Method::GET, &path, Some(&asker.target.token), "", None).await?.good()?;
    let most = health["maxLimit"].as_u64().ok_or("/health says no `maxLimit`")?;
    for limit in [0, most + 1] {
        asker.post("/search", &json!({ "query": "x", "limit": limit })).await?.refused(&[422])?;
    }
    asker.post("/search", &json!({ "query": "x", "limit": most })).await?.good()?;
    asker.post("/search", &json!({ "query": " " })).await?.refused(&[400, 422])?;
    let long = "word ".repeat(ctxhost_protocol::codebase_index::limits::QUERY_BYTES);
    asker.post("/search", &json!({ "query": long })).await?.refused(&[422])
}

pub(super) async fn mode(asker: &Asker) -> Held {
    let reply = asker.ask("/search", &json!({ "query": "settle invoice" })).await?;
    let mode = reply["mode"].as_str();
    ensure(matches!(mode, Some("lexical" | "hybrid")), || {
        format!("`mode` is {}, where \"lexical\" or \"hybrid\" is due", reply["mode"])
    })?;
    let notes = reply.get("notes");
    let texts = |notes: &Value| notes.as_array().is_some_and(|notes| notes.iter().all(Value::is_string));
    ensure(notes.is_none_or(texts), || "`notes` is no list of texts".to_owned())
}
