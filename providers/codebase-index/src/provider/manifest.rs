//! What the provider is, can do and wants.

use std::collections::BTreeMap;

use ctxhost_sdk::{CODE_ENVIRONMENT, prelude::*, tool};

/// The document's variables.
pub(super) const URL_VARIABLE: &str = "PI_CODEBASE_API_URL";
pub(super) const AUTH_VARIABLE: &str = "PI_CODEBASE_AUTH_PROVIDER";
/// What a person's system opens addresses with.
pub(super) const BROWSER_VARIABLE: &str = "BROWSER";

/// Completes the manifest.
pub(super) fn complete(head: Manifest) -> Manifest {
    let own = [URL_VARIABLE, AUTH_VARIABLE, BROWSER_VARIABLE];
    Manifest {
        summary: "Finds code by a question in plain words, across repositories, with any backend that speaks codebase-index/v1."
            .to_owned(),
        // A backend is elsewhere: a search takes a few hundred milliseconds on a good day.
        deadlines: BTreeMap::from(
            [("prompt", 1_500), ("tool.after", 500), ("session.start", 2_000)]
                .map(|(event, ms)| (event.to_owned(), ms)),
        ),
        needs: Needs { files: true, network: true, process: true },
        alias: Some("ctxhost".to_owned()),
        tools: vec![search(), status()],
        commands: commands(),
        settings_schema: Some(settings_schema()),
        environment: CODE_ENVIRONMENT.iter().chain(&own).map(|name| (*name).to_owned()).collect(),
        ..head
    }
}

fn search() -> Tool {
    let mut tool = tool(
        "codebase_search",
        "Searches the code of this workspace, and of every repository that the backend has indexed, by a question in plain words; gives ranked snippets with repository, file, symbol and lines.",
        json!({
            "type": "object",
            "required": ["query"],
            "properties": {
                "query": {"type": "string", "description": "What you look for, in plain words or by names: `where is subscription renewal handled`."},
                "repo": {"type": "string", "description": "Only this repository, such as `owner/name`; all of them without it."},
                "lang": {"type": "string", "description": "Only this language, such as `typescript`."},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "How many results."}
            }
        }),
    );
    tool.guidelines = [
        "Call codebase_search when you know what code does and not what it is called, or when it may be in another repository; for a known name, a plain text search is exact.",
        "A result that is marked as changed since it was indexed may be outdated: read the file before you rely on it.",
        "Snippets are parts of chunks; read the file for what is around them.",
    ]
    .map(str::to_owned)
    .to_vec();
    tool
}

fn status() -> Tool {
    tool(
        "codebase_status",
        "Shows whether codebase_search has a backend, whether it is up to date, and which repositories it covers.",
        json!({"type": "object", "properties": {}}),
    )
}

fn commands() -> Vec<Command> {
    [
        ("login", "Logs in to the backend with the browser: login [--no-browser]"),
        ("logout", "Forgets the login, and ends it at the backend"),
        ("sync", "Sends what has changed to the backend"),
        ("search", "Searches: search QUERY... [--repo NAME] [--lang ID] [--limit N]"),
        ("status", "Shows how things stand, and each file's fate: status [--files]"),
    ]
    .map(|(name, summary)| Command {
        name: name.to_owned(),
        slash: Some(format!("codebase-{name}")),
        summary: summary.to_owned(),
    })
    .to_vec()
}

/// The settings. A project's own file may set `narrow`, which can only lower what the user has, and nothing else: neither
/// where code is sent, nor as whom.
fn settings_schema() -> ctxhost_sdk::serde_json::Value {
    let spec = ctxhost_sdk::protocol::catalogue::find(ctxhost_sdk::protocol::codebase_index::SPEC);
    let text = spec.and_then(|spec| spec.schema("settings")).map_or("{}", |schema| schema.text);
    let mut schema: ctxhost_sdk::serde_json::Value =
        ctxhost_sdk::serde_json::from_str(text).unwrap_or_default();
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
        let for_projects: Vec<&String> = properties
            .iter()
            .filter(|(_, property)| property.get("x-ctxhost-project").is_some())
            .map(|(name, _)| name)
            .collect();
        assert_eq!(for_projects, ["narrow"]);
    }

    #[test]
    fn tools_commands_and_variables_have_their_names() {
        let manifest = complete(Manifest::default());
        let tools: Vec<_> = manifest.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(tools, ["codebase_search", "codebase_status"]);
        let commands: Vec<_> = manifest.commands.iter().map(|command| command.name.as_str()).collect();
        assert_eq!(commands, ["login", "logout", "sync", "search", "status"]);
        let slashes: Vec<_> =
            manifest.commands.iter().filter_map(|command| command.slash.as_deref()).collect();
        assert!(slashes.contains(&"codebase-login") && slashes.contains(&"codebase-search"));
        assert!(manifest.environment.iter().any(|name| name == "PI_CODEBASE_API_URL"));
        assert!(manifest.needs.network);
    }
}
