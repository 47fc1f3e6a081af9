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
    ("ctxhost-code", &[]),
    ("ctxhost-grammars", &[]),
    ("ctxhost-sdk", &["ctxhost-protocol", "ctxhost-abi"]),
    ("ctxhost", &["ctxhost-protocol", "ctxhost-abi"]),
    ("ctxhost-cli", &["ctxhost"]),
    ("ctxhost-testkit", &["ctxhost-sdk", "ctxhost"]),
    ("ide-context", &["ctxhost-sdk"]),
    ("pilot-index", &["ctxhost-sdk", "ctxhost-code"]),
    ("project-map", &["ctxhost-sdk", "ctxhost-code"]),
    ("codebase-index", &["ctxhost-sdk", "ctxhost-code"]),
    // No provider but a counterpart: it speaks the contract and is loaded by nobody.
    ("ctxhost-index", &["ctxhost-protocol", "ctxhost-code"]),
    ("ctxhost-tests", &["ctxhost-cli", "ctxhost"]),
];

/// Crates of others that only one of ours may name.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("abi_stable", &["ctxhost-abi"]),
    ("jsonschema", &["ctxhost"]),
    ("libloading", &["ctxhost", "ctxhost-code"]),
    ("tree-sitter", &["ctxhost-code"]),
    ("object", &["ctxhost"]),
    ("clap", &["ctxhost-cli", "ctxhost-index"]),
    ("jsonc-parser", &["ctxhost-cli"]),
    ("toml_edit", &["ctxhost-cli"]),
    ("similar", &["ctxhost-cli"]),
];

/// Crates that talk to the network; only providers may have them, and none does yet.
const NETWORK: &[&str] = &["reqwest", "hyper", "ureq", "curl", "rustls", "native-tls", "openssl"];

/// Where unsafe code may stand: in these files and below these folders.
const UNSAFE_PLACES: &[&str] = &[
    "sdk/abi/",
    "sdk/provider/src/export.rs",
    "host/core/src/load/library.rs",
    "host/core/src/load/instance.rs",
    "sdk/code/grammars/src/",
    "sdk/code/src/grammar/library.rs",
    // A parse that is left from inside tree-sitter, which is C, when it would take too much memory.
    "sdk/code/src/symbols/parse/bounded.rs",
    // SQLite learns vectors from a C library that is registered with it.
    "providers/codebase-index/backend/src/store/sqlite/vectors.rs",
    "tests/rogue/",
];

/// What begins each step of the flow: the step, whose file and folder have its name, and a name in it.
const STEP_BEGINS: &[(&str, &str)] = &[
    ("discover", "discover"),
    ("load", "load"),
    ("load", "start"),
    ("ask", "ask"),
    ("ask", "load_within"),
    ("validate", "Validators"),
    ("compose", "compose"),
    ("emit", "document"),
];

/// Who may begin another step, besides the flow, which is there for it.
const MAY_BEGIN: &[(&str, &[&str])] = &[
    // A provider is loaded on its own thread when it is first asked, so that loading has its deadline too.
    ("host/core/src/ask.rs", &["load"]),
    // The suite behind `ctxhost check` takes single steps on purpose.
    ("host/core/src/conformance.rs", &["load", "validate"]),
];

/// The providers of this workspace, the planned ones among them; the host knows none of them.
const PROVIDERS: &[&str] = &["gortex-bridge", "project-map", "codebase-index", "pilot-index", "ide-context"];

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

