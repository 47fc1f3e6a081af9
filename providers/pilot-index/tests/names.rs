//! Names that are asked for are found: English words, core types that every file mentions, and kinds far down the list.

use ctxhost_sdk::{
    prelude::*,
    protocol::pilot_index::{QueryResult, SymbolResult},
    serde_json::Value,
};
use ctxhost_testkit::Harness;
use pilot_index::PilotIndex;

use crate::support::{Place, Talk, body, keys, structured, text_of};

/// A registry whose methods are called like everyday English, and somebody who uses it.
fn english() -> Place {
    let place = Place::new();
    place.write(
        "project/src/store.py",
        "class Store:\n    def add(self, item):\n        self.items.append(item)\n\n    def get(self, key):\n        return \
         self.items[key]\n\n    def use(self, key):\n        return key\n\n    def change(self, key):\n        return key\n",
    );
    place.write(
        "project/src/client.py",
        "def use_all(store):\n    \"\"\"Adds to a store, and adds again: Store add.\"\"\"\n    store.add(1)\n    store.add(2)\n    \
         store.add(3)\n\n\ndef add_store(store):\n    store.add(store)\n",
    );
    place
}

/// A type in a long file that nearly everything mentions: all in their names, or so many that it is far down the list.
fn core(users: usize, others: usize) -> Place {
    let place = Place::new();
    let filler = |number: usize| {
        format!(
            "/// Turns a number.\npub fn turn_{number}(value: u64) -> u64 {{\n    value + {number}\n}}\n\n"
        )
    };
    let mut text: String = (0..150).map(filler).collect();
    text += "/// What is drawn.\npub struct Widget {\n    pub width: u64,\n}\n\n";
    text += "/// How it looks.\npub enum WidgetShape {\n    Round,\n}\n\n";
    text += &(150..300).map(filler).collect::<String>();
    place.write("project/src/core.rs", &text);
    for number in 0..users {
        let text = format!(
            "use crate::core::Widget;\n\npub fn widget_{number}(widget: Widget) -> Widget {{\n    draw(widget)\n}}\n"
        );
        place.write(&format!("project/src/user_{number}.rs"), &text);
    }
    for number in 0..others {
        place.write(
            &format!("project/src/other_{number}.rs"),
            &format!("pub fn other_{number}() -> u64 {{\n    {number}\n}}\n"),
        );
    }
    place
}

fn ask(harness: &Harness<PilotIndex>, place: &Place, args: Value) -> Vec<String> {
    let reply = harness.tool("pilot_query", args, place.path("project")).expect("a reply");
    structured::<QueryResult>(&reply).symbols.into_iter().map(|found| found.name).collect()
}

fn warm(place: &Place) -> Harness<PilotIndex> {
    let harness = place.harness();
    harness.command("watcher-sync", &[], place.path("project")).expect("it runs");
    harness
}

#[test]
fn names_that_are_english_words_are_found() {
    let place = english();
    let harness = place.harness();
    for (query, expected) in [
        ("add", "Store.add"),
        ("get", "Store.get"),
        ("use", "Store.use"),
        ("change", "Store.change"),
        ("Store.add", "Store.add"),
        ("Store::get", "Store.get"),
        ("Store#use", "Store.use"),
        ("store.change", "Store.change"),
    ] {
        assert_eq!(
            ask(&harness, &place, json!({"query": query})).first().map(String::as_str),
            Some(expected),
            "of {query}"
        );
    }
    let reply = harness.tool("pilot_query", json!({"query": "Store.add"}), place.path("project"));
    let result: QueryResult = structured(&reply.expect("a reply"));
    assert!(result.symbols[0].signals.exact >= 3.0, "{:?}", result.symbols[0]);
}

#[test]
fn a_prompt_that_spells_a_call_or_an_owner_finds_it() {
    let place = english();
    let harness = place.harness();
    for (prompt, expected) in [
        ("what does get() do", "def get(self, key)"),
        ("why does Store.add fail", "def add(self, item)"),
        ("explain Store::change to me", "def change(self, key)"),
    ] {
        let reply = Talk::new(&place, &harness).prompt(prompt);
        assert!(body(&reply, "file:src/store.py").contains(expected), "{prompt}: {:?}", keys(&reply));
    }
    assert!(keys(&Talk::new(&place, &harness).prompt("please get and use it, e.g. to change")).is_empty());
}

