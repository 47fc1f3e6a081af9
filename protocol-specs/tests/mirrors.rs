//! Each mirror has exactly the fields that its schema describes, at every level.

use std::collections::{BTreeMap, BTreeSet};

use ctxhost_protocol::envelope::{
    Agent, AgentTools, Budget, Choice, Command, CommandReply, CommandRequest, Content, Create, Decision,
    Entry, Finding, Insert, Level, Life, Manifest, McpServer, Messages, Model, Needs, Note, Notify, Paths,
    Person, Placement, PromptData, Ready, Reply, Request, ResultPatch, Section, Session, Source, Status,
    Tool, ToolReply, ToolRequest, ToolsReply, Trust, Variant, Visible,
};
use ctxhost_protocol::ide_context::{
    Buffer, Cell, Column, Connection, Contribution, Database, Editor, ForeignKey, Position, Rule, Selection,
    SelectionState, State,
};
use ctxhost_protocol::serve::{Hello, HelloResult, OutcomeDocument};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::place::{Place, Schemas, Subschema, documents};

mod codebase_index;
mod pilot_index;
mod project_map;
mod serve;

/// Definitions that no mirror stands for: the forms of names, and the `data` of events that a provider reads as it likes.
const WITHOUT_MIRROR: [&str; 18] = [
    "note#id",
    "note#version",
    "note#abi",
    "note#spec",
    "note#event",
    "note#words",
    "manifest#tool_name",
    "manifest#command_name",
    "request#session.start",
    "request#model_call",
    "request#tool.before",
    "request#tool.after",
    "request#own",
    "request#compact",
    "request#model.change",
    "request#turn.end",
    "request#mcp.result",
    "request#session.end",
];

#[test]
fn mirrors_and_schemas_have_the_same_fields() {
    let schemas = Schemas::published();
    let mut comparison = Comparison { schemas: &schemas, visited: BTreeSet::new(), faults: Vec::new() };
    for (spec, schema, pointer, values) in mirrors() {
        let place = schemas.place(Subschema::published(spec, schema, pointer));
        comparison.compare(&format!("{spec} {schema}"), &values.iter().collect::<Vec<_>>(), &place);
    }
    comparison.expect_all_definitions();
    assert!(comparison.faults.is_empty(), "{}", comparison.faults.join("\n"));
}

#[test]
fn a_field_on_one_side_alone_is_seen() {
    let schemas = Schemas::published();
    let place = schemas.place(Subschema::published("envelope/v1", "finding", ""));
    let faults = |change: &dyn Fn(&mut Value)| {
        let mut value = json(finding());
        change(&mut value);
        let mut comparison = Comparison { schemas: &schemas, visited: BTreeSet::new(), faults: Vec::new() };
        comparison.compare("finding", &[&value], &place);
        comparison.faults
    };
    assert_eq!(faults(&|_| ()), [""; 0]);
    assert_eq!(
        faults(&|value| value["colour"] = json!("red")),
        ["finding: the schema does not describe colour"]
    );
    let lacks_hint = |value: &mut Value| drop(value.as_object_mut().and_then(|fields| fields.remove("hint")));
    assert_eq!(faults(&lacks_hint), ["finding: the mirror lacks hint, or its value here has none"]);
}

#[test]
fn a_default_is_what_the_smallest_message_reads_as() {
    fn same<T: Default + PartialEq + std::fmt::Debug + DeserializeOwned>(smallest: Value) {
        assert_eq!(serde_json::from_value::<T>(smallest).expect("it can be read"), T::default());
    }
    same::<Create>(json!({"v": 1}));
    same::<Request>(json!({"v": 1, "event": "", "session": {"cwd": ""}, "now": 0}));
    same::<Reply>(json!({"v": 1, "spec": ""}));
    same::<Tool>(json!({"name": ""}));
    same::<Hello>(json!({"v": 1, "agent": {}}));
    same::<HelloResult>(json!({
        "v": 1, "host": {"name": "", "version": ""}, "providers": [], "findings": [],
        "capabilities": {
            "methods": [], "events": [], "notifications": [], "max_frame_bytes": 0, "max_in_flight": 0,
        },
    }));
    same::<OutcomeDocument>(json!({"v": 1, "mcp_servers": [], "status": {}, "findings": []}));
}

