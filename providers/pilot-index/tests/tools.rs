//! `pilot_query` and `pilot_symbol`.

use ctxhost_sdk::{
    prelude::*,
    protocol::pilot_index::{QueryResult, SymbolResult},
    serde_json::Value,
};
use ctxhost_testkit::Harness;
use pilot_index::PilotIndex;

use crate::support::{Place, structured, text_of};

fn query(harness: &Harness<PilotIndex>, place: &Place, args: Value) -> QueryResult {
    structured(&harness.tool("pilot_query", args, place.path("project")).expect("a reply"))
}

#[test]
fn matches_come_ranked_with_place_and_preview() {
    let place = Place::new();
    let harness = place.harness();
    let reply =
        harness.tool("pilot_query", json!({"query": "add_name"}), place.path("project")).expect("a reply");
    let result: QueryResult = structured(&reply);
    let first = &result.symbols[0];
    assert_eq!(
        (first.name.as_str(), first.file.as_str(), first.line),
        ("Registry.add_name", "src/registry.py", 7)
    );
    assert_eq!((first.kind.as_str(), first.language.as_deref()), ("method", Some("python")));
    assert!(first.preview.contains("def add_name(self, name):"), "{}", first.preview);
    assert!(first.signals.exact > 2.3);
    assert!(result.complete && result.count as usize == result.symbols.len());
    assert!(
        text_of(&reply).contains("1. Registry.add_name (method) - src/registry.py:7-"),
        "{}",
        text_of(&reply)
    );
    assert_eq!(query(&harness, &place, json!({"query": "add_name"})).result_id, result.result_id);
}

#[test]
fn filters_apply_before_the_list_is_cut() {
    let place = Place::new();
    let harness = place.harness();
    let names = |args: Value| -> Vec<String> {
        query(&harness, &place, args).symbols.into_iter().map(|found| found.name).collect()
    };
    // Without a filter a method wins the only place.
    assert_eq!(names(json!({"query": "add_name Registry", "limit": 1, "kind": "class"})), ["Registry"]);
    assert_eq!(names(json!({"query": "add_name", "limit": 1, "path": "tests/"})), ["test_add_name"]);
    assert_eq!(names(json!({"query": "add_name", "language": "rust"})), [""; 0]);
    assert_eq!(names(json!({"query": "add_name", "language": "Python", "limit": 1})).len(), 1);
    assert_eq!(names(json!({"query": "zzz qqq"})), [""; 0]);
}

#[test]
fn what_cannot_be_asked_is_said_to_the_model() {
    let place = Place::new();
    let harness = place.harness();
    for (args, part) in [
        (json!({}), "query"),
        (json!({"query": 7}), "query"),
        (json!({"query": "x", "kind": "thing"}), "kinds are type, function"),
        (json!({"query": "x", "language": "klingon"}), "no language is called"),
    ] {
        let reply = harness.tool("pilot_query", args.clone(), place.path("project")).expect("a reply");
        assert!(reply.is_error && text_of(&reply).contains(part), "{args}: {}", text_of(&reply));
    }
    for args in [json!({}), json!({"name": ""}), json!({"name": "x".repeat(1_000)})] {
        assert!(harness.tool("pilot_symbol", args, place.path("project")).expect("a reply").is_error);
    }
    for limit in [json!(-5), json!(1e300), json!(0)] {
        let result = query(&harness, &place, json!({"query": "add_name", "limit": limit}));
        assert!(!result.symbols.is_empty() && result.symbols.len() <= 100);
    }
    assert!(harness.tool("pilot_dance", json!({}), place.path("project")).is_err());
}

#[test]
fn a_symbol_comes_with_its_definition_and_its_uses() {
    let place = Place::new();
    let harness = place.harness();
    let ask = |name: &str| {
        harness.tool("pilot_symbol", json!({"name": name}), place.path("project")).expect("a reply")
    };
    let reply = ask("Registry");
    let result: SymbolResult = structured(&reply);
    assert_eq!(result.definitions.len(), 1, "{}", text_of(&reply));
    let definition = &result.definitions[0];
    assert_eq!(
        (definition.file.as_str(), definition.line, definition.kind.as_str()),
        ("src/registry.py", 4, "class")
    );
    assert!(definition.signature.starts_with("class Registry"), "{definition:?}");
    let used: Vec<_> =
        result.references.iter().map(|used| (used.file.as_str(), used.symbol.as_deref())).collect();
    assert!(
        used.iter().all(|(file, _)| ["src/server.py", "tests/test_registry.py"].contains(file)),
        "{used:?}"
    );
    let unknown: SymbolResult = structured(&ask("nowhere"));
    assert!(unknown.definitions.is_empty() && unknown.references.is_empty());
}

#[test]
fn uses_that_may_be_of_another_owner_come_last_and_say_so() {
    let place = Place::new();
    place.write("project/src/aaa.py", "def fill(other):\n    other.add_name('b')\n");
    let harness = place.harness();
    let ask = |name: &str| {
        harness.tool("pilot_symbol", json!({"name": name}), place.path("project")).expect("a reply")
    };
    let uses = |reply: &ToolReply| -> Vec<(String, bool)> {
        let result: SymbolResult = structured(reply);
        result.references.into_iter().map(|used| (used.file, used.by_name_only)).collect()
    };
    let known = |file: &str| (file.to_owned(), false);
    let reply = ask("Registry.add_name");
    let expected = [known("src/server.py"), known("tests/test_registry.py"), ("src/aaa.py".to_owned(), true)];
    assert_eq!(uses(&reply), expected);
    let text = text_of(&reply);
    assert!(text.contains("- src/aaa.py in fill (1x, by name only)\n"), "{text}");
    assert!(text.contains("(`by name only` marks files that do not name the owner"), "{text}");
    let plain = ask("add_name");
    assert!(uses(&plain).iter().all(|(_, by_name_only)| !by_name_only), "{}", text_of(&plain));
    assert!(!text_of(&plain).contains("by name only"));
}

#[test]
fn a_symbol_of_a_repository_that_nobody_indexed_is_found() {
    let place = Place::new();
    for number in 0..200 {
        place.write(
            &format!("project/pkg/module_{number}.py"),
            &format!("def helper_{number}():\n    pass\n"),
        );
    }
    let harness = place.harness();
    let reply =
        harness.tool("pilot_symbol", json!({"name": "helper_150"}), place.path("project")).expect("a reply");
    let result: SymbolResult = structured(&reply);
    assert!(result.complete);
    assert_eq!(result.definitions[0].file, "pkg/module_150.py");
}
