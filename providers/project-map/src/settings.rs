//! Settings: what was asked, and what it means.

use ctxhost_sdk::protocol::project_map::Mode;
pub use ctxhost_sdk::protocol::project_map::Settings;

/// What the settings of the user and of the project come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    /// Patterns of files and directories that are left out, besides what git ignores.
    pub(crate) ignore_patterns: Vec<String>,
    /// A directory with fewer files below it is folded into the one above.
    pub(crate) small_package_threshold: u32,
    /// The tokens of a context bundle.
    pub(crate) context_budget: u64,
    /// How much is injected by itself; `Off` when `autoInjectPrompt` is false.
    pub(crate) mode: Mode,
    /// The most tags of an entry.
    pub(crate) tag_cap: usize,
    /// The most workflow hints of an index.
    pub(crate) workflow_hint_cap: usize,
    /// The part of the model's window that is injected at most, in percent.
    pub(crate) context_budget_percent: u64,
    /// The most tokens that are injected, whatever the window.
    pub(crate) context_budget_max_tokens: u64,
    /// The most tokens of pairs besides the root's.
    pub(crate) expansion_tokens: u64,
    /// Whether git shall see the artifacts.
    pub(crate) commit_artifacts: bool,
    /// The folder of all artifacts, below the root, when they shall not stand beside the sources.
    pub(crate) artifact_dir: Option<String>,
}
