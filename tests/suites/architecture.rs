//! What the design says of the tree itself, held.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::harness::root;

/// Our crates and what each may depend on of ours, outside its tests.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("ctxhost-protocol", &[]),
    ("ctxhost-abi", &[]),
    ("ctxhost-sdk", &["ctxhost-protocol", "ctxhost-abi"]),
    ("ctxhost", &["ctxhost-protocol", "ctxhost-abi"]),
    ("ctxhost-cli", &["ctxhost"]),
    ("ctxhost-testkit", &["ctxhost-sdk", "ctxhost"]),
    ("ide-context", &["ctxhost-sdk"]),
    ("ctxhost-tests", &["ctxhost-cli", "ctxhost"]),
];

/// Crates of others that only one of ours may name.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("abi_stable", &["ctxhost-abi"]),
    ("jsonschema", &["ctxhost"]),
    ("libloading", &["ctxhost"]),
    ("object", &["ctxhost"]),
    ("clap", &["ctxhost-cli"]),
];

/// Crates that talk to the network; only providers may have them, and none does yet.
const NETWORK: &[&str] = &["reqwest", "hyper", "ureq", "curl", "rustls", "native-tls", "openssl"];

/// Where unsafe code may stand: in these files and below these folders.
const UNSAFE_PLACES: &[&str] = &[
    "sdk/abi/",
    "sdk/provider/src/export.rs",
    "host/core/src/load/library.rs",
    "host/core/src/load/instance.rs",
    "tests/rogue/",
];

struct Package {
    name: String,
    manifest: PathBuf,
    normal: BTreeSet<String>,
    dev: BTreeSet<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| {
            let of_kind = |dev: bool| {
                let all = package["dependencies"].as_array().expect("dependencies").iter();
                all.filter(|dependency| (dependency["kind"] == "dev") == dev)
                    .map(|dependency| text(&dependency["name"]))
                    .collect()
            };
            Package {
                name: text(&package["name"]),
                manifest: PathBuf::from(text(&package["manifest_path"])),
                normal: of_kind(false),
                dev: of_kind(true),
            }
        })
        .collect()
}

/// Every source file of ours, with its path below the workspace.
fn sources() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != ".git" && name != "node_modules" {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&root(), &mut files);
    let name =
        |path: &Path| path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("a source"))).collect()
}

/// A source without its comments and texts, as far as line by line can tell.
fn code(source: &str) -> String {
    let line = |line: &str| {
        line.split("//").next().unwrap_or_default().split('"').step_by(2).collect::<Vec<_>>().join("\"")
    };
    source.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn crates_know_only_whom_they_may() {
    let allowed: BTreeMap<&str, BTreeSet<&str>> =
        MAY_KNOW.iter().map(|(name, may)| (*name, may.iter().copied().collect())).collect();
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(ours, allowed.keys().copied().collect(), "every crate has its line in MAY_KNOW");
    for package in &packages {
        let knows: BTreeSet<&str> =
            package.normal.iter().map(String::as_str).filter(|name| ours.contains(name)).collect();
        let beyond: Vec<_> = knows.difference(&allowed[package.name.as_str()]).collect();
        assert!(beyond.is_empty(), "{} depends on {beyond:?}", package.name);
        let host_in_tests = package.dev.contains("ctxhost");
        assert!(
            !(host_in_tests && package.manifest.to_string_lossy().contains("/providers/")),
            "{} tests through the testkit",
            package.name
        );
    }
}

#[test]
fn a_library_of_others_has_one_owner() {
    for package in packages() {
        for (library, owners) in ONLY_IN {
            let names = package.normal.contains(*library) || package.dev.contains(*library);
            assert!(!names || owners.contains(&package.name.as_str()), "{} names {library}", package.name);
        }
        let provider = package.manifest.to_string_lossy().contains("/providers/");
        for library in NETWORK {
            assert!(
                provider || !package.normal.contains(*library),
                "{} talks to the network by {library}",
                package.name
            );
        }
    }
}

#[test]
fn unsafe_code_has_an_address() {
    for (file, source) in sources() {
        let has =
            code(&source).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
        // The export macro's own attributes are unsafe by name in every provider's tests of it; they stand in the SDK.
        assert!(!has || UNSAFE_PLACES.iter().any(|place| file.starts_with(place)), "{file} has unsafe code");
    }
}

#[test]
fn a_provider_is_loaded_and_never_used() {
    for (file, source) in sources().iter().filter(|(file, _)| file.starts_with("tests/")) {
        assert!(!code(source).contains("ide_context::"), "{file} uses a provider");
    }
}

#[test]
fn the_host_knows_no_provider() {
    for (file, source) in sources().iter().filter(|(file, _)| file.starts_with("host/")) {
        // The default order of settings names the five, as the design says; nothing else may.
        let source = source.split("mod tests {").next().unwrap_or_default();
        let named = source.contains("ide-context") || source.contains("ide_context");
        assert!(
            !named || file == "host/core/src/settings.rs" || file.contains("/tests"),
            "{file} names a provider"
        );
    }
}

#[test]
fn nothing_is_read_in_the_middle() {
    // Environment, home and the calendar are handed in: only the surroundings of a process read them.
    const READERS: &[&str] = &["host/core/src/surroundings.rs", "tests/", "sdk/provider/build.rs"];
    for (file, source) in sources() {
        let tests = source.find("#[cfg(test)]").unwrap_or(source.len());
        let code = code(&source[..tests]);
        let reads = ["env::var(", "env::var_os(", "env::vars", "SystemTime::now", "env::home_dir("]
            .into_iter()
            .find(|call| code.contains(call));
        let may = READERS.iter().any(|reader| file.starts_with(reader))
            || file.contains("/tests/")
            || file.contains("/benches/");
        if let Some(call) = reads.filter(|_| !may) {
            panic!("{file} calls {call}");
        }
    }
}

#[test]
fn a_contribution_is_made_by_validation_alone() {
    for (file, source) in sources()
        .iter()
        .filter(|(file, _)| file.starts_with("host/core/src/") && file != "host/core/src/validate.rs")
    {
        assert!(!code(source).contains("Contribution {"), "{file} makes a contribution");
    }
}

#[test]
fn composing_reads_no_clock_and_no_file() {
    for (file, source) in sources().iter().filter(|(file, _)| file.starts_with("host/core/src/compose")) {
        for word in ["std::fs", "std::env", "std::time", "SystemTime", "Instant", "thread"] {
            assert!(!code(source).contains(word), "{file} names {word}");
        }
    }
}

#[test]
fn flow_alone_knows_the_order() {
    // Each step's function is called by the flow, and by what stands for it in tests.
    for (file, source) in sources().iter().filter(|(file, _)| file.starts_with("host/core/src/")) {
        let body = code(source.split("#[cfg(test)]").next().unwrap_or_default());
        let calls = body.contains("compose::compose(")
            || body.contains("ask::ask(")
            || body.contains("discover::discover(");
        assert!(!calls || file.starts_with("host/core/src/flow"), "{file} calls another step");
    }
}

#[test]
fn no_file_is_named_after_nothing() {
    for (file, _) in sources() {
        let name = Path::new(&file).file_stem().expect("a name").to_string_lossy().into_owned();
        for word in ["utils", "util", "helper", "helpers", "manager", "common", "misc"] {
            assert!(!name.split('_').any(|part| part == word), "{file} is named {word}");
        }
        assert!(!file.ends_with("/mod.rs"), "{file}: x.rs stands beside x/");
    }
}
