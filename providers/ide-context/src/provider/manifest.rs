//! What the provider is, can do and wants.

use ctxhost_sdk::prelude::*;

/// Completes the manifest.
pub(super) fn complete(head: Manifest) -> Manifest {
    Manifest {
        summary: "Tells the agent which file, cursor and selection, or which table, the user's editor shows."
            .to_owned(),
        needs: Needs { files: true, ..Needs::default() },
        alias: Some("ide".to_owned()),
        commands: vec![
            command(
                "list",
                None,
                "Lists the editors of this directory; --all lists every editor and why it is not offered",
            ),
            command(
                "connect",
                Some("ide"),
                "Connects to an editor: connect [PID | auto | off]; without arguments, a choice",
            ),
            command("disconnect", None, "Connects to no editor until you choose one"),
            command("status", None, "Says which editor is connected, and what of it reaches the agent"),
            command(
                "doctor",
                None,
                "Shows what was found in every place that is looked at, and what follows from it",
            ),
        ],
        settings_schema: Some(settings_schema()),
        environment: vec!["XDG_RUNTIME_DIR".to_owned(), "PI_CODING_AGENT_DIR".to_owned()],
        ..head
    }
}

fn command(name: &str, slash: Option<&str>, summary: &str) -> Command {
    Command { name: name.to_owned(), slash: slash.map(str::to_owned), summary: summary.to_owned() }
}

/// The settings; a project's file may set what says so, and nothing else.
fn settings_schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {
            "glyphs": {
                "description": "What the status is made of: glyphs of a Nerd Font, or plain ASCII.",
                "enum": ["nerd", "ascii"],
                "default": "nerd",
                "x-ctxhost-project": "always"
            },
            "secret_rules": {
                "description": "Whether files that hold secrets by their name are kept out from the start.",
                "type": "boolean",
                "default": true
            },
            "state_dir": {
                "description": "Where editors write their state; absolute. By default $XDG_RUNTIME_DIR/pi-ide, or else /tmp/pi-ide.",
                "type": "string"
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_can_set_nothing_that_widens() {
        let schema = settings_schema();
        let properties = schema["properties"].as_object().expect("it has properties");
        let for_projects: Vec<&String> = properties
            .iter()
            .filter(|(_, property)| property.get("x-ctxhost-project").is_some())
            .map(|(name, _)| name)
            .collect();
        assert_eq!(for_projects, ["glyphs"]);
    }
}
