//! The mirrors of `codebase-index/v1`, with all their fields filled in.

use ctxhost_protocol::codebase_index::{
    BackendFacts, Chunk, Contribution, Development, ErrorBody, Fate, FileHash, FileRef, Found, Health,
    IndexReply, IndexRequest, ListedFile, Narrow, RankedHit, RefreshReply, RefreshRequest, RepoStanding,
    RepoState, SPEC, SearchHit, SearchReply, SearchRequest, SearchResult, Settings, State, StatusResult,
    SyncReply, SyncRequest, TokenPayload, View, limits,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{json as written, reply, text};
use crate::place::{Schemas, Subschema};

pub(super) fn mirrors() -> Vec<(&'static str, &'static str, &'static str, Vec<Value>)> {
    vec![
        (SPEC, "sync-request", "", vec![written(sync_request())]),
        (SPEC, "sync-reply", "", vec![written(SyncReply { changed: vec![file()], removed: vec![file()] })]),
        (SPEC, "index-request", "", vec![written(index_request())]),
        (SPEC, "index-reply", "", vec![written(IndexReply { indexed: 1 })]),
        (SPEC, "search-request", "", vec![written(search_request())]),
        (SPEC, "search-reply", "", vec![written(search_reply())]),
        (SPEC, "error", "", vec![written(ErrorBody { message: "no".into(), code: text("busy") })]),
        (SPEC, "refresh-request", "", vec![written(RefreshRequest { refresh_token: "r".into() })]),
        (SPEC, "refresh-reply", "", vec![written(refresh_reply())]),
        (SPEC, "token-payload", "", vec![written(TokenPayload { username: "ada".into(), exp: 2, iat: 1 })]),
        (SPEC, "health", "", vec![written(health())]),
        (SPEC, "development", "", vec![written(development())]),
        (SPEC, "contribution", "", vec![written(contribution())]),
        (SPEC, "reply", "", vec![written(reply(written(contribution())))]),
        (SPEC, "search-result", "", vec![written(search_result())]),
        (SPEC, "status-result", "", vec![written(status_result())]),
        (SPEC, "settings", "", vec![written(settings())]),
    ]
}

#[test]
fn what_says_nothing_is_read_as_absent_and_never_written() {
    fn back<T: serde::Serialize + DeserializeOwned>(value: Value) -> Value {
        written(serde_json::from_value::<T>(value).expect("it can be read"))
    }
    let chunk = json!({"repo": "r", "path": "p", "symbol": "s", "lang": "l", "content": "c"});
    let hit = json!({"repo": "r", "path": "p", "symbol": "s", "snippet": "c", "score": 0.5});
    for silent in [json!(null), json!(0), json!(0.0)] {
        let with = |value: &Value, names: &[&str]| {
            let mut value = value.clone();
            names.iter().for_each(|name| value[*name] = silent.clone());
            value
        };
        assert_eq!(back::<Chunk>(with(&chunk, &["lineStart", "lineEnd"])), chunk);
        let lines = ["lineStart", "lineEnd", "snippetStart", "snippetEnd"];
        assert_eq!(back::<SearchHit>(with(&hit, &lines)), hit);
    }
    let nulls = json!({"query": "q", "repo": null, "lang": null, "limit": null, "views": null});
    assert_eq!(back::<SearchRequest>(nulls), json!({"query": "q"}));
    assert_eq!(back::<IndexRequest>(json!({"chunks": [], "remove": null})), json!({"chunks": []}));
    let root = json!({"repos": [{"name": "r", "rootHash": "1"}]});
    assert_eq!(back::<SyncRequest>(json!({"repos": [{"name": "r", "rootHash": "1", "files": null}]})), root);
    // No files at all is another message than only a root.
    let empty = json!({"repos": [{"name": "r", "rootHash": "1", "files": []}]});
    assert_eq!(back::<SyncRequest>(empty.clone()), empty);
}

#[test]
fn whole_numbers_with_a_fraction_are_read() {
    let chunk = json!({"repo": "r", "path": "p", "symbol": "s", "lang": "l", "content": "c",
        "lineStart": 42.0, "lineEnd": 88.0, "fileChunks": 2.0});
    let chunk: Chunk = serde_json::from_value(chunk).expect("it can be read");
    assert_eq!((chunk.line_start, chunk.line_end, chunk.file_chunks), (Some(42), Some(88), Some(2)));
    let asked: SearchRequest =
        serde_json::from_value(json!({"query": "q", "limit": 5.0})).expect("it can be read");
    assert_eq!(asked.limit, Some(5));
}

#[test]
fn no_token_is_in_what_a_log_would_show() {
    let shown = format!(
        "{:?}{:?}{:?}",
        development(),
        refresh_reply(),
        RefreshRequest { refresh_token: "secret".into() }
    );
    assert!(!shown.contains("secret"), "{shown}");
    assert!(shown.contains("127.0.0.1"), "{shown}");
}

#[test]
fn limits_and_schemas_agree() {
    let schemas = Schemas::published();
    let cases = [
        ("index-request", "/properties/chunks/maxItems", limits::CHUNKS),
        ("index-request", "/$defs/chunk/properties/content/maxLength", limits::CONTENT_BYTES),
        ("index-request", "/$defs/chunk/properties/symbol/maxLength", limits::NAME),
        ("index-request", "/$defs/chunk/properties/lang/maxLength", limits::NAME),
        ("search-request", "/properties/query/maxLength", limits::QUERY_BYTES),
        ("search-request", "/properties/limit/maximum", limits::RESULTS as usize),
        ("search-request", "/properties/views/maxItems", limits::VIEWS),
        ("search-request", "/properties/repo/maxLength", limits::NAME),
        ("search-request", "/properties/lang/maxLength", limits::NAME),
        ("search-reply", "/properties/results/maxItems", limits::RESULTS as usize),
        ("sync-request", "/$defs/name/maxLength", limits::NAME),
        ("sync-request", "/$defs/hash/maxLength", limits::HASH),
        ("index-request", "/$defs/chunk/properties/fileHash/maxLength", limits::HASH),
        ("sync-request", "/$defs/path/maxLength", limits::PATH),
        ("sync-request", "/$defs/ref/maxLength", limits::NAME),
        ("settings", "/properties/batch_bytes/maximum", limits::BODY_BYTES),
    ];
    for (schema, pointer, limit) in cases {
        let at = Subschema::published(SPEC, schema, pointer);
        assert_eq!(schemas.get(&at), Some(&json!(limit)), "{schema}{pointer}");
    }
}

fn file() -> FileRef {
    FileRef { repo: "acme/shop".into(), path: "src/a.rs".into(), reference: text("1") }
}

fn sync_request() -> SyncRequest {
    let files = Some(vec![FileHash { path: "src/a.rs".into(), hash: "00".into() }]);
    SyncRequest {
        repos: vec![RepoState {
            name: "acme/shop".into(),
            root_hash: "00".into(),
            files,
            reference: text("1"),
        }],
    }
}

fn index_request() -> IndexRequest {
    IndexRequest {
        chunks: vec![Chunk {
            repo: "acme/shop".into(),
            path: "src/a.rs".into(),
            symbol: "Shop.open".into(),
            lang: "rust".into(),
            git_sha: text("00"),
            file_hash: text("00"),
            file_chunks: Some(1),
            reference: text("1"),
            line_start: Some(1),
            line_end: Some(2),
            content: "fn open() {}".into(),
        }],
        remove: vec![file()],
    }
}

fn search_request() -> SearchRequest {
    SearchRequest {
        query: "where is it opened".into(),
        repo: text("acme/shop"),
        lang: text("rust"),
        limit: Some(1),
        views: vec![View { repo: "acme/shop".into(), reference: "1".into() }],
    }
}

fn search_reply() -> SearchReply {
    SearchReply {
        results: vec![SearchHit {
            repo: "acme/shop".into(),
            path: "src/a.rs".into(),
            symbol: "Shop.open".into(),
            lang: text("rust"),
            snippet: "fn open() {}".into(),
            score: 0.5,
            line_start: Some(1),
            line_end: Some(2),
            snippet_start: Some(1),
            snippet_end: Some(2),
            file_hash: text("00"),
            reference: text("1"),
        }],
        mode: text("hybrid"),
        notes: vec!["3 chunks wait for their vectors".into()],
    }
}

fn refresh_reply() -> RefreshReply {
    RefreshReply { access_token: "secret".into(), refresh_token: "secret".into(), expires_in: 3600 }
}

fn health() -> Health {
    Health {
        status: "ok".into(),
        embedder: "none".into(),
        dimension: Some(384),
        waiting: 1,
        max_body_bytes: 1,
        max_chunks: 1,
        max_content_bytes: 1,
        max_limit: 1,
    }
}

fn development() -> Development {
    Development { v: 1, url: "http://127.0.0.1:7171".into(), token: "secret".into(), pid: Some(1) }
}

fn standing() -> RepoStanding {
    RepoStanding {
        name: "acme/shop".into(),
        reference: text("1"),
        files: 3,
        waiting: 1,
        left_out: 1,
        acknowledged: true,
    }
}

fn contribution() -> Contribution {
    Contribution {
        state: State::Stale,
        reason: text("The last sync ended early."),
        mode: text("lexical"),
        repos: vec![standing()],
        query: text("where is it opened"),
        hits: vec![RankedHit {
            repo: "acme/shop".into(),
            path: "src/a.rs".into(),
            symbol: "Shop.open".into(),
            lang: text("rust"),
            score: 0.5,
            line_start: Some(1),
            line_end: Some(2),
            stale: true,
        }],
        sent: 1,
        waiting: 1,
        synced_at: Some(1.5),
        notes: vec!["it searches by words alone".into()],
    }
}

fn search_result() -> SearchResult {
    SearchResult {
        state: State::Ready,
        mode: text("lexical"),
        results: vec![Found {
            repo: "acme/shop".into(),
            path: "src/a.rs".into(),
            symbol: "Shop.open".into(),
            lang: text("rust"),
            snippet: "fn open() {}".into(),
            score: 0.5,
            line_start: Some(1),
            line_end: Some(2),
            snippet_start: Some(1),
            snippet_end: Some(2),
            stale: true,
        }],
        notes: vec!["it searches by words alone".into()],
    }
}

fn status_result() -> StatusResult {
    StatusResult {
        state: State::SignedOut,
        reason: text("The token has ended."),
        backend: Some(BackendFacts {
            url: "http://127.0.0.1:7171".into(),
            development: true,
            embedder: text("none"),
            dimension: Some(384),
            waiting: 1,
        }),
        username: text("ada"),
        repos: vec![standing()],
        sent: 1,
        waiting: 1,
        synced_at: Some(1.5),
        files: vec![ListedFile {
            repo: "acme/shop".into(),
            path: ".env".into(),
            fate: Fate::LeftOut,
            reason: text("secret"),
        }],
        more_files: 1,
        notes: vec!["it searches by words alone".into()],
    }
}

fn settings() -> Settings {
    let globs = || Some(vec!["src/".into()]);
    Settings {
        url: text("https://index.example"),
        base_path: text("/codebase-index"),
        auth_provider: text("github"),
        ca_file: text("/a.pem"),
        untracked: Some(true),
        prompt: Some(true),
        prompt_tokens: Some(1),
        prompt_results: Some(1),
        include: globs(),
        exclude: globs(),
        concurrency: Some(1),
        batch_bytes: Some(1),
        narrow: Some(Narrow {
            untracked: Some(false),
            prompt: Some(false),
            prompt_tokens: Some(1),
            prompt_results: Some(1),
            include: globs(),
            exclude: globs(),
        }),
    }
}
