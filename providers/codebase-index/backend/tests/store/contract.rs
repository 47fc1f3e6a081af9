//! What `/sync` and `/index` promise.

use ctxhost_index::store::{MAX_CHUNKS, MAX_CONTENT_BYTES, Scope, Sqlite, Store};
use ctxhost_protocol::codebase_index::{Chunk, IndexRequest, SyncRequest, View};

use super::*;

fn store() -> Sqlite {
    Sqlite::in_memory().expect("a store")
}

fn sync(store: &Sqlite, root: &str, all: &[(&str, u64)]) -> SyncReply {
    store.sync(ORG, &state("api", None, root, files(all)), NOW).expect("a sync")
}

fn root(store: &Sqlite, root: &str) -> SyncReply {
    store.sync(ORG, &state("api", None, root, None), NOW).expect("a sync")
}

#[test]
fn a_new_repository_is_asked_for_whole_and_then_never_again() {
    let store = store();
    assert_eq!(changed(&sync(&store, "r1", &[("a.rs", 1), ("b.rs", 2)])), ["a.rs", "b.rs"]);
    assert_eq!(changed(&root(&store, "r1")), ["a.rs", "b.rs"], "nothing has come yet");
    assert_eq!(index(&store, ORG, vec![chunk("api", "a.rs", "a", 1, "alpha")]).expect("stored"), 1);
    assert_eq!(changed(&root(&store, "r1")), ["b.rs"]);
    index(&store, ORG, vec![chunk("api", "b.rs", "b", 2, "beta")]).expect("stored");
    assert_eq!(root(&store, "r1"), SyncReply::default());
    assert_eq!(sync(&store, "r1", &[("a.rs", 1), ("b.rs", 2)]), SyncReply::default());
}

#[test]
fn the_old_chunks_are_shown_until_the_new_ones_are_complete() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1)]);
    index(&store, ORG, vec![chunk("api", "a.rs", "a", 1, "alpha")]).expect("stored");
    assert_eq!(changed(&sync(&store, "r2", &[("a.rs", 2)])), ["a.rs"]);
    assert_eq!(paths(&store, &Scope::default(), "alpha"), ["a.rs"]);
    let half = |symbol: &str| Chunk { file_chunks: Some(2), ..chunk("api", "a.rs", symbol, 2, "gamma") };
    index(&store, ORG, vec![half("a")]).expect("stored");
    assert_eq!(paths(&store, &Scope::default(), "gamma"), Vec::<String>::new());
    assert_eq!(paths(&store, &Scope::default(), "alpha"), ["a.rs"]);
    index(&store, ORG, vec![half("b")]).expect("stored");
    assert_eq!(paths(&store, &Scope::default(), "gamma"), ["a.rs", "a.rs"]);
    assert_eq!(paths(&store, &Scope::default(), "alpha"), Vec::<String>::new());
}

#[test]
fn a_branch_there_and_back_asks_for_nothing() {
    let store = store();
    for (root, number) in [("main", 1), ("branch", 2)] {
        sync(&store, root, &[("a.rs", number), ("same.rs", 9)]);
        index(&store, ORG, vec![chunk("api", "a.rs", "a", number, &format!("word{number}"))])
            .expect("stored");
        index(&store, ORG, vec![chunk("api", "same.rs", "s", 9, "same")]).expect("stored");
    }
    for (root, number) in [("main", 1), ("branch", 2), ("main", 1)] {
        let all = [("a.rs", number), ("same.rs", 9)];
        assert_eq!(sync(&store, root, &all), SyncReply::default());
        assert_eq!(shown(&store, ORG, &Scope::default(), &format!("word{number}")).len(), 1);
        assert_eq!(shown(&store, ORG, &Scope::default(), &format!("word{}", 3 - number)).len(), 0);
    }
}

#[test]
fn another_checkout_or_name_asks_only_for_what_is_new() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1), ("b.rs", 2)]);
    let both = vec![chunk("api", "a.rs", "a", 1, "alpha"), chunk("api", "b.rs", "b", 2, "beta")];
    index(&store, ORG, both).expect("stored");
    let worktree = state("api-1234", Some("w"), "r2", files(&[("a.rs", 1), ("b.rs", 3)]));
    assert_eq!(changed(&store.sync(ORG, &worktree, NOW).expect("a sync")), ["b.rs"]);
    assert_eq!(shown(&store, ORG, &view("api-1234", "w"), "alpha").len(), 1);
    assert_eq!(shown(&store, ORG, &Scope::default(), "alpha").len(), 1, "shared code is found once");
}

