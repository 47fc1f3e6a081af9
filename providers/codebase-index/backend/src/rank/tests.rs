//! What a search answers, over the store in memory.

use ctxhost_protocol::codebase_index::{Chunk, IndexRequest};

use super::*;
use crate::store::Sqlite;

const ORG: &str = "acme";

/// Path, symbol, content.
fn store(chunks: &[(&str, &str, &str)]) -> Sqlite {
    let store = Sqlite::in_memory().expect("a store");
    let chunk = |(path, symbol, content): &(&str, &str, &str)| Chunk {
        repo: "api".to_owned(),
        path: (*path).to_owned(),
        symbol: (*symbol).to_owned(),
        lang: "rust".to_owned(),
        line_start: Some(10),
        line_end: Some(9 + content.lines().count() as u32),
        content: (*content).to_owned(),
        ..Chunk::default()
    };
    let request = IndexRequest { chunks: chunks.iter().map(chunk).collect(), remove: Vec::new() };
    store.index(ORG, &request, 0).expect("stored");
    store
}

fn ask(store: &Sqlite, query: &str, limit: u32) -> SearchReply {
    let request = SearchRequest { query: query.to_owned(), limit: Some(limit), ..SearchRequest::default() };
    search(store, ORG, &request, None).expect("an answer")
}

fn symbols(store: &Sqlite, query: &str) -> Vec<String> {
    ask(store, query, 10).results.into_iter().map(|hit| hit.symbol).collect()
}

#[test]
fn words_in_the_name_weigh_more_than_in_the_code() {
    let store = store(&[
        ("a.rs", "other", "fn other() { renew_subscription(); renew_subscription() }"),
        ("b.rs", "Service.renew_subscription", "fn renew_subscription() { todo }"),
        ("c.rs", "unrelated", "fn unrelated() {}"),
    ]);
    assert_eq!(symbols(&store, "where is a subscription renewed?"), ["Service.renew_subscription", "other"]);
    assert_eq!(symbols(&store, "nothing of this kind"), Vec::<String>::new());
}

#[test]
fn what_is_named_comes_first() {
    let store = store(&[
        ("a.rs", "caller", "swap_all swap_all swap_all swap_all swap_all"),
        ("deep/down/b.rs", "Buffer.swap_all", "x"),
        ("c.rs", "swap", "about b.rs and b.rs again"),
    ]);
    assert_eq!(symbols(&store, "swap_all")[0], "Buffer.swap_all");
    assert_eq!(symbols(&store, "Buffer::swap_all")[0], "Buffer.swap_all");
    assert_eq!(symbols(&store, "what does swap do")[0], "swap");
    assert_eq!(symbols(&store, "down/b.rs")[0], "Buffer.swap_all");
    assert_eq!(symbols(&store, "b.rs")[0], "Buffer.swap_all");
    let mut both = symbols(&store, "how does `swap_all` in a.rs work")[..2].to_vec();
    both.sort();
    assert_eq!(both, ["Buffer.swap_all", "caller"], "the name and the path");
}

#[test]
fn a_name_within_a_sentence_does_not_outweigh_the_rest() {
    let files: Vec<String> = (0..24).map(|file| format!("{file}.rs")).collect();
    let mut chunks = vec![("clock.rs", "SysClock", "struct SysClock")];
    chunks.extend(
        files.iter().map(|file| (file.as_str(), "tick", "a call of SysClock that says nothing else")),
    );
    chunks.extend(files.iter().take(6).map(|file| (file.as_str(), "set_alarm_timer", "alarm timer delay")));
    let store = store(&chunks);
    assert_eq!(symbols(&store, "Sets alarm, timer and delay by a SysClock")[0], "set_alarm_timer");
    assert_eq!(symbols(&store, "SysClock")[0], "SysClock");
}

#[test]
fn a_name_alone_finds_its_definition_in_code_that_has_no_name() {
    let store = store(&[
        ("a.rs", "caller", "resume(); resume(); resume();"),
        (
            "b.rs",
            "b.rs#1",
            "rt! {\n    pub fn resume() {\n        a_lot();\n        of_other(words);\n    }\n}",
        ),
        ("c.rs", "pause", "fn resumed() { resume() }"),
    ]);
    assert_eq!(symbols(&store, "resume")[0], "b.rs#1");
}

#[test]
fn scores_fall_and_lie_between_0_and_1() {
    let store = store(&[
        ("a.rs", "renew", "x"),
        ("b.rs", "b", "renew it"),
        ("c.rs", "c", "renew it, and again and again"),
    ]);
    for query in ["renew", "renew again", "how to renew it in a.rs"] {
        let scores: Vec<f64> = ask(&store, query, 10).results.iter().map(|hit| hit.score).collect();
        assert_eq!(scores.len(), 3);
        assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
    }
}

