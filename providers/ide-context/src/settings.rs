//! What the user has set, and the places that follow from it and from the environment.

use std::path::{Path, PathBuf};

use ctxhost_sdk::{Error, Result, Setup, protocol::envelope::null_as_default};
use serde::Deserialize;

/// The provider's settings table, as written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What the status is made of.
    #[serde(deserialize_with = "null_as_default")]
    pub glyphs: Glyphs,
    /// Whether the built-in secret rules apply; absent means yes.
    pub secret_rules: Option<bool>,
    /// Where editors write their state, instead of the protocol's place.
    pub state_dir: Option<String>,
}

/// What the status is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Glyphs {
    /// Two glyphs of a Nerd Font, as the protocol has it.
    #[default]
    Nerd,
    /// Plain ASCII, such as `nvim:ts`.
    Ascii,
}

/// Where things are; all absolute.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// Where editors write their state.
    pub(crate) states: StateDirectory,
    /// The agent's configuration folder where a request does not name it.
    pub(crate) agent: Option<PathBuf>,
    /// The user's home folder.
    pub(crate) home: Option<PathBuf>,
    /// Where choices are kept.
    pub(crate) kept: Option<PathBuf>,
}

/// Where editors write their state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateDirectory {
    pub(crate) path: PathBuf,
    pub(crate) origin: Origin,
}

/// Why it is that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user's setting names it.
    Setting,
    /// It is in the user's runtime folder.
    Runtime,
    /// There is no runtime folder, so it is under `/tmp`, where anybody could have made it.
    Fallback,
}

impl Places {
    pub(crate) fn new(setup: &Setup, settings: &Settings) -> Result<Self> {
        let home = setup.home_dir();
        let states = state_directory(settings.state_dir.as_deref(), setup.env("XDG_RUNTIME_DIR"))?;
        Ok(Self {
            states,
            agent: agent_directory(setup.env("PI_CODING_AGENT_DIR"), home.as_deref()),
            home,
            kept: setup.state_dir(),
        })
    }
}

fn state_directory(setting: Option<&str>, runtime: Option<&str>) -> Result<StateDirectory> {
    if let Some(path) = setting.filter(|path| !path.is_empty()) {
        if !path.starts_with('/') {
            return Err(Error::bad_input(format!("setting `state_dir`: `{path}` is not an absolute path")));
        }
        return Ok(StateDirectory { path: path.into(), origin: Origin::Setting });
    }
    // The base directory specification ignores a relative path, and an empty variable is one that is not set.
    Ok(match runtime.filter(|path| path.starts_with('/')) {
        Some(path) => StateDirectory { path: Path::new(path).join("pi-ide"), origin: Origin::Runtime },
        None => StateDirectory { path: "/tmp/pi-ide".into(), origin: Origin::Fallback },
    })
}

fn agent_directory(variable: Option<&str>, home: Option<&Path>) -> Option<PathBuf> {
    match variable {
        Some("~") => home.map(Path::to_owned),
        Some(path) if path.starts_with('/') => Some(path.into()),
        // Pi expands the tilde itself, so people write it there.
        Some(path) if path.starts_with("~/") => Some(home?.join(&path[2..])),
        _ => Some(home?.join(".pi/agent")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_directory_is_the_settings_else_the_runtime_folders_else_under_tmp() {
        let cases = [
            (None, Some("/run/user/7"), "/run/user/7/pi-ide", Origin::Runtime),
            (None, Some("relative"), "/tmp/pi-ide", Origin::Fallback),
            (None, None, "/tmp/pi-ide", Origin::Fallback),
            (Some("/x"), Some("/run/user/7"), "/x", Origin::Setting),
            (Some(""), Some("/run/user/7"), "/run/user/7/pi-ide", Origin::Runtime),
        ];
        for (setting, runtime, path, origin) in cases {
            let place = state_directory(setting, runtime).expect("it is a place");
            assert_eq!(place, StateDirectory { path: path.into(), origin });
        }
        assert!(state_directory(Some("x"), None).is_err());
    }

    #[test]
    fn the_agents_folder_is_the_variables_else_in_the_home_folder() {
        let home = Some(Path::new("/home/u"));
        let check = |variable, home, expected: Option<&str>| {
            assert_eq!(agent_directory(variable, home), expected.map(PathBuf::from));
        };
        check(Some("/a"), home, Some("/a"));
        check(Some("~/a"), home, Some("/home/u/a"));
        check(Some("a"), home, Some("/home/u/.pi/agent"));
        check(None, home, Some("/home/u/.pi/agent"));
        check(None, None, None);
    }

    #[test]
    fn null_settings_are_the_defaults() {
        let settings: Settings =
            serde_json::from_str(r#"{"glyphs": null, "secret_rules": null, "other": 1}"#)
                .expect("they are read");
        assert_eq!((settings.glyphs, settings.secret_rules), (Glyphs::Nerd, None));
    }
}
