//! Models come and go, and no two of them meet in one search.

use ctxhost_index::store::{Scope, Serving, Sqlite, Store, StoreError, TextId};

use super::*;

fn store() -> Sqlite {
    let store = Sqlite::in_memory().expect("a store");
    add(&store, 0..6);
    store
}

fn add(store: &Sqlite, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let bare = Chunk {
            file_hash: None,
            file_chunks: None,
            ..chunk("api", &format!("{number}.rs"), "a", 0, "alpha")
        };
        index(store, ORG, vec![bare]).expect("stored");
    }
}

fn texts(store: &Sqlite, generation: i64, limit: usize) -> Vec<(TextId, String)> {
    store.unembedded(generation, limit).expect("texts")
}

/// Embeds some texts: the one of file `n` points by `n` tenths of a right angle.
fn embed(store: &Sqlite, generation: i64, limit: usize, dimension: usize) {
    let vector = |text: &str| {
        let number: f32 = text.split('.').next().and_then(|number| number.parse().ok()).expect("a number");
        let mut vector = vec![0.0; dimension];
        (vector[0], vector[1]) = ((number / 10.0).cos(), (number / 10.0).sin());
        vector
    };
    let vectors: Vec<_> =
        texts(store, generation, limit).iter().map(|(id, text)| (*id, vector(text))).collect();
    store.put_vectors(generation, &vectors).expect("stored");
}

fn serving(store: &Sqlite) -> Option<i64> {
    store.serving(ORG).expect("an answer").map(|serving| serving.generation)
}

fn nearest(store: &Sqlite, generation: i64, vector: &[f32], limit: usize) -> Vec<String> {
    let found = store.dense(ORG, &Scope::default(), generation, vector, limit).expect("a search");
    assert!(found.is_sorted_by(|one, other| one.score >= other.score));
    let ids: Vec<_> = found.iter().map(|one| one.chunk).collect();
    store.chunks(ORG, &ids).expect("chunks").into_iter().map(|chunk| chunk.path).collect()
}

#[test]
fn vectors_fill_in_and_the_nearest_are_found() {
    let store = store();
    assert_eq!(serving(&store), None);
    let generation = store.generation("m", 3).expect("a generation");
    assert_eq!(store.generation("m", 3).expect("the same"), generation);
    assert_eq!(store.waiting(ORG, generation).expect("a count"), 6);
    assert!(texts(&store, generation, 1)[0].1.starts_with("0.rs a\nalpha"));
    embed(&store, generation, 2, 3);
    assert_eq!(store.waiting(ORG, generation).expect("a count"), 4);
    assert_eq!(
        store.serving(ORG).expect("an answer"),
        Some(Serving { generation, fingerprint: "m".to_owned(), dimension: 3 }),
        "some vectors are better than none"
    );
    embed(&store, generation, 100, 3);
    assert_eq!(texts(&store, generation, 100), []);
    assert_eq!(nearest(&store, generation, &[1.0, 0.0, 0.0], 3), ["0.rs", "1.rs", "2.rs"]);
    assert_eq!(nearest(&store, generation, &[0.0, 2.0, 0.0], 2), ["5.rs", "4.rs"]);
}

#[test]
fn a_new_model_takes_over_when_it_is_complete() {
    let store = store();
    let old = store.generation("old", 2).expect("a generation");
    embed(&store, old, 100, 2);
    let new = store.generation("new", 2).expect("a generation");
    assert_ne!(old, new);
    embed(&store, new, 5, 2);
    add(&store, 6..8);
    assert_eq!((serving(&store), store.waiting(ORG, new).expect("a count")), (Some(old), 3));
    assert_eq!(
        nearest(&store, old, &[1.0, 0.0], 100).len(),
        6,
        "what came since has no vector of the old model"
    );
    embed(&store, new, 100, 2);
    assert_eq!(serving(&store), Some(new));
    add(&store, 8..9);
    assert_eq!(serving(&store), Some(new), "it stays while more come");
    // Back to the old one: it has most of its vectors still, and takes over when it has all.
    assert_eq!(store.generation("old", 2).expect("a generation"), old);
    assert_eq!(store.waiting(ORG, old).expect("a count"), 3);
    assert_eq!(serving(&store), Some(new));
    embed(&store, old, 100, 2);
    assert_eq!(serving(&store), Some(old));
}

#[test]
fn another_dimension_is_another_generation() {
    let store = store();
    let two = store.generation("m", 2).expect("a generation");
    embed(&store, two, 100, 2);
    let three = store.generation("m", 3).expect("a generation");
    assert_ne!(two, three);
    let wrong = store.put_vectors(three, &[(1, vec![1.0, 2.0])]);
    assert!(matches!(wrong, Err(StoreError::Dimension { expected: 3, got: 2 })), "{wrong:?}");
    let wrong = store.dense(ORG, &Scope::default(), two, &[1.0; 3], 5);
    assert!(matches!(wrong, Err(StoreError::Dimension { expected: 2, got: 3 })), "{wrong:?}");
    assert!(matches!(store.put_vectors(99, &[]), Err(StoreError::Generation(99))));
    assert_eq!(refused(store.put_vectors(two, &[(1, vec![f32::NAN, 0.0])])).0, 422);
}

#[test]
fn odd_vectors_do_no_harm() {
    let store = store();
    let generation = store.generation("m", 2).expect("a generation");
    let ids: Vec<TextId> = texts(&store, generation, 100).into_iter().map(|(id, _)| id).collect();
    // One has no direction, one is of a text that is gone.
    store
        .put_vectors(
            generation,
            &[(ids[0], vec![0.0, 0.0]), (ids[1], vec![1.0, 0.0]), (9_999, vec![1.0, 1.0])],
        )
        .expect("stored");
    assert_eq!(nearest(&store, generation, &[1.0, 0.0], 10), ["1.rs"]);
    assert_eq!(nearest(&store, generation, &[0.0, 0.0], 10), Vec::<String>::new());
}

#[test]
fn a_text_that_is_known_keeps_its_vector() {
    let store = Sqlite::in_memory().expect("a store");
    let generation = store.generation("m", 2).expect("a generation");
    let part = |number, line: u32, symbol: &str, content: &str| Chunk {
        file_chunks: Some(2),
        line_start: Some(line),
        ..chunk("api", "1.rs", symbol, number, content)
    };
    store.sync(ORG, &state("api", None, "r1", files(&[("1.rs", 1)])), NOW).expect("a sync");
    index(&store, ORG, vec![part(1, 1, "a", "alpha"), part(1, 2, "b", "beta")]).expect("stored");
    embed(&store, generation, 100, 2);
    // One function changed, the other moved down.
    store.sync(ORG, &state("api", None, "r2", files(&[("1.rs", 2)])), NOW).expect("a sync");
    index(&store, ORG, vec![part(2, 1, "a", "gamma"), part(2, 9, "b", "beta")]).expect("stored");
    let waiting = texts(&store, generation, 100);
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    assert!(waiting[0].1.ends_with("gamma"));
    // The same bytes cut at other lines: nothing is embedded again.
    index(&store, ORG, vec![part(2, 2, "a", "gamma"), part(2, 8, "b", "beta")]).expect("stored");
    assert_eq!(texts(&store, generation, 100), waiting);
}
