//! What nobody uses is forgotten, and nothing else.

use ctxhost_index::store::{KEEP_UNREFERENCED, KEEP_UNSYNCED, Scope, Sqlite, Store};

use super::*;

const DAY: i64 = 86_400;

fn put(store: &Sqlite, reference: &str, number: u64, now: i64) {
    let request = state("api", Some(reference), &format!("r{number}"), files(&[("a.rs", number)]));
    store.sync(ORG, &request, now).expect("a sync");
    let part = chunk("api", "a.rs", "a", number, &format!("word{number}"));
    let reference = Some(reference.to_owned());
    let request = IndexRequest { chunks: vec![Chunk { reference, ..part }], remove: Vec::new() };
    store.index(ORG, &request, now).expect("stored");
}

fn asked_for(store: &Sqlite, reference: &str, number: u64, now: i64) -> bool {
    let request = state("api", Some(reference), &format!("r{number}"), files(&[("a.rs", number)]));
    !store.sync(ORG, &request, now).expect("a sync").changed.is_empty()
}

#[test]
fn a_branch_that_was_left_is_kept_for_a_month() {
    let store = Sqlite::in_memory().expect("a store");
    let generation = store.generation("m", 2).expect("a generation");
    put(&store, "main", 1, NOW);
    put(&store, "main", 2, NOW);
    store.prune(NOW).expect("pruned");
    store.prune(NOW + KEEP_UNREFERENCED).expect("pruned");
    assert!(!asked_for(&store, "main", 1, NOW + KEEP_UNREFERENCED), "just in time");
    // Used again, its month begins anew; the other one's begins here.
    store.prune(NOW + KEEP_UNREFERENCED + 2 * DAY).expect("pruned");
    assert_eq!(store.waiting(ORG, generation).expect("a count"), 2);
    let later = NOW + 2 * KEEP_UNREFERENCED + 4 * DAY;
    store.prune(later).expect("pruned");
    assert_eq!(shown(&store, ORG, &Scope::default(), "word1").len(), 1);
    assert_eq!(store.waiting(ORG, generation).expect("a count"), 1, "its texts went with it");
    assert!(asked_for(&store, "main", 2, later));
}

#[test]
fn a_checkout_that_nobody_syncs_goes_and_the_one_before_is_the_latest() {
    let store = Sqlite::in_memory().expect("a store");
    put(&store, "old", 1, NOW);
    put(&store, "kept", 2, NOW + 10 * DAY);
    put(&store, "old", 1, NOW + 11 * DAY);
    let unchanged = |reference: &str, number: u64, now| {
        let request = state("api", Some(reference), &format!("r{number}"), None);
        assert!(store.sync(ORG, &request, now).expect("a sync").changed.is_empty());
    };
    unchanged("kept", 2, NOW + 10 * DAY);
    assert_eq!(shown(&store, ORG, &Scope::default(), "word2").len(), 1);
    // Asked for daily, unchanged: that keeps it, and it is the latest; the other goes.
    for day in 11..80 {
        unchanged("kept", 2, NOW + day * DAY);
    }
    store.prune(NOW + 11 * DAY + KEEP_UNSYNCED + DAY).expect("pruned");
    assert_eq!(shown(&store, ORG, &view("api", "old"), "word1").len(), 0);
    assert_eq!(shown(&store, ORG, &Scope::default(), "word2").len(), 1);
}

#[test]
fn when_the_latest_view_ends_another_is_searched() {
    let store = Sqlite::in_memory().expect("a store");
    put(&store, "one", 1, NOW + 30 * DAY);
    // A clock that was wrong: synced last, but long ago.
    put(&store, "two", 2, NOW);
    assert_eq!(shown(&store, ORG, &Scope::default(), "word2").len(), 1);
    store.prune(NOW + KEEP_UNSYNCED + DAY).expect("pruned");
    assert_eq!(shown(&store, ORG, &Scope::default(), "word1").len(), 1);
    assert_eq!(shown(&store, ORG, &Scope::default(), "word2").len(), 0);
}

#[test]
fn an_old_model_is_kept_for_a_month_after_it_was_replaced() {
    let store = Sqlite::in_memory().expect("a store");
    put(&store, "main", 1, NOW);
    let embed = |generation| {
        let all = store.unembedded(generation, 10).expect("texts");
        let vectors: Vec<_> = all.into_iter().map(|(id, _)| (id, vec![1.0, 0.0])).collect();
        store.put_vectors(generation, &vectors).expect("stored");
    };
    let old = store.generation("old", 2).expect("a generation");
    embed(old);
    let new = store.generation("new", 2).expect("a generation");
    let dense = |generation| store.dense(ORG, &Scope::default(), generation, &[1.0, 0.0], 10);
    store.prune(NOW).expect("pruned");
    store.prune(NOW + KEEP_UNREFERENCED + DAY).expect("pruned");
    assert_eq!(dense(old).expect("still the one that serves").len(), 1);
    embed(new);
    let start = NOW + KEEP_UNREFERENCED + 2 * DAY;
    store.prune(start).expect("pruned");
    assert_eq!(dense(old).expect("kept for now").len(), 1);
    assert!(!asked_for(&store, "main", 1, start));
    store.prune(start + KEEP_UNREFERENCED + DAY).expect("pruned");
    assert!(matches!(dense(old), Err(StoreError::Generation(_))));
    assert_eq!(dense(new).expect("the new one stays").len(), 1);
}
