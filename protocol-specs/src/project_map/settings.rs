//! The project's file, and the settings table of a user.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::Mode;
use crate::number::whole;

/// The project's own file of settings (`project-file.schema.json`), in the document's names; every key may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectFile {
    /// Patterns of files and directories that are left out, besides what git ignores.
    #[serde(rename = "ignorePatterns")]
    pub ignore_patterns: Option<Vec<String>>,
    /// A directory with fewer files below it is folded into the one above.
    #[serde(rename = "smallPackageThreshold", deserialize_with = "whole")]
    pub small_package_threshold: Option<u64>,
    /// The tokens of a context bundle.
    #[serde(rename = "contextBudget", deserialize_with = "whole")]
    pub context_budget: Option<u64>,
    /// Whether anything is injected by itself.
    #[serde(rename = "autoInjectPrompt")]
    pub auto_inject_prompt: Option<bool>,
    /// The most tags of an entry.
    #[serde(rename = "tagCap", deserialize_with = "whole")]
    pub tag_cap: Option<u64>,
    /// The most workflow hints of an index.
    #[serde(rename = "workflowHintCap", deserialize_with = "whole")]
    pub workflow_hint_cap: Option<u64>,
    /// How much is injected by itself.
    #[serde(rename = "promptInjectionMode")]
    pub prompt_injection_mode: Option<Mode>,
    /// The part of the model's window that is injected at most, in percent.
    #[serde(rename = "contextBudgetPercent", deserialize_with = "whole")]
    pub context_budget_percent: Option<u64>,
    /// The most tokens that are injected, whatever the window.
    #[serde(rename = "contextBudgetMaxTokens", deserialize_with = "whole")]
    pub context_budget_max_tokens: Option<u64>,
    /// The most tokens of pairs besides the root's.
    #[serde(rename = "expansionTokens", deserialize_with = "whole")]
    pub expansion_tokens: Option<u64>,
    /// Whether git shall see the artifacts.
    #[serde(rename = "commitArtifacts")]
    pub commit_artifacts: Option<bool>,
    /// The folder of all artifacts, below the project's root.
    #[serde(rename = "artifactDir")]
    pub artifact_dir: Option<String>,
}

impl ProjectFile {
    /// The names of all keys, the document's own first.
    pub const NAMES: [&str; 12] = [
        "ignorePatterns",
        "smallPackageThreshold",
        "contextBudget",
        "autoInjectPrompt",
        "tagCap",
        "workflowHintCap",
        "promptInjectionMode",
        "contextBudgetPercent",
        "contextBudgetMaxTokens",
        "expansionTokens",
        "commitArtifacts",
        "artifactDir",
    ];
}

/// The settings table of a user; every key may be absent (`settings.schema.json`).
///
/// It has the keys of the project's file and two more.
/// The lower-case forms of the document's names, which the names of environment variables give, are read too and go
/// before the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// What the project's file could say too, said by the user.
    #[serde(flatten)]
    pub own: ProjectFile,
    /// How many files of a project are looked at.
    pub max_files: Option<u64>,
    /// What the host's own settings file of a project says; it counts as the project's file does, and before it.
    pub narrow: Option<ProjectFile>,
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let mut table = Map::deserialize(reader)?;
        for name in ProjectFile::NAMES {
            if let Some(value) = table.remove(&name.to_ascii_lowercase()) {
                table.insert(name.to_owned(), value);
            }
        }
        let mut taken = |name| table.remove(name).unwrap_or_default();
        Ok(Self {
            max_files: whole(taken("max_files")).map_err(D::Error::custom)?,
            narrow: serde_json::from_value(taken("narrow")).map_err(D::Error::custom)?,
            own: serde_json::from_value(Value::Object(table)).map_err(D::Error::custom)?,
        })
    }
}
