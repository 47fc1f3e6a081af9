//! What the provider is, can do and wants.

use std::collections::BTreeMap;

use ctxhost_sdk::{CODE_ENVIRONMENT, prelude::*, tool};

/// Completes the manifest.
pub(super) fn complete(head: Manifest) -> Manifest {
    Manifest {
        summary: "Gives the agent the definitions that matter for a prompt, from a symbol index that is always fresh, and what earlier edits taught.".to_owned(),
        // A cold repository is answered by looking through its files, which takes longer than a prompt's usual share.
        deadlines: BTreeMap::from(
            [("session.start", 3_000), ("prompt", 2_000), ("model_call", 600), ("tool.after", 1_000), ("turn.end", 1_000)]
                .map(|(event, ms)| (event.to_owned(), ms)),
        ),
        // It carries the whole conversation, which only rewriting it is worth.
        events_when: BTreeMap::from([(
            "model_call".to_owned(),
            BTreeMap::from([("mode".to_owned(), vec![json!("reconstruct")])]),
        )]),
        needs: Needs { files: true, ..Needs::default() },
        powers: vec!["rewrite".to_owned()],
        alias: Some("ctxhost".to_owned()),
        tools: vec![query(), symbol()],
        commands: commands(),
        settings_schema: Some(settings_schema()),
        environment: CODE_ENVIRONMENT.map(str::to_owned).to_vec(),
        ..head
    }
}

fn query() -> Tool {
    let mut tool = tool(
        "pilot_query",
        "Searches the project's symbol index: definitions whose names, documentation and code fit the query, ranked, with place, preview and score.",
        json!({
            "type": "object",
            "required": ["query"],
            "properties": {
                "query": {"type": "string", "description": "A name, several names, or a question in words."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "How many matches."},
                "kind": {"type": "string", "description": "Only this kind: function, method, constructor, class, struct, union, enum, variant, interface, trait, typeAlias, constant, variable, field, macro, module; or `type` for every type."},
                "language": {"type": "string", "description": "Only files in this language, such as `rust`."},
                "path": {"type": "string", "description": "Only files whose path contains this, or matches it where it has `*`."}
            }
        }),
    );
    tool.guidelines = [
        "Sections of this provider show code that was chosen for the prompt by symbol names, references, files edited lately and the kind of symbol; take them as the first picture of the code base.",
        "Do not read a file again whose relevant code already stands in such a section, unless you need more of it.",
        "For code that is not there, call pilot_query with the names or words you look for before you list folders or search text; for the definition and the uses of a known name, call pilot_symbol.",
    ]
    .map(str::to_owned)
    .to_vec();
    tool
}

fn symbol() -> Tool {
    tool(
        "pilot_symbol",
        "Shows where a name is defined, with signature and documentation, and which files and functions use it.",
        json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "description": "A name such as `add`, or with its owner: `Registry.add`."}
            }
        }),
    )
}

fn commands() -> Vec<Command> {
    [
        ("reindex", "Makes the code index anew"),
        ("index-stats", "Shows the index: files, symbols, kinds, languages"),
        ("index-status", "Switches retrieval on or off: index-status [on | off]"),
        ("watcher-sync", "Looks for changed files and brings the index up to date"),
        ("watcher-status", "Shows the snapshot: files and root hash"),
        ("memory-stats", "Shows whether the memory is on, how many episodes it has, and where"),
        ("memory-status", "Switches the memory on or off: memory-status [on | off]"),
        ("memory-clear", "Deletes the episodes of this project"),
        ("context-debug", "Shows what was chosen last, and why"),
    ]
    .map(|(name, summary)| Command {
        name: name.to_owned(),
        slash: Some(name.to_owned()),
        summary: summary.to_owned(),
    })
    .to_vec()
}

/// The settings. A project's own file may set `narrow`, which can only lower what the user has, and nothing else.
fn settings_schema() -> serde_json::Value {
    let spec = ctxhost_sdk::protocol::catalogue::find(ctxhost_sdk::protocol::pilot_index::SPEC);
    let text = spec.and_then(|spec| spec.schema("settings")).map_or("{}", |schema| schema.text);
    let mut schema: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
    schema["properties"]["narrow"]["x-ctxhost-project"] = json!("always");
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_can_set_nothing_that_widens() {
        let schema = settings_schema();
        let properties = schema["properties"].as_object().expect("it has properties");
        assert!(properties.len() >= 13);
        let marked = |property: &serde_json::Value| property.get("x-ctxhost-project").is_some();
        let for_projects: Vec<&String> =
            properties.iter().filter(|(_, property)| marked(property)).map(|(name, _)| name).collect();
        assert_eq!(for_projects, ["narrow"]);
    }

    #[test]
    fn commands_and_tools_have_the_documents_names() {
        let manifest = complete(Manifest::default());
        let slashes: Vec<_> =
            manifest.commands.iter().filter_map(|command| command.slash.as_deref()).collect();
        assert_eq!(
            slashes,
            [
                "reindex",
                "index-stats",
                "index-status",
                "watcher-sync",
                "watcher-status",
                "memory-stats",
                "memory-status",
                "memory-clear",
                "context-debug"
            ]
        );
        let tools: Vec<_> = manifest.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, ["pilot_query", "pilot_symbol"]);
        assert_eq!(manifest.deadlines["prompt"], 2_000);
    }
}
