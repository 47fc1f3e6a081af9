//! Backends that are wrong: ours, with one fault each in front of it.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::{Next, from_fn},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

/// A request that is under way to our backend.
struct Asked {
    path: String,
    body: Value,
    text: Option<String>,
}

impl Asked {
    fn is(&self, path: &str) -> bool {
        self.path.ends_with(path)
    }
}

/// What our backend says, to be made worse.
struct Said {
    status: u16,
    body: Value,
}

async fn bytes(body: Body) -> Vec<u8> {
    axum::body::to_bytes(body, usize::MAX).await.expect("a body").into()
}

/// Our backend, with something done to its requests and answers.
fn altered(router: Router, before: fn(&mut Asked), after: fn(&Asked, &mut Said)) -> Router {
    router.layer(from_fn(move |request: Request, next: Next| async move {
        let (mut parts, body) = request.into_parts();
        let sent = bytes(body).await;
        let (path, body) = (parts.uri.path().to_owned(), serde_json::from_slice(&sent).unwrap_or_default());
        let mut asked = Asked { path, body, text: None };
        let as_it_was = asked.body.clone();
        before(&mut asked);
        let sent = match (asked.text.take(), asked.body == as_it_was) {
            (Some(text), _) => text.into_bytes(),
            (None, true) => sent,
            (None, false) => asked.body.to_string().into_bytes(),
        };
        parts.headers.remove(header::CONTENT_LENGTH);
        let answer = next.run(Request::from_parts(parts, Body::from(sent))).await;
        let (mut parts, body) = answer.into_parts();
        let body = bytes(body).await;
        let mut said =
            Said { status: parts.status.as_u16(), body: serde_json::from_slice(&body).unwrap_or_default() };
        asked.body = as_it_was;
        let was = said.body.clone();
        after(&asked, &mut said);
        parts.status = StatusCode::from_u16(said.status).expect("a status");
        parts.headers.remove(header::CONTENT_LENGTH);
        let body = match (said.body == was, said.body) {
            (true, _) => body,
            (false, Value::Null) => Vec::new(),
            (false, body) => body.to_string().into_bytes(),
        };
        Response::from_parts(parts, Body::from(body))
    }))
}

fn before(router: Router, what: fn(&mut Asked)) -> Router {
    altered(router, what, |_, _| {})
}

fn after(router: Router, what: fn(&Asked, &mut Said)) -> Router {
    altered(router, |_| {}, what)
}

/// One whose answers of this endpoint are changed.
macro_rules! says {
    ($path:literal, $what:expr) => {
        |router| {
            after(router, |asked, said| {
                if asked.is($path) && said.status == 200 {
                    let what: fn(&Value, &mut Value) = $what;
                    what(&asked.body, &mut said.body);
                }
            })
        }
    };
}

/// One that hears something else than what was said to this endpoint.
macro_rules! hears {
    ($path:literal, $what:expr) => {
        |router| {
            before(router, |asked| {
                if asked.is($path) {
                    let what: fn(&mut Value) = $what;
                    what(&mut asked.body);
                }
            })
        }
    };
}

/// One that answers by another status.
macro_rules! instead {
    ($due:literal, $status:literal) => {
        |router| {
            after(router, |_, said| {
                if said.status == $due {
                    said.status = $status;
                }
            })
        }
    };
}

/// One that succeeds where it should refuse.
macro_rules! takes {
    ($path:literal, $due:literal, $body:expr) => {
        |router| {
            after(router, |asked, said| {
                if asked.is($path) && said.status == $due {
                    *said = Said { status: 200, body: $body };
                }
            })
        }
    };
}

fn each<'a>(body: &'a mut Value, list: &str) -> impl Iterator<Item = &'a mut Map<String, Value>> {
    body.get_mut(list)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(|item| item.as_object_mut())
}

fn set(body: &mut Value, list: &str, name: &str, value: &Value) {
    for item in each(body, list) {
        item.insert(name.to_owned(), value.clone());
    }
}

fn without(body: &mut Value, list: &str, names: &[&str]) {
    for item in each(body, list) {
        item.retain(|name, _| !names.contains(&name.as_str()));
    }
}

/// Everything that a request lists.
fn listed(asked: &Value) -> Value {
    let mut all = Vec::new();
    for repo in asked["repos"].as_array().into_iter().flatten() {
        for file in repo["files"].as_array().into_iter().flatten() {
            all.push(json!({ "repo": repo["name"], "path": file["path"] }));
        }
    }
    json!(all)
}

fn hits(said: &mut Value) -> &mut Vec<Value> {
    said["results"].as_array_mut().expect("results")
}

