//! The specs that are published with this version, inside the binary: their text, and the schemas a validator needs.
//!
//! ```
//! use ctxhost_protocol::catalogue;
//!
//! let spec = catalogue::find("envelope/v1").expect("this spec is published");
//! let reply = spec.schema("reply").expect("it has this schema");
//! assert_eq!(reply.id, "ctxhost://specs/envelope/v1/reply.schema.json");
//!
//! // Every `$ref` of a schema leads to a document of the catalogue, so a validator that knows them all needs no network.
//! let documents: Vec<_> = catalogue::specs().iter().flat_map(|spec| spec.schemas).collect();
//! assert!(documents.iter().any(|document| document.id == reply.id));
//! ```

/// One version of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spec {
    /// Its name, such as `envelope`.
    pub name: &'static str,
    /// Its version, such as `v1`.
    pub version: &'static str,
    /// Its schemas, by name.
    pub schemas: &'static [Document],
    /// Its `SPEC.md`.
    pub text: &'static str,
    id: &'static str,
}

/// One schema of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document {
    /// The name of its file, such as `reply.schema.json`.
    pub name: &'static str,
    /// Its `$id`, by which other schemas refer to it.
    pub id: &'static str,
    /// The JSON text.
    pub text: &'static str,
}

impl Spec {
    /// Gives the name by which notes, manifests and replies call this spec, such as `envelope/v1`.
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// Finds a schema by its short name: `reply` for `reply.schema.json`.
    pub fn schema(&self, name: &str) -> Option<&'static Document> {
        self.schemas.iter().find(|document| document.short_name() == name)
    }
}

impl Document {
    /// Gives the file's name without its ending: `reply` for `reply.schema.json`.
    pub fn short_name(&self) -> &'static str {
        self.name.strip_suffix(".schema.json").unwrap_or(self.name)
    }
}

/// Gives all published specs, by name and version.
pub fn specs() -> &'static [Spec] {
    SPECS
}

/// Finds a spec by its id, such as `ide-context/v0.2`, or by its bare name when there is only one version of it.
pub fn find(spec: &str) -> Option<&'static Spec> {
    if spec.contains('/') {
        return SPECS.iter().find(|known| known.id == spec);
    }
    let mut versions = SPECS.iter().filter(|known| known.name == spec);
    versions.next().filter(|_| versions.next().is_none())
}

macro_rules! spec {
    ($name:literal, $version:literal, [$($schema:literal),+ $(,)?]) => {
        Spec {
            name: $name,
            version: $version,
            schemas: &[$(Document {
                name: concat!($schema, ".schema.json"),
                id: concat!("ctxhost://specs/", $name, "/", $version, "/", $schema, ".schema.json"),
                text: include_str!(concat!("../", $name, "/", $version, "/", $schema, ".schema.json")),
            }),+],
            text: include_str!(concat!("../", $name, "/", $version, "/SPEC.md")),
            id: concat!($name, "/", $version),
        }
    };
}

static SPECS: &[Spec] = &[
    spec!(
        "codebase-index",
        "v1",
        [
            "contribution",
            "development",
            "error",
            "health",
            "index-reply",
            "index-request",
            "refresh-reply",
            "refresh-request",
            "reply",
            "search-reply",
            "search-request",
            "search-result",
            "settings",
            "status-result",
            "sync-reply",
            "sync-request",
            "token-payload",
        ]
    ),
    spec!(
        "envelope",
        "v1",
        [
            "command-reply",
            "command-request",
            "create",
            "finding",
            "manifest",
            "note",
            "notify",
            "reply",
            "request",
            "tool-reply",
            "tool-request",
            "tools-reply",
        ]
    ),
    spec!("ide-context", "v0.2", ["contribution", "reply", "state"]),
    spec!("pilot-index", "v1", ["contribution", "episode", "query", "reply", "settings", "symbol"]),
    spec!("project-map", "v1", ["bundle", "contribution", "project-file", "reply", "report", "settings"]),
    spec!(
        "serve",
        "v1",
        [
            "cancel",
            "cancel-result",
            "command",
            "command-result",
            "error",
            "event",
            "hello",
            "hello-result",
            "invalidate",
            "message",
            "notify",
            "outcome",
            "progress",
            "status",
            "tool",
            "tool-result",
            "tools",
            "tools-changed",
            "tools-result",
        ]
    ),
];
