//! Scenario folders: a workspace, a request and what the reply must hold.

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

use crate::harness::Harness;

/// Runs every scenario folder below `folder`.
///
/// A scenario has `request.json` (a request, in which what is left out is filled in), `expected.json` (what the reply
/// must hold; more may be there), and perhaps `workspace/` (copied to a place of its own first, the session's directory)
/// and `settings.json`.
/// `{{workspace}}` and `{{pid}}` (this test's process) are replaced in all of them and in the names and contents of the
/// workspace's files.
/// `workspace/run`, where it exists, is `XDG_RUNTIME_DIR`, and `workspace/home` the home folder.
///
/// # Panics
/// A scenario fails, or there is none.
pub fn scenarios<P: Exported>(folder: impl AsRef<Path>) {
    let folder = folder.as_ref();
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("request.json").is_file())
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
    let text = |error: io::Error| error.to_string();
    let place = tempfile::tempdir().map_err(text)?;
    let root = place.path().canonicalize().map_err(text)?.join("workspace");
    fs::create_dir(&root).map_err(text)?;
    let fill = |text: &str| {
        text.replace("{{workspace}}", &root.to_string_lossy())
            .replace("{{pid}}", &std::process::id().to_string())
    };
    if case.join("workspace").is_dir() {
        copy(&case.join("workspace"), &root, &fill).map_err(text)?;
    }
    let read = |name: &str| -> Result<Value, String> {
        let file = case.join(name);
        let content = fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"))?;
        serde_json::from_str(&fill(&content)).map_err(|error| format!("{name}: {error}"))
    };
    let mut builder = Harness::<P>::builder()
        .home(if root.join("home").is_dir() { root.join("home") } else { place.path().join("home") })
        .state_dir(place.path().join("state"))
        .cache_dir(place.path().join("cache"));
    if root.join("run").is_dir() {
        builder = builder.env("XDG_RUNTIME_DIR", root.join("run"));
    }
    if case.join("settings.json").is_file() {
        builder = builder.settings(read("settings.json")?);
    }
    let harness = builder.build().map_err(|failure| failure.to_string())?;
    let given = read("request.json")?;
    let event = given.get("event").and_then(Value::as_str).unwrap_or("prompt");
    let mut request =
        serde_json::to_value(harness.request(event, &root)).map_err(|error| error.to_string())?;
    merge(&mut request, &given);
    let request: Request =
        serde_json::from_value(request).map_err(|error| format!("request.json: {error}"))?;
    let reply = harness.event(&request).map_err(|failure| failure.to_string())?;
    let reply = serde_json::to_value(reply).map_err(|error| error.to_string())?;
    match difference(&reply, &read("expected.json")?, "") {
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
fn merge(base: &mut Value, given: &Value) {
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
