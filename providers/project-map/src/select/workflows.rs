//! Hints for work: what to run, and what to open to change something.

use rustc_hash::FxHashMap;

use super::{
    families::Families,
    inventory::{Manifest, Script},
    links::Links,
    names,
    pair::{Item, Role},
    tree::Tree,
};

/// What people run, the most wanted first: the beginning of a script's name, and what it is for.
const RUNS: &[(&[&str], &str)] = &[
    (&["test", "check-tests", "unit"], "test"),
    (&["build", "compile", "all", "dist", "package"], "build"),
    (&["lint", "clippy", "eslint", "vet"], "lint"),
    (&["format", "fmt", "prettier"], "format"),
    (&["dev", "start", "serve", "run", "watch"], "run"),
    (&["check", "typecheck", "types", "tsc"], "check"),
    (&["docs", "doc"], "make the documentation"),
    (&["generate", "gen", "codegen"], "generate code"),
    (&["bench", "benchmark"], "measure"),
];

/// What the scripts of a directory's manifests are for.
pub(crate) fn to_run(manifests: &[(&str, &Manifest)], root: bool) -> Vec<Item> {
    let mut items: Vec<(usize, Item)> = Vec::new();
    for (path, manifest) in manifests {
        for script in manifest.scripts.iter().filter(|script| !script.run.is_empty()) {
            let Some(rank) = rank(&script.name) else { continue };
            if items.iter().all(|(known, _)| *known != rank) {
                let run = run(script, manifest, root);
                let text = format!("to {}: {run}", RUNS[rank].1);
                items.push((rank, Item { path: (*path).to_owned(), text, ..Item::default() }));
            }
        }
    }
    items.sort_by_key(|(rank, _)| *rank);
    items.into_iter().map(|(_, item)| item).collect()
}

fn rank(name: &str) -> Option<usize> {
    let first = name.split([':', '-', '_']).next().unwrap_or(name);
    RUNS.iter().position(|(names, _)| names.contains(&first))
}

/// A member of a Cargo workspace is named, since commands are given in the root.
fn run(script: &Script, manifest: &Manifest, root: bool) -> String {
    let member = manifest.kind == "cargo" && !root && !manifest.name.is_empty();
    if member { format!("{} -p {}", script.run, manifest.name) } else { script.run.clone() }
}

/// Which tests belong to which file, told by their names.
pub(crate) struct TestNames<'a> {
    by_stem: FxHashMap<String, Vec<&'a str>>,
}

impl<'a> TestNames<'a> {
    pub(crate) fn new(tree: &Tree<'a>, families: &Families, roles: &[Role]) -> Self {
        let mut by_stem: FxHashMap<String, Vec<&str>> = FxHashMap::default();
        for (at, file) in tree.files.iter().enumerate() {
            // Samples in directories of their own are called after what they show, not after a file.
            let sample = families.has[at] && families.swallowed[tree.home[at] as usize];
            let shown = file
                .path
                .split('/')
                .any(|step| ["examples", "example", "benches", "bench", "benchmarks"].contains(&step));
            if roles[at] == Role::Test && !sample && !shown {
                by_stem.entry(bare(&file.path)).or_default().push(&file.path);
            }
        }
        Self { by_stem }
    }

    /// The nearest test of a file.
    pub(crate) fn of(&self, path: &str) -> Option<&'a str> {
        let stem = bare(path);
        let tests =
            self.by_stem.get(&stem).filter(|_| stem.len() > 2 && !EVERYWHERE.contains(&stem.as_str()))?;
        let fits = |test: &&&str| is_near(test, path);
        let shared = |test: &str| test.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
        let far = |test: &str| (usize::MAX - shared(test), test.len());
        tests.iter().filter(fits).take(64).copied().min_by(|a, b| (far(a), a).cmp(&(far(b), b)))
    }
}

/// Whether a test of a file's name can be that file's: it lies beside or above it, in its package and not in another one's.
/// One that only its folder makes a test has to lie as its file does.
fn is_near(test: &str, path: &str) -> bool {
    const FOLDERS: [&str; 6] = ["tests", "test", "__tests__", "spec", "specs", "testing"];
    let steps: Vec<&str> = names::dir(test).split('/').collect();
    let Some(at) = steps.iter().position(|step| FOLDERS.contains(step)) else { return true };
    let above = steps[..at].join("/");
    // `src/test/java/…` stands beside `src/main/java/…`.
    let package = if names::name(&above) == "src" { names::dir(&above) } else { &above };
    if !names::is_within(path, package) {
        return false;
    }
    let marked = names::stem(names::name(test)) != names::stem(names::name(path))
        || names::name(test).matches('.').count() > names::name(path).matches('.').count();
    let inner = steps[at + 1..].join("/");
    marked || inner.is_empty() || names::dir(path).ends_with(&inner)
}