/// Is blind for what files hold.
fn hashless(asked: &mut Asked) {
    if asked.is("/sync") {
        for repo in each(&mut asked.body, "repos") {
            for file in repo.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
                file["hash"] = json!("same");
            }
        }
    }
    set(&mut asked.body, "chunks", "gitSha", &Value::Null);
    set(&mut asked.body, "chunks", "fileHash", &json!("same"));
}

/// Forgets by which checkout it was asked.
fn one_checkout(asked: &mut Asked) {
    without(&mut asked.body, "repos", &["ref"]);
    without(&mut asked.body, "chunks", &["ref", "fileHash", "fileChunks"]);
    if let Some(body) = asked.body.as_object_mut() {
        body.remove("views");
    }
}

/// A backend that knows the contract document alone.
pub(super) fn of_the_document(router: Router) -> Router {
    altered(router, one_checkout, |asked, said| {
        if asked.is("/health") {
            *said = Said { status: 404, body: json!({ "message": "no such endpoint" }) };
        }
        if said.status >= 400 {
            said.body.as_object_mut().expect("an object").remove("code");
        }
        if asked.is("/search") && said.status == 200 {
            said.body.as_object_mut().expect("an object").retain(|name, _| name == "results");
            without(&mut said.body, "results", &["fileHash", "ref", "snippetStart", "snippetEnd"]);
        }
    })
}

/// Answers to anybody.
fn open(router: Router) -> Router {
    router.layer(from_fn(|request: Request, next: Next| async move {
        let answer = next.run(request).await;
        if answer.status() == StatusCode::UNAUTHORIZED {
            return axum::Json(json!({ "results": [], "changed": [], "removed": [], "indexed": 0 }))
                .into_response();
        }
        answer
    }))
}