#[test]
fn files_that_are_not_listed_are_removed() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1), ("b.rs", 2)]);
    index(&store, ORG, vec![chunk("api", "a.rs", "a", 1, "alpha")]).expect("stored");
    let reply = sync(&store, "r2", &[("b.rs", 2)]);
    assert_eq!(reply.removed.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["a.rs"]);
    assert_eq!(paths(&store, &Scope::default(), "alpha"), Vec::<String>::new());
    assert_eq!(sync(&store, "r3", &[]).removed.len(), 1, "an empty listing is a listing");
    assert_eq!(root(&store, "r3"), SyncReply::default());
}

#[test]
fn a_root_alone_needs_a_repository_that_is_known() {
    let store = store();
    let (status, message) = refused(store.sync(ORG, &state("api", None, "r1", None), NOW));
    assert_eq!(status, 422);
    assert!(message.contains("\"api\"") && message.contains("files"), "{message}");
    // Neither does a chunk make it known: its other files would never be asked for.
    index(&store, ORG, vec![chunk("api", "a.rs", "a", 1, "alpha")]).expect("stored");
    assert_eq!(refused(store.sync(ORG, &state("api", None, "r1", None), NOW)).0, 422);
}

#[test]
fn another_root_alone_wants_all_known_files_anew() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1), ("b.rs", 2)]);
    let both = vec![chunk("api", "a.rs", "a", 1, "alpha"), chunk("api", "b.rs", "b", 2, "beta")];
    index(&store, ORG, both).expect("stored");
    assert_eq!(changed(&root(&store, "r2")), ["a.rs", "b.rs"]);
    assert_eq!(paths(&store, &Scope::default(), "alpha"), ["a.rs"], "shown until the new one has come");
    // A client that knows only the document names no hash; one file is as before and one is new.
    let plain = |path: &str, content: &str| Chunk {
        file_hash: None,
        file_chunks: None,
        git_sha: Some("0123456789abcdef0123456789abcdef01234567".to_owned()),
        ..chunk("api", path, "x", 0, content)
    };
    index(&store, ORG, vec![plain("a.rs", "delta"), plain("c.rs", "epsilon")]).expect("stored");
    index(&store, ORG, vec![chunk("api", "b.rs", "b", 2, "beta")]).expect("stored");
    assert_eq!(root(&store, "r2"), SyncReply::default());
    for (word, count) in [("alpha", 0), ("delta", 1), ("epsilon", 1), ("beta", 1)] {
        assert_eq!(shown(&store, ORG, &Scope::default(), word).len(), count, "{word}");
    }
}

#[test]
fn the_hash_of_a_chunk_is_what_sync_announced_unless_it_is_named() {
    let bare = |name: Option<u64>| Chunk {
        file_hash: None,
        file_chunks: None,
        git_sha: name.map(hash),
        ..chunk("api", "a.rs", "a", 0, "alpha")
    };
    for name in [None, Some(1)] {
        let store = store();
        sync(&store, "r1", &[("a.rs", 1)]);
        index(&store, ORG, vec![bare(name)]).expect("stored");
        assert_eq!(root(&store, "r1"), SyncReply::default());
        let all = shown(&store, ORG, &Scope::default(), "alpha");
        assert_eq!(all.first().map(|one| one[3].clone()), Some(hash(1)));
    }
    let store = store();
    sync(&store, "r1", &[("a.rs", 1)]);
    index(&store, ORG, vec![bare(Some(2))]).expect("stored");
    assert_eq!(
        changed(&root(&store, "r1")),
        ["a.rs"],
        "it was changed between: what was announced is still wanted"
    );
    assert_eq!(
        sync(&store, "r2", &[("a.rs", 2)]),
        SyncReply::default(),
        "and what came is not asked for again"
    );
}

#[test]
fn chunks_that_nobody_announced_are_kept_by_their_identity() {
    let store = store();
    let bare =
        |content: &str| Chunk { file_hash: None, file_chunks: None, ..chunk("lib", "a.rs", "a", 0, content) };
    index(&store, ORG, vec![bare("alpha")]).expect("stored");
    index(&store, ORG, vec![Chunk { symbol: "b".to_owned(), ..bare("beta") }]).expect("stored");
    index(&store, ORG, vec![bare("gamma")]).expect("stored");
    for (word, count) in [("alpha", 0), ("beta", 1), ("gamma", 1)] {
        assert_eq!(shown(&store, ORG, &Scope::default(), word).len(), count, "{word}");
    }
    sync(&store, "r1", &[("a.rs", 1)]);
    let unlisted = Chunk { repo: "api".to_owned(), path: "other.rs".to_owned(), ..bare("delta") };
    let (status, message) = refused(index(&store, ORG, vec![unlisted]));
    assert_eq!(status, 422);
    assert!(message.contains("other.rs"), "{message}");
}