/// Names that say nothing of what a file is about.
const EVERYWHERE: &[&str] = &[
    "main",
    "index",
    "mod",
    "lib",
    "init",
    "util",
    "utils",
    "types",
    "common",
    "helpers",
    "constants",
    "test",
    "tests",
    "setup",
    "config",
    "error",
    "errors",
    "macros",
    "shared",
    "base",
    "core",
    "context",
    "testutil",
];

/// A file's name without what makes it a test's.
fn bare(path: &str) -> String {
    let name = names::name(path);
    let stem = names::stem(name);
    let stem = ["test_", "test-"].iter().fold(stem, |stem, begin| stem.strip_prefix(begin).unwrap_or(stem));
    let ends = ["_test", "_tests", "-test", "_spec", "-spec", "Test", "Tests", "Spec", "TestCase"];
    let stem = ends
        .iter()
        .fold(stem, |stem, end| stem.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(stem));
    stem.replace(['_', '-'], "").to_lowercase()
}

/// What to open to change a file: it, what it uses most of what lies beside it, and its tests. `near` says whether another
/// file is described on the same page.
pub(crate) fn to_change(
    tree: &Tree<'_>,
    links: &Links,
    tests: &TestNames<'_>,
    file: u32,
    near: &dyn Fn(u32) -> bool,
) -> Option<Item> {
    const FACES: [&str; 4] = ["__init__.py", "mod.rs", "lib.rs", "__main__.py"];
    let at = tree.file(file);
    let path = at.path.as_str();
    let is_face = |path: &str| FACES.contains(&names::name(path));
    if is_face(path) || at.definitions == 0 || path.ends_with(".d.ts") {
        return None;
    }
    let used = |at: &&u32| (links.used[**at as usize], std::cmp::Reverse(**at));
    let source = |at: &&u32| {
        let other = tree.file(**at);
        // What everything has need of changes with nothing.
        let telling = !EVERYWHERE.contains(&names::stem(names::name(&other.path)));
        !other.test && other.code && !other.foreign && !is_face(&other.path) && telling
    };
    // What everything uses is known anyway; what stands nearby is what changes together.
    let beside = |at: &&u32| names::dir(&tree.file(**at).path) == names::dir(path);
    let mut partners = links.imports[file as usize].iter().filter(source).filter(|at| near(**at));
    let partner =
        partners.clone().filter(beside).max_by_key(used).or_else(|| partners.by_ref().max_by_key(used));
    let test = tests.of(path);
    if partner.is_none() && test.is_none() {
        return None;
    }
    let mut text = format!("to change {}, open {path}", called(path));
    if let Some(partner) = partner {
        text += &format!(", then {}", tree.file(*partner).path);
    }
    if let Some(test) = test {
        text += &format!("; tests in {test}");
    }
    Some(Item { path: path.to_owned(), text, ..Item::default() })
}

/// What a file is about, by its name or else by its directory's.
fn called(path: &str) -> &str {
    let stem = names::stem(names::name(path));
    let dir = names::name(names::dir(path));
    if matches!(stem, "index" | "main" | "mod" | "lib") && !dir.is_empty() { dir } else { stem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_become_things_to_do() {
        let script = |name: &str| Script { name: name.into(), run: format!("npm run {name}") };
        let manifest = Manifest {
            kind: "npm".into(),
            scripts: ["lint", "prepare", "test:unit", "test", "build"].map(script).to_vec(),
            ..Manifest::default()
        };
        let texts: Vec<String> =
            to_run(&[("package.json", &manifest)], true).into_iter().map(|item| item.text).collect();
        assert_eq!(texts, ["to test: npm run test:unit", "to build: npm run build", "to lint: npm run lint"]);
    }

    #[test]
    fn a_test_belongs_to_its_own_package() {
        for (test, path, expected) in [
            ("crates/matcher/tests/test_matcher.rs", "crates/pcre2/src/matcher.rs", false),
            ("crates/matcher/tests/test_matcher.rs", "crates/matcher/src/matcher.rs", true),
            ("tests/test_translate.py", "scripts/translate.py", true),
            ("tests/json.rs", "crates/printer/src/json.rs", true),
            ("tests/types/snippet.ts", "src/client/dom/snippet.js", false),
            ("tests/net/http.py", "src/net/http.py", true),
            ("src/test/java/WalkTest.java", "src/main/java/Walk.java", true),
            ("src/walk.test.ts", "src/walk.ts", true),
        ] {
            assert_eq!(is_near(test, path), expected, "{test} {path}");
        }
    }

    #[test]
    fn a_test_is_found_by_its_name() {
        for (test, source) in [
            ("tests/test_walk.py", "src/walk.py"),
            ("src/walk.test.ts", "src/walk.ts"),
            ("src/test/WalkTest.java", "src/main/Walk.java"),
            ("pkg/walk_test.go", "pkg/walk.go"),
            ("spec/walk_spec.rb", "lib/walk.rb"),
        ] {
            assert_eq!(bare(test), bare(source), "{test}");
        }
    }
}
