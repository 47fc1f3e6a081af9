//! What an import means: a file or a directory of the project, or somebody else's package.

use rustc_hash::FxHashMap;

use super::{
    entry,
    inventory::{FileFacts, Manifest},
    names::{self, dir, join, resolve},
    tree::Tree,
};

mod known;

use known::{NODE, PYTHON};

/// What an import leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    File(u32),
    Dir(u32),
    /// A package of somebody else, by its name.
    Outside(String),
    /// The language's own library, or nothing that can be told.
    Nothing,
}

/// Everything by which imports are resolved.
pub(crate) struct Resolver<'a> {
    files: FxHashMap<&'a str, u32>,
    dirs: FxHashMap<&'a str, u32>,
    /// Packages of the project by name: the directory, and the file that they begin in.
    packages: FxHashMap<(Kind, String), (&'a str, Option<u32>)>,
    /// Directories with a `Cargo.toml` that is a package's, and where the sources of its programs and libraries begin.
    crates: FxHashMap<&'a str, Vec<&'a str>>,
    /// Where a Python package of this name lies.
    python: FxHashMap<&'a str, &'a str>,
    /// Files of languages that import by the end of a path, by name.
    by_name: FxHashMap<&'a str, Vec<u32>>,
    paths: Vec<&'a str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Crate,
    Npm,
    Go,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(tree: &Tree<'a>) -> Self {
        let mut resolver = Self {
            files: tree.files.iter().zip(0..).map(|(file, at)| (file.path.as_str(), at)).collect(),
            dirs: tree.dirs.iter().zip(0..).map(|(dir, at)| (dir.path, at)).collect(),
            packages: FxHashMap::default(),
            crates: FxHashMap::default(),
            python: FxHashMap::default(),
            by_name: FxHashMap::default(),
            paths: tree.files.iter().map(|file| file.path.as_str()).collect(),
        };
        for (at, file) in tree.files.iter().enumerate() {
            if matches!(family(&file.language), Some("c" | "java")) {
                resolver.by_name.entry(names::name(&file.path)).or_default().push(at as u32);
            }
        }
        for (place, manifests) in entry::manifests(tree) {
            manifests.iter().for_each(|(_, manifest)| resolver.package(place, manifest));
        }
        resolver.python_roots(tree);
        resolver
    }

    fn package(&mut self, place: &'a str, manifest: &'a Manifest) {
        let (kind, name) = match manifest.kind.as_str() {
            "cargo" => (Kind::Crate, manifest.name.replace('-', "_")),
            "npm" => (Kind::Npm, manifest.name.clone()),
            "go" => (Kind::Go, manifest.name.clone()),
            _ => return,
        };
        if name.is_empty() {
            return;
        }
        if kind == Kind::Crate {
            let begins = manifest.entries.iter().filter(|path| self.files.contains_key(path.as_str()));
            self.crates.insert(place, begins.map(|path| dir(path)).collect());
        }
        let library = join(place, "src/lib.rs");
        let mut begins = [library].into_iter().chain(manifest.entries.iter().cloned());
        let begins = begins.find_map(|path| self.files.get(path.as_str()).copied());
        self.packages.entry((kind, name)).or_insert((place, begins));
    }

    /// The outermost directory of each chain of directories with an `__init__.py`, and modules beside none.
    fn python_roots(&mut self, tree: &Tree<'a>) {
        let has_init = |dir: &str| self.files.contains_key(join(dir, "__init__.py").as_str());
        let mut found: FxHashMap<&str, &str> = FxHashMap::default();
        for at in &tree.dirs {
            if !at.path.is_empty() && has_init(at.path) && !has_init(dir(at.path)) {
                // The shallowest wins, and tests never hide what they test.
                let known = found.entry(names::name(at.path)).or_insert(at.path);
                let rank = |path: &str| (path.matches('/').count(), path.len());
                if rank(at.path) < rank(known) {
                    *known = at.path;
                }
            }
        }
        self.python = found;
    }

    /// Says what an import of a file leads to.
    pub(crate) fn resolve(&self, from: &FileFacts, import: &str) -> Target {
        match family(&from.language) {
            Some("rust") => self.rust(from, import),
            Some("js") => self.js(from, import),
            Some("python") => self.python(from, import),
            Some("go") => self.go(import),
            Some("java") => self.java(import),
            Some("c") => self.c(from, import),
            _ => self.beside(from, import),
        }
    }

    fn file(&self, path: &str) -> Option<Target> {
        self.files.get(path).map(|at| Target::File(*at))
    }

    fn dir(&self, path: &str) -> Option<Target> {
        self.dirs.get(path).map(|at| Target::Dir(*at))
    }

    fn rust(&self, from: &FileFacts, import: &str) -> Target {
        let mut steps = import.split("::");
        let first = steps.next().unwrap_or_default().trim_start_matches("r#");
        let rest: Vec<&str> = steps.collect();
        let module = module_dir(&from.path);
        let inside = match first {
            "std" | "core" | "alloc" | "proc_macro" | "test" | "" => return Target::Nothing,
            "crate" => self.rust_path(&self.crate_source(&from.path), &rest),
            "self" => self.rust_path(&module, &rest),
            "super" => {
                let ups = 1 + rest.iter().take_while(|step| **step == "super").count();
                let base = (0..ups).fold(module.as_str(), |at, _| dir(at)).to_owned();
                self.rust_path(&base, &rest[ups - 1..])
            }
            name => match self.packages.get(&(Kind::Crate, name.to_owned())) {
                Some((place, begins)) => {
                    let deep = self.rust_path(&join(place, "src"), &rest);
                    deep.or(begins.map(Target::File)).or_else(|| self.dir(place))
                }
                None => match self.rust_path(&module, &[name]) {
                    Some(local) => Some(local),
                    // Variants of an enumeration, brought in by its name.
                    None if name.starts_with(char::is_uppercase) => None,
                    None => return Target::Outside(name.to_owned()),
                },
            },
        };
        inside.unwrap_or(Target::Nothing)
    }

    /// The deepest module that a path names below a directory of modules.
    fn rust_path(&self, base: &str, steps: &[&str]) -> Option<Target> {
        (1..=steps.len()).rev().find_map(|count| {
            let path = join(base, &steps[..count].join("/"));
            self.file(&format!("{path}.rs")).or_else(|| self.file(&format!("{path}/mod.rs")))
        })
    }

    fn crate_source(&self, path: &str) -> String {
        let mut at = dir(path);
        loop {
            if let Some(begins) = self.crates.get(at) {
                let around = begins.iter().filter(|begin| names::is_within(path, begin));
                return around.max_by_key(|begin| begin.len()).copied().unwrap_or(dir(path)).to_owned();
            }
            if at.is_empty() {
                // No manifest: where the modules of the crate begin cannot be told but by custom.
                let source = path.find("src/").map(|at| &path[..at + 3]);
                return source.unwrap_or(dir(path)).to_owned();
            }
            at = dir(at);
        }
    }

    fn js(&self, from: &FileFacts, import: &str) -> Target {
        if import.starts_with('.') {
            let path = resolve(dir(&from.path), import);
            return path.and_then(|path| self.js_file(&path)).unwrap_or(Target::Nothing);
        }
        let scoped = usize::from(import.starts_with('@'));
        let end = import.match_indices('/').nth(scoped).map_or(import.len(), |(at, _)| at);
        let (name, rest) = (&import[..end], import[end..].trim_start_matches('/'));
        if let Some((place, begins)) = self.packages.get(&(Kind::Npm, name.to_owned())) {
            let deep = (!rest.is_empty()).then(|| {
                self.js_file(&join(place, rest))
                    .or_else(|| self.js_file(&join(place, &format!("src/{rest}"))))
            });
            return deep
                .flatten()
                .or(begins.map(Target::File))
                .or_else(|| self.dir(place))
                .unwrap_or(Target::Nothing);
        }
        let aliased = name.starts_with(['#', '~', '$', '/'])
            || matches!(name.strip_prefix('@'), Some(rest) if rest.starts_with('/'));
        let own = NODE.contains(&name) || name.contains(':');
        let is_name = !name.is_empty() && !name.contains(['{', '*', ' ']);
        if aliased || own || !is_name { Target::Nothing } else { Target::Outside(name.to_owned()) }
    }

    fn js_file(&self, path: &str) -> Option<Target> {
        const ENDS: [&str; 12] =
            ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".d.ts", ".svelte", ".vue", ".json"];
        const INDEXES: [&str; 6] =
            ["index.ts", "index.tsx", "index.js", "index.jsx", "index.mjs", "index.svelte"];
        let with = |path: &str| ENDS.iter().find_map(|end| self.file(&format!("{path}{end}")));
        // TypeScript names the file that will be there after compiling.
        let compiled = || path.strip_suffix(".js").or_else(|| path.strip_suffix(".mjs")).and_then(with);
        with(path)
            .or_else(compiled)
            .or_else(|| INDEXES.iter().find_map(|name| self.file(&join(path, name))))
            .or_else(|| self.dir(path))
    }

    fn python(&self, from: &FileFacts, import: &str) -> Target {
        let dots = import.bytes().take_while(|byte| *byte == b'.').count();
        let steps: Vec<&str> = import[dots..].split('.').filter(|step| !step.is_empty()).collect();
        if dots > 0 {
            let base = (1..dots).fold(dir(&from.path), |at, _| dir(at));
            return self
                .python_path(base, &steps)
                .or_else(|| self.python_package(base))
                .unwrap_or(Target::Nothing);
        }
        let Some(first) = steps.first() else { return Target::Nothing };
        if let Some(place) = self.python.get(first)
            && let Some(target) = self.python_path(dir(place), &steps)
        {
            return target;
        }
        let beside = [dir(&from.path), "", "src"].into_iter().find_map(|base| self.python_path(base, &steps));
        match beside {
            Some(target) => target,
            None if PYTHON.contains(first) => Target::Nothing,
            None => Target::Outside((*first).to_owned()),
        }
    }

    fn python_path(&self, base: &str, steps: &[&str]) -> Option<Target> {
        (1..=steps.len()).rev().find_map(|count| {
            let path = join(base, &steps[..count].join("/"));
            self.file(&format!("{path}.py")).or_else(|| self.python_package(&path))
        })
    }

    fn python_package(&self, path: &str) -> Option<Target> {
        self.file(&join(path, "__init__.py"))
    }

    fn go(&self, import: &str) -> Target {
        let mut name = import;
        // The longest module that the path begins with.
        loop {
            if let Some((place, _)) = self.packages.get(&(Kind::Go, name.to_owned())) {
                let rest = import[name.len()..].trim_start_matches('/');
                let path = if rest.is_empty() { (*place).to_owned() } else { join(place, rest) };
                return self.dir(&path).unwrap_or(Target::Nothing);
            }
            match name.rfind('/') {
                Some(at) => name = &name[..at],
                None => break,
            }
        }
        let host = import.split('/').next().unwrap_or_default();
        if !host.contains('.') {
            return Target::Nothing;
        }
        let steps = if host.contains("git") { 3 } else { 2 };
        Target::Outside(import.split('/').take(steps).collect::<Vec<_>>().join("/"))
    }

    fn java(&self, import: &str) -> Target {
        const OWN: [&str; 7] = ["java", "javax", "kotlin", "scala", "android", "sun", "jdk"];
        let path = import.trim_end_matches(".*").trim_start_matches("static ").replace('.', "/");
        // A member of a class is imported by the class and its own name.
        for path in [path.as_str(), dir(&path)] {
            for end in [".java", ".kt", ".scala", ".groovy"] {
                let whole = format!("{path}{end}");
                if let Some(found) = self.ending(&whole) {
                    return Target::File(found);
                }
            }
        }
        let mut steps = path.split('/');
        match (steps.next(), steps.next()) {
            (Some(first), _) if OWN.contains(&first) => Target::Nothing,
            (Some(first), Some(second)) if first.len() <= 4 && path.matches('/').count() > 1 => {
                Target::Outside(format!("{first}.{second}"))
            }
            _ => Target::Nothing,
        }
    }

    fn c(&self, from: &FileFacts, import: &str) -> Target {
        let beside = resolve(dir(&from.path), import).and_then(|path| self.file(&path));
        if let Some(found) = beside.or_else(|| self.ending(import).map(Target::File)) {
            return found;
        }
        const SYSTEM: [&str; 12] = [
            "sys",
            "linux",
            "asm",
            "netinet",
            "arpa",
            "net",
            "bits",
            "mach",
            "experimental",
            "ext",
            "machine",
            "winsock",
        ];
        match import.split_once('/') {
            Some((first, _)) if !SYSTEM.contains(&first) && !first.starts_with('.') => {
                Target::Outside(first.to_owned())
            }
            _ => Target::Nothing,
        }
    }

    /// The shallowest file whose path ends so.
    fn ending(&self, end: &str) -> Option<u32> {
        let candidates = self.by_name.get(names::name(end))?;
        // Many files of one name are told apart by their directories alone, and looking at each would take too long.
        let fits =
            |path: &str| path == end || path.ends_with(end) && path[..path.len() - end.len()].ends_with('/');
        let path = |at: &u32| self.path(*at);
        let found = candidates.iter().take(64).filter(|at| fits(path(at)));
        found.min_by_key(|at| (path(at).len(), path(at))).copied()
    }

    fn path(&self, at: u32) -> &'a str {
        self.paths.get(at as usize).copied().unwrap_or_default()
    }

    /// Other languages: a path beside the file, with the file's own ending or without.
    fn beside(&self, from: &FileFacts, import: &str) -> Target {
        let end = names::extension(names::name(&from.path));
        let path = resolve(dir(&from.path), import);
        let found = path.and_then(|path| self.file(&path).or_else(|| self.file(&format!("{path}.{end}"))));
        found.unwrap_or(Target::Nothing)
    }
}

/// Languages that import alike.
fn family(language: &str) -> Option<&'static str> {
    Some(match language {
        "rust" => "rust",
        "javascript" | "typescript" | "jsx" | "tsx" | "svelte" | "vue" | "astro" => "js",
        "python" | "cython" => "python",
        "go" => "go",
        "java" | "kotlin" | "scala" | "groovy" => "java",
        "c" | "cpp" | "objective-c" | "objective-cpp" | "cuda" => "c",
        _ => return None,
    })
}

/// The directory in which the modules of a Rust file lie: beside it when it is the module of its directory.
fn module_dir(path: &str) -> String {
    match names::name(path) {
        "mod.rs" | "lib.rs" | "main.rs" => dir(path).to_owned(),
        name => join(dir(path), name.strip_suffix(".rs").unwrap_or(name)),
    }
}

#[cfg(test)]
mod tests;