/// Does not look at what kind of body comes.
fn any_kind(router: Router) -> Router {
    router.layer(from_fn(|mut request: Request, next: Next| async move {
        if request.method() == Method::POST {
            request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        next.run(request).await
    }))
}

/// Sends tokens to wherever it is told.
fn redirects(router: Router) -> Router {
    router.layer(from_fn(|request: Request, next: Next| async move {
        if request.uri().path().ends_with("/start") {
            return (StatusCode::FOUND, [(header::LOCATION, "https://example.org/cb?token=x")])
                .into_response();
        }
        next.run(request).await
    }))
}

/// Takes everybody for whoever came first: no organisation is kept apart.
fn one_organisation(router: Router) -> Router {
    static FIRST: OnceLock<HeaderValue> = OnceLock::new();
    router.layer(from_fn(|mut request: Request, next: Next| async move {
        if let Some(token) = request.headers().get(header::AUTHORIZATION).cloned() {
            let first = FIRST.get_or_init(|| token).clone();
            request.headers_mut().insert(header::AUTHORIZATION, first);
        }
        next.run(request).await
    }))
}

/// Takes what was announced once for what it has.
fn announced_is_done(asked: &Asked, said: &mut Said) {
    static ANNOUNCED: AtomicBool = AtomicBool::new(false);
    if asked.is("/sync") && ANNOUNCED.swap(true, Ordering::SeqCst) {
        said.body["changed"] = json!([]);
    }
}

/// Stumbles over what it does not know.
fn strict(asked: &Asked, said: &mut Said) {
    if asked.body.to_string().contains("surprise") {
        *said = Said { status: 400, body: json!({ "message": "unknown field" }) };
    }
}

/// Puts a fault in front of our backend.
type Fault = fn(Router) -> Router;

/// Which check notices which backend.
pub(super) const WRONG: &[(&str, Fault)] = &[
    ("token-is-needed", open),
    ("refusal-says-why", |router| {
        after(router, |_, said| {
            if said.status >= 400 {
                said.body = Value::Null
            }
        })
    }),
    (
        "refresh-is-guarded",
        takes!("/refresh", 401, json!({ "access_token": "x", "refresh_token": "y", "expires_in": 1 })),
    ),
    ("new-repository", says!("/sync", |_, said| drop(said["changed"].as_array_mut().expect("a list").pop()))),
    ("sync-is-idempotent", |router| after(router, announced_is_done)),
    ("unchanged-is-empty", says!("/sync", |asked, said| said["changed"] = listed(asked))),
    // What upstream's own backend does: it learns a file's hash by nothing but `fileHash`.
    ("commit-is-enough", |router| {
        before(router, |asked| {
            if asked.is("/index") {
                for chunk in each(&mut asked.body, "chunks") {
                    let hash = chunk.get("gitSha").cloned().unwrap_or_default();
                    chunk.insert("fileHash".to_owned(), hash);
                }
            }
        })
    }),
    ("only-changes", |router| before(router, hashless)),
    ("removed-files", says!("/sync", |_, said| said["removed"] = json!([]))),
    (
        "repositories-apart",
        says!("/sync", |asked, said| {
            let first = asked["repos"][0]["name"].clone();
            set(said, "changed", "repo", &first);
        }),
    ),
    ("index-counts", says!("/index", |_, said| said["indexed"] = json!(1))),
    (
        "chunk-is-replaced",
        says!("/search", |_, said| {
            let again = hits(said).clone();
            hits(said).extend(again);
        }),
    ),
    ("file-is-replaced", |router| before(router, hashless)),
    ("remove-drops", hears!("/index", |asked| asked["remove"] = json!([]))),
    ("hit-shape", says!("/search", |_, said| without(said, "results", &["symbol"]))),
    (
        "snippet-is-short",
        says!("/search", |_, said| {
            for hit in each(said, "results") {
                hit.insert("snippet".to_owned(), json!("a line\n".repeat(60)));
            }
        }),
    ),
    ("filter-repository", hears!("/search", |asked| asked["repo"] = Value::Null)),
    ("filter-language", hears!("/search", |asked| asked["lang"] = Value::Null)),
    (
        "all-repositories",
        says!("/search", |asked, said| {
            if asked["repo"].is_null() {
                let first = hits(said).first().map(|hit| hit["repo"].clone());
                hits(said).retain(|hit| Some(&hit["repo"]) == first.as_ref());
            }
        }),
    ),
    ("limit", hears!("/search", |asked| asked["limit"] = json!(100))),
    ("null-is-absent", says!("/search", |_, said| set(said, "results", "lineStart", &Value::Null))),
    ("unknown-fields", |router| after(router, strict)),
    ("bad-body", instead!(400, 500)),
    ("media-type", any_kind),
    ("no-such-endpoint", instead!(404, 400)),
    ("refusal-has-code", |router| {
        after(router, |_, said| {
            if said.status >= 400 {
                said.body = json!({ "message": "no" });
            }
        })
    }),
    ("foreign-redirect", redirects),
    (
        "health",
        says!("/health", |_, said| drop(said.as_object_mut().expect("an object").remove("maxChunks"))),
    ),
    // It never stores the root, like upstream's own.
    (
        "root-only-unchanged",
        says!("/sync", |asked, said| if asked["repos"][0]["files"].is_null() {
            said["changed"] = json!([{ "repo": asked["repos"][0]["name"], "path": "ledger.rs" }]);
        }),
    ),
    (
        "root-only-waiting",
        says!("/sync", |asked, said| if asked["repos"][0]["files"].is_null() {
            said["changed"] = json!([]);
        }),
    ),
    (
        "root-only-other",
        says!("/sync", |asked, said| if asked["repos"][0]["files"].is_null() {
            said["changed"] = json!([]);
        }),
    ),
    ("root-only-unknown", takes!("/sync", 422, json!({ "changed": [], "removed": [] }))),
    ("no-files-left", |router| {
        before(router, |asked| {
            if asked.is("/sync") && asked.body["repos"][0]["files"] == json!([]) {
                asked.body["repos"] = json!([]);
            }
        })
    }),
    ("sync-twice-in-one", takes!("/sync", 400, json!({ "changed": [], "removed": [] }))),
    ("nothing-to-index", hears!("/index", |asked| asked["remove"] = json!([]))),
    ("held-already", says!("/sync", |asked, said| said["changed"] = listed(asked))),
    ("checkouts-apart", |router| before(router, one_checkout)),
    ("views-choose", hears!("/search", |asked| asked["views"] = json!([]))),
    // It takes a part of a file for the whole.
    ("no-gap", |router| {
        before(router, |asked| {
            if asked.is("/index") {
                without(&mut asked.body, "chunks", &["fileChunks"]);
            }
        })
    }),
    ("file-in-parts", |router| {
        before(router, |asked| {
            if asked.is("/index") {
                without(&mut asked.body, "chunks", &["fileChunks"]);
            }
        })
    }),
    ("same-chunk-twice", takes!("/index", 400, json!({ "indexed": 2 }))),
    ("not-listed", takes!("/index", 422, json!({ "indexed": 1 }))),
    ("too-much-at-once", instead!(413, 400)),
    ("best-first", says!("/search", |_, said| hits(said).reverse())),
    // The head of the chunk, wherever the match is.
    (
        "best-lines",
        says!("/search", |_, said| {
            for hit in each(said, "results") {
                hit.insert("snippet".to_owned(), json!("let filler_0 = 0;"));
            }
        }),
    ),
    ("file-hash", says!("/search", |_, said| without(said, "results", &["fileHash"]))),
    ("unknown-filters", |router| {
        after(router, |asked, said| {
            if asked.is("/search") && said.body["results"] == json!([]) {
                *said = Said { status: 404, body: json!({ "message": "no such repository" }) };
            }
        })
    }),
    ("question-limits", takes!("/search", 422, json!({ "results": [] }))),
    ("mode", says!("/search", |_, said| said["mode"] = json!("magic"))),
    ("organisations-apart", one_organisation),
];
