//! Settings: what the user and the project asked, and what it means.

mod project_file;
mod values;

use std::collections::BTreeSet;

pub use ctxhost_sdk::protocol::project_map::Settings;
use ctxhost_sdk::{
    prelude::{Finding, json},
    protocol::{
        catalogue,
        project_map::{Mode, ProjectFile, SPEC},
    },
    serde_json::{self, Value},
};

pub(crate) use project_file::{MOST_BYTES, project_file};
use values::Number;

use crate::select::expand::FLOOR;

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
    /// The folder of all artifacts, below the root, when they shall not stand beside the sources; with `/`, and none at
    /// its end.
    pub(crate) artifact_dir: Option<String>,
    /// The most files of a project that are looked at.
    pub(crate) max_files: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self::resolve(&Settings::default(), None, false).0
    }
}

impl Config {
    /// Resolves what was written. Numbers beyond what makes sense are brought back into it; what a project may not say
    /// is left out, with one finding over all of it.
    pub(crate) fn resolve(
        user: &Settings,
        project: Option<&ProjectFile>,
        trusted: bool,
    ) -> (Self, Vec<Finding>) {
        let own = &user.own;
        let (theirs, mut findings) = said_by_project(user.narrow.as_ref(), project);
        let patterns = values::patterns(own.ignore_patterns.as_deref(), &mut findings);
        let dir = values::folder(own.artifact_dir.as_deref(), &mut findings);
        let mut weighed = Weighed { trusted, refused: Vec::new() };
        let config = Self {
            ignore_patterns: weighed.patterns(patterns, theirs.ignore_patterns),
            small_package_threshold: weighed
                .threshold(own.small_package_threshold, theirs.small_package_threshold),
            context_budget: weighed.limit(&values::BUNDLE, own.context_budget, theirs.context_budget),
            mode: weighed.mode(own, theirs.prompt_injection_mode, theirs.auto_inject_prompt),
            tag_cap: weighed.limit(&values::TAGS, own.tag_cap, theirs.tag_cap) as usize,
            workflow_hint_cap: weighed.limit(
                &values::WORKFLOWS,
                own.workflow_hint_cap,
                theirs.workflow_hint_cap,
            ) as usize,
            context_budget_percent: weighed.limit(
                &values::PERCENT,
                own.context_budget_percent,
                theirs.context_budget_percent,
            ),
            // The user may do without the root's pair; a project may not take it from them.
            context_budget_max_tokens: weighed.limit(
                &values::CAP,
                own.context_budget_max_tokens,
                theirs
                    .context_budget_max_tokens
                    .map(|wish| wish.max(FLOOR.min(values::CAP.of(own.context_budget_max_tokens)))),
            ),
            expansion_tokens: weighed.limit(
                &values::EXPANSION,
                own.expansion_tokens,
                theirs.expansion_tokens,
            ),
            commit_artifacts: weighed.switch(
                "commitArtifacts",
                own.commit_artifacts,
                theirs.commit_artifacts,
            ),
            artifact_dir: weighed.folder(dir, theirs.artifact_dir),
            max_files: values::FILES.of(user.max_files) as usize,
        };
        findings.extend(values::refused(&weighed.refused, trusted));
        (config, findings)
    }
}

/// The schema of the settings table, for the manifest. The host's own settings file of a project may set `narrow`, which
/// counts as the document's file does, and nothing else.
pub(crate) fn schema() -> Value {
    let text =
        catalogue::find(SPEC).and_then(|spec| spec.schema("settings")).map_or("{}", |schema| schema.text);
    let mut schema: Value = serde_json::from_str(text).unwrap_or_default();
    schema["properties"]["narrow"]["x-ctxhost-project"] = json!("always");
    schema
}

