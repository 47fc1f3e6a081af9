//! Step 2: opens a library through one of its doors and makes an instance of its provider.
//!
//! preflight (the whole object file parses, architecture, note, ABI) -> trust policy -> private copy, tried out once in a
//! process of its own (both only where the library is not the program's) -> `dlopen` -> door 1 or 2 -> versions ->
//! `create`.
//! A library is never closed: a provider's threads and thread-locals may outlive it.
//!
//! The unsafe code of the host is in this folder alone.
//!
//! Later: a worker process of the same program that runs the same library, behind the same [`Loaded`].

mod instance;
mod library;
pub mod preflight;
mod private_copy;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use ctxhost_protocol::envelope::{Create, Manifest, Note, Paths};

pub use instance::{Call, CallError, HostListener, Instance, SilentListener};
pub use library::{Door, leave_process};

use crate::{
    discover::{self, Candidate, Origin},
    finding::{Finding, FindingExt, REPORT, Step},
    settings::Settings,
    surroundings::{Clock, Surroundings},
};

/// The largest manifest that is read, in bytes; a manifest with a hundred tools has some 100 KB.
const MANIFEST_CAP: usize = 1024 * 1024;

/// A provider that can be asked.
pub struct Loaded {
    /// What it is and can do; of its events those that it wants with its settings.
    pub manifest: Manifest,
    /// The same as the provider wrote it, with whatever else stands in it.
    pub manifest_document: serde_json::Value,
    /// Its instance.
    pub instance: Arc<Instance>,
    /// Where its library was found, for its schemas; `None` for one inside this program.
    pub library: Option<PathBuf>,
    /// Whether it came with this program.
    pub bundled: bool,
    /// The powers it has.
    pub powers: Vec<String>,
    /// The door it came in by; `None` for one inside this program.
    pub door: Option<Door>,
}

/// What a provider's instance is made with, besides its own settings.
#[derive(Clone)]
pub struct Ground {
    /// The clock that deadlines are on.
    pub clock: Arc<dyn Clock>,
    /// Where a provider's log lines and notifications go.
    pub listener: Arc<dyn HostListener>,
}

/// Loads a candidate: everything from opening the file to the finished instance.
///
/// # Errors
/// One finding that says at which point it was refused.
pub fn load(
    candidate: &Candidate,
    surroundings: &Surroundings,
    settings: &Settings,
    ground: &Ground,
) -> (Result<Loaded, Finding>, Vec<Finding>) {
    let id = &candidate.note.id;
    let refuse = |code: &str, why: String| {
        Step::Load.error(code, why).about(id).at(candidate.path.display().to_string())
    };
    if let Err(why) = acceptable(&candidate.note) {
        return (Err(refuse("refused", why).hint("install another build of it")), Vec::new());
    }
    let opened = match candidate.origin {
        Origin::Bundled => open_in_place(&candidate.path),
        Origin::ThirdParty => open_copy(&candidate.path, surroundings),
    };
    let opened = match opened {
        Ok(opened) => opened,
        Err(refusal) => {
            return (Err(refuse(&refusal.code(), refusal.to_string()).hint(refusal.hint())), Vec::new());
        }
    };
    let mut findings: Vec<Finding> =
        opened.warning.iter().map(|warning| Step::Load.warning("door", warning.clone()).about(id)).collect();
    let library = Some(candidate.path.clone());
    let made = start(
        opened.table,
        Some(&candidate.note),
        library,
        candidate.origin == Origin::Bundled,
        surroundings,
        settings,
        ground,
    );
    let (loaded, more) = made;
    findings.extend(more);
    let loaded = loaded
        .map(|loaded| Loaded { door: Some(opened.door), ..loaded })
        .map_err(|finding| finding.at(candidate.path.display().to_string()));
    (loaded, findings)
}