struct Comparison<'a> {
    schemas: &'a Schemas,
    visited: BTreeSet<Subschema>,
    faults: Vec<String>,
}

impl Comparison<'_> {
    /// Compares values that stand at one place; together they show every field that the mirror can write.
    fn compare(&mut self, label: &str, values: &[&Value], place: &Place) {
        self.visited.extend(place.0.iter().cloned());
        if let Some(items) = self.schemas.items(place) {
            let items_of = |value: &&'_ Value| value.as_array().cloned().unwrap_or_default();
            let all: Vec<Value> = values.iter().flat_map(items_of).collect();
            self.expect_some(label, &all);
            self.compare(&format!("{label}[]"), &all.iter().collect::<Vec<_>>(), &items);
        }
        if let Some(entries) = self.schemas.map_values(place) {
            let all = fields_of(values);
            self.expect_some(label, all.values());
            self.compare(&format!("{label}{{}}"), &all.into_values().flatten().collect::<Vec<_>>(), &entries);
            return;
        }
        let described = self.schemas.fields(place);
        if described.is_empty() {
            return;
        }
        let written = fields_of(values);
        for name in written.keys().filter(|name| !described.contains(**name)) {
            self.faults.push(format!("{label}: the schema does not describe {name}"));
        }
        for name in &described {
            match written.get(name.as_str()) {
                Some(values) => {
                    let field = self.schemas.field(place, name).expect("the field is described");
                    self.compare(&format!("{label}.{name}"), values, &field);
                }
                None => {
                    self.faults.push(format!("{label}: the mirror lacks {name}, or its value here has none"));
                }
            }
        }
    }

    fn expect_some(&mut self, label: &str, values: impl IntoIterator) {
        if values.into_iter().next().is_none() {
            self.faults.push(format!("{label}: empty, so nothing is compared here"));
        }
    }

    fn expect_all_definitions(&mut self) {
        for (spec, document) in documents() {
            let root = Subschema::root(document);
            let definitions = self.schemas.get(&root.below(&["$defs"])).and_then(Value::as_object);
            for name in definitions.into_iter().flatten().map(|(name, _)| name) {
                let exempt = WITHOUT_MIRROR.contains(&format!("{}#{name}", document.short_name()).as_str());
                if !exempt && !self.visited.contains(&root.below(&["$defs", name])) {
                    let (id, schema) = (spec.id(), document.short_name());
                    self.faults.push(format!("{id} {schema}: no mirror was compared with $defs/{name}"));
                }
            }
            if !self.visited.contains(&root) {
                self.faults.push(format!("{} {}: has no mirror", spec.id(), document.short_name()));
            }
        }
    }
}

/// The fields of all the objects among `values`; a field that is `null` has not been filled in.
fn fields_of<'a>(values: &[&'a Value]) -> BTreeMap<&'a str, Vec<&'a Value>> {
    let mut fields: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (name, value) in values.iter().filter_map(|value| value.as_object()).flatten() {
        if !value.is_null() {
            fields.entry(name).or_default().push(value);
        }
    }
    fields
}

fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("mirrors can be written")
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Every mirror with all its fields filled in, and the place in the schemas that it stands for.
fn mirrors() -> Vec<(&'static str, &'static str, &'static str, Vec<Value>)> {
    let envelope = |schema, value| ("envelope/v1", schema, "", vec![value]);
    let mut mirrors = vec![
        envelope("note", json(note())),
        envelope("manifest", json(manifest())),
        envelope("create", json(create())),
        envelope("request", json(request())),
        ("envelope/v1", "request", "/$defs/prompt", vec![json(prompt())]),
        envelope("reply", json(reply(json!({})))),
        envelope("finding", json(finding())),
        envelope("tool-request", json(tool_request())),
        envelope("tool-reply", json(tool_reply())),
        envelope("command-request", json(command_request())),
        envelope("command-reply", json(command_reply())),
        envelope("tools-reply", json(ToolsReply { tools: vec![tool()] })),
        ("envelope/v1", "notify", "", notifications().into_iter().map(json).collect()),
        ("ide-context/v0.2", "state", "", vec![json(state())]),
        ("ide-context/v0.2", "contribution", "", vec![json(contribution())]),
        ("ide-context/v0.2", "reply", "", vec![json(reply(json(contribution())))]),
    ];
    mirrors.extend(codebase_index::mirrors());
    mirrors.extend(pilot_index::mirrors());
    mirrors.extend(project_map::mirrors());
    mirrors.extend(serve::mirrors());
    mirrors
}