/// A source without the tests at its end; what stands before them for tests alone is looked at too.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// Every path that a source's `use` declarations bring in, written out: `use a::{b, c as d}` is `a::b` and `a::c as d`.
fn imports(code: &str) -> Vec<String> {
    fn spread(before: &str, tree: &str, found: &mut Vec<String>) {
        let Some((path, inner)) = tree.split_once('{') else {
            let path = format!("{before}{}", tree.trim());
            let (path, name) = path.split_once(" as ").map_or((path.as_str(), None), |(a, b)| (a, Some(b)));
            let path = path.trim().trim_end_matches("::self");
            found.push(name.map_or_else(|| path.to_owned(), |name| format!("{path} as {}", name.trim())));
            return;
        };
        let before = format!("{before}{}", path.trim());
        let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
        let (mut depth, mut start) = (0, 0);
        for (at, character) in inner.char_indices() {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    spread(&before, &inner[start..at], found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        if !inner[start..].trim().is_empty() {
            spread(&before, &inner[start..], found);
        }
    }
    let mut found = Vec::new();
    let words = code.split_whitespace().collect::<Vec<_>>().join(" ");
    for (at, word) in words.match_indices("use ") {
        let before = words[..at].chars().next_back();
        if before.is_none_or(|character| !character.is_alphanumeric() && character != '_') {
            let tree = words[at + word.len()..].split(';').next().unwrap_or_default();
            spread("", tree, &mut found);
        }
    }
    found
}

/// The steps that a source begins, by path or by import, however it is spelled.
fn begun_steps(code: &str) -> BTreeSet<&'static str> {
    let imports = imports(code);
    let tight: String = code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" :: ", "::");
    let is_path = |path: &str| {
        tight.match_indices(path).any(|(at, _)| {
            let inside = |character: char| character.is_alphanumeric() || character == '_';
            let (before, after) = (&tight[..at], &tight[at + path.len()..]);
            !before.chars().next_back().is_some_and(inside) && !after.chars().next().is_some_and(inside)
        })
    };
    let is_imported = |path: &str| {
        imports.iter().any(|import| {
            let whole = import.split(" as ").next().unwrap_or_default();
            whole == path || whole.ends_with(&format!("::{path}"))
        })
    };
    STEP_BEGINS
        .iter()
        .filter(|(step, name)| {
            // Under another name, and through everything a step has, its beginning could not be seen any more.
            let renamed = imports.iter().any(|import| {
                let (path, name) = import.split_once(" as ").unwrap_or((import, step));
                name != *step && path.rsplit("::").next() == Some(*step)
            });
            let path = format!("{step}::{name}");
            renamed || is_path(&path) || is_imported(&path) || is_imported(&format!("{step}::*"))
        })
        .map(|(step, _)| *step)
        .collect()
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
        if file.contains("/tests") {
            continue;
        }
        let mut source = without_tests(source).to_lowercase();
        if file == "host/core/src/settings.rs" {
            // The default order names the five, as the design says; the rest of the settings may not.
            let begin = source.find("pub const default_order").expect("settings have a default order");
            let end = begin + source[begin..].find("];").expect("the order ends");
            source.replace_range(begin..end, "");
        }
        for provider in PROVIDERS {
            let named = source.contains(provider) || source.contains(&provider.replace('-', "_"));
            // The comment there says where a figure is from; no code looks at the name.
            let is_origin = file == "host/core/src/compose/budget.rs" && *provider == "project-map";
            assert!(!named || is_origin && !code(&source).contains(provider), "{file} names {provider}");
        }
    }
}