#[test]
fn a_type_that_every_file_mentions_is_found() {
    let place = core(60, 0);
    let harness = warm(&place);
    for args in [
        json!({"query": "Widget"}),
        json!({"query": "Widget", "kind": "struct"}),
        json!({"query": "widget", "kind": "struct"}),
    ] {
        assert_eq!(ask(&harness, &place, args.clone()).first().map(String::as_str), Some("Widget"), "{args}");
    }
    let reply = Talk::new(&place, &harness).prompt("where is Widget defined?");
    assert!(body(&reply, "file:src/core.rs").contains("pub struct Widget"), "{:?}", keys(&reply));
}

#[test]
fn a_definition_far_down_the_list_is_found() {
    let place = core(60, 100);
    let harness = warm(&place);
    for (kind, expected) in [("enum", "WidgetShape"), ("struct", "Widget")] {
        let args = json!({"query": "widget", "kind": kind, "limit": 1});
        assert_eq!(ask(&harness, &place, args), [expected]);
    }
    let reply = Talk::new(&place, &harness).prompt("what is Widget?");
    assert!(body(&reply, "file:src/core.rs").contains("pub struct Widget"), "{:?}", keys(&reply));
}

#[test]
fn a_definition_far_down_the_list_is_found_before_the_index_is_there() {
    let place = core(60, 400);
    let harness = place.harness();
    let mut talk = Talk::new(&place, &harness);
    talk.life = ctxhost_sdk::protocol::envelope::Life::Once;
    let reply = talk.prompt("what is Widget?");
    assert!(!crate::support::said(&reply).index.complete);
    assert!(body(&reply, "file:src/core.rs").contains("pub struct Widget"), "{:?}", keys(&reply));
}

#[test]
fn kinds_are_looked_for_in_every_file_that_fits() {
    let place = Place::new();
    for number in 0..200 {
        let text =
            format!("def handle_{number}(request):\n    request.handle(request)\n    handle(request)\n");
        place.write(&format!("project/app/part_{number}.py"), &text);
    }
    for number in 0..300 {
        place.write(&format!("project/lib/part_{number}.py"), "def other():\n    pass\n");
    }
    let words: String = (0..400).map(|number| format!("    word_{number} = {number}\n")).collect();
    place.write(
        "project/app/last.py",
        &format!("class Last:\n    \"\"\"Can handle a request.\"\"\"\n{words}"),
    );
    let harness = warm(&place);
    let args = json!({"query": "handle the incoming request now", "kind": "class"});
    assert_eq!(ask(&harness, &place, args), ["Last"]);
}

#[test]
fn files_of_secrets_take_no_place_in_a_list() {
    let place = Place::new();
    place.write("project/.env.py", "def add_name():\n    add_name()\n");
    place.write("project/.pilot/add_name.py", "def add_name():\n    add_name()\n");
    let harness = place.harness();
    assert_eq!(ask(&harness, &place, json!({"query": "add_name", "limit": 1})), ["Registry.add_name"]);
    for name in ["add_name", "Registry.add_name"] {
        let reply =
            harness.tool("pilot_symbol", json!({"name": name}), place.path("project")).expect("a reply");
        assert!(
            !text_of(&reply).contains(".env.py") && !text_of(&reply).contains(".pilot"),
            "{}",
            text_of(&reply)
        );
    }
}

#[test]
fn what_is_not_shown_of_a_symbol_is_counted() {
    let place = Place::new();
    let classes = (0..30).map(|number| format!("class C{number}:\n    def run_it(self):\n        pass\n\n"));
    let uses = (0..50).map(|number| format!("def use_{number}(it):\n    it.run_it()\n\n"));
    let text: String = classes.chain(uses).collect();
    place.write("project/src/all.py", &text);
    place.write("project/src/zoo.py", "def zoo(it):\n    it.run_it()\n");
    let harness = place.harness();
    let ask = |name: &str| {
        harness.tool("pilot_symbol", json!({"name": name}), place.path("project")).expect("a reply")
    };
    let reply = ask("run_it");
    let result: SymbolResult = structured(&reply);
    assert_eq!((result.definitions.len(), result.more_definitions), (20, 10));
    assert_eq!((result.references.len(), result.more_places, result.more_references), (40, 10, 1));
    let text = text_of(&reply);
    assert!(text.starts_with("30 definitions and 2 files with references of \"run_it\"."), "{text}");
    assert!(text.contains("and 10 more definitions") && text.contains("and 1 more files"), "{text}");
    for name in ["C7.run_it", "C7#run_it", "C7::run_it"] {
        let result: SymbolResult = structured(&ask(name));
        assert_eq!((result.definitions.len(), result.references.is_empty()), (1, false), "{name}");
    }
}