/// Why a library was not opened.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("cannot be copied to a private place: {0}")]
    Copy(#[from] std::io::Error),
    #[error(transparent)]
    Preflight(#[from] preflight::Rejected),
    #[error(transparent)]
    Open(#[from] library::OpenError),
}

impl Refusal {
    fn code(&self) -> String {
        match self {
            Self::Copy(_) => "private-copy".to_owned(),
            Self::Preflight(rejected) => format!("library-{}", rejected.code()),
            Self::Open(_) => "open".to_owned(),
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Copy(_) => "make room in, or correct, XDG_CACHE_HOME".to_owned(),
            Self::Preflight(rejected) => rejected.hint().to_owned(),
            Self::Open(error) => error.hint(),
        }
    }
}

fn open_in_place(file: &Path) -> Result<library::Opened, Refusal> {
    preflight::check(file)?;
    Ok(library::open(file)?)
}

/// Opens a library by its private copy.
fn open_copy(file: &Path, surroundings: &Surroundings) -> Result<library::Opened, Refusal> {
    let copy = private_copy::of(file, surroundings.cache_dir().as_deref())?;
    if copy.is_new() {
        // Another process may keep the same copy meanwhile; then it has stood the trial there.
        library::try_out(&copy.path)?;
    }
    // The copy is what runs, so the copy is what must be whole.
    open_in_place(&copy.keep()?)
}

/// Makes an instance from a table, wherever the table came from: a file, a static, or a test.
///
/// # Errors
/// One finding that says at which point it was refused.
pub fn start(
    table: &'static ctxhost_abi::ProviderV1,
    note: Option<&Note>,
    library: Option<PathBuf>,
    bundled: bool,
    surroundings: &Surroundings,
    settings: &Settings,
    ground: &Ground,
) -> (Result<Loaded, Finding>, Vec<Finding>) {
    let id = note.map_or("provider", |note| note.id.as_str()).to_owned();
    let refuse = |code: &str, why: String| Step::Load.error(code, why).about(&id);
    let (mut manifest, manifest_document) = match read_manifest(table) {
        Ok(manifest) => manifest,
        Err(why) => return (Err(refuse("manifest", why).hint(REPORT)), Vec::new()),
    };
    if let Some(note) = note
        && let Some(difference) = head_difference(note, &manifest)
    {
        return (
            Err(refuse("manifest", format!("its manifest differs from its note in {difference}"))
                .hint("build the library again; both come from one macro")),
            Vec::new(),
        );
    }
    let (table_of_settings, findings) = settings.provider_table(&manifest);
    let wanted: Vec<String> = manifest
        .events
        .iter()
        .filter(|event| is_wanted(&manifest, &table_of_settings, event))
        .cloned()
        .collect();
    manifest.events = wanted;
    let create = Create {
        v: ctxhost_protocol::envelope::VERSION,
        settings: table_of_settings,
        paths: paths(&manifest.id, library.as_deref(), surroundings),
        environment: wanted_environment(&manifest, surroundings),
    };
    let powers = if bundled {
        manifest.powers.clone()
    } else {
        let granted = settings.granted_powers(&manifest.id);
        manifest.powers.iter().filter(|power| granted.contains(power)).cloned().collect()
    };
    let id = manifest.id.clone();
    let loaded = serde_json::to_vec(&create)
        .map_err(|error| error.to_string())
        .and_then(|create| {
            Instance::create(&manifest.id, table, &create, ground).map_err(|error| error.to_string())
        })
        .map(|instance| Loaded {
            manifest,
            manifest_document,
            instance: Arc::new(instance),
            library,
            bundled,
            powers,
            door: None,
        })
        .map_err(|why| {
            Step::Load
                .error("create", format!("could not start: {why}"))
                .about(&id)
                .hint("see to what it says, or switch it off with `enabled = false`")
        });
    (loaded, findings)
}

fn read_manifest(table: &ctxhost_abi::ProviderV1) -> Result<(Manifest, serde_json::Value), String> {
    let bytes = instance::manifest(table, MANIFEST_CAP).map_err(|error| error.to_string())?;
    let nonsense = |error: serde_json::Error| format!("its manifest is not one: {error}");
    let document: serde_json::Value = serde_json::from_slice(&bytes).map_err(nonsense)?;
    let manifest = serde_json::from_value(document.clone()).map_err(nonsense)?;
    Ok((manifest, document))
}

/// Whether a note allows the library to be opened in this process.
fn acceptable(note: &Note) -> Result<(), String> {
    if note.panic.as_deref() == Some("abort") {
        return Err(
            "built with panic=abort, so a panic in it would end the whole host; build it with panic=unwind"
                .to_owned(),
        );
    }
    Ok(())
}

/// Whether a provider wants an event with the settings it has.
fn is_wanted(manifest: &Manifest, settings: &serde_json::Value, event: &str) -> bool {
    let Some(conditions) = manifest.events_when.get(event) else { return true };
    let default = |key: &str| manifest.settings_schema.as_ref()?.get("properties")?.get(key)?.get("default");
    conditions.iter().all(|(key, values)| {
        let set = settings.get(key).filter(|value| !value.is_null()).or_else(|| default(key));
        set.is_some_and(|value| values.contains(value))
    })
}

fn head_difference(note: &Note, manifest: &Manifest) -> Option<&'static str> {
    let differs = [
        ("`id`", note.id != manifest.id),
        ("`version`", note.version != manifest.version),
        ("`spec`", note.spec != manifest.spec),
        ("`abi`", note.abi != manifest.abi),
        ("`events`", note.events != manifest.events),
    ];
    differs.into_iter().find(|(_, differs)| *differs).map(|(field, _)| field)
}

fn paths(id: &str, library: Option<&Path>, surroundings: &Surroundings) -> Paths {
    let text = |path: PathBuf| path.to_str().map(str::to_owned);
    Paths {
        install: library.and_then(Path::parent).map(Path::to_owned).and_then(text),
        cache: surroundings.cache_dir().and_then(|dir| text(dir.join("providers").join(id))),
        state: surroundings.state_dir().and_then(|dir| text(dir.join("providers").join(id))),
        code_cache: surroundings.cache_dir().and_then(|dir| text(dir.join("code"))),
        home: surroundings.home.clone().and_then(text),
        grammars: discover::grammar_folders(surroundings).into_iter().filter_map(text).collect(),
    }
}

fn wanted_environment(
    manifest: &Manifest,
    surroundings: &Surroundings,
) -> std::collections::BTreeMap<String, String> {
    let wanted = |name: &str| {
        manifest.environment.iter().any(|pattern| match pattern.strip_suffix('*') {
            // A bare star would hand over everything, secrets included.
            Some(prefix) => !prefix.is_empty() && name.starts_with(prefix),
            None => pattern == name,
        })
    };
    surroundings
        .env
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_with_conditions_is_wanted_with_the_values_they_name() {
        let manifest: Manifest = serde_json::from_value(json!({
            "id": "p", "version": "1", "title": "P", "spec": "envelope/v1", "abi": "1.0",
            "events": ["prompt", "model_call"],
            "events_when": {"model_call": {"mode": ["reconstruct", "both"]}},
            "settings_schema": {"properties": {"mode": {"default": "append"}}},
        }))
        .expect("a manifest");
        let check = |settings, event, expected| {
            assert_eq!(is_wanted(&manifest, &settings, event), expected, "{event} with {settings}");
        };
        check(json!({}), "prompt", true);
        check(json!({}), "model_call", false);
        check(json!({"mode": null}), "model_call", false);
        check(json!({"mode": "both"}), "model_call", true);
        check(json!({"mode": "else"}), "model_call", false);
        let silent = Manifest { settings_schema: None, ..manifest.clone() };
        assert!(!is_wanted(&silent, &json!({}), "model_call"), "a setting without a value has none of them");
    }
}
