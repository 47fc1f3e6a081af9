//! Settings: what was asked, and what it means.

use std::path::{Path, PathBuf};

use ctxhost_code::walk::{Patterns, WalkSettings};
pub use ctxhost_sdk::protocol::codebase_index::Settings;
use ctxhost_sdk::protocol::codebase_index::{BASE_PATH, limits};

use crate::source::limits::Limits as Reading;

/// What an address may be in the document's own variable, and in the settings.
const LONGEST_PROVIDER: usize = 64;

/// What settings are resolved with: the document's own variables, and the folders of the person.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Surroundings<'a> {
    /// `PI_CODEBASE_API_URL`.
    pub(crate) url: Option<&'a str>,
    /// `PI_CODEBASE_AUTH_PROVIDER`.
    pub(crate) auth_provider: Option<&'a str>,
    /// The person's home.
    pub(crate) home: Option<&'a Path>,
    /// The person's folder of settings, where it is not `.config` there.
    pub(crate) config_home: Option<&'a Path>,
}

/// What the settings come to.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// Where the backend is; `None` where the user names none.
    pub(crate) url: Option<String>,
    /// Where the data endpoints are below it.
    pub(crate) base_path: String,
    /// By whom the backend has people log in.
    pub(crate) auth_provider: String,
    /// Certificates besides the system's.
    pub(crate) ca_file: Option<PathBuf>,
    /// Whether prompts are searched for.
    pub(crate) prompt: bool,
    /// The most tokens of what is offered for a prompt.
    pub(crate) prompt_tokens: u64,
    /// The most hits.
    pub(crate) prompt_results: u32,
    /// How much is read, sent and waited for.
    pub(crate) reading: Reading,
}

impl Limits {
    /// Resolves what was written. Numbers beyond what makes sense are brought back into it.
    ///
    /// # Errors
    /// The name of the login's provider is none; it would become a part of an address.
    pub(crate) fn of(settings: &Settings, around: Surroundings<'_>) -> Result<Self, String> {
        let narrow = settings.narrow.clone().unwrap_or_default();
        let given =
            |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let own = |variable: Option<&str>, setting: &Option<String>| {
            given(variable).or_else(|| given(setting.as_deref()))
        };
        let auth_provider = own(around.auth_provider, &settings.auth_provider);
        let auth_provider = auth_provider.unwrap_or_else(|| "github".to_owned());
        if !is_provider(&auth_provider) {
            return Err("`auth_provider` has to be a name such as `github`".to_owned());
        }
        let both = |own: Option<bool>, default: bool, limit: Option<bool>| {
            own.unwrap_or(default) && limit.unwrap_or(true)
        };
        let excluded = settings.exclude.iter().chain(&narrow.exclude).flatten();
        let plain = Reading::default();
        Ok(Self {
            url: own(around.url, &settings.url),
            base_path: settings.base_path.clone().unwrap_or_else(|| BASE_PATH.to_owned()),
            auth_provider,
            ca_file: given(settings.ca_file.as_deref()).map(|file| below_home(&file, around.home)),
            prompt: both(settings.prompt, true, narrow.prompt),
            // 1,500 tokens, 5 hits: enough for the few places that matter, and little when they do not.
            prompt_tokens: settings
                .prompt_tokens
                .unwrap_or(1_500)
                .min(1_000_000)
                .min(narrow.prompt_tokens.unwrap_or(u64::MAX)),
            prompt_results: settings
                .prompt_results
                .unwrap_or(5)
                .min(narrow.prompt_results.unwrap_or(u32::MAX))
                .clamp(1, limits::RESULTS),
            reading: Reading {
                untracked: both(settings.untracked, false, narrow.untracked),
                include: Patterns::new(settings.include.iter().flatten()),
                include_too: Patterns::new(narrow.include.iter().flatten()),
                exclude: Patterns::new(excluded),
                walk: WalkSettings {
                    home: around.home.map(Path::to_owned),
                    config_home: around.config_home.map(Path::to_owned),
                    ..WalkSettings::default()
                },
                concurrency: settings.concurrency.map_or(plain.concurrency, |n| n.clamp(1, 32) as usize),
                batch_bytes: settings
                    .batch_bytes
                    .map_or(plain.batch_bytes, |n| n.clamp(1_024, limits::BODY_BYTES as u64) as usize),
                ..plain
            },
        })
    }
}

