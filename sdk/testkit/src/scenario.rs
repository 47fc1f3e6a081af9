//! Scenario folders: a workspace, a request and what the reply must hold, or a whole conversation.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use ctxhost_sdk::{
    Exported,
    prelude::Request,
    serde_json::{self, Value},
};
use tempfile::TempDir;

use crate::{conversation, harness::Harness};

/// Runs every scenario folder below `folder`.
///
/// A scenario has `request.json` (a request, in which what is left out is filled in) and `expected.json` (what the reply
/// must hold; more may be there), or `conversation.json` with the steps of a conversation, as the README has them.
/// Perhaps it has `workspace/` (copied to a place of its own first, the session's directory) and `settings.json`.
/// `{{workspace}}` and `{{pid}}` (this test's process) are replaced in all of them and in the names and contents of the
/// workspace's files.
/// `workspace/run`, where it exists, is `XDG_RUNTIME_DIR`, and `workspace/home` the home folder.
///
/// # Panics
/// A scenario fails, or there is none.
pub fn scenarios<P: Exported>(folder: impl AsRef<Path>) {
    let folder = folder.as_ref();
    let is_one =
        |path: &PathBuf| ["request.json", conversation::FILE].iter().any(|name| path.join(name).is_file());
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_one)
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "{} has no scenario", folder.display());
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| run_scenario::<P>(case).err().map(|why| format!("{}: {why}", case.display())))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} scenarios fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// Runs one scenario folder.
///
/// # Errors
/// What differs, and where.
pub fn run_scenario<P: Exported>(case: &Path) -> Result<(), String> {
    let stage = Stage::set(case).map_err(|error| error.to_string())?;
    if case.join(conversation::FILE).is_file() {
        return conversation::run::<P>(&stage);
    }
    let harness = stage.harness::<P>(stage.settings()?)?;
    let request = stage.request(&harness, "request.json", &stage.read("request.json")?)?;
    let reply = harness.event(&request).map_err(|failure| failure.to_string())?;
    let reply = serde_json::to_value(reply).map_err(|error| error.to_string())?;
    holds(&reply, &stage.read("expected.json")?)
}

/// A scenario's folder, and the place in which it is played.
pub(crate) struct Stage<'a> {
    case: &'a Path,
    place: TempDir,
    root: PathBuf,
}

impl<'a> Stage<'a> {
    fn set(case: &'a Path) -> io::Result<Self> {
        let place = tempfile::tempdir()?;
        let root = place.path().canonicalize()?.join("workspace");
        fs::create_dir(&root)?;
        let stage = Self { case, place, root };
        if case.join("workspace").is_dir() {
            copy(&case.join("workspace"), &stage.root, &|text| stage.fill(text))?;
        }
        Ok(stage)
    }

    fn fill(&self, text: &str) -> String {
        text.replace("{{workspace}}", &self.root.to_string_lossy())
            .replace("{{pid}}", &std::process::id().to_string())
    }

    /// The session's directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// One of the scenario's documents.
    pub(crate) fn read(&self, name: &str) -> Result<Value, String> {
        let content = fs::read_to_string(self.case.join(name)).map_err(|error| format!("{name}: {error}"))?;
        serde_json::from_str(&self.fill(&content)).map_err(|error| format!("{name}: {error}"))
    }

    /// What `settings.json` says, where there is one.
    pub(crate) fn settings(&self) -> Result<Option<Value>, String> {
        self.case.join("settings.json").is_file().then(|| self.read("settings.json")).transpose()
    }

    /// An instance of the provider.
    pub(crate) fn harness<P: Exported>(&self, settings: Option<Value>) -> Result<Harness<P>, String> {
        let (home, run) = (self.root.join("home"), self.root.join("run"));
        let mut builder = Harness::<P>::builder()
            .home(if home.is_dir() { home } else { self.place.path().join("home") })
            .state_dir(self.place.path().join("state"))
            .cache_dir(self.place.path().join("cache"));
        if run.is_dir() {
            builder = builder.env("XDG_RUNTIME_DIR", run);
        }
        if let Some(settings) = settings {
            builder = builder.settings(settings);
        }
        builder.build().map_err(|failure| failure.to_string())
    }

    /// A request, in which what the scenario leaves out is filled in.
    pub(crate) fn request<P: Exported>(
        &self,
        harness: &Harness<P>,
        place: &str,
        given: &Value,
    ) -> Result<Request, String> {
        let event = given.get("event").and_then(Value::as_str).unwrap_or("prompt");
        let request = serde_json::to_value(harness.request(event, &self.root));
        let mut request = request.map_err(|error| error.to_string())?;
        merge(&mut request, given);
        serde_json::from_value(request).map_err(|error| format!("{place}: {error}"))
    }
}

/// Holds a reply to what is expected of it.
pub(crate) fn holds(reply: &Value, expected: &Value) -> Result<(), String> {
    match difference(reply, expected, "") {
        None => Ok(()),
        Some(difference) => Err(format!("{difference}\nthe whole reply: {reply:#}")),
    }
}

/// Copies a workspace; folders and files are their owner's alone, as state directories must be.
fn copy(from: &Path, to: &Path, fill: &dyn Fn(&str) -> String) -> io::Result<()> {
    fs::set_permissions(to, fs::Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(fill(&entry.file_name().to_string_lossy()));
        if entry.file_type()?.is_dir() {
            fs::create_dir(&target)?;
            copy(&entry.path(), &target, fill)?;
        } else {
            let bytes = fs::read(entry.path())?;
            let bytes = String::from_utf8(bytes)
                .map_or_else(|error| error.into_bytes(), |text| fill(&text).into_bytes());
            fs::write(&target, bytes)?;
            fs::set_permissions(&target, fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

/// Lays `given` over `base`, object by object.
pub(crate) fn merge(base: &mut Value, given: &Value) {
    match (base, given) {
        (Value::Object(base), Value::Object(given)) => {
            for (key, value) in given {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, given) => *base = given.clone(),
    }
}

/// The first place where `reply` does not hold what `expected` says.
///
/// Objects may have more keys, and `null` stands for an absent one; lists must have the same length; a text
/// `{{contains:…}}` must occur in the reply's.
fn difference(reply: &Value, expected: &Value, place: &str) -> Option<String> {
    match (reply, expected) {
        (Value::Object(reply), Value::Object(expected)) => expected.iter().find_map(|(key, expected)| {
            difference(reply.get(key).unwrap_or(&Value::Null), expected, &format!("{place}/{key}"))
        }),
        (Value::Array(reply), Value::Array(expected)) if reply.len() == expected.len() => {
            reply.iter().zip(expected).enumerate().find_map(|(index, (reply, expected))| {
                difference(reply, expected, &format!("{place}/{index}"))
            })
        }
        (Value::String(reply), Value::String(expected)) => {
            let part = expected.strip_prefix("{{contains:").and_then(|rest| rest.strip_suffix("}}"));
            let same = part.map_or(reply == expected, |part| reply.contains(part));
            (!same).then(|| format!("at {place}: {reply:?} instead of {expected:?}"))
        }
        (Value::Number(reply), Value::Number(expected)) if reply.as_f64() == expected.as_f64() => None,
        (reply, expected) if reply == expected => None,
        (reply, expected) => Some(format!("at {place}: {reply} instead of {expected}")),
    }
}