fn note() -> Note {
    Note {
        id: "weather".into(),
        version: "1.0.0".into(),
        title: "Weather".into(),
        abi: "1.0".into(),
        spec: "weather/v1".into(),
        events: vec!["prompt".into()],
        panic: text("unwind"),
        target: text("x86_64-unknown-linux-gnu"),
        rustc: text("rustc"),
        sdk: text("sdk"),
    }
}

fn manifest() -> Manifest {
    Manifest {
        id: "weather".into(),
        version: "1.0.0".into(),
        title: "Weather".into(),
        summary: "Says what it is like outside.".into(),
        spec: "weather/v1".into(),
        abi: "1.0".into(),
        events: vec!["prompt".into()],
        events_when: BTreeMap::from([(
            "prompt".into(),
            BTreeMap::from([("mode".into(), vec![json!("loud")])]),
        )]),
        deadlines: BTreeMap::from([("prompt".into(), 300)]),
        needs: Needs { files: true, network: true, process: true },
        powers: vec!["block".into()],
        alias: text("weather"),
        tools: vec![tool()],
        commands: vec![Command { name: "ask".into(), slash: text("weather"), summary: "Asks.".into() }],
        settings_schema: Some(json!({"type": "object"})),
        environment: vec!["TZ".into()],
    }
}

fn tool() -> Tool {
    Tool {
        name: "ask".into(),
        description: "Asks.".into(),
        schema: json!({"type": "object"}),
        guidelines: vec!["Ask before you go out.".into()],
        active: true,
    }
}

fn create() -> Create {
    Create {
        v: 1,
        settings: json!({"enabled": true}),
        paths: Paths {
            install: text("/a"),
            cache: text("/b"),
            state: text("/c"),
            code_cache: text("/d"),
            home: text("/e"),
            grammars: vec!["/f".into()],
        },
        environment: BTreeMap::from([("TZ".into(), "UTC".into())]),
    }
}

fn request() -> Request {
    Request {
        v: 1,
        event: "prompt".into(),
        session: session(),
        agent: agent(),
        now: 1.5,
        budget: Budget { tokens: 1000 },
        visible: vec![Visible { provider: "weather".into(), key: "now".into(), id: "1".into() }],
        explain: true,
        data: json(prompt()),
    }
}

fn session() -> Session {
    Session { id: text("s"), cwd: "/".into(), trusted: true, life: Life::Long }
}

fn agent() -> Agent {
    Agent {
        name: "cli".into(),
        version: text("1"),
        config_dir: text("/c"),
        model: Some(Model { id: "m".into(), context_window: Some(1) }),
        usage_tokens: Some(1),
        can: vec!["block".into()],
        tools: AgentTools { guarded: vec!["read".into()], taken: vec!["search".into()] },
    }
}

fn prompt() -> PromptData {
    PromptData { text: "hello".into(), source: "user".into(), first: true }
}

fn reply(data: Value) -> Reply {
    Reply {
        v: 1,
        spec: "weather/v1".into(),
        data,
        sections: vec![section()],
        decision: Some(Decision { block: true, reason: text("no"), guidance: text("ask") }),
        messages: Some(Messages { keep: vec![0], insert: vec![Insert { before: 0, key: "now".into() }] }),
        result_patch: Some(ResultPatch {
            content: Some(vec![json!({"type": "text"})]),
            details: Some(json!({"a": 1})),
            is_error: Some(true),
        }),
        mcp_server: Some(McpServer {
            name: "m".into(),
            withdraw: true,
            command: text("/m"),
            args: vec!["a".into()],
            exposure: text("direct"),
            timeout_s: Some(1.0),
            ready: Some(Ready { tool_prefix: "m_".into(), wait_ms: 1 }),
        }),
        status: Some(status()),
        explanation: vec!["The sky was looked at.".into()],
        findings: vec![finding()],
    }
}