/// As the settings' schema has it; variables of the environment are not held against that.
fn is_provider(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric();
    name.len() <= LONGEST_PROVIDER
        && name.split(['.', '_', '-']).all(|part| !part.is_empty() && part.chars().all(plain))
}

fn below_home(file: &str, home: Option<&Path>) -> PathBuf {
    match (file.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(file),
    }
}

#[cfg(test)]
mod tests {
    use ctxhost_sdk::{
        prelude::json,
        serde_json::{self, Value},
    };

    use super::*;

    fn read(settings: Value, around: Surroundings<'_>) -> Limits {
        let settings: Settings = serde_json::from_value(settings).unwrap();
        Limits::of(&settings, around).unwrap()
    }

    fn check(settings: Value, expected: (bool, u64, u32, bool)) {
        let limits = read(settings.clone(), Surroundings::default());
        let got = (limits.prompt, limits.prompt_tokens, limits.prompt_results, limits.reading.untracked);
        assert_eq!(got, expected, "{settings}");
    }

    #[test]
    fn what_is_not_said_has_its_default() {
        check(json!({}), (true, 1_500, 5, false));
        let limits = read(json!({"url": " ", "narrow": null}), Surroundings::default());
        assert_eq!((limits.url, limits.base_path.as_str()), (None, "/codebase-index"));
        assert_eq!((limits.auth_provider.as_str(), limits.ca_file), ("github", None));
        assert_eq!((limits.reading.concurrency, limits.reading.batch_bytes), (4, 1 << 20));
    }

    #[test]
    fn what_a_project_may_set_only_narrows() {
        check(
            json!({"narrow": {"prompt": true, "prompt_tokens": 9_000, "prompt_results": 50, "untracked": true}}),
            (true, 1_500, 5, false),
        );
        check(
            json!({"untracked": true, "narrow": {"prompt": false, "prompt_tokens": 9, "prompt_results": 2, "untracked": false}}),
            (false, 9, 2, false),
        );
        check(json!({"prompt": false, "narrow": {"prompt": true}}), (false, 1_500, 5, false));
        let limits = read(
            json!({"include": ["src/"], "narrow": {"include": ["*.rs"], "exclude": ["gen/"]}}),
            Surroundings::default(),
        );
        let reading = limits.reading;
        assert!(reading.include.hold("src/a.py") && !reading.include.hold("a.rs"));
        assert!(reading.include_too.hold("a.rs") && !reading.include_too.hold("src/a.py"));
        assert!(reading.exclude.hold("gen/a.rs"));
    }

    #[test]
    fn the_documents_variables_go_before_settings() {
        let around = Surroundings {
            url: Some("https://a.example"),
            auth_provider: Some("acme"),
            home: Some(Path::new("/home/me")),
            ..Surroundings::default()
        };
        let limits =
            read(json!({"url": "https://b.example", "auth_provider": "b", "ca_file": "~/ca.pem"}), around);
        assert_eq!(limits.url.as_deref(), Some("https://a.example"));
        assert_eq!(limits.auth_provider, "acme");
        assert_eq!(limits.ca_file.as_deref(), Some(Path::new("/home/me/ca.pem")));
    }

    #[test]
    fn absurd_values_are_brought_back_or_refused() {
        check(json!({"prompt_results": 0, "prompt_tokens": 2_000_000}), (true, 1_000_000, 1, false));
        let limits = read(json!({"concurrency": 99, "batch_bytes": 1}), Surroundings::default());
        assert_eq!((limits.reading.concurrency, limits.reading.batch_bytes), (32, 1_024));
        for wrong in ["../x", "a/b", "", ".", "a..b", &"x".repeat(65)] {
            assert!(!is_provider(wrong), "{wrong}");
        }
        assert!(is_provider("git-hub.2"));
    }
}
