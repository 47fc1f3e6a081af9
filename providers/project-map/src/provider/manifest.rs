//! What the provider is, can do and wants.

use std::collections::BTreeMap;

use ctxhost_sdk::{CODE_ENVIRONMENT, prelude::*};

use super::commands;
use crate::settings;

/// Completes the manifest.
pub(super) fn complete(head: Manifest) -> Manifest {
    Manifest {
        summary: "Gives the agent maps of the project's directories: an index of what to open next and a map of what is there, made without a model and always fresh.".to_owned(),
        // The look at all files of a project that nobody has looked at takes longer than a prompt's usual share.
        deadlines: BTreeMap::from(
            [("session.start", 3_000), ("prompt", 2_000), ("tool.before", 500)]
                .map(|(event, ms)| (event.to_owned(), ms)),
        ),
        // `patch --git` asks git.
        needs: Needs { files: true, process: true, ..Needs::default() },
        powers: vec!["block".to_owned()],
        alias: Some("ctxhost".to_owned()),
        tools: tools(),
        commands: commands::commands(),
        settings_schema: Some(settings::schema()),
        environment: CODE_ENVIRONMENT.map(str::to_owned).to_vec(),
        ..head
    }
}

/// The tools; what is to be known of all of them stands with the first.
fn tools() -> Vec<Tool> {
    let mut tools = commands::tools();
    if let Some(first) = tools.first_mut() {
        let all = [
            "Sections of this provider are maps of the project: begin with the root's index, open the indexes of the directories that are likely relevant, then the maps that fit best; index routes, map orients, source decides.",
            "A hint that the project has no maps yet asks for project_map_init, once; after you have changed, moved or deleted many files call project_map_patch with their paths.",
            "Read the source before you edit it or make exact claims about it, whatever a map says.",
        ];
        first.guidelines.splice(0..0, all.map(str::to_owned));
    }
    tools
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_can_set_nothing_that_widens() {
        let schema = settings::schema();
        let properties = schema["properties"].as_object().expect("it has properties");
        assert!(properties.len() >= 14);
        let marked = properties.iter().filter(|(_, property)| property.get("x-ctxhost-project").is_some());
        assert_eq!(marked.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["narrow"]);
    }

    #[test]
    fn the_documents_tools_and_commands_are_there() {
        let manifest = complete(Manifest::default());
        let tools: Vec<_> = manifest.tools.iter().map(|tool| tool.name.as_str()).collect();
        for name in ["project_map_init", "project_map_context", "project_map_patch", "project_map_validate"] {
            assert!(tools.contains(&name), "{name}");
        }
        let commands: Vec<_> = manifest.commands.iter().map(|command| command.name.as_str()).collect();
        for name in ["init", "patch", "validate", "reinit", "context"] {
            assert!(commands.contains(&name), "{name}");
        }
        assert_eq!(
            (&manifest.powers[..], manifest.tools[0].guidelines.len()),
            (&["block".to_owned()][..], 4)
        );
    }
}
