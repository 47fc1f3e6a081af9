//! Typed mirrors of `project-map/v1`: the provider's own document, the project's file, the context bundle, the validate
//! report, and the settings.

use serde::{Deserialize, Serialize};

use crate::number::whole;

/// The name of this spec, as a note or a reply states it.
pub const SPEC: &str = "project-map/v1";

/// The project's own file of settings, in its root.
pub const PROJECT_FILE: &str = ".pi-project-map.json";

/// How much the provider does by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing.
    Off,
    /// A hint before there are maps, the root's pair where it is small, light reminders.
    Advisory,
    /// The root's pair always, others within the budget, reminders before edits.
    #[default]
    Strong,
    /// As `strong`, and edits are blocked that nothing of the maps precedes.
    Strict,
}

/// The settings table of a user; every key may be absent (`settings.schema.json`). The first nine are those of the
/// project's file, in the document's own names; their lower-case forms, which an environment variable's name gives, are
/// read too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Patterns of files and directories that are left out, besides what git ignores.
    #[serde(rename = "ignorePatterns", alias = "ignorepatterns")]
    pub ignore_patterns: Option<Vec<String>>,
    /// A directory with fewer files below it is folded into the one above.
    #[serde(rename = "smallPackageThreshold", alias = "smallpackagethreshold", deserialize_with = "whole")]
    pub small_package_threshold: Option<u64>,
    /// The tokens of a context bundle.
    #[serde(rename = "contextBudget", alias = "contextbudget", deserialize_with = "whole")]
    pub context_budget: Option<u64>,
    /// Whether anything is injected by itself.
    #[serde(rename = "autoInjectPrompt", alias = "autoinjectprompt")]
    pub auto_inject_prompt: Option<bool>,
    /// The most tags of an entry.
    #[serde(rename = "tagCap", alias = "tagcap", deserialize_with = "whole")]
    pub tag_cap: Option<u64>,
    /// The most workflow hints of an index.
    #[serde(rename = "workflowHintCap", alias = "workflowhintcap", deserialize_with = "whole")]
    pub workflow_hint_cap: Option<u64>,
    /// How much is injected by itself.
    #[serde(rename = "promptInjectionMode", alias = "promptinjectionmode")]
    pub prompt_injection_mode: Option<Mode>,
    /// The part of the model's window that is injected at most, in percent.
    #[serde(rename = "contextBudgetPercent", alias = "contextbudgetpercent", deserialize_with = "whole")]
    pub context_budget_percent: Option<u64>,
    /// The most tokens that are injected, whatever the window.
    #[serde(rename = "contextBudgetMaxTokens", alias = "contextbudgetmaxtokens", deserialize_with = "whole")]
    pub context_budget_max_tokens: Option<u64>,
    /// The most tokens of pairs besides the root's.
    #[serde(rename = "expansionTokens", alias = "expansiontokens", deserialize_with = "whole")]
    pub expansion_tokens: Option<u64>,
    /// Whether git shall see the artifacts.
    #[serde(rename = "commitArtifacts", alias = "commitartifacts")]
    pub commit_artifacts: Option<bool>,
    /// The folder of all artifacts, below the project's root.
    #[serde(rename = "artifactDir", alias = "artifactdir")]
    pub artifact_dir: Option<String>,
}
