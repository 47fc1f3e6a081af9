//! Settings: what was asked, layer by layer, and what it means.
//!
//! The first hit wins, per key: flags, environment, the project's `.ctxhost.toml`, the user's `config.toml`, default.
//! A project file may narrow and never widen: it switches providers off, lowers limits and sets what a provider's
//! manifest declares harmless; whatever else it says is refused with a finding.

mod deadlines;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use ctxhost_protocol::envelope::Manifest;
use serde_json::{Map, Value};

use deadlines::{default_cap, default_deadline};

use crate::{
    files::{ReadError, read_regular},
    finding::{Finding, FindingExt, Step},
    surroundings::Surroundings,
};

/// The name of a project's settings file.
pub const PROJECT_FILE: &str = ".ctxhost.toml";

/// A settings file larger than this is not one: 256 KiB, a thousand times what a long one has.
const FILE_CAP: u64 = 256 * 1024;

/// How many faults of the settings are told one by one.
const FINDINGS: usize = 20;

/// The order of providers inside a placement; those not named follow by name.
pub const DEFAULT_ORDER: [&str; 5] =
    ["gortex-bridge", "project-map", "codebase-index", "pilot-index", "ide-context"];

/// The key in a provider's `settings_schema` with which a setting declares that a project file may set it: `"always"`,
/// or `"trusted"` for folders the user trusts.
pub const PROJECT_KEY: &str = "x-ctxhost-project";

/// When a section that a conversation already shows is injected again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeat {
    /// Only when it has changed.
    #[default]
    OnChange,
    /// On every prompt.
    Always,
}

/// What is said on the command line or by an embedder; wins over everything else.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// The largest injection, in estimated tokens.
    pub max_tokens: Option<u64>,
    /// When a visible section is injected again.
    pub repeat: Option<Repeat>,
    /// Whether the agent itself says that its user trusts the working directory.
    pub trusted: bool,
}

/// The settings that hold for one working directory.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The largest injection, in estimated tokens, where somebody set it.
    pub max_tokens: Option<u64>,
    /// The order of providers inside a placement.
    pub order: Vec<String>,
    /// When a visible section is injected again.
    pub repeat: Repeat,
    /// Whether the user trusts the working directory.
    pub trusted: bool,
    /// The user's own deadlines, in milliseconds, by event or op name; they win over what a manifest asks.
    pub deadlines: BTreeMap<String, u64>,
    /// The user's caps on deadlines, in milliseconds, by event or op name.
    pub deadline_caps: BTreeMap<String, u64>,
    providers: BTreeMap<String, ProviderSettings>,
    env: BTreeMap<String, String>,
}

/// What the layers say of one provider, not yet merged.
#[derive(Clone, Debug, Default)]
struct ProviderSettings {
    user: Map<String, Value>,
    project: Map<String, Value>,
    project_file: PathBuf,
}

/// Keys of a provider's table that are the host's own.
const HOST_KEYS: [&str; 2] = ["enabled", "powers"];

impl Settings {
    /// Reads every layer for a working directory.
    pub fn read(surroundings: &Surroundings, cwd: &Path, flags: &Flags) -> (Self, Vec<Finding>) {
        // What a folder is trusted for goes by where it really lies, not by how it is called.
        let cwd = &cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        let mut findings = Vec::new();
        let user_file = surroundings.config_dir().map(|dir| dir.join("config.toml"));
        let user = user_file.as_deref().map(|file| read_table(file, &mut findings)).unwrap_or_default();
        let project_file = find_project_file(surroundings, cwd);
        let project = project_file.as_deref().map(|file| read_table(file, &mut findings)).unwrap_or_default();

        let mut settings = Self { order: DEFAULT_ORDER.map(str::to_owned).to_vec(), ..Self::default() };
        settings.trusted = flags.trusted;
        settings.env = surroundings
            .env
            .iter()
            .filter(|(name, _)| name.starts_with("CTXHOST_"))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        settings.take_user(
            user,
            user_file.as_deref().unwrap_or(Path::new("")),
            surroundings,
            cwd,
            &mut findings,
        );
        settings.take_project(project, project_file.as_deref().unwrap_or(Path::new("")), &mut findings);
        settings.take_environment(&mut findings);
        limit_findings(&mut findings);
        settings.max_tokens = flags.max_tokens.or(settings.max_tokens);
        settings.repeat = flags.repeat.unwrap_or(settings.repeat);
        (settings, findings)
    }