/// What a project says in the host's settings file and in its own; per key, the former goes first. Only what has the form
/// of a value is left.
fn said_by_project(narrow: Option<&ProjectFile>, file: Option<&ProjectFile>) -> (ProjectFile, Vec<Finding>) {
    let first = narrow.cloned().unwrap_or_default();
    let second = file.cloned().unwrap_or_default();
    let mut findings = Vec::new();
    let mut patterns = first.ignore_patterns;
    if let Some(more) = second.ignore_patterns {
        patterns.get_or_insert_default().extend(more);
    }
    let dir = first.artifact_dir.or(second.artifact_dir);
    let said = ProjectFile {
        ignore_patterns: values::patterns(patterns.as_deref(), &mut findings),
        small_package_threshold: first.small_package_threshold.or(second.small_package_threshold),
        context_budget: first.context_budget.or(second.context_budget),
        auto_inject_prompt: first.auto_inject_prompt.or(second.auto_inject_prompt),
        tag_cap: first.tag_cap.or(second.tag_cap),
        workflow_hint_cap: first.workflow_hint_cap.or(second.workflow_hint_cap),
        prompt_injection_mode: first.prompt_injection_mode.or(second.prompt_injection_mode),
        context_budget_percent: first.context_budget_percent.or(second.context_budget_percent),
        context_budget_max_tokens: first.context_budget_max_tokens.or(second.context_budget_max_tokens),
        expansion_tokens: first.expansion_tokens.or(second.expansion_tokens),
        commit_artifacts: first.commit_artifacts.or(second.commit_artifacts),
        artifact_dir: values::folder(dir.as_deref(), &mut findings),
    };
    (said, findings)
}

/// Weighs a project's wish against the user's word. Where the user says nothing, the default is the limit in a folder
/// that is not trusted, and whatever makes sense in one that is.
struct Weighed {
    trusted: bool,
    /// The keys whose wish was not granted.
    refused: Vec<&'static str>,
}

impl Weighed {
    fn refuse<T>(&mut self, name: &'static str, instead: T) -> T {
        self.refused.push(name);
        instead
    }

    /// A number that a project may lower.
    fn limit(&mut self, number: &Number, own: Option<u64>, theirs: Option<u64>) -> u64 {
        let usual = number.of(own);
        let most = if own.is_none() && self.trusted { number.most } else { usual };
        match theirs.map(|wish| wish.clamp(number.least, number.most)) {
            Some(wish) if wish > most => self.refuse(number.name, usual),
            Some(wish) => wish,
            None => usual,
        }
    }

    /// The only number that a project narrows by raising it: the fewer directories have pairs, the less is written.
    fn threshold(&mut self, own: Option<u64>, theirs: Option<u64>) -> u32 {
        let number = &values::THRESHOLD;
        let usual = number.of(own);
        let chosen = match theirs.map(|wish| wish.clamp(number.least, number.most)) {
            Some(wish) if wish < usual && !self.trusted => self.refuse(number.name, usual),
            Some(wish) => wish,
            None => usual,
        };
        chosen as u32
    }

    /// A switch that a project may only turn off, unless the user trusts the folder and says nothing.
    fn switch(&mut self, name: &'static str, own: Option<bool>, theirs: Option<bool>) -> bool {
        match theirs {
            Some(true) if !own.unwrap_or(self.trusted) => self.refuse(name, false),
            Some(wish) => wish,
            None => own.unwrap_or(false),
        }
    }

    fn mode(&mut self, own: &ProjectFile, theirs: Option<Mode>, inject: Option<bool>) -> Mode {
        let usual = own.prompt_injection_mode.unwrap_or_default();
        let most = if own.prompt_injection_mode.is_none() && self.trusted { Mode::Strict } else { usual };
        let mode = match theirs {
            Some(wish) if wish > most => self.refuse("promptInjectionMode", usual),
            Some(wish) => wish,
            None => usual,
        };
        let inject = match (own.auto_inject_prompt, inject) {
            (Some(false), Some(true)) => self.refuse("autoInjectPrompt", false),
            (own, theirs) => own.unwrap_or(true) && theirs.unwrap_or(true),
        };
        if inject { mode } else { Mode::Off }
    }

    /// A project adds to what is left out; in a trusted folder its list also takes the place of the default one.
    fn patterns(&mut self, own: Option<Vec<String>>, theirs: Option<Vec<String>>) -> Vec<String> {
        let replaces = own.is_none() && self.trusted && theirs.is_some();
        let usual = own.unwrap_or_else(|| values::IGNORED.map(str::to_owned).to_vec());
        let mut patterns = if replaces { Vec::new() } else { usual };
        patterns.extend(theirs.into_iter().flatten());
        let mut seen = BTreeSet::new();
        patterns.retain(|pattern| seen.insert(pattern.clone()));
        patterns
    }

    /// Where the artifacts lie narrows nothing, so that it takes trust.
    fn folder(&mut self, own: Option<String>, theirs: Option<String>) -> Option<String> {
        match theirs {
            Some(wish) if !self.trusted && own.as_ref() != Some(&wish) => self.refuse("artifactDir", own),
            Some(wish) => Some(wish),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests;