#[test]
fn a_file_takes_three_places_at_most() {
    let symbols = ["a", "b", "c", "d", "e"];
    let mut chunks: Vec<(&str, &str, &str)> =
        symbols.iter().map(|symbol| ("one.rs", *symbol, "alpha alpha")).collect();
    chunks.push(("two.rs", "late", "beta gamma delta alpha"));
    let store = store(&chunks);
    let hits = ask(&store, "alpha", 10).results;
    assert_eq!(hits.iter().filter(|hit| hit.path == "one.rs").count(), 3);
    assert_eq!(hits.iter().filter(|hit| hit.path == "two.rs").count(), 1);
    assert_eq!(ask(&store, "alpha", 2).results.len(), 2);
}

#[test]
fn the_snippet_is_where_the_words_are() {
    let lines: Vec<String> = (0..100)
        .map(|line| match line {
            60 => "the needle is here".to_owned(),
            63 => "and the thread".to_owned(),
            20 => "needle".to_owned(),
            _ => format!("line {line}"),
        })
        .collect();
    let store = store(&[("a.rs", "long", &lines.join("\n")), ("b.rs", "short", "thread\nneedle")]);
    let hits = ask(&store, "needle and thread", 10).results;
    let long = hits.iter().find(|hit| hit.symbol == "long").expect("found");
    assert_eq!(long.snippet.lines().count(), 15);
    assert!(long.snippet.contains("needle is here") && long.snippet.contains("thread"), "{}", long.snippet);
    let (start, end) = (long.snippet_start.expect("a line"), long.snippet_end.expect("a line"));
    assert_eq!(end - start, 14);
    assert_eq!(long.snippet.lines().next(), Some(lines[start as usize - 10].as_str()), "its own lines");
    assert_eq!((long.line_start, long.line_end), (Some(10), Some(109)), "the chunk's lines");
    let short = hits.iter().find(|hit| hit.symbol == "short").expect("found");
    assert_eq!(
        (short.snippet.as_str(), short.snippet_start, short.snippet_end),
        ("thread\nneedle", Some(10), Some(11))
    );
}

#[test]
fn context_in_front_of_the_code_has_no_line() {
    let chunk = StoredChunk {
        id: 1,
        repo: String::new(),
        path: String::new(),
        symbol: String::new(),
        lang: String::new(),
        reference: None,
        file_hash: String::new(),
        line_start: Some(10),
        line_end: Some(11),
        content: "impl Service\nfn renew() {\n}".to_owned(),
    };
    assert_eq!(snippet::best(&chunk, &[]).lines, Some((10, 11)));
    let endless = StoredChunk { content: "é".repeat(50_000), line_end: None, ..chunk };
    let window = snippet::best(&endless, &["e".to_owned()]);
    assert!(window.text.len() < 500 && window.lines.is_none());
}

#[test]
fn both_legs_take_part_when_there_is_a_vector() {
    let store = store(&[("a.rs", "a", "alpha beta"), ("b.rs", "b", "gamma"), ("c.rs", "c", "delta")]);
    let generation = store.generation("m", 2).expect("a generation");
    let texts = store.unembedded(generation, 2).expect("texts");
    let vectors: Vec<_> = texts
        .iter()
        .map(|(id, text)| (*id, vec![f32::from(u8::from(text.contains("gamma"))), 0.5]))
        .collect();
    store.put_vectors(generation, &vectors).expect("stored");
    let request = SearchRequest { query: "alpha".to_owned(), ..SearchRequest::default() };
    let ask = |generation, vector: &[f32]| {
        search(&store, ORG, &request, Some(Question { generation, vector })).expect("an answer")
    };
    let hybrid = ask(generation, &[1.0, 0.4]);
    assert_eq!(hybrid.mode.as_deref(), Some("hybrid"));
    assert_eq!(hybrid.notes.len(), 1, "one waits: {:?}", hybrid.notes);
    let symbols: Vec<&str> = hybrid.results.iter().map(|hit| hit.symbol.as_str()).collect();
    assert_eq!(symbols, ["a", "b"], "words first, then what only the vectors know");
    for other in [ask(generation, &[1.0]), ask(77, &[1.0, 0.4])] {
        assert_eq!(other.mode.as_deref(), Some("lexical"));
        assert_eq!((other.results.len(), other.notes.len()), (1, 1));
    }
}

#[test]
fn questions_that_cannot_be_answered_are_refused() {
    let store = store(&[("a.rs", "a", "alpha")]);
    let status = |query: &str, limit| {
        let request = SearchRequest { query: query.to_owned(), limit, ..SearchRequest::default() };
        match search(&store, ORG, &request, None) {
            Ok(_) => 200,
            Err(StoreError::Invalid { status, .. }) => status,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(status("", None), 400);
    assert_eq!(status(" \n", None), 400);
    assert_eq!(status(&"x".repeat(MAX_QUERY_BYTES + 1), None), 422);
    assert_eq!((status("alpha", Some(0)), status("alpha", Some(101))), (422, 422));
    for odd in ["alpha", "\"", "a\0b", "()[]{}", "% _ *", "日本語", "..", "/", "~1", "::"] {
        assert_eq!(status(odd, Some(100)), 200, "{odd:?}");
    }
}