    /// Settings with nothing but one provider's table, as from the user's file.
    pub fn with_provider_table(provider: &str, table: Value) -> Self {
        let user = if let Value::Object(table) = table { table } else { Map::new() };
        let providers =
            BTreeMap::from([(provider.to_owned(), ProviderSettings { user, ..ProviderSettings::default() })]);
        Self { order: DEFAULT_ORDER.map(str::to_owned).to_vec(), providers, ..Self::default() }
    }

    /// Whether a provider may be loaded at all.
    pub fn is_enabled(&self, provider: &str) -> bool {
        if let Some(Value::Bool(enabled)) = self.variable(provider, "enabled") {
            return enabled;
        }
        let says = |table: &Map<String, Value>| table.get("enabled").and_then(Value::as_bool);
        let Some(settings) = self.providers.get(provider) else { return true };
        says(&settings.user).unwrap_or(true) && says(&settings.project).unwrap_or(true)
    }

    /// The powers the user grants to a provider that is not bundled.
    pub fn granted_powers(&self, provider: &str) -> Vec<String> {
        if let Some(Value::String(powers)) = self.variable(provider, "powers") {
            return powers.split(',').map(|power| power.trim().to_owned()).collect();
        }
        let powers = self.providers.get(provider).and_then(|settings| settings.user.get("powers"));
        let powers = powers.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        powers.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// What the environment says of a provider's key.
    fn variable(&self, provider: &str, key: &str) -> Option<Value> {
        let name = format!("CTXHOST_{}_{}", variable_name(provider), key.to_ascii_uppercase());
        self.env.get(&name).filter(|value| !value.is_empty()).map(|value| value_of_variable(value))
    }

    /// The table a provider is made from, and what of it was refused.
    pub fn provider_table(&self, manifest: &Manifest) -> (Value, Vec<Finding>) {
        let mut findings = Vec::new();
        let empty = ProviderSettings::default();
        let layers = self.providers.get(&manifest.id).unwrap_or(&empty);
        let own = |table: &Map<String, Value>| -> Map<String, Value> {
            table
                .iter()
                .filter(|(key, _)| !HOST_KEYS.contains(&key.as_str()))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect()
        };
        let properties = manifest.settings_schema.as_ref().and_then(|schema| schema.get("properties"));
        let mut table = own(&layers.user);
        for (key, value) in own(&layers.project) {
            let declared =
                properties.and_then(|properties| properties.get(&key)).and_then(|p| p.get(PROJECT_KEY));
            match declared.and_then(Value::as_str) {
                Some("always") => {
                    table.insert(key, value);
                }
                Some("trusted") if self.trusted => {
                    table.insert(key, value);
                }
                declared => {
                    let hint = if declared == Some("trusted") {
                        "trust this folder in your own config.toml (`trusted = [\"…\"]`), or set it there"
                    } else {
                        "set it in your own config.toml instead"
                    };
                    let place = format!("{}: providers.{}.{key}", layers.project_file.display(), manifest.id);
                    findings.push(
                        Step::Settings
                            .warning(
                                "project-refused",
                                format!("a project file may not set `{key}` of a provider"),
                            )
                            .about(&manifest.id)
                            .at(place)
                            .hint(hint),
                    );
                }
            }
        }
        let prefix = format!("CTXHOST_{}_", variable_name(&manifest.id));
        for (name, value) in self.env.iter().filter(|(name, _)| name.starts_with(&prefix)) {
            let key = name[prefix.len()..].to_ascii_lowercase();
            if !HOST_KEYS.contains(&key.as_str()) {
                table.insert(key, value_of_variable(value));
            }
        }
        limit_findings(&mut findings);
        (Value::Object(table), findings)
    }

    fn take_user(
        &mut self,
        table: Map<String, Value>,
        file: &Path,
        surroundings: &Surroundings,
        cwd: &Path,
        findings: &mut Vec<Finding>,
    ) {
        for (key, value) in table {
            let place = format!("{}: {key}", file.display());
            let taken = match key.as_str() {
                "max_tokens" => value.as_u64().map(|tokens| self.max_tokens = Some(tokens)),
                "order" => texts(&value).map(|order| self.order = order),
                "repeat" => repeat(&value).map(|repeat| self.repeat = repeat),
                "trusted" => texts(&value).map(|folders| {
                    let real = |folder: &String| surroundings.expand(folder).canonicalize().ok();
                    let whole = |folder: &String| surroundings.expand(folder).is_absolute();
                    if let Some(relative) = folders.iter().find(|folder| !whole(folder)) {
                        let why = format!("`trusted` names `{relative}`, which is no absolute folder, and trusts nothing by it");
                        findings.push(Step::Settings.warning("setting-type", why).at(place.clone()).hint("write the whole path, or `~/…`"));
                    }
                    let mut folders = folders.iter().filter(|folder| whole(folder)).filter_map(real);
                    self.trusted |= folders.any(|folder| cwd.starts_with(folder));
                }),
                "deadlines" => numbers(&value).map(|deadlines| self.deadlines = deadlines),
                "deadline_caps" => numbers(&value).map(|caps| self.deadline_caps = caps),
                "providers" => tables(&value).map(|tables| {
                    for (id, table) in tables {
                        self.providers.entry(id).or_default().user = table;
                    }
                }),
                _ => {
                    findings.push(unknown_key(&key, place));
                    continue;
                }
            };
            if taken.is_none() {
                findings.push(wrong_type(&key, place));
            }
        }
    }

    fn take_project(&mut self, table: Map<String, Value>, file: &Path, findings: &mut Vec<Finding>) {
        let refused = |key: &str, why: &str| {
            Step::Settings
                .warning("project-refused", format!("a project file may not {why}"))
                .at(format!("{}: {key}", file.display()))
                .hint("set it in your own config.toml instead")
        };
        for (key, value) in table {
            let place = format!("{}: {key}", file.display());
            match key.as_str() {
                "max_tokens" => match value.as_u64() {
                    Some(tokens) if self.max_tokens.is_some_and(|limit| tokens > limit) => {
                        findings.push(refused(&key, "raise `max_tokens` above yours"));
                    }
                    Some(tokens) => self.max_tokens = Some(tokens),
                    None => findings.push(wrong_type(&key, place)),
                },
                "repeat" => match repeat(&value) {
                    Some(Repeat::Always) if self.repeat == Repeat::OnChange => {
                        findings.push(refused(&key, "make sections repeat"));
                    }
                    Some(repeat) => self.repeat = repeat,
                    None => findings.push(wrong_type(&key, place)),
                },
                "deadline_caps" => match numbers(&value) {
                    Some(caps) => {
                        for (name, cap) in caps {
                            let limit = self.deadline_caps.get(&name).copied().unwrap_or(default_cap(&name));
                            if cap > limit {
                                findings.push(refused(
                                    &format!("{key}.{name}"),
                                    "raise a deadline's cap above yours",
                                ));
                            } else {
                                self.deadline_caps.insert(name, cap);
                            }
                        }
                    }
                    None => findings.push(wrong_type(&key, place)),
                },
                "providers" => match tables(&value) {
                    Some(tables) => self.take_project_providers(tables, file, findings),
                    None => findings.push(wrong_type(&key, place)),
                },
                "order" | "trusted" | "deadlines" => findings.push(refused(&key, &format!("set `{key}`"))),
                _ => findings.push(unknown_key(&key, place)),
            }
        }
    }

    fn take_project_providers(
        &mut self,
        tables: BTreeMap<String, Map<String, Value>>,
        file: &Path,
        findings: &mut Vec<Finding>,
    ) {
        for (id, mut table) in tables {
            let layers = self.providers.entry(id.clone()).or_default();
            let off = layers.user.get("enabled").and_then(Value::as_bool) == Some(false);
            let place = |key: &str| format!("{}: providers.{id}.{key}", file.display());
            if off && table.get("enabled").and_then(Value::as_bool) == Some(true) {
                findings.push(
                    Step::Settings
                        .warning(
                            "project-refused",
                            "a project file may not switch a provider on that you switched off",
                        )
                        .about(&id)
                        .at(place("enabled"))
                        .hint("switch it on in your own config.toml"),
                );
            }
            if table.remove("powers").is_some() {
                findings.push(
                    Step::Settings
                        .warning("project-refused", "a project file may not grant powers")
                        .about(&id)
                        .at(place("powers"))
                        .hint("grant them in your own config.toml"),
                );
            }
            layers.project = table;
            layers.project_file = file.to_owned();
        }
    }

    fn take_environment(&mut self, findings: &mut Vec<Finding>) {
        let mut wrong = |name: &str| findings.push(wrong_type(name, format!("environment: {name}")));
        let get = |name: &str| self.env.get(name).filter(|value| !value.is_empty()).cloned();
        if let Some(value) = get("CTXHOST_MAX_TOKENS") {
            match value.parse() {
                Ok(tokens) => self.max_tokens = Some(tokens),
                Err(_) => wrong("CTXHOST_MAX_TOKENS"),
            }
        }
        if let Some(value) = get("CTXHOST_REPEAT") {
            match repeat(&Value::String(value)) {
                Some(repeat) => self.repeat = repeat,
                None => wrong("CTXHOST_REPEAT"),
            }
        }
        if let Some(value) = get("CTXHOST_ORDER") {
            self.order =
                value.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
        }
    }

    /// The milliseconds a call may take: what the user says, the manifest asks, or the default, bounded by the user's cap.
    pub fn deadline_ms(&self, manifest: Option<&Manifest>, name: &str) -> Option<u64> {
        let asked = manifest.and_then(|manifest| manifest.deadlines.get(name).copied());
        let deadline = self.deadlines.get(name).copied().or(asked).or(default_deadline(name));
        let cap = self.deadline_caps.get(name).copied().unwrap_or(default_cap(name));
        match deadline {
            Some(deadline) => Some(deadline.min(cap)),
            None if cap == u64::MAX => None,
            None => Some(cap),
        }
    }
}

/// A file with thousands of faults is told of in a few lines.
fn limit_findings(findings: &mut Vec<Finding>) {
    if findings.len() > FINDINGS {
        let more = findings.len() - FINDINGS;
        findings.truncate(FINDINGS);
        findings.push(
            Step::Settings
                .warning("more-findings", format!("{more} more faults in the settings are not shown"))
                .hint("correct the first ones, and look again"),
        );
    }
}

/// The project's file: the first one on the way up from `cwd`, not above a repository's root and never the home folder's.
fn find_project_file(surroundings: &Surroundings, cwd: &Path) -> Option<PathBuf> {
    for folder in cwd.ancestors() {
        if Some(folder) == surroundings.home.as_deref() {
            return None;
        }
        let file = folder.join(PROJECT_FILE);
        if file.symlink_metadata().is_ok() {
            return Some(file);
        }
        if folder.join(".git").symlink_metadata().is_ok() {
            return None;
        }
    }
    None
}

fn read_table(file: &Path, findings: &mut Vec<Finding>) -> Map<String, Value> {
    let unusable = |why: String| {
        Step::Settings
            .error("settings-unreadable", format!("settings file left out: {why}"))
            .at(file.display().to_string())
            .hint("correct or remove the file")
    };
    let bytes = match read_regular(file, FILE_CAP) {
        Ok(bytes) => bytes,
        Err(error) => {
            if !error.is_absent() || matches!(error, ReadError::NotAFile { .. }) {
                findings.push(unusable(error.to_string()));
            }
            return Map::new();
        }
    };
    let parsed = std::str::from_utf8(&bytes).map_err(|error| error.to_string()).and_then(|text| {
        toml::from_str::<Value>(text)
            .map_err(|error| error.to_string().trim_end().chars().take(300).collect())
    });
    match parsed {
        Ok(Value::Object(table)) => table,
        Ok(_) => Map::new(),
        Err(why) => {
            findings.push(unusable(why));
            Map::new()
        }
    }
}

fn unknown_key(key: &str, place: String) -> Finding {
    Step::Settings
        .warning("unknown-setting", format!("no setting is called `{key}`"))
        .at(place)
        .hint("README lists the settings; correct or remove it")
}

fn wrong_type(key: &str, place: String) -> Finding {
    Step::Settings
        .warning("setting-type", format!("the value of `{key}` is not of its type and was left out"))
        .at(place)
        .hint("README shows its form; correct or remove it")
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn numbers(value: &Value) -> Option<BTreeMap<String, u64>> {
    value.as_object()?.iter().map(|(key, value)| Some((key.clone(), value.as_u64()?))).collect()
}

fn tables(value: &Value) -> Option<BTreeMap<String, Map<String, Value>>> {
    value.as_object()?.iter().map(|(key, value)| Some((key.clone(), value.as_object()?.clone()))).collect()
}

fn repeat(value: &Value) -> Option<Repeat> {
    match value.as_str()? {
        "on-change" => Some(Repeat::OnChange),
        "always" => Some(Repeat::Always),
        _ => None,
    }
}

/// A provider's id as a part of a variable's name.
fn variable_name(id: &str) -> String {
    id.to_ascii_uppercase().replace('-', "_")
}

/// A variable's value: a number, a boolean or a list where it reads as one, else the text itself.
fn value_of_variable(value: &str) -> Value {
    match serde_json::from_str(value) {
        Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_))) => value,
        _ => Value::String(value.to_owned()),
    }
}

#[cfg(test)]
mod tests;
