//! Settings: what was asked, and what it means.

use ctxhost_sdk::prelude::*;

/// The settings table as written; every key may be absent.
///
/// The document's names are kept; their lower-case forms are what an environment variable's name gives.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Whether the conversation is rewritten around retrieved code, or code is appended after the prompt.
    pub mode: Option<Mode>,
    /// How many recent turns stay when the conversation is rewritten.
    #[serde(rename = "conversationalWindow", alias = "conversationalwindow")]
    pub conversational_window: Option<u64>,
    /// The most tokens of retrieved code when the conversation is rewritten.
    #[serde(rename = "maxRetrievedTokens", alias = "maxretrievedtokens")]
    pub max_retrieved_tokens: Option<u64>,
    /// The most tokens of a rewritten conversation, as far as messages that must stay allow.
    #[serde(rename = "maxTotalTokens", alias = "maxtotaltokens")]
    pub max_total_tokens: Option<u64>,
    /// Whether episodes are stored and retrieved.
    #[serde(rename = "memoryEnabled", alias = "memoryenabled")]
    pub memory_enabled: Option<bool>,
    /// How many steps references are followed from what was found.
    #[serde(rename = "expandReferences", alias = "expandreferences")]
    pub expand_references: Option<u64>,
    /// The most tokens of code that is appended after a prompt.
    pub append_tokens: Option<u64>,
    /// How many files of a project are indexed.
    pub max_files: Option<u64>,
    /// Whether a long-lived host watches the project's folders, so that a look need not walk them.
    pub watch: Option<bool>,
    /// How many episodes are kept.
    pub memory_max_episodes: Option<u64>,
    /// After how many days without an update an episode is forgotten.
    pub memory_expiry_days: Option<u64>,
    /// Whether episodes are also kept in folders that the user has not called trusted.
    pub memory_untrusted: Option<bool>,
    /// What a project's own file may lower.
    pub narrow: Option<Narrow>,
}

/// Limits that a project's own file may set: each can only lower what the user has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Narrow {
    /// `append` takes a rewriting of the conversation back.
    pub mode: Option<Mode>,
    /// Lowers `maxRetrievedTokens`.
    #[serde(rename = "maxRetrievedTokens")]
    pub max_retrieved_tokens: Option<u64>,
    /// Lowers `maxTotalTokens`.
    #[serde(rename = "maxTotalTokens")]
    pub max_total_tokens: Option<u64>,
    /// `false` switches the memory off.
    #[serde(rename = "memoryEnabled")]
    pub memory_enabled: Option<bool>,
    /// Lowers `expandReferences`.
    #[serde(rename = "expandReferences")]
    pub expand_references: Option<u64>,
    /// Lowers `append_tokens`.
    pub append_tokens: Option<u64>,
    /// Lowers `max_files`.
    pub max_files: Option<u64>,
}

/// How code reaches the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// After the prompt, so that what a provider's cache knows of the conversation stays true.
    #[default]
    Append,
    /// In front of the last turns, in place of the older ones; needs an agent that lets its conversation be rewritten.
    Reconstruct,
}

/// What the settings come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) mode: Mode,
    pub(crate) window_turns: usize,
    pub(crate) retrieved_tokens: u64,
    pub(crate) total_tokens: u64,
    pub(crate) memory: bool,
    pub(crate) memory_untrusted: bool,
    pub(crate) memory_episodes: usize,
    pub(crate) memory_days: u64,
    pub(crate) reference_depth: u8,
    pub(crate) append_tokens: u64,
    pub(crate) max_files: usize,
    pub(crate) watch: bool,
}

/// The largest number of tokens anybody may set: a model's whole window many times over.
const MOST_TOKENS: u64 = 10_000_000;

