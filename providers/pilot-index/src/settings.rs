//! Settings: what was asked, and what it means.

use ctxhost_sdk::protocol::pilot_index::Mode;
pub use ctxhost_sdk::protocol::pilot_index::Settings;

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
    use ctxhost_sdk::{
        prelude::json,
        serde_json::{self, Value},
    };

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
        // The environment goes before files, and both may be there.
        check(json!({"maxTotalTokens": 20, "maxtotaltokens": 40_000}), |limits| {
            limits.total_tokens = 40_000;
        });
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
