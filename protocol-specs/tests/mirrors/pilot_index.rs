//! The mirrors of `pilot-index/v1`, with all their fields filled in.

use ctxhost_protocol::pilot_index::{
    Budget, ChosenFile, ChosenSymbol, Companion, Contribution, Definition, Episode, Index, Intent,
    LanguageState, Lines, Match, MemorySignals, Mention, Method, Mode, Narrow, Query, QueryResult, Recalled,
    Reference, SPEC, Settings, Signals, SymbolResult, Visibility,
};
use serde_json::{Map, Value};

use super::{json, reply, text};

pub(super) fn mirrors() -> Vec<(&'static str, &'static str, &'static str, Vec<Value>)> {
    vec![
        (SPEC, "contribution", "", vec![json(contribution())]),
        (SPEC, "reply", "", vec![json(reply(json(contribution())))]),
        (SPEC, "query", "", vec![json(query_result())]),
        (SPEC, "symbol", "", vec![json(symbol_result())]),
        (SPEC, "episode", "", vec![json(episode())]),
        (SPEC, "settings", "", vec![json(settings())]),
    ]
}

fn signals() -> Signals {
    Signals { exact: 3.0, fuzzy: 1.0, kind: 0.6, exported: 0.3, proximity: 0.8, doc: 0.5, reference: 0.4 }
}

fn contribution() -> Contribution {
    Contribution {
        mode: Mode::Reconstruct,
        enabled: true,
        index: Index {
            files: 1,
            symbols: 2,
            indexed: 1,
            total: 1,
            root_hash: text("00"),
            complete: true,
            languages: vec![LanguageState {
                id: "rust".into(),
                files: 1,
                symbols: 2,
                method: Method::Grammar,
            }],
        },
        query: Some(Query {
            words: vec!["add".into()],
            names: vec!["Registry.add".into()],
            mentions: vec![Mention { file: "a.rs".into(), line: Some(1) }],
            intent: Some(Intent::Debug),
        }),
        selection: vec![ChosenFile {
            file: "a.rs".into(),
            language: text("rust"),
            lexical: 1.5,
            symbols: vec![ChosenSymbol {
                name: "Registry.add".into(),
                kind: "method".into(),
                lines: Lines { start: 1, end: 2 },
                score: 6.6,
                signals: signals(),
                lexical: 2.5,
                reason: "exact name".into(),
            }],
        }],
        companions: vec![Companion {
            file: "tests/a.rs".into(),
            of: text("a.rs"),
            reason: "its test".into(),
        }],
        memory: vec![Recalled {
            id: "1".into(),
            title: "Fix".into(),
            score: 2.0,
            signals: MemorySignals {
                keywords: 1.0,
                tags: 1.25,
                files: 1.5,
                symbols: 1.5,
                edited: 1.5,
                confidence: 0.65,
                recency: 1.0,
            },
        }],
        budget: Some(Budget { limit: 1, retrieved: 1, memory: 1, window: 1, kept: 1, dropped: 1 }),
    }
}

fn query_result() -> QueryResult {
    QueryResult {
        result_id: "00000000".into(),
        query: "add".into(),
        count: 1,
        complete: true,
        symbols: vec![Match {
            name: "Registry.add".into(),
            kind: "method".into(),
            file: "a.rs".into(),
            line: 1,
            end_line: 2,
            language: text("rust"),
            score: 1.0,
            signals: signals(),
            lexical: 1.0,
            reason: "exact name".into(),
            preview: "fn add()".into(),
        }],
    }
}

fn symbol_result() -> SymbolResult {
    SymbolResult {
        name: "add".into(),
        complete: true,
        definitions: vec![Definition {
            name: "Registry.add".into(),
            kind: "method".into(),
            file: "a.rs".into(),
            line: 1,
            end_line: 2,
            language: text("rust"),
            visibility: Some(Visibility::Restricted),
            signature: "fn add()".into(),
            doc: "Adds.".into(),
        }],
        references: vec![Reference {
            file: "b.rs".into(),
            symbol: text("main"),
            lines: vec![3],
            count: 1,
            by_name_only: true,
        }],
        more_definitions: 1,
        more_places: 1,
        more_references: 1,
    }
}

fn episode() -> Episode {
    Episode {
        id: "1".into(),
        created_at: 1.0,
        updated_at: Some(2.0),
        title: "Fix".into(),
        problem: text("Fix it"),
        summary: text("Fixed."),
        root_cause: text("It was broken."),
        solution: text("Edited a.rs"),
        outcome: text("success"),
        tags: vec!["fix".into()],
        files: vec!["a.rs".into()],
        symbols: vec!["add".into()],
        confidence: 0.65,
        rest: Map::new(),
    }
}

fn settings() -> Settings {
    Settings {
        mode: Some(Mode::Append),
        conversational_window: Some(12),
        max_retrieved_tokens: Some(1),
        max_total_tokens: Some(1),
        memory_enabled: Some(true),
        expand_references: Some(2),
        append_tokens: Some(1),
        max_files: Some(1),
        watch: Some(true),
        memory_max_episodes: Some(1),
        memory_expiry_days: Some(1),
        memory_untrusted: Some(true),
        narrow: Some(Narrow {
            mode: Some(Mode::Append),
            max_retrieved_tokens: Some(1),
            max_total_tokens: Some(1),
            memory_enabled: Some(true),
            expand_references: Some(1),
            append_tokens: Some(1),
            max_files: Some(1),
        }),
    }
}
