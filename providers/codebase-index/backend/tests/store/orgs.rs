//! Two organisations with the same repository: neither sees or learns of the other.

use ctxhost_index::{
    rank::{self, Question},
    store::{Scope, Sqlite, Store},
};
use ctxhost_protocol::codebase_index::{SearchReply, SearchRequest};

use super::*;

fn ask(store: &Sqlite, org: &str, generation: i64) -> SearchReply {
    let request = SearchRequest { query: "alpha word shared.rs".to_owned(), ..SearchRequest::default() };
    rank::search(store, org, &request, Some(Question { generation, vector: &[1.0, 0.5] })).expect("an answer")
}

fn embed(store: &Sqlite, generation: i64) {
    let texts = store.unembedded(generation, 10_000).expect("texts");
    let vectors: Vec<_> = texts.iter().map(|(id, text)| (*id, vec![1.0, text.len() as f32])).collect();
    store.put_vectors(generation, &vectors).expect("vectors");
}

fn fill(store: &Sqlite, org: &str, secret: &str, count: u64) {
    let listing: Vec<(String, u64)> = (0..count)
        .map(|number| (format!("file{number}.rs"), 7))
        .chain([("shared.rs".to_owned(), 7)])
        .collect();
    let listing: Vec<(&str, u64)> = listing.iter().map(|(path, number)| (path.as_str(), *number)).collect();
    let reply = store.sync(org, &state("api", Some("main"), "root", files(&listing)), NOW).expect("a sync");
    assert_eq!(reply.changed.len() as u64, count + 1, "another's hashes are not known here");
    for (path, number) in listing {
        let content = format!("alpha word {secret} {}", "filler ".repeat(path.len()));
        let chunk = Chunk { reference: Some("main".to_owned()), ..chunk("api", path, "a", number, &content) };
        index(store, org, vec![chunk]).expect("stored");
    }
}

#[test]
fn what_one_does_changes_no_answer_count_or_score_of_the_other() {
    let store = Sqlite::in_memory().expect("a store");
    let generation = store.generation("model", 2).expect("a generation");
    fill(&store, "acme", "acmesecret", 20);
    embed(&store, generation);
    let before = ask(&store, "acme", generation);
    let scores = |word: &str| {
        let found = store.lexical("acme", &Scope::default(), &[word.to_owned()], 100).expect("a search");
        found.into_iter().map(|one| (one.chunk, one.score)).collect::<Vec<_>>()
    };
    let words = scores("alpha");
    assert_eq!(before.results.len(), 10);

    fill(&store, "other", "othersecret", 50);
    assert_eq!(store.waiting("acme", generation).expect("a count"), 0);
    assert_eq!(store.waiting("other", generation).expect("a count"), 51);
    assert_eq!(store.serving("other").expect("none"), None);
    assert_eq!(ask(&store, "acme", generation), before);
    embed(&store, generation);
    assert_eq!(ask(&store, "acme", generation), before);
    assert_eq!(scores("alpha"), words);

    for (org, own, foreign) in [("acme", "acmesecret", "othersecret"), ("other", "othersecret", "acmesecret")]
    {
        assert!(!shown(&store, org, &Scope::default(), own).is_empty());
        assert!(shown(&store, org, &view("api", "main"), foreign).is_empty());
        let text = format!("{:?}", ask(&store, org, generation));
        assert!(text.contains(own) && !text.contains(foreign), "{text}");
    }
    // Ids of the other's chunks say nothing.
    let foreign: Vec<_> = words.iter().map(|(chunk, _)| *chunk).collect();
    assert_eq!(store.chunks("other", &foreign).expect("none"), []);
    assert_eq!(store.chunks("nobody", &foreign).expect("none"), []);
}