fn section() -> Section {
    Section {
        key: "now".into(),
        title: "Now".into(),
        placement: Placement::Prompt,
        priority: 1,
        trust: Trust::Editor,
        variants: vec![Variant { tokens: 1, body: "Rain.".into() }],
        sources: vec![Source { path: "a".into(), start: Some(1), end: Some(2) }],
        person: Some(Person {
            show: true,
            quote: text("Rain."),
            entry: Some(Entry { kind: "rain".into(), data: json!({"a": 1}) }),
        }),
    }
}

fn status() -> Status {
    Status { text: "rain".into(), detail: text("until noon") }
}

fn finding() -> Finding {
    Finding {
        level: Level::Error,
        provider: text("weather"),
        step: text("ask"),
        code: "no-sensor".into(),
        pointer: text("/data"),
        message: "the sensor does not answer".into(),
        hint: text("look outside"),
    }
}

fn tool_request() -> ToolRequest {
    ToolRequest {
        name: "ask".into(),
        args: json!({"place": "here"}),
        call_id: "c".into(),
        session: session(),
        agent: agent(),
        now: 1.0,
    }
}

fn tool_reply() -> ToolReply {
    let image = Content::Image { data: "AA==".into(), mime_type: "image/png".into() };
    ToolReply {
        content: vec![Content::Text { text: "Rain.".into() }, image],
        structured: Some(json!({"rain": true})),
        details: Some(json!({"ms": 1})),
        is_error: true,
    }
}

fn command_request() -> CommandRequest {
    CommandRequest {
        name: "ask".into(),
        args: vec!["here".into()],
        session: session(),
        agent: agent(),
        now: 1.0,
    }
}

fn command_reply() -> CommandReply {
    CommandReply {
        text: "Where?".into(),
        data: Some(json!({"places": 1})),
        exit: 1,
        choices: vec![Choice { label: "here".into(), detail: text("at home"), args: vec!["here".into()] }],
    }
}

/// One of each kind; a new kind does not compile until it is listed here.
fn notifications() -> Vec<Notify> {
    let all = vec![
        Notify::ToolsChanged,
        Notify::Status { status: status() },
        Notify::Invalidate { key: "now".into() },
        Notify::Progress { call: 1, done: 1, total: Some(2), text: "asking".into() },
        Notify::Message { level: Level::Info, text: "Rain.".into() },
        Notify::Log { level: Level::Info, text: "asked".into() },
    ];
    for one in &all {
        match one {
            Notify::ToolsChanged
            | Notify::Status { .. }
            | Notify::Invalidate { .. }
            | Notify::Progress { .. }
            | Notify::Message { .. }
            | Notify::Log { .. } => {}
        }
    }
    all
}

fn state() -> State {
    State {
        pid: 1.0,
        cwd: "/".into(),
        timestamp: 1.0,
        app: "nvim".into(),
        product: text("Neovim"),
        argv: vec!["a".into()],
        active_buffer: Buffer {
            file: text("/a"),
            name: "a".into(),
            language: text("c"),
            cursor: Some(position()),
            selection: Some(Selection {
                start: position(),
                end: position(),
                text: "a".into(),
                selected_at: Some(1.0),
            }),
            modified: true,
            lines_total: 1.0,
        },
        database: Some(database()),
    }
}

fn position() -> Position {
    Position { line: Some(1.0), column: Some(1.0) }
}

fn database() -> Database {
    Database {
        table: "rooms".into(),
        data_source: text("app"),
        schema: text("public"),
        primary_key: vec!["id".into()],
        columns: vec![Column { name: "id".into(), kind: text("int4") }],
        columns_total: Some(1.0),
        foreign_keys: vec![ForeignKey {
            columns: vec!["building".into()],
            ref_table: "buildings".into(),
            ref_columns: vec!["id".into()],
            on_delete: text("CASCADE"),
        }],
        filter: text("id = 1"),
        row_count: Some(1.0),
        cell: Some(Cell { row: Some(1.0), column: text("id"), kind: text("int4"), value: text("1") }),
    }
}

fn contribution() -> Contribution {
    Contribution {
        connection: Connection::Connected,
        editor: Some(Editor {
            pid: 1,
            app: "nvim".into(),
            product: text("Neovim"),
            tier: Some(1),
            evidence: text("cwd"),
            chosen: true,
        }),
        snapshot: Some(state()),
        selection: SelectionState::Fresh,
        excluded: Some(Rule { pattern: ".env".into(), file: "built-in".into(), line: 1 }),
        candidates: 1,
    }
}