impl Limits {
    /// Resolves what was written. Numbers beyond what makes sense are brought back into it.
    pub(crate) fn of(settings: &Settings) -> Self {
        let narrow = settings.narrow.clone().unwrap_or_default();
        let lowered = |own: Option<u64>, default: u64, most: u64, limit: Option<u64>| {
            own.unwrap_or(default).min(most).min(limit.unwrap_or(u64::MAX))
        };
        // 12 turns, 30,000 and 60,000 tokens, 2 steps: the document's own figures.
        let total = lowered(settings.max_total_tokens, 60_000, MOST_TOKENS, narrow.max_total_tokens);
        let retrieved =
            lowered(settings.max_retrieved_tokens, 30_000, MOST_TOKENS, narrow.max_retrieved_tokens);
        Self {
            mode: match narrow.mode {
                Some(Mode::Append) => Mode::Append,
                _ => settings.mode.unwrap_or_default(),
            },
            window_turns: settings.conversational_window.unwrap_or(12).clamp(1, 1_000) as usize,
            retrieved_tokens: retrieved.min(total),
            total_tokens: total,
            memory: settings.memory_enabled.unwrap_or(true) && narrow.memory_enabled.unwrap_or(true),
            memory_untrusted: settings.memory_untrusted.unwrap_or(false),
            memory_episodes: settings.memory_max_episodes.unwrap_or(500).clamp(1, 10_000) as usize,
            memory_days: settings.memory_expiry_days.unwrap_or(180).clamp(1, 36_500),
            reference_depth: lowered(settings.expand_references, 2, 4, narrow.expand_references) as u8,
            append_tokens: lowered(settings.append_tokens, 6_000, MOST_TOKENS, narrow.append_tokens),
            max_files: lowered(settings.max_files, 200_000, 2_000_000, narrow.max_files) as usize,
            watch: settings.watch.unwrap_or(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::serde_json::{self, Value};

    use super::*;

    fn check(settings: Value, expected: impl FnOnce(&mut Limits)) {
        let settings: Settings = serde_json::from_value(settings.clone()).expect("it is read");
        let mut limits = Limits::of(&Settings::default());
        expected(&mut limits);
        assert_eq!(Limits::of(&settings), limits);
    }

    #[test]
    fn an_empty_table_is_the_documents_figures() {
        let limits = Limits::of(&Settings::default());
        assert_eq!((limits.window_turns, limits.retrieved_tokens, limits.total_tokens), (12, 30_000, 60_000));
        assert!(limits.memory && limits.reference_depth == 2);
        assert_eq!((limits.memory_episodes, limits.memory_days), (500, 180));
        assert_eq!((limits.append_tokens, limits.max_files), (6_000, 200_000));
        check(json!({"mode": null, "watch": null, "narrow": null, "unknown": [1]}), |_| ());
    }

    #[test]
    fn the_documents_names_and_those_of_the_environment_are_read() {
        check(json!({"conversationalWindow": 3, "maxRetrievedTokens": 10, "maxTotalTokens": 20}), |limits| {
            (limits.window_turns, limits.retrieved_tokens, limits.total_tokens) = (3, 10, 20);
        });
        check(
            json!({"conversationalwindow": 3, "maxretrievedtokens": 10, "memoryenabled": false}),
            |limits| {
                (limits.window_turns, limits.retrieved_tokens, limits.memory) = (3, 10, false);
            },
        );
        check(json!({"expandReferences": 0, "mode": "reconstruct"}), |limits| {
            (limits.reference_depth, limits.mode) = (0, Mode::Reconstruct);
        });
    }

    #[test]
    fn what_a_project_may_set_only_lowers() {
        check(
            json!({"narrow": {"maxTotalTokens": 1_000_000, "append_tokens": 9_999, "max_files": 300_000}}),
            |_| (),
        );
        check(json!({"narrow": {"memoryEnabled": true}, "memoryEnabled": false}), |l| l.memory = false);
        check(json!({"narrow": {"mode": "reconstruct"}}), |_| ());
        check(json!({"narrow": {"mode": "append"}, "mode": "reconstruct"}), |_| ());
        check(
            json!({"narrow": {"memoryEnabled": false, "append_tokens": 10, "maxRetrievedTokens": 5}}),
            |l| {
                (l.memory, l.append_tokens, l.retrieved_tokens) = (false, 10, 5);
            },
        );
    }

    #[test]
    fn absurd_numbers_are_brought_back() {
        check(json!({"conversationalWindow": 0, "expandReferences": 99}), |l| {
            (l.window_turns, l.reference_depth) = (1, 4);
        });
        check(json!({"maxTotalTokens": 100}), |l| (l.total_tokens, l.retrieved_tokens) = (100, 100));
        check(json!({"memory_max_episodes": 0, "memory_expiry_days": 0}), |l| {
            (l.memory_episodes, l.memory_days) = (1, 1);
        });
    }
}