#[test]
fn a_removed_file_without_chunks_counts_as_indexed() {
    let store = store();
    sync(&store, "r1", &[("empty.rs", 1), ("a.rs", 2)]);
    index(&store, ORG, vec![chunk("api", "a.rs", "a", 2, "alpha")]).expect("stored");
    remove(&store, "api", None, "empty.rs");
    remove(&store, "api", None, "unknown.rs");
    remove(&store, "unknown", None, "a.rs");
    assert_eq!(root(&store, "r1"), SyncReply::default());
    assert_eq!(sync(&store, "r1", &[("empty.rs", 1), ("a.rs", 2)]), SyncReply::default());
}

#[test]
fn removing_a_file_takes_it_from_this_checkout_only() {
    let store = store();
    for reference in ["one", "two"] {
        let request = state("api", Some(reference), "r1", files(&[("a.rs", 1)]));
        store.sync(ORG, &request, NOW).expect("a sync");
    }
    index(
        &store,
        ORG,
        vec![Chunk { reference: Some("one".to_owned()), ..chunk("api", "a.rs", "a", 1, "alpha") }],
    )
    .expect("stored");
    remove(&store, "api", Some("one"), "a.rs");
    assert_eq!(shown(&store, ORG, &view("api", "one"), "alpha").len(), 0);
    assert_eq!(shown(&store, ORG, &view("api", "two"), "alpha").len(), 1);
    index(
        &store,
        ORG,
        vec![Chunk { reference: Some("one".to_owned()), ..chunk("api", "a.rs", "a", 1, "alpha") }],
    )
    .expect("stored");
    assert_eq!(shown(&store, ORG, &view("api", "one"), "alpha").len(), 1, "sent again, it is back");
}

#[test]
fn a_file_that_is_cut_otherwise_keeps_nothing_of_the_old_cut() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1)]);
    let part =
        |symbol: &str, of: u32| Chunk { file_chunks: Some(of), ..chunk("api", "a.rs", symbol, 1, "alpha") };
    let symbols = || -> Vec<String> {
        shown(&store, ORG, &Scope::default(), "alpha").into_iter().map(|[_, _, symbol, _]| symbol).collect()
    };
    // A client that was stopped after one of three, then a newer one.
    index(&store, ORG, vec![part("old", 3)]).expect("stored");
    index(&store, ORG, vec![part("a", 2), part("b", 2)]).expect("stored");
    assert_eq!(symbols(), ["a", "b"]);
    index(&store, ORG, vec![part("a", 2), part("b", 2)]).expect("stored");
    assert_eq!(symbols(), ["a", "b"], "the same again changes nothing");
    index(&store, ORG, vec![part("c", 2), part("d", 2)]).expect("stored");
    assert_eq!(symbols(), ["c", "d"]);
    index(&store, ORG, vec![part("e", 1)]).expect("stored");
    assert_eq!(symbols(), ["e"]);
    index(&store, ORG, vec![part("f", 2)]).expect("stored");
    assert_eq!(symbols(), Vec::<String>::new(), "half of a cut is not shown");
    assert_eq!(changed(&root(&store, "r1")), ["a.rs"], "but asked for");
    // As many as it should have, but of two cuts.
    index(&store, ORG, vec![part("g", 2)]).expect("stored");
    index(&store, ORG, vec![part("h", 2), part("i", 2)]).expect("stored");
    assert_eq!(symbols(), ["h", "i"]);
}

#[test]
fn a_search_looks_at_the_views_named_and_else_at_the_latest() {
    let store = store();
    for (at, (repo, reference, number)) in
        [("api", "one", 1), ("api", "two", 2), ("web", "one", 3)].into_iter().enumerate()
    {
        let request = state(repo, Some(reference), "r", files(&[("a.rs", number)]));
        store.sync(ORG, &request, NOW + at as i64).expect("a sync");
        let reference = Some(reference.to_owned());
        index(&store, ORG, vec![Chunk { reference, ..chunk(repo, "a.rs", "a", number, "alpha") }])
            .expect("stored");
    }
    let hashes = |scope: &Scope| -> Vec<String> {
        shown(&store, ORG, scope, "alpha").into_iter().map(|[.., hash]| hash).collect()
    };
    assert_eq!(hashes(&Scope::default()), [hash(2)], "one text, found once, in the first repository");
    let only = |repo: &str| Scope { repo: Some(repo.to_owned()), ..Scope::default() };
    assert_eq!(hashes(&only("api")), [hash(2)]);
    assert_eq!(hashes(&only("web")), [hash(3)]);
    assert_eq!(hashes(&only("none")), Vec::<String>::new());
    assert_eq!(hashes(&view("api", "one")), [hash(1)]);
    assert_eq!(hashes(&view("api", "unknown")), [hash(2)], "an unknown checkout is looked for in the latest");
    store.sync(ORG, &state("api", Some("one"), "r", None), NOW + 9).expect("a sync");
    assert_eq!(hashes(&only("api")), [hash(1)], "an unchanged sync makes it the latest too");
    let lang = |lang: &str| Scope { lang: Some(lang.to_owned()), ..only("api") };
    assert_eq!(hashes(&lang("Rust")).len(), 1);
    assert_eq!(hashes(&lang("go")).len(), 0);
    let named = View { repo: "api".to_owned(), reference: "two".to_owned() };
    let chunk = store.lexical(ORG, &Scope { views: vec![named], ..only("api") }, &["alpha".to_owned()], 1);
    let chunk = store.chunks(ORG, &[chunk.expect("a search")[0].chunk]).expect("it").remove(0);
    assert_eq!(chunk.reference.as_deref(), Some("two"));
}