#[test]
fn nothing_is_read_in_the_middle() {
    // Environment, home and the calendar are handed in: only the surroundings of a process read them.
    // Programs that measure are processes of their own.
    const READERS: &[&str] = &[
        "host/core/src/surroundings.rs",
        "tests/",
        "sdk/provider/build.rs",
        "host/cli/build.rs",
        "sdk/code/build.rs",
        "providers/codebase-index/backend/src/main.rs",
        "providers/pilot-index/examples/",
    ];
    const READS: &[&str] = &["env::var(", "env::var_os(", "env::vars", "SystemTime::now", "env::home_dir("];
    // Where a process stands is also told to the command line: `--cwd` is relative to it, and `check` starts the
    // program once more.
    const PLACERS: &[&str] =
        &["host/core/src/surroundings.rs", "tests/", "host/cli/src/", "sdk/code/examples/"];
    // A command to be started has a `current_dir(folder)` of its own, which reads nothing.
    const PLACES: &[&str] = &["current_dir()", "env::current_dir", "current_exe", "temp_dir("];
    for (file, source) in sources() {
        if file.contains("/tests/") || file.ends_with("/tests.rs") || file.contains("/benches/") {
            continue;
        }
        let code = code(without_tests(&source));
        let imports = imports(&code);
        for (may, calls) in [(READERS, READS), (PLACERS, PLACES)] {
            if may.iter().any(|reader| file.starts_with(reader)) {
                continue;
            }
            let called = calls.iter().find(|call| code.contains(**call));
            // Imported, it would be called by its bare name.
            let imported = imports.iter().find(|import| {
                calls.iter().any(|call| {
                    let name = call.trim_start_matches("env::").trim_end_matches(['(', ')']);
                    import.ends_with("env::*")
                        || import.split(" as ").next().unwrap_or_default().ends_with(&format!("env::{name}"))
                }) || import.contains("std::env as ")
                    || import.contains("SystemTime as ")
            });
            if let Some(call) = called.map(|call| (*call).to_owned()).or(imported.cloned()) {
                panic!("{file} has {call}");
            }
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
    let mut files = 0;
    for (file, source) in sources() {
        let Some(name) = file.strip_prefix("host/core/src/") else { continue };
        let step = name.split(['/', '.']).next().unwrap_or_default();
        if step == "flow" || name.ends_with("/tests.rs") {
            continue;
        }
        files += 1;
        let may = MAY_BEGIN.iter().find(|(who, _)| *who == file).map_or(&[][..], |(_, steps)| *steps);
        for begun in begun_steps(&code(without_tests(&source))) {
            assert!(begun == step || may.contains(&begun), "{file} begins the step {begun}");
        }
    }
    assert!(files >= 15, "only {files} files were looked at");
}

#[test]
fn a_step_is_seen_however_its_beginning_is_spelled() {
    for source in [
        "fn f() { compose::compose(&a) }",
        "fn f() { crate :: compose :: compose(&a) }",
        "use crate::compose::compose;",
        "use crate::{settings::Repeat, compose::{self, Plan, compose}};",
        "mod x; fn f() { use crate::compose::compose as other; other() }",
        "pub(crate) use super::compose::*;",
        "use crate::compose as c;",
        "use crate::{compose::{self as c}};",
    ] {
        assert_eq!(begun_steps(source), BTreeSet::from(["compose"]), "{source}");
    }
    for source in [
        "use crate::{compose::{Injection, neutralize::plain}, load::Loaded};",
        "fn f() { crate::compose::neutralize::plain(a); recompose::compose_all() }",
        "use crate::compose;",
    ] {
        assert_eq!(begun_steps(source), BTreeSet::new(), "{source}");
    }
    assert_eq!(
        imports("#[x]\nuse a::{b::{self, c}, d as e};\nfn f() {}\nuse g;"),
        ["a::b", "a::b::c", "a::d as e", "g"]
    );
}

/// Where the Rust that READMEs show is compiled and run; a block of a whole crate is a documentation test instead.
const SHOWN_IN: &[&str] = &["host/core/examples/embed.rs", "providers/pilot-index/tests/readme.rs"];

#[test]
fn the_rust_that_readmes_show_is_compiled() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect("it is there");
    assert!(read(SHOWN_IN[0]).lines().count() <= 30, "embedding is short");
    // Without remarks, which stand elsewhere in a file that is formatted.
    let code = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    let compiled: Vec<Vec<String>> = SHOWN_IN.iter().map(|file| code(&read(file))).collect();
    let mut blocks = 0;
    for readme in tracked("*.md") {
        for block in read(&readme).split("\n```rust").skip(1) {
            let (word, rest) = block.split_once('\n').expect("a block has lines");
            let shown = code(rest.split("```").next().unwrap_or_default());
            blocks += 1;
            if word == ",standalone_crate" {
                let crate_root = read(&readme.replace("README.md", "src/lib.rs"));
                assert!(crate_root.contains("#[doc = include_str!(\"../README.md\")]"), "{readme}");
                continue;
            }
            let is_there = |lines: &Vec<String>| lines.windows(shown.len()).any(|lines| lines == shown);
            assert!(
                shown.len() >= 3 && compiled.iter().any(is_there),
                "{readme}: {shown:#?} is not compiled"
            );
        }
    }
    assert!(blocks >= 5, "only {blocks} blocks of Rust were found");
}

/// The files of the project that fit a pattern.
fn tracked(pattern: &str) -> Vec<String> {
    let listed = Command::new("git").args(["ls-files", pattern]).current_dir(root()).output();
    let listed = String::from_utf8(listed.expect("git runs").stdout).expect("names are UTF-8");
    listed.lines().map(str::to_owned).collect()
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
