//! What the manifest says of the commands that make maps, and of the tools that do the same.

use ctxhost_sdk::{prelude::*, tool};

use crate::provider::context;

/// The commands.
pub(in crate::provider) fn commands() -> Vec<Command> {
    [
        ("init", "Makes the maps of a project that has none; `--write-config` writes a settings file with what holds now."),
        ("reinit", "Makes all maps anew and keeps the notes in them."),
        ("patch", "Follows changed files: `patch FILE...`, or `patch --git` for what git says has changed."),
        ("context", "Says which directories, files and definitions a question is about: context QUERY"),
        ("validate", "Says what is wrong with the maps; `--fix` puts right what nobody changed by hand, `--force` the rest too."),
    ]
    .map(|(name, summary)| Command { name: name.to_owned(), summary: summary.to_owned(), ..Command::default() })
    .to_vec()
}

/// The tools.
pub(in crate::provider) fn tools() -> Vec<Tool> {
    vec![
        context::declared(),
        tool(
            "project_map_init",
            "Makes the maps of a project that has none: two small files for each directory that is worth it, kept out of git.",
            json!({"type": "object", "properties": {}}),
        ),
        tool(
            "project_map_patch",
            "Brings the project's maps up to date after files were added, changed, deleted or renamed.",
            json!({
                "type": "object",
                "properties": {
                    "files": {
                        "type": "array",
                        "items": {"type": "string"},
                        "description": "The paths that changed; of a renamed file both."
                    },
                    "git": {"type": "boolean", "default": false, "description": "Take what git says has changed instead."}
                }
            }),
        ),
        tool(
            "project_map_validate",
            "Says which of the project's maps are stale, missing, orphaned, changed by hand or otherwise wrong.",
            json!({
                "type": "object",
                "properties": {
                    "fix": {"type": "boolean", "default": false, "description": "Put right what nobody changed by hand."},
                    "force": {
                        "type": "boolean",
                        "default": false,
                        "description": "With `fix`: also what was changed by hand outside of the notes. Ask the user first."
                    }
                }
            }),
        ),
    ]
}