#[test]
fn names_and_paths_are_found_exactly() {
    let store = store();
    let all = [("src/app/main.rs", 1), ("src/lib.rs", 2)];
    sync(&store, "r1", &all);
    let parts = vec![
        chunk("api", "src/app/main.rs", "App.renew", 1, "alpha"),
        chunk("api", "src/lib.rs", "renew", 2, "beta"),
    ];
    index(&store, ORG, parts).expect("stored");
    let found = |names: &[&str], paths: &[&str]| -> Vec<String> {
        let own = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        let ids = store.exact(ORG, &Scope::default(), &own(names), &own(paths), 10).expect("a search");
        store.chunks(ORG, &ids).expect("chunks").into_iter().map(|chunk| chunk.symbol).collect()
    };
    assert_eq!(found(&["renew"], &[]), ["renew", "App.renew"]);
    assert_eq!(found(&["App::renew"], &[]), ["App.renew"]);
    assert_eq!(found(&["app.RENEW"], &[]), ["App.renew"]);
    assert_eq!(found(&["ren"], &["in.rs"]), Vec::<String>::new());
    assert_eq!(found(&[], &["app/main.rs"]), ["App.renew"]);
    assert_eq!(found(&[], &["./src/lib.rs", "LIB.rs"]), ["renew"]);
}

#[test]
fn requests_that_contradict_themselves_are_refused() {
    let store = store();
    let two = vec![state("api", None, "r", None).repos.remove(0); 2];
    assert_eq!(refused(store.sync(ORG, &SyncRequest { repos: two }, NOW)).0, 400);
    let twice = state("api", None, "r", files(&[("a.rs", 1), ("a.rs", 2)]));
    assert_eq!(refused(store.sync(ORG, &twice, NOW)).0, 400);
    let good = || chunk("api", "a.rs", "a", 1, "alpha");
    let (status, message) = refused(index(&store, ORG, vec![good(), good()]));
    assert_eq!(status, 400);
    assert!(message.contains("\"a\"") && message.contains("\"a.rs\""), "{message}");
    let check = |status: u16, chunk: Chunk| assert_eq!(refused(index(&store, ORG, vec![chunk])).0, status);
    check(413, Chunk { content: "x".repeat(MAX_CONTENT_BYTES + 1), ..good() });
    for path in ["", "/", "/a", "a/", "a//b", ".", "../a", "a/../b", "a\0", "a\nb"] {
        check(400, Chunk { path: path.to_owned(), ..good() });
    }
    check(400, Chunk { symbol: String::new(), ..good() });
    check(400, Chunk { reference: Some("a\tb".to_owned()), ..good() });
    check(422, Chunk { path: "é".repeat(4097), ..good() });
    assert_eq!(
        index(&store, ORG, vec![Chunk { symbol: "é".repeat(1024), ..good() }]).expect("characters count"),
        1
    );
    check(422, Chunk { repo: "x".repeat(5000), ..good() });
    check(400, Chunk { file_hash: Some("?1:root".to_owned()), ..good() });
    check(400, Chunk { file_chunks: Some(0), ..good() });
    let many = (0..=MAX_CHUNKS).map(|at| Chunk { symbol: at.to_string(), ..good() }).collect();
    assert_eq!(refused(index(&store, ORG, many)).0, 413);
    let empty = IndexRequest::default();
    assert_eq!(store.index(ORG, &empty, NOW).expect("nothing to do"), 0);
    // Whatever is in it, words are words.
    let odd = ["\" OR \"", "*", "a*", "NEAR(", "name:", "", "\0", "日本"].map(str::to_owned);
    store.lexical(ORG, &Scope::default(), &odd, 10).expect("a search");
    assert_eq!(store.chunks(ORG, &[-1, 0, i64::MAX, i64::MIN]).expect("none"), []);
}

#[test]
fn a_request_that_is_refused_changes_nothing() {
    let store = store();
    sync(&store, "r1", &[("a.rs", 1)]);
    let mut request = state("api", None, "r2", files(&[("b.rs", 2)]));
    request.repos.extend(state("unknown", None, "r", None).repos);
    assert_eq!(refused(store.sync(ORG, &request, NOW)).0, 422);
    assert_eq!(changed(&root(&store, "r1")), ["a.rs"]);
}
